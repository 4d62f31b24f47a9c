// Every tool of the MCP server that stands for an endpoint of the service.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Server, site } from './server.mjs'

const unknown = '00000000-0000-4000-8000-000000000000'
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

let server
before(async () => { server = await Server.start() })
after(() => server.stop())

test('the server names itself and its tools', async () => {
	assert.equal(server.client.getServerVersion().name, 'firecrawl-fastmcp')
	const { tools } = await server.client.listTools()
	const names = tools.map(tool => tool.name)
	for (const name of ['scrape', 'map', 'search', 'crawl', 'check_crawl_status', 'parse', 'interact', 'interact_stop', 'agent', 'agent_status', 'credit_usage']) {
		assert.ok(names.includes('firecrawl_' + name), name)
	}
})

describe('scrape', { concurrency: 4 }, () => {
	const scrape = (page, args) => server.result('firecrawl_scrape', { url: site(page), ...args })

	test('markdown is the default', async () => {
		const doc = await scrape('/a')
		assert.match(doc.markdown, /# Apples/)
		assert.match(doc.metadata.scrapeId, /^[0-9a-f-]{36}$/)
		assert.equal(doc.metadata.statusCode, 200)
	})

	test('texts', async () => {
		const doc = await scrape('/', { formats: ['markdown', 'html', 'rawHtml', 'links'], onlyMainContent: false })
		assert.match(doc.html, /<h1/)
		assert.match(doc.rawHtml, /<title>/)
		assert.ok(doc.links.includes(site('/a')))
	})

	test('options', async () => {
		const doc = await scrape('/a', {
			formats: ['html'], includeTags: ['h1', 'p'], excludeTags: ['a'], waitFor: 20, mobile: true, skipTlsVerification: true, removeBase64Images: true,
			location: { country: 'DE', languages: ['de'] }, storeInCache: false, maxAge: 0, proxy: 'basic',
		})
		assert.match(doc.html, /<h1/)
		assert.doesNotMatch(doc.html, /<a /)
	})

	test('screenshot', async () => {
		const doc = await scrape('/a', { formats: ['screenshot'], screenshotOptions: { fullPage: true, viewport: { width: 320, height: 240 } } })
		const picture = Buffer.from(await (await fetch(doc.screenshot)).arrayBuffer())
		assert.equal(picture.toString('latin1', 1, 4), 'PNG')
		assert.equal(picture.readUInt32BE(16), 320)
	})

	test('actions', async () => {
		const doc = await scrape('/form', { actions: [
			{ type: 'click', selector: '#name' }, { type: 'write', text: 'Ada' }, { type: 'click', selector: '#greet' }, { type: 'wait', milliseconds: 20 },
			{ type: 'scroll', direction: 'down' }, { type: 'executeJavascript', script: 'document.title' }, { type: 'screenshot' }, { type: 'scrape' },
		] })
		assert.match(doc.markdown, /Good day, Ada/)
		assert.equal(doc.actions.screenshots.length, 1)
		assert.equal(doc.actions.scrapes.length, 1)
	})

	test('json', async () => {
		const doc = await scrape('/product', { formats: ['json'], jsonOptions: { prompt: "The product's name.", schema } })
		assert.deepEqual(doc.json, { name: 'Kettle' })
	})

	test('summary', async () => {
		assert.match((await scrape('/blog/1', { formats: ['summary'] })).summary, /article number 1/)
	})

	test('query', async () => {
		const told = await scrape('/product', { formats: ['query'], queryOptions: { prompt: 'What is sold here?' } })
		assert.match(told.answer, /A kettle of steel/)
		const quoted = await scrape('/product', { formats: ['query'], queryOptions: { prompt: 'What is sold here?', mode: 'directQuote' } })
		assert.match(quoted.highlights, /A kettle of steel/)
	})

	test('branding', async () => {
		const { branding } = await scrape('/brand', { formats: ['branding'] })
		assert.equal(branding.colors.primary, '#336699')
		assert.equal(branding.colorScheme, 'light')
	})

	test('changeTracking', async () => {
		const doc = await scrape('/steady', { formats: ['markdown', 'changeTracking'] })
		assert.equal(doc.changeTracking.changeStatus, 'new')
	})

	test('a PDF', async () => {
		const doc = await scrape('/doc.pdf', { parsers: ['pdf'], pdfOptions: { maxPages: 1 }, timeout: 100_000 })
		assert.match(doc.markdown, /The year was a good one/)
	})

	test('failures', async () => {
		await server.fails(/connect|refused|reach/i, 'firecrawl_scrape', { url: 'http://127.0.0.1:2/' })
		await server.fails(/audio/, 'firecrawl_scrape', { url: site('/a'), formats: ['audio'] })
		await server.fails(/markdown/, 'firecrawl_scrape', { url: site('/a'), formats: ['changeTracking'] })
		await server.fails(/cache/i, 'firecrawl_scrape', { url: site('/never-scraped'), lockdown: true })
		await server.fails(/timed? ?out/i, 'firecrawl_scrape', { url: site('/slow?ms=8000'), timeout: 1000 })
		await server.fails(/alexandria/, 'firecrawl_scrape', { alexandria: { provider: 'fixture', capability: 'anything' } })
	})
})

describe('many pages', { concurrency: 4 }, () => {
	test('map', async () => {
		const { links } = await server.result('firecrawl_map', { url: site('/') })
		const urls = links.map(link => link.url)
		assert.ok(urls.includes(site('/a')) && urls.includes(site('/blog/5')))
		const few = await server.result('firecrawl_map', { url: site('/'), search: 'blog', sitemap: 'only', limit: 2, includeSubdomains: false, ignoreQueryParameters: true })
		assert.ok(few.links.length > 0 && few.links.length <= 2)
	})

	test('crawl, then its status', async () => {
		const job = await server.result('firecrawl_crawl', {
			url: site('/blog/1'), includePaths: ['^/blog/.*'], crawlEntireDomain: true, limit: 3, maxDiscoveryDepth: 2, sitemap: 'include', maxConcurrency: 2,
			deduplicateSimilarURLs: true, ignoreQueryParameters: true, scrapeOptions: { formats: ['markdown', 'links'], onlyMainContent: true },
		})
		assert.equal(job.status, 'completed')
		assert.equal(job.data.length, 3)
		assert.ok(job.data.every(doc => /# Article \d/.test(doc.markdown) && Array.isArray(doc.links)))
		const again = await server.result('firecrawl_check_crawl_status', { id: job.id })
		assert.deepEqual([again.status, again.completed, again.total], ['completed', 3, 3])
	})

	test('crawl by a prompt', async () => {
		const job = await server.result('firecrawl_crawl', { url: site('/blog/1'), prompt: 'Only the articles of the blog, at most three' })
		assert.equal(job.status, 'completed')
		assert.ok(job.data.length <= 3)
	})

	test('search', async () => {
		const found = await server.result('firecrawl_search', { query: 'apples', limit: 2 })
		assert.deepEqual(found.data.web.map(result => result.url), [site('/a'), site('/b')])
		assert.ok(found.id)
	})

	test('search with the pages', async () => {
		const found = await server.result('firecrawl_search', { query: 'apples', limit: 1, sources: [{ type: 'web' }], scrapeOptions: { formats: ['markdown'], onlyMainContent: true } })
		assert.match(found.data.web[0].markdown, /# Apples/)
	})

	test('failures', async () => {
		await server.fails(/not found|status code 404/i, 'firecrawl_check_crawl_status', { id: unknown })
		await server.fails(/includePaths|status code 400/, 'firecrawl_crawl', { url: site('/'), includePaths: ['('] })
		await server.fails(/url|status code 400/i, 'firecrawl_crawl', { url: 'not an address' })
	})

	test('extract is no tool any more, and the server says so itself', async () => {
		await server.fails(/deprecated|firecrawl_scrape/i, 'firecrawl_extract', { urls: [site('/a')] })
	})
})

describe('files', { concurrency: 4 }, () => {
	test('parse', async () => {
		fs.writeFileSync(server.file('doc.docx'), Buffer.from(await (await fetch(site('/doc.docx'))).arrayBuffer()))
		const { data } = await server.result('firecrawl_parse', { filePath: server.file('doc.docx'), formats: ['markdown', 'html'], onlyMainContent: true, zeroDataRetention: false })
		assert.match(data.markdown, /The meeting was short/)
		assert.ok(data.html)
	})

	test('parse with questions', async () => {
		fs.writeFileSync(server.file('page.html'), '<h1>Kettle</h1><p>The meeting was short and friendly.</p>')
		const { data } = await server.result('firecrawl_parse', {
			filePath: server.file('page.html'), formats: ['summary', 'json', 'query'], jsonOptions: { schema }, queryOptions: { prompt: 'How was the meeting?' },
		})
		assert.match(data.summary, /short and friendly/)
		assert.match(data.answer, /short and friendly/)
		assert.equal(data.json.name, 'Kettle')
	})

	test('failures', async () => {
		fs.writeFileSync(server.file('broken.pdf'), 'This is no PDF.')
		await server.fails(/status 4\d\d/, 'firecrawl_parse', { filePath: server.file('broken.pdf') })
	})
})

describe('account', { concurrency: 4 }, () => {
	test('credits', async () => {
		const now = await server.result('firecrawl_credit_usage', {})
		assert.equal(typeof (now.data ?? now).remainingCredits, 'number')
		const months = await server.result('firecrawl_credit_usage', { view: 'historical', byApiKey: true })
		assert.ok(Array.isArray(months.periods ?? months.data.periods))
	})

	test('a key that nobody has', async t => {
		const stranger = await Server.start({ FIRECRAWL_API_KEY: 'fc-' + '0'.repeat(32) })
		t.after(() => stranger.stop())
		await stranger.fails(/unauthorized/i, 'firecrawl_scrape', { url: site('/a') })
		await stranger.fails(/unauthorized|status code 401/i, 'firecrawl_credit_usage', {})
	})

	test('a team without credits', async t => {
		const poor = await Server.start({ FIRECRAWL_API_KEY: process.env.TRAWL_POOR_KEY })
		t.after(() => poor.stop())
		await poor.fails(/credits/i, 'firecrawl_scrape', { url: site('/a') })
		await poor.fails(/credits|status code 402/i, 'firecrawl_crawl', { url: site('/') })
	})

	test('the rate limit', async t => {
		const hurried = await Server.start({ FIRECRAWL_API_URL: process.env.TRAWL_STRICT_URL })
		t.after(() => hurried.stop())
		await hurried.result('firecrawl_scrape', { url: site('/b') })
		await hurried.fails(/rate limit/i, 'firecrawl_scrape', { url: site('/a') })
	})
})

describe('monitors', { concurrency: true }, () => {
	test('a life', async () => {
		const made = await server.text('firecrawl_monitor_create', { page: site('/steady'), goal: 'prices' })
		assert.equal(made.success, true)
		const { id, schedule } = made.data
		assert.equal(schedule.cron, '*/30 * * * *')
		assert.ok((await server.text('firecrawl_monitor_list', { limit: 100 })).data.some(m => m.id === id))
		assert.equal((await server.text('firecrawl_monitor_get', { id })).data.id, id)
		const run = await server.text('firecrawl_monitor_run', { id })
		let check
		do {
			check = await server.text('firecrawl_monitor_check', { id, checkId: run.id })
		} while (['queued', 'running'].includes(check.data.status))
		assert.equal(check.data.pages[0].status, 'new')
		assert.equal((await server.text('firecrawl_monitor_checks', { id })).data.length, 1)
		assert.equal((await server.text('firecrawl_monitor_update', { id, body: { status: 'paused' } })).data.status, 'paused')
		assert.equal((await server.text('firecrawl_monitor_delete', { id })).success, true)
		await server.fails(/not found|status code 404/i, 'firecrawl_monitor_get', { id })
	})
})

test('interact goes on in a page', async () => {
	const first = await server.text('firecrawl_interact', { url: site('/form'), code: 'snapshot -i', language: 'bash' })
	assert.match(first.stdout, /- textbox .*ref=e\d+/)
	const second = await server.text('firecrawl_interact', { scrapeId: first.scrapeId, code: 'get url', language: 'bash' })
	assert.match(second.stdout, /\/form/)
	assert.equal(second.sessionId, first.sessionId)
	assert.ok((await server.text('firecrawl_interact_stop', { scrapeId: first.scrapeId })).success)
})

describe('what this service does not have, it refuses clearly', { concurrency: 4 }, () => {
	const calls = {
		firecrawl_agent: { prompt: 'Find apples.' },
		firecrawl_agent_status: { id: unknown },
		firecrawl_interact: { scrapeId: unknown, code: 'await page.title()' },
		firecrawl_interact_stop: { scrapeId: unknown },
		firecrawl_find_tools: { query: 'apples' },
		firecrawl_developer_search: { query: 'apples' },
		firecrawl_research_search_papers: { query: 'apples' },
	}
	for (const [name, args] of Object.entries(calls)) {
		// Some tools show the text of the service, others only its status.
		test(name, () => server.fails(/nothing at this path|does not|not found|Unrecognized key|status code (404|501)/i, name, args))
	}

	test('code of interact', async () => {
		const answer = await server.text('firecrawl_interact', { url: site('/form'), code: 'await page.title()' })
		assert.equal(answer.success, false)
		assert.match(answer.error, /does not run node code/)
		assert.ok((await server.text('firecrawl_interact_stop', { scrapeId: answer.scrapeId })).success)
	})

	test('feedback', async () => {
		const answer = await server.result('firecrawl_search_feedback', { searchId: unknown, rating: 'good', valuableSources: [{ url: site('/a') }] })
		assert.equal(answer.success, false)
		assert.ok(answer.error)
	})
})
