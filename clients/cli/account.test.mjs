// The account, the health check and browser sessions by the command line.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Folder, key, nobody, poorKey, service, site } from './command.mjs'

const unknown = '00000000-0000-4000-8000-000000000000'

describe('account', { concurrency: 2 }, () => {
	test('credit-usage', async t => {
		assert.match((await new Folder(t).succeeds('credit-usage')).out, /Remaining Credits: [\d,]+/)
	})

	test('--status', async t => {
		const { out } = await new Folder(t).succeeds('--status')
		const plain = out.replace(/\x1b\[[\d;]*m/g, '')
		assert.match(plain, /Authenticated via FIRECRAWL_API_KEY/)
		assert.match(plain, /Concurrency: \d+\/\d+ jobs/)
		assert.match(plain, /Credits: [\d,]+/)
	})

	test('--status with a key that nobody has', async t => {
		const run = await new Folder(t).run(['--status'], { FIRECRAWL_API_KEY: nobody })
		assert.match(run.out, /Could not fetch account info: .*nauthorized/)
	})

	test('login keeps the key, logout forgets it', async t => {
		const folder = new Folder(t)
		const without = { FIRECRAWL_API_URL: '', FIRECRAWL_API_KEY: '' }
		const login = await folder.run(['login', '--api-key', key, '--api-url', service], without)
		assert.equal(login.code, 0, login.err)
		const scrape = await folder.run(['scrape', site('/a')], without)
		assert.match(scrape.out, /Apples/)
		assert.equal((await folder.run(['logout'], without)).code, 0)
	})
})

describe('doctor', { concurrency: 2 }, () => {
	// The only command that asks the registry of packages for a newer version, and
	// no setting keeps it from that. The guard does, which is noted apart.
	const doctor = (folder, args, variables) => folder.run(['doctor', ...args], { ...variables, LOOPBACK_REFUSED: folder.file('refused') })

	test('finds nothing wrong', async t => {
		const folder = new Folder(t)
		const run = await doctor(folder, ['--json'])
		assert.equal(run.code, 0, run.out)
		const checks = Object.fromEntries(JSON.parse(run.out).checks.map(check => [check.name, check]))
		for (const name of ['API Key', 'API Key Validity', 'Credits', 'Concurrency']) assert.equal(checks[name].status, 'pass', run.out)
		assert.match(checks['CLI Version'].message, /registry unreachable/)
		assert.match(folder.read('refused'), /^(registry\.npmjs\.org\n)+$/)
	})

	test('finds a key that nobody has', async t => {
		const run = await doctor(new Folder(t), [], { FIRECRAWL_API_KEY: nobody })
		assert.equal(run.code, 1)
		assert.match(run.out, /HTTP 401/)
	})

	test('finds a team without credits', async t => {
		const run = await doctor(new Folder(t), [], { FIRECRAWL_API_KEY: poorKey })
		assert.equal(run.code, 1)
		assert.match(run.out, /0 remaining/)
	})

	test('cannot ask for support', async t => {
		await new Folder(t).fails(/Error: .+/, ['doctor', unknown])
	})
})

describe('browser', { concurrency: 2 }, () => {
	test('launch, list, close', async t => {
		const folder = new Folder(t)
		const { out } = await folder.succeeds('browser', 'launch-session', '--ttl', '600', '--ttl-inactivity', '600')
		const [, id] = out.match(/Session ID: +([0-9a-f-]{36})\nCDP URL: +ws/)
		assert.match((await folder.succeeds('browser', 'list', 'active')).out, new RegExp(`${id} +active`))
		assert.match((await folder.succeeds('browser', 'execute', `open ${site('/a')}`)).out, /✓ .+\n +http/)
		assert.match((await folder.succeeds('browser', 'execute', '--bash', 'agent-browser snapshot')).out, /- heading ".+" \[level=1, ref=e\d+\]/)
		assert.match((await folder.run(['browser', 'execute', '--node', 'await page.title()'])).err, /Code error: This server does not run node code/)
		assert.match((await folder.succeeds('browser', 'close')).out, /Session closed/)
		assert.match((await folder.succeeds('browser', 'list', 'destroyed')).out, new RegExp(`${id} +destroyed`))
	})

	test('fails clearly', async t => {
		await new Folder(t).fails(/not found/i, ['browser', 'close', '--session', unknown])
		await new Folder(t).fails(/credits/i, ['browser', 'launch-session'], { FIRECRAWL_API_KEY: poorKey })
	})
})

test('interact goes on in the page of the last scrape', async t => {
	const folder = new Folder(t)
	await folder.succeeds('scrape', site('/a'))
	assert.match((await folder.succeeds('interact', '--bash', '-c', 'get url')).out, new RegExp(site('/a')))
	await folder.fails(/Error: .*nothing/, ['interact', '--bash', '-c', 'click "#nothing"'])
	await folder.succeeds('interact', 'stop')
	await new Folder(t).fails(/Error: Job not found/, ['interact', unknown, 'Click the button.'])
})

test('agent is not there', async t => { await new Folder(t).fails(/Error: .+/, ['agent', 'Find apples.', '--wait']) })
