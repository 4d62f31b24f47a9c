import assert from 'node:assert/strict'
import test from 'node:test'
import { addresses, client, failure, limit, site, wait, watched } from './support.mjs'

const urls = ['/a', '/b', '/blog/1'].map(path => site + path)

test('wait for a batch', limit, async () => {
	const job = await client.batchScrape(urls, { options: { formats: ['markdown', 'links'] }, ...wait })
	assert.equal(job.status, 'completed')
	assert.equal(job.completed, 3)
	assert.equal(job.total, 3)
	assert.equal(job.creditsUsed, 3)
	assert.ok(Date.parse(job.expiresAt) > Date.now())
	assert.deepEqual(addresses(job.data), urls.toSorted())
	assert.ok(job.data.every(d => d.markdown && Array.isArray(d.links)))
})

test('start a batch, ask for it and for its errors', limit, async () => {
	const dead = 'http://127.0.0.1:2/'
	const started = await client.startBatchScrape([...urls, dead, 'nonsense'], { ignoreInvalidURLs: true, maxConcurrency: 2 })
	assert.ok(started.url.endsWith('/v2/batch/scrape/' + started.id))
	assert.deepEqual(started.invalidURLs, ['nonsense'])
	const { done } = await watched('batch', started.id)
	assert.equal(done.status, 'completed')
	const job = await client.getBatchScrapeStatus(started.id)
	assert.deepEqual(addresses(job.data), urls.toSorted())
	const { errors, robotsBlocked } = await client.getBatchScrapeErrors(started.id)
	assert.deepEqual(errors.map(e => e.url), [dead])
	assert.ok(errors[0].error && errors[0].id)
	assert.deepEqual(robotsBlocked, [])
})

test('watch a batch', limit, async () => {
	const gate = site + '/gate?name=watched'
	const { id } = await client.startBatchScrape([...urls, gate])
	// The last page comes under the watcher's eyes.
	const { done, documents, snapshots } = await watched('batch', id, () => fetch(site + '/switch?name=watched'))
	assert.equal(done.status, 'completed')
	assert.deepEqual(addresses(documents), [...urls, gate].sort())
	assert.equal(snapshots[0].status, 'scraping')
	assert.equal(snapshots.at(-1).status, 'completed')
})

test('add to a batch', limit, async () => {
	// The first page waits for the second.
	const { id } = await client.startBatchScrape([site + '/gate?name=batch'])
	assert.equal((await client.startBatchScrape([site + '/switch?name=batch'], { appendToId: id })).id, id)
	const { done } = await watched('batch', id)
	assert.equal(done.status, 'completed')
	const { data } = await client.getBatchScrapeStatus(id)
	assert.deepEqual(data.map(d => d.metadata.title).sort(), ['Gate', 'Switch'])
})

test('cancel a batch', limit, async () => {
	const slow = Array.from({ length: 5 }, (_, i) => `${site}/slow?ms=20000&n=${i}`)
	const { id } = await client.startBatchScrape(slow)
	assert.equal(await client.cancelBatchScrape(id), true)
	assert.equal((await client.getBatchScrapeStatus(id)).status, 'cancelled')
})

test('a key makes a batch that is asked for twice one', limit, async () => {
	const options = { idempotencyKey: crypto.randomUUID() }
	assert.ok((await client.startBatchScrape([site + '/a'], options)).id)
	const error = await failure(client.startBatchScrape([site + '/a'], options))
	assert.equal(error.status, 409)
	assert.match(error.message, /Idempotency key already used/)
})
