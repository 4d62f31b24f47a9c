import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import { client, limit, site, wait } from './support.mjs'

const listed = links => links.map(l => l.url).sort()

test('map', limit, async () => {
	const { links } = await client.map(site, { limit: 100 })
	assert.ok(listed(links).includes(site + '/a'))
	assert.ok(listed(links).includes(site + '/product')) // only in the sitemap
	assert.deepEqual(listed((await client.map(site, { sitemap: 'only' })).links).length, 9)
	const skipped = await client.map(site, { sitemap: 'skip', includeSubdomains: false, ignoreQueryParameters: true, timeout: 100_000 })
	assert.equal(listed(skipped.links).includes(site + '/product'), false)
	assert.match((await client.map(site, { search: 'product' })).links[0].url, /product/)
	assert.equal((await client.map(site, { limit: 2 })).links.length, 2)
})

test('search', limit, async () => {
	const found = await client.search('apples', { limit: 2 })
	assert.deepEqual(found.web.map(r => r.url), [site + '/a', site + '/b'])
	assert.equal(found.web[0].title, 'Apples')
	assert.equal(found.news, undefined)
	const read = await client.search('apples', { limit: 1, sources: ['web'], scrapeOptions: { formats: ['markdown'] } })
	assert.match(read.web[0].markdown, /Apples are round fruit/)
})

const schema = z.object({ title: z.string() })

test('extract', limit, async () => {
	const result = await client.extract({ urls: [site + '/a'], schema, prompt: 'The title.', showSources: true, ...wait })
	assert.equal(result.success, true)
	assert.equal(result.status, 'completed')
	assert.deepEqual(result.data, { title: 'Apples' })
	assert.ok(result.sources)
	assert.ok(result.creditsUsed > 0)
})

test('start an extract and ask for it', limit, async () => {
	const started = await client.startExtract({ urls: [site + '/blog/*'], prompt: 'The titles and texts of all articles.', ignoreInvalidURLs: true })
	assert.ok(started.id)
	let status
	do {
		await new Promise(resolve => setTimeout(resolve, 200))
		status = await client.getExtractStatus(started.id)
	} while (status.status === 'processing')
	assert.equal(status.status, 'completed')
	assert.match(JSON.stringify(status.data), /Article \d/)
})

async function fileOf(path) {
	return Buffer.from(await (await fetch(site + path)).arrayBuffer())
}

test('parse', limit, async () => {
	const page = await client.parse({ data: '<title>Upload</title><h1>Sent</h1><p>This page was sent.</p>', filename: 'page.html', contentType: 'text/html' }, { formats: ['markdown', 'html', 'links'] })
	assert.match(page.markdown, /# Sent\n\nThis page was sent\./)
	assert.match(page.html, /<h1/)
	const pdf = await client.parse({ data: await fileOf('/doc.pdf'), filename: 'doc.pdf' })
	assert.match(pdf.markdown, /The year was a good one/)
	assert.equal(pdf.metadata.numPages, 1)
	const word = await client.parse({ data: new Blob([await fileOf('/doc.docx')]), filename: 'doc.docx' }, { formats: ['markdown', { type: 'json', schema }] })
	assert.match(word.markdown, /The meeting was short/)
	assert.ok(word.json)
})
