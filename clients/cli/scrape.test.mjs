// Scrapes by the command line: formats, output, several addresses, failures.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { describe, test } from 'node:test'
import { Folder, key, nobody, poorKey, service, site, strict } from './command.mjs'

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

describe('scrape', { concurrency: 2 }, () => {
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
		assert.match((await folder.succeeds('scrape', site('/a'), '--html')).out, /^<[^]*<h1/)
		assert.match((await folder.succeeds('scrape', site('/'), '--format', 'links')).out, /\/blog\/1/)
	})

	test('writes several formats into a file, as JSON', async t => {
		const folder = new Folder(t)
		await folder.succeeds('scrape', site('/a'), '--format', 'markdown,html,rawHtml,links,images', '--pretty', '-o', 'page.json')
		const doc = JSON.parse(folder.read('page.json'))
		assert.match(doc.markdown, /^# Apples/)
		assert.match(doc.html, /<h1/)
		assert.match(doc.rawHtml, /<title>Apples/)
		assert.deepEqual([doc.links, doc.images], [[site('/')], [site('/logo.png')]])
	})

	test('takes options', async t => {
		const { out, err } = await new Folder(t).succeeds('scrape', site('/a'), '--wait-for', '50', '--exclude-tags', 'img,a', '--include-tags', 'h1,p',
			'--max-age', '0', '--country', 'DE', '--languages', 'de,en', '--proxy', 'basic', '--timing')
		assert.match(out, /Apples/)
		assert.match(err, /"status": "success"/)
	})

	test('takes pictures', async t => {
		const { out } = await new Folder(t).succeeds('scrape', site('/a'), '--full-page-screenshot', '--json')
		const picture = await fetch(JSON.parse(out).screenshot)
		assert.equal(picture.headers.get('content-type'), 'image/png')
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
		assert.match((await folder.succeeds('scrape', site('/blog/1'), '--summary')).out, /article number 1/)
		const { out } = await folder.succeeds('scrape', site('/product'), '--format', 'json', '--schema', JSON.stringify(schema), '--json')
		assert.deepEqual(JSON.parse(out).json, { name: 'Kettle' })
	})

	test('answers a question', async t => {
		const { out } = await new Folder(t).succeeds('scrape', site('/product'), '--query', 'What is sold here?')
		assert.match(out, /^A kettle of steel/)
	})

	test('measures the branding', async t => {
		const { out } = await new Folder(t).succeeds('scrape', site('/brand'), '--format', 'branding', '--json')
		assert.equal(JSON.parse(out).branding.colors.primary, '#336699')
	})

	test('tracks changes', async t => {
		const { out } = await new Folder(t).succeeds('scrape', site('/steady'), '--format', 'markdown,changeTracking')
		assert.equal(JSON.parse(out).changeTracking.changeStatus, 'new')
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
		const { err } = await new Folder(t).succeeds('scrape', site('/a'), 'http://127.0.0.1:2/')
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

describe('scrape fails', { concurrency: 2 }, () => {
	test('with a key that nobody has', async t => {
		await new Folder(t).fails(/unauthorized/i, ['scrape', site('/a'), '--api-key', nobody])
	})

	test('without credits', async t => {
		await new Folder(t).fails(/credits/i, ['scrape', site('/a')], { FIRECRAWL_API_KEY: poorKey })
	})

	test('where nothing answers', async t => {
		await new Folder(t).fails(/connect|refused|reach/i, ['scrape', 'http://127.0.0.1:2/'])
		await new Folder(t).fails(/ECONNREFUSED/, ['scrape', site('/a'), '--api-url', 'http://127.0.0.1:9'])
	})

	test('with a format that needs options', async t => {
		await new Folder(t).fails(/attributes/, ['scrape', site('/a'), '--format', 'attributes'])
	})

	test('under lockdown, when the page was never scraped', async t => {
		await new Folder(t).fails(/cache/i, ['scrape', site('/never-scraped'), '--lockdown'])
	})

	test('beyond the rate limit', async t => {
		const folder = new Folder(t)
		await folder.succeeds('scrape', site('/a'), '--api-url', strict)
		await folder.fails(/rate limit/i, ['scrape', site('/a'), '--api-url', strict])
	})
})

test('flags name the service and the key before the environment does', async t => {
	const nowhere = { FIRECRAWL_API_URL: 'http://127.0.0.1:9', FIRECRAWL_API_KEY: '' }
	const run = await new Folder(t).run(['--api-url', service, '--api-key', key, 'scrape', site('/a')], nowhere)
	assert.equal(run.code, 0, run.err)
	assert.match(run.out, /Apples/)
})
