// The account, the health check and browser sessions by the command line.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Folder, poorKey, site } from './command.mjs'

const unknown = '00000000-0000-4000-8000-000000000000'

describe('account', { concurrency: 4 }, () => {
	test('credit-usage', async t => {
		const folder = new Folder(t)
		assert.match((await folder.succeeds('credit-usage')).out, /Remaining Credits: [\d,]+/)
		const { data } = JSON.parse((await folder.succeeds('credit-usage', '--json')).out)
		assert.equal(typeof data.remainingCredits, 'number')
	})

	test('--status', async t => {
		const { out } = await new Folder(t).succeeds('--status')
		const plain = out.replace(/\x1b\[[\d;]*m/g, '')
		assert.match(plain, /Authenticated via FIRECRAWL_API_KEY/)
		assert.match(plain, /Concurrency: \d+\/\d+ jobs/)
		assert.match(plain, /Credits: [\d,]+/)
	})

	test('--status with a key that nobody has', async t => {
		const run = await new Folder(t).run(['--status'], { FIRECRAWL_API_KEY: 'fc-' + '0'.repeat(32) })
		assert.match(run.out, /Could not fetch account info: .*nauthorized/)
	})

	test('version, help and configuration', async t => {
		const folder = new Folder(t)
		assert.match((await folder.succeeds('--version')).out, /^\d+\.\d+\.\d+/)
		assert.match((await folder.succeeds('--help')).out, /scrape/)
		assert.match((await folder.succeeds('view-config')).out, /API URL/)
	})

	test('login keeps the key, logout forgets it', async t => {
		const folder = new Folder(t)
		const without = { FIRECRAWL_API_URL: '', FIRECRAWL_API_KEY: '' }
		const login = await folder.run(['login', '--api-key', process.env.TRAWL_KEY, '--api-url', process.env.TRAWL_URL], without)
		assert.equal(login.code, 0, login.err)
		const scrape = await folder.run(['scrape', site('/a')], without)
		assert.match(scrape.out, /Apples/)
		assert.equal((await folder.run(['logout'], without)).code, 0)
		assert.deepEqual(folder.refused(), [])
	})
})

describe('doctor', { concurrency: 4 }, () => {
	// The only command that asks the registry of packages for a newer version, and
	// no setting keeps it from that. The guard does.
	const registry = ['registry.npmjs.org']

	test('finds nothing wrong', async t => {
		const folder = new Folder(t)
		const run = await folder.run(['doctor', '--json'])
		const checks = Object.fromEntries(JSON.parse(run.out).checks.map(check => [check.name, check]))
		assert.equal(run.code, 0, run.out)
		for (const name of ['API Key', 'API Key Validity', 'Credits', 'Concurrency']) assert.equal(checks[name].status, 'pass', run.out)
		assert.match(checks['CLI Version'].message, /registry unreachable/)
		assert.deepEqual([...new Set(folder.refused())], registry)
	})

	test('finds a key that nobody has and a team without credits', async t => {
		const folder = new Folder(t)
		const wrong = await folder.run(['doctor'], { FIRECRAWL_API_KEY: 'fc-' + '0'.repeat(32) })
		assert.equal(wrong.code, 1)
		assert.match(wrong.out, /HTTP 401/)
		const poor = await folder.run(['doctor'], { FIRECRAWL_API_KEY: poorKey })
		assert.equal(poor.code, 1)
		assert.match(poor.out, /0 remaining/)
	})

	test('cannot ask for support', async t => {
		await new Folder(t).fails(/Error: .+/, ['doctor', unknown])
	})
})

describe('browser', () => {
	test('launch, list, close', async t => {
		const folder = new Folder(t)
		const { out } = await folder.succeeds('browser', 'launch-session', '--ttl', '60', '--ttl-inactivity', '60')
		const [, id] = out.match(/Session ID: +([0-9a-f-]{36})\nCDP URL: +ws/)
		assert.match((await folder.succeeds('browser', 'list', 'active')).out, new RegExp(`${id} +active`))
		await folder.fails(/does not run code/, ['browser', 'execute', '--node', 'await page.title()'])
		assert.match((await folder.succeeds('browser', 'close')).out, /Session closed/)
		assert.match((await folder.succeeds('browser', 'list', 'destroyed')).out, new RegExp(`${id} +destroyed`))
		await folder.fails(/No active browser session/, ['browser', 'close'])
	})

	test('fails clearly', async t => {
		await new Folder(t).fails(/not found/i, ['browser', 'close', '--session', unknown])
		await new Folder(t).fails(/credits/i, ['browser', 'launch-session'], { FIRECRAWL_API_KEY: poorKey })
	})
})

describe('what this service does not have', { concurrency: 4 }, () => {
	for (const args of [['agent', 'Find apples.', '--wait'], ['monitor', 'list'], ['interact', unknown, 'Click the button.']]) {
		test(args[0], async t => { await new Folder(t).fails(/Error: .+/, args) })
	}
})
