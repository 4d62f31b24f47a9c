// The guard that keeps all tests of Node.js on this machine does refuse.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import test from 'node:test'
import { promisify } from 'node:util'
import { limit } from './support.mjs'

// Names and addresses that are reserved for documentation.
const attempts = {
	'fetch by name': `await fetch('http://host.example/')`,
	'fetch by address': `await fetch('http://192.0.2.1/')`,
	'request': `await new Promise((_, no) => require('http').get('http://192.0.2.1/').on('error', no))`,
	'look-up': `await require('dns').promises.lookup('host.example')`,
	'question to a server': `await require('dns').promises.resolve4('host.example')`,
	'datagram': `require('dgram').createSocket('udp4').send('x', 9, '192.0.2.1')`,
}

test('attempts to leave the machine', { ...limit, concurrency: 2 }, t => Promise.all(Object.entries(attempts).map(([name, attempt], i) =>
	t.test(name, async () => {
		const notes = `loopback-${i}`
		const code = `(async () => { ${attempt} })().catch(error => { console.log((error.cause ?? error).message); process.exit() })`
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { env: { ...process.env, LOOPBACK_REFUSED: notes } })
		assert.match(stdout, /stays on the machine/)
		assert.match(fs.readFileSync(notes, 'utf8'), /host\.example|192\.0\.2\.1/)
	}))))
