// The guard that keeps commands on this machine does refuse.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { Folder, guard } from './command.mjs'

// Names and addresses that are reserved for documentation.
const attempts = {
	'fetch by name': `await fetch('http://host.example/')`,
	'fetch by address': `await fetch('http://192.0.2.1/')`,
	'request': `await new Promise((_, no) => require('http').get('http://192.0.2.1/').on('error', no))`,
	'look-up': `await require('dns').promises.lookup('host.example')`,
	'question to a server': `await require('dns').promises.resolve4('host.example')`,
	'datagram': `require('dgram').createSocket('udp4').send('x', 9, '192.0.2.1')`,
}

for (const [name, attempt] of Object.entries(attempts)) {
	test(name, t => {
		const folder = new Folder(t)
		const code = `(async () => { ${attempt} })().catch(error => { console.log((error.cause ?? error).message); process.exit() })`
		const out = execFileSync(process.execPath, ['-e', code], {
			encoding: 'utf8', timeout: 20_000, env: { NODE_OPTIONS: guard, LOOPBACK_REFUSED: folder.file('refused') },
		})
		assert.match(out, /stays on the machine/)
		assert.match(folder.refused()[0], /host\.example|192\.0\.2\.1/)
	})
}
