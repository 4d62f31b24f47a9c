// What the tests of the MCP server share: the server as a child process on
// standard input and output, and a client of the protocol for it.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

const require = createRequire(import.meta.url)
const { Client } = require('@modelcontextprotocol/sdk/client/index.js')
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js')
const { CallToolResultSchema } = require('@modelcontextprotocol/sdk/types.js')
const program = path.join(path.dirname(require.resolve('firecrawl-mcp/package.json')), 'dist', 'index.js')

export const site = page => process.env.SITE_URL + page

// The longest that a tool may take, in milliseconds: no measure of its speed.
const timeout = 300_000

// A Server is a running server with a client that is connected to it.
export class Server {
	static async start(variables = {}) {
		const server = new Server()
		server.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-'))
		server.client = new Client({ name: 'fixture', version: '1.0.0' })
		await server.client.connect(new StdioClientTransport({
			command: process.execPath,
			args: [program],
			cwd: server.folder,
			stderr: 'ignore',
			env: { ...process.env, HOME: server.folder, ...variables },
		}))
		return server
	}

	async stop() {
		await this.client.close()
		fs.rmSync(this.folder, { recursive: true, force: true })
	}

	file(name) {
		return path.join(this.folder, name)
	}

	// result calls a tool, which must succeed, and returns what it answered. The
	// text for models and the data for programs must say the same.
	async result(name, args) {
		const { value, answer } = await this.#call(name, args)
		if (answer.structuredContent) assert.deepEqual(answer.structuredContent, value)
		return value
	}

	// text is result for tools whose data for programs lacks fields of the text.
	async text(name, args) {
		return (await this.#call(name, args)).value
	}

	async #call(name, args) {
		const answer = await this.client.callTool({ name, arguments: args }, undefined, { timeout })
		assert.ok(!answer.isError, answer.content[0].text)
		return { answer, value: JSON.parse(answer.content[0].text) }
	}

	// fails calls a tool, which must fail with a text that matches. What the server
	// tells programs of a failure does not always fit its own schema.
	async fails(text, name, args) {
		const answer = await this.client.request({ method: 'tools/call', params: { name, arguments: args } }, CallToolResultSchema, { timeout })
		assert.ok(answer.isError, answer.content[0].text)
		assert.match(answer.content.map(part => part.text).join('\n'), text)
	}
}
