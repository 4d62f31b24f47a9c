import assert from 'node:assert/strict'
import test from 'node:test'
import { JobTimeoutError } from 'firecrawl'
import { addresses, client, failure, limit, site, wait, watched } from './support.mjs'

const blog = [1, 2, 3, 4, 5].map(n => `${site}/blog/${n}`)
const onlyBlog = { includePaths: ['^/blog/'], crawlEntireDomain: true, sitemap: 'skip', maxDiscoveryDepth: 10 }

test('wait for a crawl', limit, async () => {
	const job = await client.crawl(site + '/blog/1', { ...onlyBlog, limit: 10, scrapeOptions: { formats: ['markdown', 'links'] }, ...wait })
	assert.equal(job.status, 'completed')
	assert.deepEqual(addresses(job.data), blog)
	assert.equal(job.completed, 5)
	assert.equal(job.total, 5)
	assert.equal(job.creditsUsed, 5)
	assert.ok(job.data.every(d => d.markdown && d.links.length))
})

test('the options of a crawl', limit, async () => {
	const job = await client.crawl(site, {
		limit: 3, excludePaths: ['^/slow'], ignoreQueryParameters: true, deduplicateSimilarURLs: true, crawlEntireDomain: true,
		allowExternalLinks: false, allowSubdomains: false, maxConcurrency: 1, delay: 0.01, regexOnFullURL: false, sitemap: 'include', pollInterval: 1,
	})
	assert.equal(job.status, 'completed')
	assert.equal(job.data.length, 3)
})

test('a crawl by its sitemap alone', limit, async () => {
	const job = await client.crawl(site, { sitemap: 'only', pollInterval: 1 })
	assert.equal(job.data.length, 9)
	assert.ok(addresses(job.data).includes(site + '/product'))
})

test('a crawl from a prompt, and its preview', limit, async () => {
	const preview = await client.crawlParamsPreview(site, 'Three articles of the blog')
	assert.deepEqual(preview.limit, 3)
	assert.ok(preview.includePaths.includes('^/blog/.*'))
	const job = await client.crawl(site, { prompt: 'Three articles of the blog', pollInterval: 1 })
	assert.equal(job.status, 'completed')
	assert.ok(job.data.length <= 3)
	assert.ok(job.data.some(d => d.metadata.sourceURL.includes('/blog/')))
})

test('watch a crawl', limit, async () => {
	const { id } = await client.startCrawl(site + '/blog/1', { ...onlyBlog, limit: 10 })
	const { done, documents, snapshots } = await watched('crawl', id)
	assert.equal(done.status, 'completed')
	assert.deepEqual(addresses(documents), blog)
	assert.equal(snapshots.at(-1).status, 'completed')
})

test('watch a crawl that is over', limit, async () => {
	const job = await client.crawl(site + '/blog/1', { ...onlyBlog, limit: 2, pollInterval: 1 })
	const { done, documents } = await watched('crawl', job.id)
	assert.equal(done.status, 'completed')
	assert.equal(documents.length, 2)
})

test('watch a crawl that is not there', limit, async () => {
	const watcher = client.watcher(crypto.randomUUID(), { kind: 'crawl', ...wait })
	const failed = new Promise(resolve => watcher.once('error', resolve))
	await watcher.start()
	assert.match((await failed).error, /not found/i)
	watcher.close()
})

test('cancel a crawl', limit, async () => {
	const started = await client.startCrawl(site + '/many/', { limit: 1000, delay: 1 })
	assert.ok(started.url.endsWith('/v2/crawl/' + started.id))
	const { crawls } = await client.getActiveCrawls()
	const mine = crawls.find(c => c.id === started.id)
	assert.equal(mine.url, site + '/many/')
	assert.ok(mine.teamId)
	assert.equal((await client.getCrawlStatus(started.id)).status, 'scraping')
	assert.equal(await client.cancelCrawl(started.id), true)
	assert.equal((await client.getCrawlStatus(started.id)).status, 'cancelled')
	assert.equal((await client.getActiveCrawls()).crawls.some(c => c.id === started.id), false)
})

test('a crawl that takes longer than one waits', limit, async () => {
	const error = await failure(client.crawl(site + '/many/', { limit: 100, delay: 2, pollInterval: 1, timeout: 2 }))
	assert.ok(error instanceof JobTimeoutError)
	assert.equal(error.code, 'JOB_TIMEOUT')
	assert.equal(error.timeoutSeconds, 2)
	assert.equal(await client.cancelCrawl(error.jobId), true)
})

test('the errors of a crawl', limit, async () => {
	const job = await client.crawl(site + '/private/', { pollInterval: 1, limit: 2 })
	const { errors, robotsBlocked } = await client.getCrawlErrors(job.id)
	assert.ok(Array.isArray(errors))
	assert.deepEqual(robotsBlocked, [site + '/private/'])
	assert.equal(job.data.length, 0)
})

test('a long answer comes in parts', limit, async () => {
	const job = await client.batchScrape([1, 2, 3, 4].map(n => `${site}/heavy/${n}`), { options: { formats: ['markdown', 'rawHtml'] }, pollInterval: 1 })
	assert.equal(job.data.length, 4) // 24 MB, of which one answer has at most ten
	const first = await client.getBatchScrapeStatus(job.id, { autoPaginate: false })
	assert.ok(first.data.length < 4)
	assert.match(first.next, /skip=\d/)
	assert.ok((await client.getBatchScrapeStatus(job.id, { maxPages: 1 })).data.length > first.data.length)
	assert.equal((await client.getBatchScrapeStatus(job.id, { maxResults: 3 })).data.length, 3)
})

test('the names of the first version', limit, async () => {
	assert.equal((await client.scrapeUrl(site + '/a')).metadata.title, 'Apples')
	assert.ok((await client.mapUrl(site)).links.length)
	const job = await client.crawlUrl(site + '/blog/1', { ...onlyBlog, limit: 2, pollInterval: 1 })
	assert.equal((await client.checkCrawlStatus(job.id)).status, 'completed')
	assert.deepEqual((await client.checkCrawlErrors(job.id)).errors, [])
	const { id } = await client.asyncCrawlUrl(site + '/many/', { delay: 1 })
	assert.equal(await client.cancelCrawl(id), true)
	const batch = await client.batchScrapeUrls([site + '/a'], { pollInterval: 1 })
	assert.equal((await client.checkBatchScrapeStatus(batch.id)).status, 'completed')
	assert.deepEqual((await client.checkBatchScrapeErrors(batch.id)).errors, [])
	assert.ok((await client.asyncBatchScrapeUrls([site + '/a'])).id)
})
