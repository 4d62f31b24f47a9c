// The tools for the AI SDK, called as a model would.
import assert from 'node:assert/strict'
import test from 'node:test'
import { batchScrape, crawl, map, scrape, search } from 'firecrawl-aisdk'

const site = process.env.SITE_URL
const limit = { timeout: 300_000 }
const options = { apiKey: process.env.TRAWL_KEY, apiUrl: process.env.TRAWL_URL }
const call = (tool, input) => tool(options).execute(input, { toolCallId: 'call', messages: [] })

test('scrape', limit, async () => {
	const doc = await call(scrape, { url: site + '/a', formats: ['markdown'] })
	assert.match(doc.markdown, /# Apples/)
})

test('crawl', limit, async () => {
	const job = await call(crawl, { url: site + '/blog/1', limit: 2, pollInterval: 1 })
	assert.match(JSON.stringify(job), /"id":"|"status":"(scraping|completed)"/)
})

test('batch', limit, async () => {
	const job = await call(batchScrape, { urls: [site + '/a', site + '/b'], formats: ['markdown'] })
	assert.match(JSON.stringify(job), /"id":"|"status":"(scraping|completed)"/)
})

test('map', limit, async () => {
	const found = await call(map, { url: site, sitemap: 'only' })
	assert.ok(JSON.stringify(found).includes(site + '/product'))
})

test('search', limit, async () => {
	const found = await call(search, { query: 'apples', limit: 2 })
	assert.equal(found.web[0].url, site + '/a')
})
