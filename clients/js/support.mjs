// What the tests share: a client with credits, and the site.
import assert from 'node:assert/strict'
import { Firecrawl } from 'firecrawl'

export const site = process.env.SITE_URL
export const apiUrl = process.env.TRAWL_URL
export const client = new Firecrawl({ apiKey: process.env.TRAWL_KEY, apiUrl })

// Nothing here takes long; a test that hangs fails.
export const limit = { timeout: 120_000 }

// failure returns the error that a call must end with.
export async function failure(promise) {
	try {
		await promise
	} catch (error) {
		return error
	}
	assert.fail('the call succeeded')
}

export const addresses = documents => documents.map(d => d.metadata.sourceURL).sort()

// isPicture tells whether a screenshot can be fetched and is a PNG or JPEG.
export async function isPicture(address) {
	const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
	return bytes.subarray(1, 4).toString() === 'PNG' || bytes.readUInt16BE(0) === 0xffd8
}
