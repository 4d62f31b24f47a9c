// Bodies as Flowise and Dify send them, with the fields of the answers that they
// read. SITE stands for the site.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'

const call = async (method, path, body) => {
	const response = await fetch(process.env.TRAWL_URL + path, {
		method, headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + process.env.TRAWL_KEY }, body: body && JSON.stringify(body),
	})
	assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`)
	return response.json()
}

// at follows a path of keys, such as data.0.url.
const at = (value, path) => path.split('.').reduce((v, key) => v?.[key], value)

const recorded = fs.readFileSync(new URL('./recorded.json', import.meta.url), 'utf8').replaceAll('SITE', process.env.SITE_URL)
for (const { sender, path, body, reads, poll } of JSON.parse(recorded)) {
	test(`${sender}: ${path}`, { timeout: 300_000 }, async () => {
		let answer = await call('POST', path, body)
		assert.equal(answer.success, true)
		if (poll) {
			const status = poll.replace('ID', answer.id)
			do answer = await call('GET', status)
			while (['scraping', 'processing'].includes(answer.status))
			assert.equal(answer.status, 'completed')
		}
		for (const [field, type] of Object.entries(reads)) assert.equal(typeof at(answer, field), type, `${field} of ${JSON.stringify(answer)}`)
	})
}
