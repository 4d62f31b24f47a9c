// The node for n8n. A node of its kind is a description of requests, which n8n fills
// in and sends; the part of that which the description asks for is done here.
import assert from 'node:assert/strict'
import Module, { createRequire } from 'node:module'
import test from 'node:test'

// All that the node takes from n8n itself is a pause, for agents.
const load = Module._load
Module._load = (name, ...rest) => (name === 'n8n-workflow' ? { sleep: () => {} } : load(name, ...rest))
const { Firecrawl } = createRequire(import.meta.url)('@mendable/n8n-nodes-firecrawl/dist/nodes/Firecrawl/Firecrawl.node.js')
const { properties, requestDefaults } = new Firecrawl().description

const site = process.env.SITE_URL

// filled returns a text with its expression evaluated; n8n makes nothing of one that
// fails.
function filled(text, $value) {
	if (typeof text !== 'string' || !text.startsWith('=')) return text
	const expression = text.match(/^=\{\{(.*)\}\}$/s)
	if (!expression) return text.slice(1)
	try {
		return Function('$value', `return (${expression[1]})`)($value)
	} catch {
		return undefined
	}
}

const holds = (rule, parameters) => Object.entries(rule ?? {}).every(([name, values]) => values.includes(parameters[name]))

// send makes the request of an operation and sends it.
async function send(resource, operation, given) {
	const parameters = { resource, operation, useCustomBody: false, ...given }
	const request = { method: 'GET', url: '', body: { ...requestDefaults.body } }
	const hooks = []
	const route = (routing, value) => {
		const { method, url, body } = routing?.request ?? {}
		if (method) request.method = method
		if (url) request.url = filled(url, value)
		if (typeof body === 'string') Object.assign(request.body, filled(body, value))
		else for (const [key, text] of Object.entries(body ?? {})) request.body[key] = filled(text, value)
		hooks.push(...(routing?.send?.preSend ?? []))
	}
	const follow = (property, value) => {
		route(property.routing, value)
		const options = property.options ?? []
		if (property.type === 'options') route(options.find(option => option.value === value)?.routing, value)
		const parts = { collection: options, fixedCollection: options.filter(group => value?.[group.name]).flatMap(group => group.values) }
		const values = property.type === 'fixedCollection' ? Object.assign({}, ...Object.values(value ?? {})) : value
		for (const part of parts[property.type] ?? []) if (part.name in values) follow(part, values[part.name])
	}
	for (const property of properties) {
		const { show, hide } = property.displayOptions ?? {}
		if (!holds(show, parameters) || (hide && holds(hide, parameters)) || property.type === 'notice') continue
		follow(property, parameters[property.name] ?? property.default)
	}
	let options = request
	for (const hook of hooks) options = await hook.call({ getNodeParameter: (name, fallback) => parameters[name] ?? fallback }, options)
	const response = await fetch(process.env.TRAWL_URL + '/v2' + options.url, {
		method: options.method, headers: { ...requestDefaults.headers, Authorization: 'Bearer ' + process.env.TRAWL_KEY },
		body: options.method === 'GET' ? undefined : JSON.stringify(options.body),
	})
	const text = await response.text()
	assert.equal(response.status, 200, `${JSON.stringify(options.body)}: ${text}`)
	return JSON.parse(text)
}

test('scrape', async () => {
	assert.match((await send('Scraping', 'scrape', { url: site + '/a' })).data.markdown, /# Apples/)
	const chosen = { options: { formats: { format: [{ type: 'links' }] }, onlyMainContent: true, timeout: 60_000 } }
	assert.ok((await send('Scraping', 'scrape', { url: site + '/a', parsers: ['pdf'], scrapeOptions: chosen })).data.links.length)
	const own = JSON.stringify({ url: site + '/a', formats: ['html'] })
	assert.match((await send('Scraping', 'scrape', { useCustomBody: true, customBody: own })).data.html, /<h1>/)
})

test('crawl', async () => {
	const given = { url: site + '/', limit: 2, excludePaths: { items: [{ path: 'slow' }] }, crawlOptions: { ignoreQueryParameters: true } }
	assert.match((await send('Crawling', 'crawl', given)).id, /^[0-9a-f-]{36}$/)
	assert.ok((await send('Crawling', 'crawlActive')).crawls)
})

test('map', async () => {
	const { links } = await send('MapSearch', 'map', { url: site, sitemap: 'only', timeout: 60_000 })
	assert.ok(links.some(link => link.url === site + '/product'))
})

test('search', async () => {
	const { data } = await send('MapSearch', 'search', { query: 'apples', limit: 2 })
	assert.equal(data.web[0].url, site + '/a')
})

test('the account', async () => {
	assert.ok((await send('Account', 'teamCreditUsage')).data.remainingCredits > 0)
})
