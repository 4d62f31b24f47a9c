// Monitors: made, changed, run, read and deleted by the methods of the client.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { client, failure, limit, site } from './support.mjs'

// ended reads a check until it is over.
async function ended(monitor, check) {
	for (;;) {
		const found = await client.getMonitorCheck(monitor, check)
		if (!['queued', 'running'].includes(found.status)) return found
		await new Promise(resolve => setTimeout(resolve, 100))
	}
}

describe('monitors', { ...limit, concurrency: true }, () => {
	test('a life', limit, async () => {
		const made = await client.createMonitor({
			name: 'Steady', schedule: { text: 'every 30 minutes', timezone: 'Europe/Berlin' }, goal: 'prices',
			targets: [{ type: 'scrape', urls: [site + '/changing', site + '/steady'] }],
		})
		assert.equal(made.status, 'active')
		assert.deepEqual(made.schedule, { cron: '*/30 * * * *', timezone: 'Europe/Berlin' })
		assert.equal(made.judgeEnabled, true)
		assert.ok(Date.parse(made.nextRunAt) > Date.now())
		assert.ok((await client.listMonitors()).some(m => m.id === made.id))
		assert.equal((await client.getMonitor(made.id)).name, 'Steady')

		const first = await ended(made.id, (await client.runMonitor(made.id)).id)
		assert.equal(first.status, 'completed')
		assert.deepEqual(first.pages.map(p => p.status), ['new', 'new'])
		const second = await ended(made.id, (await client.runMonitor(made.id)).id)
		const changed = second.pages.find(p => p.url === site + '/changing')
		assert.equal(changed.status, 'changed')
		assert.match(changed.diff.text, /^--- previous\n\+\+\+ current\n/)
		assert.equal(second.pages.find(p => p.url === site + '/steady').status, 'same')
		assert.equal((await client.listMonitorChecks(made.id, { limit: 1 }))[0].id, second.id)

		const paused = await client.updateMonitor(made.id, { status: 'paused', name: 'Paused', goal: null })
		assert.deepEqual([paused.status, paused.name, paused.goal, paused.nextRunAt], ['paused', 'Paused', null, null])
		assert.match((await failure(client.runMonitor(made.id))).message, /paused/)
		assert.ok(await client.deleteMonitor(made.id))
		assert.match((await failure(client.getMonitor(made.id))).message, /Monitor not found/)
	})

	test('all pages of a check', limit, async () => {
		const urls = Array.from({ length: 30 }, (_, i) => `${site}/a?number=${i}`)
		const { id } = await client.createMonitor({ name: 'Many', schedule: { cron: '0 * * * *' }, targets: [{ type: 'scrape', urls }] })
		const check = await ended(id, (await client.runMonitor(id)).id)
		assert.equal(check.summary.totalPages, 30)
		assert.equal(check.pages.length, 30)
		await client.deleteMonitor(id)
	})

	test('what is wrong', limit, async () => {
		const targets = [{ type: 'scrape', urls: [site + '/a'] }]
		const refused = async body => (await failure(client.createMonitor({ name: 'x', schedule: { text: 'hourly' }, targets, ...body }))).message
		assert.match(await refused({ schedule: { text: 'every 7 minutes' } }), /divide evenly into 60/)
		assert.match(await refused({ schedule: { cron: '* * * * *' } }), /every 5 minutes/)
		assert.match(await refused({ targets: [] }), /targets/)
	})
})
