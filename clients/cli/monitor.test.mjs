// Monitors on the command line, which prints what the service answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Folder, site } from './command.mjs'

test('monitors', async t => {
	const folder = new Folder(t)
	const monitor = async (...args) => JSON.parse((await folder.succeeds('monitor', ...args)).out)
	const made = await monitor('create', '--name', 'Steady', '--schedule', 'every 30 minutes', '--page', site('/steady'), '--goal', 'prices')
	const { id } = made.data
	assert.ok((await monitor('list', '--limit', '100')).data.some(m => m.id === id))
	assert.equal((await monitor('get', id)).data.name, 'Steady')
	const run = await monitor('run', id)
	let check
	do {
		check = await monitor('check', id, run.id, '--page-status', 'new')
	} while (['queued', 'running'].includes(check.data.status))
	assert.equal(check.data.pages[0].status, 'new')
	assert.equal((await monitor('checks', id)).data.length, 1)
	assert.equal((await monitor('update', id, '--timezone', 'Europe/Berlin')).data.schedule.timezone, 'Europe/Berlin')
	await folder.succeeds('monitor', 'delete', id)
	await folder.fails(/not found/i, ['monitor', 'get', id])
})
