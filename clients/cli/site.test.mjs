// Crawls, maps, searches and files by the command line.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { describe, test } from 'node:test'
import { Folder, site } from './command.mjs'

const unknown = '00000000-0000-4000-8000-000000000000'

async function download(page, file) {
	fs.writeFileSync(file, Buffer.from(await (await fetch(site(page))).arrayBuffer()))
}

describe('crawl', { concurrency: 2 }, () => {
	test('waits and shows progress', async t => {
		const folder = new Folder(t)
		const { err } = await folder.succeeds('crawl', site('/blog/1'), '--wait', '--progress', '--poll-interval', '0.5', '--limit', '3', '--sitemap', 'include',
			'--crawl-entire-domain', '--include-paths', '^/blog/.*', '--scrape-options', '{"formats":["markdown","links"]}', '-o', 'crawl.json')
		assert.match(err, /Job ID: [0-9a-f-]{36}/)
		assert.match(err, /Progress: 3\/3 pages \(completed\)/)
		const job = JSON.parse(folder.read('crawl.json'))
		const pages = (job.data.data ?? job.data).map(doc => doc.metadata.sourceURL)
		assert.equal(pages.length, 3)
		assert.ok(pages.every(url => url.startsWith(site('/blog/'))))
	})

	test('waits without progress', async t => {
		const { out } = await new Folder(t).succeeds('crawl', site('/'), '--wait', '--poll-interval', '1', '--timeout', '200', '--limit', '2', '--max-depth', '1', '--exclude-paths', '^/slow')
		assert.match(out, /completed/)
		assert.match(out, /2\/2 pages|"completed":2/)
	})

	test('starts, tells the status and cancels', async t => {
		const folder = new Folder(t)
		const { out } = await folder.succeeds('crawl', site('/many/'), '--limit', '60', '--delay', '1', '--max-concurrency', '1')
		const { data } = JSON.parse(out)
		assert.equal(data.status, 'processing')
		const status = async (...args) => JSON.parse((await folder.succeeds('crawl', data.jobId, ...args)).out).status
		assert.equal(await status(), 'scraping')
		assert.equal(await status('--cancel'), 'cancelled')
	})

	test('fails clearly', async t => {
		const folder = new Folder(t)
		await folder.fails(/not found/i, ['crawl', unknown])
		await folder.fails(/includePaths|pattern|regular/i, ['crawl', site('/'), '--include-paths', '('])
	})
})

describe('map', { concurrency: 2 }, () => {
	test('lists addresses', async t => {
		const { out } = await new Folder(t).succeeds('map', site('/'))
		const urls = out.trim().split('\n')
		assert.ok(urls.includes(site('/a')) && urls.includes(site('/blog/5')), out)
	})

	test('takes options', async t => {
		const { out } = await new Folder(t).succeeds('map', site('/'), '--limit', '2', '--search', 'blog', '--sitemap', 'only', '--ignore-query-parameters', '--timeout', '100', '--json')
		const { links } = JSON.parse(out).data
		assert.ok(links.length > 0 && links.length <= 2)
		assert.match(links[0].url, /\/blog\//)
	})

	test('fails clearly', async t => {
		await new Folder(t).fails(/url/i, ['map', 'not an address'])
	})
})

describe('search', { concurrency: 2 }, () => {
	test('prints results', async t => {
		const { out } = await new Folder(t).succeeds('search', 'apples', '--limit', '2')
		assert.match(out, /Apples\n {2}URL: /)
	})

	test('scrapes results', async t => {
		const { out } = await new Folder(t).succeeds('search', 'apples', '--limit', '1', '--sources', 'web', '--tbs', 'qdr:y', '--country', 'DE',
			'--ignore-invalid-urls', '--scrape', '--scrape-formats', 'markdown,links', '--json')
		const found = JSON.parse(out)
		assert.match(found.data.web[0].markdown, /# Apples/)
		assert.ok(Array.isArray(found.data.web[0].links))
		assert.ok(found.id)
		assert.equal(typeof found.creditsUsed, 'number')
	})

	test('says that there is no index for programmers or papers', async t => {
		await new Folder(t).fails(/Error: .+/, ['developer', 'apples'])
		await new Folder(t).fails(/Error: .+/, ['research', 'search-papers', 'apples'])
	})
})

describe('parse', { concurrency: 2 }, () => {
	test('reads a PDF', async t => {
		const folder = new Folder(t)
		await download('/doc.pdf', folder.file('doc.pdf'))
		assert.match((await folder.succeeds('parse', 'doc.pdf', '--timeout', '100000')).out, /The year was a good one/)
	})

	test('reads a Word file in several formats', async t => {
		const folder = new Folder(t)
		await download('/doc.docx', folder.file('doc.docx'))
		const { out } = await folder.succeeds('parse', 'doc.docx', '--format', 'markdown,html', '--timeout', '100000', '--only-main-content')
		const doc = JSON.parse(out)
		assert.match(doc.markdown, /The meeting was short/)
		assert.match(doc.html, /<p/)
	})

	test('sums up and answers', async t => {
		const folder = new Folder(t)
		fs.writeFileSync(folder.file('page.html'), '<h1>Heading</h1><p>The meeting was short and friendly.</p>')
		assert.match((await folder.succeeds('parse', 'page.html', '--summary')).out, /short and friendly/)
		assert.match((await folder.succeeds('parse', 'page.html', '--query', 'How was the meeting?')).out, /short and friendly/)
	})

	test('fails clearly', async t => {
		const folder = new Folder(t)
		fs.writeFileSync(folder.file('broken.pdf'), 'This is no PDF.')
		await folder.fails(/Error: .+/, ['parse', 'broken.pdf'])
		await folder.fails(/File not found/, ['parse', 'none.pdf'])
	})
})
