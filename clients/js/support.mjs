// What the tests share: a client with credits, and the site.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Firecrawl } from 'firecrawl'

export const site = process.env.SITE_URL
export const apiUrl = process.env.TRAWL_URL
export const client = new Firecrawl({ apiKey: process.env.TRAWL_KEY, apiUrl })

// How long a test may take, in milliseconds, and how calls wait for jobs, in
// seconds: no measure of speed, but what hangs fails.
export const limit = { timeout: 300_000 }
export const wait = { pollInterval: 1, timeout: 240 }

// failure returns the error that a call must end with.
export async function failure(promise) {
	try {
		await promise
	} catch (error) {
		return error
	}
	assert.fail('the call succeeded')
}

// watched watches a job to its end and returns what its events brought; begun is
// called at the first of them.
export async function watched(kind, id, begun = () => {}) {
	const watcher = client.watcher(id, { kind, ...wait })
	const documents = [], snapshots = []
	watcher.on('document', d => documents.push(d))
	watcher.on('snapshot', s => snapshots.push(s))
	watcher.once('snapshot', begun)
	const ended = once(watcher, 'done')
	await watcher.start()
	const [done] = await ended
	return { done, documents, snapshots }
}

export const addresses = documents => documents.map(d => d.metadata.sourceURL).sort()

// isPicture tells whether a screenshot can be fetched and is a PNG or JPEG.
export async function isPicture(address) {
	const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
	return bytes.subarray(1, 4).toString() === 'PNG' || bytes.readUInt16BE(0) === 0xffd8
}
