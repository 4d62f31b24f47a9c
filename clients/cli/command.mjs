// What the tests of the command line share: the command as a child process that
// has a home and a working folder of its own, and makes no call home.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

const require = createRequire(import.meta.url)
const program = path.join(path.dirname(require.resolve('firecrawl-cli/package.json')), 'dist', 'index.js')

export const { TRAWL_URL: service, TRAWL_KEY: key, TRAWL_POOR_KEY: poorKey, TRAWL_STRICT_URL: strict } = process.env
export const nobody = 'fc-' + '0'.repeat(32) // a key that nobody has
export const site = page => process.env.SITE_URL + page

// The longest that a command may take, in milliseconds: no measure of its speed.
const limit = 300_000

// A Folder is where commands run, home and working folder in one. What one command
// keeps there, the next one finds.
export class Folder {
	constructor(t) {
		this.path = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-'))
		t.after(() => fs.rmSync(this.path, { recursive: true, force: true }))
	}

	file(...names) {
		return path.join(this.path, ...names)
	}

	read(...names) {
		return fs.readFileSync(this.file(...names), 'utf8')
	}

	// run runs the command to its end, with variables over those of the tests.
	async run(args, variables = {}) {
		const child = spawn(process.execPath, [program, ...args], {
			cwd: this.path,
			stdio: ['ignore', 'pipe', 'pipe'],
			timeout: limit,
			env: {
				...process.env, HOME: this.path,
				FIRECRAWL_NO_UPDATE_CHECK: '1', FIRECRAWL_NO_TELEMETRY: '1',
				FIRECRAWL_NO_SEARCH_FEEDBACK: '1', FIRECRAWL_NO_ENDPOINT_FEEDBACK: '1',
				...variables,
			},
		})
		const result = { out: '', err: '' }
		child.stdout.setEncoding('utf8').on('data', text => { result.out += text })
		child.stderr.setEncoding('utf8').on('data', text => { result.err += text })
		result.code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
		return result
	}

	// succeeds runs the command, which must end with 0, and returns what it printed.
	async succeeds(...args) {
		const result = await this.run(args)
		assert.equal(result.code, 0, `${args.join(' ')}\n${result.out}${result.err}`)
		return result
	}

	// fails runs the command, which must end with 1 and a text that matches.
	async fails(text, args, variables) {
		const result = await this.run(args, variables)
		assert.equal(result.code, 1, `${args.join(' ')}\n${result.out}${result.err}`)
		assert.match(result.err, text)
		return result
	}
}
