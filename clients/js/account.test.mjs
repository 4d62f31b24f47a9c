import assert from 'node:assert/strict'
import test from 'node:test'
import { client, limit, site } from './support.mjs'

test('usage', limit, async () => {
	await client.scrape(site + '/a')
	const credits = await client.getCreditUsage()
	assert.equal(typeof credits.remainingCredits, 'number')
	const tokens = await client.getTokenUsage()
	assert.equal(typeof tokens.remainingTokens, 'number')
	const months = await client.getCreditUsageHistorical()
	assert.ok(months.periods[0].creditsUsed >= 1)
	const keys = await client.getCreditUsageHistorical(true)
	assert.ok(keys.periods[0].apiKey)
	assert.ok(Array.isArray((await client.getTokenUsageHistorical()).periods))
	assert.ok(Array.isArray((await client.getTokenUsageHistorical(true)).periods))
})

test('what runs', limit, async () => {
	const { concurrency, maxConcurrency } = await client.getConcurrency()
	assert.ok(concurrency >= 0)
	assert.ok(maxConcurrency >= 1)
	const { id } = await client.startCrawl(site + '/many/', { delay: 1 })
	const queue = await client.getQueueStatus()
	assert.equal(queue.success, true)
	assert.ok(queue.jobsInQueue >= 1)
	assert.equal(queue.jobsInQueue, queue.activeJobsInQueue + queue.waitingJobsInQueue)
	assert.ok(queue.maxConcurrency >= 1)
	await client.cancelCrawl(id)
})
