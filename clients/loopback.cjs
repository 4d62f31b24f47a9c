// Keeps a Node.js process on this machine. The tests have it loaded before
// everything else, by NODE_OPTIONS, which the processes that are started inherit:
// every look-up of a name and every connection that would leave the machine fails
// before a packet is sent, and the file that LOOPBACK_REFUSED names gets a line with
// the host.
'use strict'

const dgram = require('node:dgram')
const dns = require('node:dns')
const fs = require('node:fs')
const net = require('node:net')

const isLocal = host => !host || host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)

function refusal(host) {
	if (process.env.LOOPBACK_REFUSED) fs.appendFileSync(process.env.LOOPBACK_REFUSED, host + '\n')
	return Object.assign(new Error(`this run stays on the machine: ${host} was refused`), { code: 'EHOSTUNREACH' })
}

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
	const target = Array.isArray(args[0]) ? args[0][0] : args[0]
	const host = typeof target === 'object' ? target.host : args[1]
	if (typeof host !== 'string' || isLocal(host)) return connect.apply(this, args)
	process.nextTick(error => this.destroy(error), refusal(host)) // when the caller listens for errors
	return this
}

for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
	for (const name of Object.getOwnPropertyNames(resolver)) {
		if (!/^(lookup|resolve|reverse)/.test(name) || typeof resolver[name] !== 'function') continue
		const ask = resolver[name]
		resolver[name] = function (host, ...rest) {
			if (isLocal(host)) return ask.call(this, host, ...rest)
			const done = rest.at(-1)
			if (typeof done !== 'function') return Promise.reject(refusal(host))
			process.nextTick(done, refusal(host))
		}
	}
}

for (const name of ['send', 'connect']) {
	const go = dgram.Socket.prototype[name]
	dgram.Socket.prototype[name] = function (...args) {
		const host = args.find(arg => typeof arg === 'string' && args.indexOf(arg) > 0)
		if (host && !isLocal(host)) throw refusal(host)
		return go.apply(this, args)
	}
}
