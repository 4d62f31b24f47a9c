// The tools that the service offers itself: compared with those of the official
// server, and called one by one with the command line of the MCP inspector.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Server, site } from './server.mjs'

const require = createRequire(import.meta.url)
const { Client } = require('@modelcontextprotocol/sdk/client/index.js')
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js')
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js')
const inspector = require.resolve('@modelcontextprotocol/inspector-cli/build/index.js')

const key = process.env.TRAWL_KEY
const endpoint = process.env.TRAWL_URL + '/mcp'

async function connected(transport) {
	const client = new Client({ name: 'fixture', version: '1.0.0' })
	await client.connect(transport)
	return client
}

const overHTTP = () => connected(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }))
const overStdio = (...args) => connected(new StdioClientTransport({
	command: process.env.TRAWL_PROGRAM, args: ['mcp', ...args], stderr: 'ignore',
	env: { PATH: process.env.PATH, HOME: process.env.HOME, TRAWL_API_KEY: key, TRAWL_ALLOW_PRIVATE: '127.0.0.1/32' },
}))

// Tools of indexes that only the hosted service has.
const hosted = /_(find_tools|developer_search|research_.*)$/
// Arguments for such indexes.
const hostedArguments = {
	firecrawl_scrape: ['alexandria', 'requestId'],
	firecrawl_feedback: ['requestedWebsite', 'rationale', 'providerFeedback', 'capabilityFeedback'],
}
// Routes without which a tool is not offered.
const routes = {
	firecrawl_agent: ['post', '/v2/agent'], firecrawl_agent_status: ['get', '/v2/agent/{id}'],
	firecrawl_interact: ['post', '/v2/scrape/{id}/interact'], firecrawl_interact_stop: ['delete', '/v2/scrape/{id}/interact'],
	firecrawl_search_feedback: ['post', '/v2/search/{id}/feedback'], firecrawl_feedback: ['post', '/v2/feedback'],
	firecrawl_monitor_create: ['post', '/v2/monitor'], firecrawl_monitor_list: ['get', '/v2/monitor'], firecrawl_monitor_get: ['get', '/v2/monitor/{id}'],
	firecrawl_monitor_update: ['patch', '/v2/monitor/{id}'], firecrawl_monitor_delete: ['delete', '/v2/monitor/{id}'], firecrawl_monitor_run: ['post', '/v2/monitor/{id}/run'],
	firecrawl_monitor_checks: ['get', '/v2/monitor/{id}/checks'], firecrawl_monitor_check: ['get', '/v2/monitor/{id}/checks/{checkId}'],
}

// values are those that a schema allows, if it lists them.
const values = schema => schema.enum ?? schema.items?.enum ?? []
// Values for which a schema of ours has no list, or that belong to the indexes above.
const free = { sources: true, categories: true, enterprise: true, endpoint: true }

describe('the tools are those of the official server', () => {
	let official, api
	before(async () => {
		const server = await Server.start()
		official = (await server.client.listTools()).tools.filter(tool => !hosted.test(tool.name))
		await server.stop()
		api = await (await fetch(process.env.TRAWL_URL + '/openapi.json')).json()
	})
	const there = name => {
		if (!routes[name]) return true
		const [method, path] = routes[name]
		const operation = api.paths[path]?.[method]
		return operation && !operation.summary.endsWith('(not implemented)')
	}

	for (const [way, connect] of [['over HTTP', overHTTP], ['on standard input and output', () => overStdio('--server', process.env.TRAWL_URL)]]) {
		test(way, async t => {
			const client = await connect()
			t.after(() => client.close())
			const ours = new Map((await client.listTools()).tools.map(tool => [tool.name, tool]))
			for (const want of official) {
				if (!there(want.name)) {
					assert.ok(!ours.has(want.name), `${want.name} is offered without its route`)
					continue
				}
				if (want.name === 'firecrawl_parse' && way === 'over HTTP') continue // that server takes other arguments over HTTP
				const got = ours.get(want.name)
				assert.ok(got, `${want.name} is missing`)
				compare(want, got)
			}
			for (const name of ours.keys()) assert.match(name, /^(firecrawl|trawl)_/)
		})
	}

	function compare(want, got) {
		for (const hint of ['readOnlyHint', 'openWorldHint', 'destructiveHint']) assert.equal(got.annotations[hint], want.annotations[hint], `${want.name}: ${hint}`)
		assert.ok(got.outputSchema && got.description.length > 20, want.name)
		for (const required of want.inputSchema.required ?? []) assert.ok(got.inputSchema.required.includes(required), `${want.name}: ${required} is required`)
		for (const [name, schema] of Object.entries(want.inputSchema.properties)) {
			if (hostedArguments[want.name]?.includes(name)) continue
			const own = got.inputSchema.properties[name]
			assert.ok(own, `${want.name} lacks ${name}`)
			const type = kind => (kind === 'integer' ? 'number' : kind)
			if (own.type && schema.type) assert.equal(type(own.type), type(schema.type), `${want.name}: ${name}`)
			if (!free[name]) for (const value of values(schema)) assert.ok(values(own).includes(value), `${want.name}: ${name} lacks ${value}`)
		}
	}
})

// inspect runs the inspector's command line, which finds itself only from its own folder.
async function inspect(...args) {
	const { stdout } = await promisify(execFile)(process.execPath, [inspector, endpoint, '--transport', 'http', '--header', `Authorization: Bearer ${key}`, ...args], { maxBuffer: 1 << 26, cwd: path.dirname(inspector) })
	return JSON.parse(stdout)
}

async function called(name, args) {
	const words = Object.entries(args).flatMap(([name, value]) => ['--tool-arg', `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`])
	const answer = await inspect('--method', 'tools/call', '--tool-name', name, ...words)
	return { failed: answer.isError, text: answer.content[0].text, ...answer.structuredContent }
}

describe('the inspector', () => {
	// What each tool is called with, in this order; an answer goes into the next calls.
	const done = {}
	const calls = {
		firecrawl_scrape: () => ({ url: site('/a') }),
		firecrawl_map: () => ({ url: site('/') }),
		firecrawl_search: () => ({ query: 'apples' }),
		firecrawl_crawl: () => ({ url: site('/blog'), limit: 2 }),
		firecrawl_check_crawl_status: () => ({ id: done.firecrawl_crawl.id }),
		trawl_crawl_explain: () => ({ id: done.firecrawl_crawl.id }),
		trawl_crawl_cancel: () => ({ id: done.firecrawl_crawl.id }),
		firecrawl_extract: () => ({ urls: [site('/product')], schema: { type: 'object', properties: { name: { type: 'string' } } } }),
		trawl_extract_status: () => ({ id: done.firecrawl_extract.id }),
		firecrawl_parse: () => ({ filePath: '/tmp/report.pdf' }),
		firecrawl_agent: () => ({ prompt: 'Find apples.', urls: [site('/a')] }),
		firecrawl_agent_status: () => ({ id: done.firecrawl_agent.id ?? 'none' }),
		firecrawl_interact: () => ({ url: site('/form'), code: 'agent-browser get title', language: 'bash' }),
		firecrawl_interact_stop: () => ({ scrapeId: done.firecrawl_interact.scrapeId ?? 'none' }),
		trawl_browser_open: () => ({ ttl: 60 }),
		trawl_browser_list: () => ({}),
		trawl_browser_close: () => ({ id: done.trawl_browser_open.id }),
		firecrawl_monitor_create: () => ({ page: site('/steady'), goal: 'Tell when the price changes.' }),
		firecrawl_monitor_list: () => ({}),
		firecrawl_monitor_get: () => ({ id: done.firecrawl_monitor_create.data.id }),
		firecrawl_monitor_update: () => ({ id: done.firecrawl_monitor_create.data.id, body: { name: 'Renamed' } }),
		firecrawl_monitor_run: () => ({ id: done.firecrawl_monitor_create.data.id }),
		firecrawl_monitor_checks: () => ({ id: done.firecrawl_monitor_create.data.id }),
		firecrawl_monitor_check: () => ({ id: done.firecrawl_monitor_create.data.id, checkId: done.firecrawl_monitor_run.data.id }),
		firecrawl_monitor_delete: () => ({ id: done.firecrawl_monitor_create.data.id }),
		firecrawl_search_feedback: () => ({ searchId: done.firecrawl_search.id, rating: 'bad', querySuggestions: 'Search for pears.' }),
		firecrawl_feedback: () => ({ endpoint: 'scrape', jobId: done.firecrawl_scrape.metadata.scrapeId, rating: 'good', note: 'Well done.' }),
		firecrawl_credit_usage: () => ({}),
	}
	// What is over cannot be cancelled, and an agent needs a model that drives browsers.
	const mayFail = ['trawl_crawl_cancel', 'firecrawl_agent', 'firecrawl_agent_status']

	test('lists and calls every tool', async () => {
		const { tools } = await inspect('--method', 'tools/list')
		const offered = tools.map(tool => tool.name)
		for (const name of offered) assert.ok(calls[name], `${name} is not called`)
		for (const [name, args] of Object.entries(calls)) {
			if (!offered.includes(name)) continue
			done[name] = await called(name, args())
			if (done[name].failed) assert.ok(mayFail.includes(name), `${name}: ${done[name].text}`)
		}
		assert.match(done.firecrawl_scrape.markdown, /# Apples/)
		assert.equal(done.firecrawl_crawl.data.length, 2)
	})

	test('lists prompts and templates of resources', async () => {
		assert.equal((await inspect('--method', 'prompts/list')).prompts.length, 4)
		assert.equal((await inspect('--method', 'resources/templates/list')).resourceTemplates.length, 3)
	})
})

describe('without a server', () => {
	let client
	before(async () => { client = await overStdio() })
	after(() => client.close())

	test('a page and a file are read', async () => {
		const scraped = await client.callTool({ name: 'firecrawl_scrape', arguments: { url: site('/a') } }, undefined, { timeout: 300_000 })
		assert.match(scraped.structuredContent.markdown, /# Apples/)
		const parsed = await client.callTool({ name: 'firecrawl_parse', arguments: { filePath: new URL(import.meta.url).pathname, contentType: 'text/plain' } }, undefined, { timeout: 300_000 })
		assert.ok(parsed.content[0].text.length > 0)
	})
})
