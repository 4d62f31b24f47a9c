// Watchers ask again and again where sockets cannot be had. The client decides
// that once for a process, which is why this test has its own.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import test from 'node:test'
import { addresses, client, limit, site } from './support.mjs'

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
		const watcher = client.watcher(id, { kind, pollInterval: 1, timeout: 60 })
		const documents = []
		watcher.on('document', d => documents.push(d))
		const done = once(watcher, 'done')
		await watcher.start()
		assert.equal((await done)[0].status, 'completed')
		assert.equal(new Set(addresses(documents)).size, 3)
	})
}
