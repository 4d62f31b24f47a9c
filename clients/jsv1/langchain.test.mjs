// The loader of LangChain, on the SDK that it is bound to.
import assert from 'node:assert/strict'
import test from 'node:test'
import { FireCrawlLoader } from '@langchain/community/document_loaders/web/firecrawl'

const site = process.env.SITE_URL
const limit = { timeout: 300_000 }
const load = (mode, url, params) => new FireCrawlLoader({ url, mode, params, apiKey: process.env.TRAWL_KEY, apiUrl: process.env.TRAWL_URL }).load()

test('scrape', limit, async () => {
	const [doc] = await load('scrape', site + '/a')
	assert.match(doc.pageContent, /# Apples/)
	assert.equal(doc.metadata.sourceURL, site + '/a')
})

test('crawl', limit, async () => {
	const docs = await load('crawl', site + '/', { limit: 3, scrapeOptions: { formats: ['markdown'] } })
	assert.equal(docs.length, 3)
	assert.ok(docs.every(d => d.pageContent))
})

test('map', limit, async () => {
	const docs = await load('map', site, { sitemapOnly: true })
	assert.ok(docs.some(d => d.pageContent === JSON.stringify(site + '/product')))
})
