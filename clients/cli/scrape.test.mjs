// Scrapes by the command line: formats, output, several addresses, failures.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { describe, test } from 'node:test'
import { Folder, key, poorKey, service, site, strict } from './command.mjs'

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

describe('scrape', { concurrency: 4 }, () => {
	test('prints markdown and keeps the id of the scrape', async t => {
		const folder = new Folder(t)
		const { out, err } = await folder.succeeds('scrape', site('/a'))
		assert.match(out, /^# Apples/m)
		assert.match(err, /Scrape ID: [0-9a-f-]{36}/)
	})

	test('takes an address without a command', async t => {
		const { out } = await new Folder(t).succeeds(site('/b'), '--only-main-content')
		assert.match(out, /^# Bread/m)
	})

	test('prints one format as it is', async t => {
		const folder = new Folder(t)
		assert.match((await folder.succeeds('scrape', site('/a'), '--html')).out, /<h1/)
		assert.match((await folder.succeeds('scrape', site('/a'), '--format', 'rawHtml')).out, /<title>Apples/)
		assert.match((await folder.succeeds('scrape', site('/'), '--format', 'links')).out, /\/blog\/1/)
		assert.match((await folder.succeeds('scrape', site('/a'), '--format', 'images')).out, /logo\.png/)
	})

	test('prints several formats as JSON', async t => {
		const { out } = await new Folder(t).succeeds('scrape', site('/a'), '--format', 'markdown,html,links,images', '--pretty')
		const doc = JSON.parse(out)
		assert.match(doc.markdown, /Apples/)
		assert.ok(doc.html && Array.isArray(doc.links) && Array.isArray(doc.images))
	})

	test('writes JSON into a file', async t => {
		const folder = new Folder(t)
		await folder.succeeds('scrape', site('/a'), '--json', '-o', 'page.json')
		assert.match(JSON.parse(folder.read('page.json')).markdown, /Apples/)
	})

	test('takes options', async t => {
		const { out, err } = await new Folder(t).succeeds('scrape', site('/a'), '--wait-for', '50', '--exclude-tags', 'img,a', '--include-tags', 'h1,p',
			'--max-age', '0', '--country', 'DE', '--languages', 'de,en', '--proxy', 'basic', '--timing')
		assert.match(out, /Apples/)
		assert.match(err, /"status": "success"/)
	})

	test('takes pictures', async t => {
		const folder = new Folder(t)
		const { out } = await folder.succeeds('scrape', site('/a'), '--screenshot', '--json')
		assert.ok(JSON.parse(out).screenshot)
		const full = await folder.succeeds('scrape', site('/a'), '--full-page-screenshot', '--json')
		assert.ok(JSON.parse(full.out).screenshot)
	})

	test('runs actions', async t => {
		const folder = new Folder(t)
		fs.writeFileSync(folder.file('actions.json'), JSON.stringify([
			{ type: 'click', selector: '#name' }, { type: 'write', text: 'Ada' }, { type: 'click', selector: '#greet' }, { type: 'wait', milliseconds: 50 },
		]))
		const { out } = await folder.succeeds('scrape', site('/form'), '--actions-file', 'actions.json')
		assert.match(out, /Good day, Ada/)
	})

	test('asks the model', async t => {
		const folder = new Folder(t)
		assert.ok((await folder.succeeds('scrape', site('/blog/1'), '--summary')).out.trim())
		const { out } = await folder.succeeds('scrape', site('/product'), '--format', 'json', '--schema', JSON.stringify(schema), '--json')
		assert.equal(typeof JSON.parse(out).json.name, 'string')
	})

	test('answers a question', async t => {
		const { out } = await new Folder(t).succeeds('scrape', site('/product'), '--query', 'What is sold here?')
		assert.ok(out.trim())
		assert.doesNotMatch(out, /^\{/)
	})

	test('measures the branding', async t => {
		const { out } = await new Folder(t).succeeds('scrape', site('/brand'), '--format', 'branding', '--json')
		assert.match(JSON.parse(out).branding.colors.background, /^#[0-9a-f]{6}$/i)
	})

	test('tracks changes', async t => {
		const { out } = await new Folder(t).succeeds('scrape', site('/steady'), '--format', 'markdown,changeTracking')
		assert.match(JSON.parse(out).changeTracking.changeStatus, /^(new|same)$/)
	})

	test('keeps several addresses in files', async t => {
		const folder = new Folder(t)
		const { err } = await folder.succeeds('scrape', site('/a'), site('/b'), site('/blog/1'))
		assert.match(err, /Completed: 3\/3 succeeded/)
		const kept = fs.readdirSync(folder.file('.firecrawl'))
		assert.equal(kept.length, 3)
		assert.match(folder.read('.firecrawl', kept.find(name => name.endsWith('-a.md'))), /Apples/)
	})

	test('goes on when one of several addresses fails', async t => {
		const { err } = await new Folder(t).succeeds('scrape', site('/a'), 'http://127.0.0.1:9/')
		assert.match(err, /Completed: 1\/2 succeeded, 1 failed/)
	})

	test('downloads a site', async t => {
		const folder = new Folder(t)
		const { err } = await folder.succeeds('experimental', 'download', site('/'), '--include-paths', '/blog', '--limit', '2', '--format', 'markdown,links', '--screenshot', '--yes')
		assert.match(err, /Completed: 2\/2 succeeded/)
		const [host] = fs.readdirSync(folder.file('.firecrawl'))
		const [page] = fs.readdirSync(folder.file('.firecrawl', host, 'blog'))
		assert.deepEqual(fs.readdirSync(folder.file('.firecrawl', host, 'blog', page)).sort(), ['index.md', 'links.txt', 'screenshot.png'])
	})
})

describe('scrape fails', { concurrency: 4 }, () => {
	test('without an address', async t => {
		await new Folder(t).fails(/URL is required/, ['scrape'])
	})

	test('with a key that nobody has', async t => {
		await new Folder(t).fails(/unauthorized/i, ['scrape', site('/a'), '--api-key', 'fc-' + '0'.repeat(32)])
	})

	test('without credits', async t => {
		await new Folder(t).fails(/credits/i, ['scrape', site('/a')], { FIRECRAWL_API_KEY: poorKey })
	})

	test('where nothing answers', async t => {
		await new Folder(t).fails(/connect|refused|reach/i, ['scrape', 'http://127.0.0.1:9/'])
		await new Folder(t).fails(/ECONNREFUSED/, ['scrape', site('/a'), '--api-url', 'http://127.0.0.1:9'])
	})

	test('with a format that needs options', async t => {
		await new Folder(t).fails(/attributes/, ['scrape', site('/a'), '--format', 'attributes'])
	})

	test('with a format that does not exist', async t => {
		await new Folder(t).fails(/Invalid format/, ['scrape', site('/a'), '--format', 'poem'])
	})

	test('under lockdown, when the page was never scraped', async t => {
		await new Folder(t).fails(/cache/i, ['scrape', site('/never-scraped'), '--lockdown'])
	})

	test('beyond the rate limit', { skip: !strict }, async t => {
		const folder = new Folder(t)
		const runs = [await folder.run(['scrape', site('/a'), '--api-url', strict, '--api-key', key]), await folder.run(['scrape', site('/a'), '--api-url', strict, '--api-key', key])]
		assert.equal(runs.at(-1).code, 1)
		assert.match(runs.at(-1).err, /rate limit/i)
	})
})

test('the service and the key come from flags or the environment', { concurrency: true }, async t => {
	const nowhere = { FIRECRAWL_API_URL: 'http://127.0.0.1:9', FIRECRAWL_API_KEY: '' }
	const run = await new Folder(t).run(['scrape', site('/a'), '--api-url', service, '--api-key', key], nowhere)
	assert.equal(run.code, 0, run.err)
	const global = await new Folder(t).run(['--api-url', service, '--api-key', key, 'scrape', site('/a')], nowhere)
	assert.equal(global.code, 0, global.err)
})
