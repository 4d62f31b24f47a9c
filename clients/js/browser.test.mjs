import assert from 'node:assert/strict'
import test from 'node:test'
import { SdkError } from 'firecrawl'
import { chromium } from 'playwright-core'
import { client, failure, limit, site } from './support.mjs'

test('a browser session', limit, async () => {
	const session = await client.browser({ ttl: 600, activityTtl: 600, streamWebView: true })
	assert.equal(session.success, true)
	assert.match(session.cdpUrl, /^ws:\/\//)
	assert.match(session.liveViewUrl, /^http/)
	assert.ok(Date.parse(session.expiresAt) > Date.now())

	const browser = await chromium.connectOverCDP(session.cdpUrl)
	const context = browser.contexts()[0]
	const page = context.pages()[0] ?? await context.newPage()
	await page.goto(site + '/form')
	await page.fill('#name', 'Grace')
	await page.click('#greet')
	assert.equal(await page.textContent('#greeting'), 'Good day, Grace.')
	await browser.close()

	const active = await client.listBrowsers({ status: 'active' })
	assert.ok(active.sessions.some(s => s.id === session.id && s.status === 'active'))
	const ended = await client.deleteBrowser(session.id)
	assert.equal(ended.success, true)
	assert.ok(ended.sessionDurationMs > 0)
	assert.equal(ended.creditsBilled, 2)
	const gone = await client.listBrowsers({ status: 'destroyed' })
	assert.ok(gone.sessions.some(s => s.id === session.id))
})

test('a session that is not there', limit, async () => {
	assert.equal((await failure(client.deleteBrowser(crypto.randomUUID()))).status, 404)
})

test('commands in a session', limit, async () => {
	const session = await client.browser({ ttl: 600 })
	try {
		const done = await client.browserExecute(session.id, { code: `agent-browser open ${site}/a && get title`, language: 'bash' })
		assert.equal(done.success, true)
		assert.equal(done.exitCode, 0)
		assert.equal(done.result, 'Apples')
		const programs = await client.browserExecute(session.id, { code: 'await page.title()', language: 'node' })
		assert.equal(programs.success, true)
		assert.equal(programs.exitCode, 1)
		assert.match(programs.stderr, /does not run node/)
	} finally {
		await client.deleteBrowser(session.id)
	}
})

test('a scraped page goes on', limit, async () => {
	const doc = await client.scrape(site + '/a')
	const done = await client.interact(doc.metadata.scrapeId, { code: 'get url', language: 'bash' })
	assert.equal(done.success, true)
	assert.equal(done.result, site + '/a')
	assert.ok(done.cdpUrl)
	const failed = await client.interact(doc.metadata.scrapeId, { code: 'click "#nothing"', language: 'bash' })
	assert.equal(failed.success, false)
	assert.match(failed.error, /Element not found/)
	const ended = await client.stopInteraction(doc.metadata.scrapeId)
	assert.equal(ended.success, true)
	assert.equal(ended.creditsBilled, 2)
})

test('a scrape with a profile', limit, async () => {
	const profile = { name: 'js', saveChanges: true }
	const session = await client.browser({ ttl: 600, profile })
	await client.deleteBrowser(session.id)
	const doc = await client.scrape(site + '/a', { profile: { name: 'js', saveChanges: false } })
	assert.equal(doc.metadata.title, 'Apples')
})
