// The SDK as it was before /v2, and what the newest one keeps of it under v1.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Old from '@mendable/firecrawl-js'
import { Firecrawl } from 'firecrawl'

const site = process.env.SITE_URL
const options = { apiKey: process.env.TRAWL_KEY, apiUrl: process.env.TRAWL_URL }
const limit = { timeout: 300_000 }
const patience = 100_000 // milliseconds for a page, however busy the machine is
const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
const addresses = documents => documents.map(d => d.metadata.sourceURL).sort()
const pages = ['/a', '/b', '/blog/1'].map(path => site + path)

// watched collects what a watcher of a job tells until it is done.
function watched(watcher) {
	const documents = []
	watcher.addEventListener('document', event => documents.push(event.detail))
	return new Promise((resolve, reject) => {
		watcher.addEventListener('done', event => resolve({ documents, status: event.detail.status }))
		watcher.addEventListener('error', event => reject(new Error(event.detail.error)))
	})
}

for (const [name, app] of [['1.29', new Old(options)], ['v1 of the newest', new Firecrawl(options).v1]]) {
	describe(name, { concurrency: 4 }, () => {
		test('scrape', limit, async () => {
			const doc = await app.scrapeUrl(site + '/a', { formats: ['markdown', 'html', 'rawHtml', 'links'], onlyMainContent: true, timeout: patience })
			assert.equal(doc.success, true)
			assert.match(doc.markdown, /# Apples/)
			assert.match(doc.rawHtml, /<html/)
			assert.ok(doc.links.includes(site + '/'))
			assert.equal(doc.metadata.statusCode, 200)
		})

		test('data, by both of its names', limit, async () => {
			const old = await app.scrapeUrl(site + '/a', { formats: ['extract'], extract: { schema, systemPrompt: 'Be brief.', prompt: 'The title.' } })
			assert.equal(old.extract.title, 'Apples')
			const late = await app.scrapeUrl(site + '/a', { formats: ['json'], jsonOptions: { schema } })
			assert.equal(late.json.title, 'Apples')
		})

		test('screenshot, changes and actions', limit, async () => {
			const doc = await app.scrapeUrl(site + '/changing', {
				formats: ['markdown', 'screenshot@fullPage', 'changeTracking'], changeTrackingOptions: { modes: ['git-diff'], tag: name },
				actions: [{ type: 'wait', milliseconds: 10 }, { type: 'screenshot' }], timeout: patience,
			})
			assert.match(doc.screenshot, /^http/)
			assert.equal(doc.changeTracking.changeStatus, 'new')
			assert.equal(doc.actions.screenshots.length, 1)
			assert.deepEqual(doc.actions.pdfs, [])
			const again = await app.scrapeUrl(site + '/changing', { formats: ['markdown', 'changeTracking'], changeTrackingOptions: { modes: ['git-diff'], tag: name }, timeout: patience })
			assert.equal(again.changeTracking.changeStatus, 'changed')
			assert.match(again.changeTracking.diff.text, /^[-+]/m)
			assert.ok(again.changeTracking.diff.json.files.length)
		})

		test('errors are the SDK\'s own', limit, async () => {
			await assert.rejects(app.scrapeUrl('http://127.0.0.1:2/', {}), /500|SCRAPE|reach|refused|connect/i)
			await assert.rejects(app.scrapeUrl(site + '/a', { formats: ['json'] }), /corresponding options must be provided/)
		})

		test('crawl', limit, async () => {
			const job = await app.crawlUrl(site + '/', { limit: 4, maxDepth: 1, ignoreSitemap: true, allowBackwardLinks: true, scrapeOptions: { formats: ['markdown'] } }, 1)
			assert.equal(job.status, 'completed')
			assert.equal(job.data.length, 4)
			assert.ok(addresses(job.data).every(address => new URL(address).pathname.split('/').length <= 2), addresses(job.data).join())
			assert.equal('next' in job, false)
		})

		test('a crawl of many pages is read to its end', limit, async () => {
			const started = await app.asyncCrawlUrl(site + '/many/1', { limit: 12, allowBackwardLinks: true })
			assert.ok(started.url.endsWith('/v1/crawl/' + started.id))
			let job
			do job = await app.checkCrawlStatus(started.id, true, undefined, 0, 5)
			while (job.status === 'scraping')
			assert.equal(job.status, 'completed')
			assert.equal((await app.checkCrawlStatus(started.id, true)).data.length, 12)
			assert.deepEqual((await app.checkCrawlErrors(started.id)).errors, [])
		})

		test('watch a crawl', limit, async () => {
			const { documents, status } = await watched(await app.crawlUrlAndWatch(site + '/blog/1', { limit: 5, includePaths: ['^/blog/'], allowBackwardLinks: true }))
			assert.equal(status, 'completed')
			assert.equal(documents.length, 5)
		})

		test('cancel a crawl', limit, async () => {
			const { id } = await app.asyncCrawlUrl(site + '/slow?ms=20000', {})
			assert.equal((await app.cancelCrawl(id)).status, 'cancelled')
		})

		test('batch', limit, async () => {
			const job = await app.batchScrapeUrls([...pages, 'nonsense'], { formats: ['markdown'] }, 1, undefined, undefined, true)
			assert.equal(job.status, 'completed')
			assert.deepEqual(addresses(job.data), pages)
		})

		test('a batch starts, is watched and has errors', limit, async () => {
			const dead = 'http://127.0.0.1:2/'
			const started = await app.asyncBatchScrapeUrls([...pages, dead], { formats: ['links'] })
			assert.ok(started.url.endsWith('/v1/batch/scrape/' + started.id))
			let job
			do job = await app.checkBatchScrapeStatus(started.id, true)
			while (job.status === 'scraping')
			assert.equal(job.data.length, 3)
			assert.deepEqual((await app.checkBatchScrapeErrors(started.id)).errors.map(e => e.url), [dead])
			const { documents } = await watched(await app.batchScrapeUrlsAndWatch(pages, { formats: ['markdown'] }))
			assert.deepEqual(addresses(documents), pages)
		})

		test('map', limit, async () => {
			const { success, links } = await app.mapUrl(site, { sitemapOnly: true })
			assert.ok(success)
			assert.ok(links.includes(site + '/product'))
		})

		test('search', limit, async () => {
			const plain = await app.search('apples', {})
			assert.deepEqual(plain.data.map(d => d.url), [site + '/a', site + '/b', site + '/blog/1'])
			const scraped = await app.search('apples', { limit: 1, scrapeOptions: { formats: ['markdown'] } })
			assert.match(scraped.data[0].markdown, /# Apples/)
		})

		test('extract', limit, async () => {
			const found = await app.extract([site + '/a'], { prompt: 'The title.', schema, showSources: true })
			assert.equal(found.success, true)
			assert.equal(found.data.title, 'Apples')
			const { id } = await app.asyncExtract([site + '/a'], { schema })
			assert.ok(['processing', 'completed'].includes((await app.getExtractStatus(id)).status))
		})

		test('what is gone says so', limit, async () => {
			await assert.rejects(app.asyncGenerateLLMsText(site, {}), /crawl/)
			await assert.rejects(app.asyncDeepResearch('apples', {}), /search/)
		})
	})
}
