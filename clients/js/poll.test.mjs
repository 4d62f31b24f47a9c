// Watchers ask again and again where sockets cannot be had. The client decides
// that once for a process, which is why this test has its own.
import assert from 'node:assert/strict'
import test from 'node:test'
import { addresses, client, limit, site, watched } from './support.mjs'

globalThis.WebSocket = class {
	constructor() {
		throw new Error('no sockets here')
	}
}

for (const [kind, start] of [
	['crawl', () => client.startCrawl(site, { sitemap: 'only', limit: 3 })],
	['batch', () => client.startBatchScrape(['/a', '/b', '/product'].map(path => site + path))],
]) {
	test(`watch a ${kind} by asking`, limit, async () => {
		const { id } = await start()
		const { done, documents } = await watched(kind, id)
		assert.equal(done.status, 'completed')
		assert.equal(new Set(addresses(documents)).size, 3)
	})
}
