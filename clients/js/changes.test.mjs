// Changes since the last scrape of a page. A scrape of this kind gives the page
// seconds to settle, so the tests run side by side, each with a history of its own.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { client, limit, site, wait } from './support.mjs'

describe('change tracking', { ...limit, concurrency: true }, () => {
	const track = async (page, options) =>
		(await client.scrape(site + page, { formats: ['markdown', { type: 'changeTracking', ...options }] })).changeTracking

	test('a page that changed', limit, async () => {
		const options = { tag: 'changed', modes: ['git-diff', 'json'], schema: z.object({ title: z.string() }) }
		const first = await track('/changing', options)
		assert.deepEqual([first.changeStatus, first.previousScrapeAt, first.visibility], ['new', null, 'visible'])
		const second = await track('/changing', options)
		assert.equal(second.changeStatus, 'changed')
		assert.ok(Date.parse(second.previousScrapeAt) <= Date.now())
		assert.match(second.diff, /^-Version number .*\n\+Version number /m)
		assert.ok(second.diffJson.files[0].chunks[0].changes.some(c => c.type === 'add'))
		assert.deepEqual(second.json.title, { previous: 'Changing', current: 'Changing' })
	})

	test('a page that is the same', limit, async () => {
		await track('/steady', { tag: 'same', modes: [] })
		assert.equal((await track('/steady', { tag: 'same', modes: [] })).changeStatus, 'same')
	})

	test('a crawl looks for the pages that an earlier one saw', limit, async () => {
		const crawl = async () => {
			const { status, data } = await client.crawl(`${site}/season/js/`, {
				sitemap: 'skip', scrapeOptions: { formats: ['markdown', { type: 'changeTracking', modes: [], tag: 'crawl' }] }, ...wait,
			})
			assert.equal(status, 'completed')
			const told = data.map(d => [d.metadata.sourceURL, `${d.changeTracking.changeStatus}, ${d.changeTracking.visibility}`])
			return Object.fromEntries(told.map(([url, what]) => [url.replace(`${site}/season/js/`, ''), what]))
		}
		assert.deepEqual(await crawl(), { '': 'new, visible', stays: 'new, visible', goes: 'new, visible' })
		await fetch(`${site}/switch?name=js`)
		const { goes, ...rest } = await crawl()
		assert.deepEqual(rest, { '': 'changed, visible', stays: 'same, hidden' })
		assert.match(goes, /^removed, /)
	})
})
