import assert from 'node:assert/strict'
import test from 'node:test'
import { Firecrawl, SdkError } from 'firecrawl'
import { apiUrl, client, failure, limit, site } from './support.mjs'

const unknown = '01900000-0000-7000-8000-000000000000'
const poor = new Firecrawl({ apiKey: process.env.TRAWL_POOR_KEY, apiUrl })

// fails asserts that a call ends with an error of the SDK.
const fails = (name, call, status, message, code) => test(name, limit, async () => {
	const error = await failure(call())
	assert.ok(error instanceof SdkError, String(error))
	assert.equal(error.status, status, error.message)
	assert.match(error.message, message)
	if (code) assert.equal(error.code, code)
})

test('400 with details', limit, async () => {
	const error = await failure(client.scrape(site, { formats: ['markdown'], mobile: 'perhaps' }))
	assert.ok(error instanceof SdkError)
	assert.equal(error.status, 400)
	assert.equal(error.code, 'BAD_REQUEST')
	assert.ok(Array.isArray(error.details))
	assert.deepEqual(error.details[0].path, ['mobile'])
})

fails('400 for no address', () => client.scrape('::nonsense'), 400, /url/i)
fails('400 for a format that is not served', () => client.scrape(site, { formats: ['video'] }), 400, /video/, 'SCRAPE_FORMAT_NOT_SUPPORTED')
fails('400 for change tracking without markdown', () => client.scrape(site, { formats: [{ type: 'changeTracking', modes: [] }] }), 400, /requires the markdown format/)
fails('400 for a selector', () => client.scrape(site, { formats: [{ type: 'attributes', selectors: [{ selector: 'p[', attribute: 'id' }] }] }), 400, /selector/i)
fails('400 for a pattern', () => client.startCrawl(site, { includePaths: ['('] }), 400, /includePaths|regular expression/i)
fails('400 for no valid addresses', () => client.startBatchScrape(['nonsense'], { ignoreInvalidURLs: true }), 400, /No valid URLs provided/)
fails('401', () => new Firecrawl({ apiKey: 'fc-ffffffffffffffffffffffffffffffff', apiUrl }).scrape(site), 401, /token|key|unauthorized/i)
fails('402 for a scrape', () => poor.scrape(site), 402, /Insufficient credits/)
fails('402 for a crawl', () => poor.startCrawl(site), 402, /Insufficient credits/)
fails('402 for a batch', () => poor.startBatchScrape([site]), 402, /Insufficient credits/)
fails('402 for a map', () => poor.map(site), 402, /Insufficient credits/)
fails('402 for an extract', () => poor.startExtract({ urls: [site], prompt: 'All.' }), 402, /Insufficient credits/)
fails('402 for a browser', () => poor.browser(), 402, /Insufficient credits/)
fails('403 for robots.txt', () => client.startCrawl(site, { robotsUserAgent: 'other' }), 403, /robots/i)
fails('404 for a crawl', () => client.getCrawlStatus(unknown), 404, /Job not found/)
fails('404 for a batch', () => client.getBatchScrapeStatus(unknown), 404, /Job not found/)
fails('404 for the errors of a crawl', () => client.getCrawlErrors(unknown), 404, /not found/i)
fails('404 for an extract', () => client.getExtractStatus(unknown), 404, /not found/i)
fails('404 for what is to be cancelled', () => client.cancelCrawl(unknown), 404, /Job not found/)
fails('408', () => client.scrape(site + '/slow?ms=20000', { timeout: 1000 }), 408, /timed? ?out/i, 'SCRAPE_TIMEOUT')
fails('500 of a site that is down', () => client.scrape('http://127.0.0.1:2/'), 500, /./, 'SCRAPE_SITE_ERROR')
fails('500 of a model that refuses', () => client.scrape(site + '/confusing', { formats: [{ type: 'json', prompt: 'All.' }] }), 500, /lost for words/, 'SCRAPE_LLM_ERROR')
fails('404 with lockdown', () => client.scrape(site + '/never', { lockdown: true }), 404, /cache/i, 'SCRAPE_LOCKDOWN_CACHE_MISS')
fails('what is not there is said to be', () => client.startAgent({ prompt: 'Do it.' }), 404, /nothing at this path/)

test('409 for a crawl that is over', limit, async () => {
	const job = await client.crawl(site + '/a', { limit: 1, pollInterval: 1 })
	const error = await failure(client.cancelCrawl(job.id))
	assert.equal(error.status, 409)
	assert.match(error.message, /already completed/)
})

test('429', limit, async () => {
	const strict = new Firecrawl({ apiKey: process.env.TRAWL_KEY, apiUrl: process.env.TRAWL_STRICT_URL })
	let error
	for (let i = 0; i < 3 && !error; i++) error = await strict.scrape(site + '/a').then(() => undefined, e => e)
	assert.ok(error instanceof SdkError)
	assert.equal(error.status, 429)
	assert.match(error.message, /rate limit/i)
})
