import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import { client, isPicture, limit, site } from './support.mjs'

const format = (name, type, check, page = '/a') => test(`scrape as ${name}`, limit, async () => {
	check(await client.scrape(site + page, { formats: [type] }))
})

test('scrape', limit, async () => {
	const doc = await client.scrape(site + '/a')
	assert.match(doc.markdown, /^# Apples\n/)
	assert.equal(doc.html, undefined)
	assert.equal(doc.metadata.title, 'Apples')
	assert.equal(doc.metadata.description, 'A page on Apples.')
	assert.equal(doc.metadata.sourceURL, site + '/a')
	assert.equal(doc.metadata.statusCode, 200)
	assert.match(doc.metadata.scrapeId, /^[0-9a-f-]{36}$/)
	assert.equal(doc.metadata.creditsUsed, 1)
	assert.equal(doc.metadata.proxyUsed, 'basic')
})

format('html', 'html', doc => assert.match(doc.html, /<h1[^>]*>Apples<\/h1>/))
format('rawHtml', 'rawHtml', doc => assert.match(doc.rawHtml, /^<!doctype html>/i))
format('links', 'links', doc => assert.ok(doc.links.includes(site + '/')))
format('images', 'images', doc => assert.ok(doc.images.includes(site + '/logo.png')))
format('summary', 'summary', doc => assert.match(doc.summary, /Apples are round fruit/))
format('rawBase64', 'rawBase64', doc => {
	assert.match(Buffer.from(doc.rawBase64, 'base64').toString('latin1'), /^%PDF-1\.7/)
}, '/doc.pdf')
format('attributes', { type: 'attributes', selectors: [{ selector: 'p.lead', attribute: 'data-kind' }, { selector: 'hr', attribute: 'id' }] }, doc => {
	assert.deepEqual(doc.attributes, [
		{ selector: 'p.lead', attribute: 'data-kind', values: ['article'] }, { selector: 'hr', attribute: 'id', values: [] },
	])
})
format('answer to a question', { type: 'question', question: 'What are apples?' }, doc => assert.match(doc.answer, /Apples are round fruit/))
format('highlights', { type: 'highlights', query: 'round fruit' }, doc => assert.match(doc.highlights, /Apples are round fruit/))
format('answer to a query', { type: 'query', prompt: 'What are apples?', mode: 'freeform' }, doc => assert.match(doc.answer, /round fruit/))
format('quotes for a query', { type: 'query', prompt: 'round fruit', mode: 'directQuote' }, doc => assert.match(doc.highlights, /round fruit/))
format('product', 'product', doc => {
	assert.equal(doc.product.title, 'Kettle')
	assert.equal(doc.product.brand, 'Potters')
	assert.equal(doc.product.variants[0].price.amount, 39.9)
	assert.equal(doc.product.variants[0].price.currency, 'EUR')
	assert.equal(doc.product.variants[0].availability.inStock, true)
}, '/product')
format('menu', 'menu', ({ menu }) => {
	assert.equal(menu.isMenu, true)
	assert.equal(menu.merchant.name, 'The Ladle')
	assert.equal(menu.sourceUrl, site + '/menu')
	assert.equal(menu.sections[0].name, 'Soups')
	const [soup] = menu.sections[0].items
	assert.deepEqual([soup.name, soup.description, soup.price.amount, soup.price.currency], ['Leek soup', 'With bread.', 6.5, 'EUR'])
}, '/menu')
format('branding', 'branding', ({ branding }) => {
	assert.equal(branding.colorScheme, 'light')
	assert.equal(branding.colors.primary.toLowerCase(), '#336699')
	assert.equal(branding.colors.background.toLowerCase(), '#ffffff')
	assert.ok(branding.fonts.some(f => f.family === 'Georgia'))
	assert.equal(branding.images.logo, site + '/logo.png')
	assert.equal(branding.components.buttonPrimary.background.toLowerCase(), '#336699')
	assert.equal(branding.components.buttonPrimary.borderRadius, '8px')
	assert.equal(branding.typography.fontSizes.h1, '40px')
	assert.equal(branding.typography.fontFamilies.primary, 'Georgia')
	assert.equal(branding.brandName, 'Potters')
	assert.equal(branding.logo, site + '/logo.png')
	const { colors, typography, components, images, icons, animations, tone = {} } = branding
	const texts = [colors, typography.fontFamilies, typography.fontSizes, components.buttonPrimary, images, icons, animations, tone]
	for (const [name, value] of texts.flatMap(Object.entries)) assert.equal(typeof value, 'string', name)
}, '/brand')

test('scrape as json by a JSON Schema', limit, async () => {
	const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
	const doc = await client.scrape(site + '/a', { formats: [{ type: 'json', schema, prompt: 'The title.' }] })
	assert.deepEqual(doc.json, { title: 'Apples' })
	assert.equal(doc.metadata.creditsUsed, 5)
})

test('scrape as json by a Zod schema', limit, async () => {
	const schema = z.object({ title: z.string(), tags: z.array(z.string()).optional() })
	const doc = await client.scrape(site + '/b', { formats: [{ type: 'json', schema }] })
	assert.equal(schema.parse(doc.json).title, 'Bread')
})

test('screenshots', limit, async () => {
	const plain = await client.scrape(site + '/a', { formats: ['screenshot'] })
	assert.ok(await isPicture(plain.screenshot))
	const whole = await client.scrape(site + '/a', {
		formats: [{ type: 'screenshot', fullPage: true, quality: 50, viewport: { width: 400, height: 300 } }],
	})
	assert.ok(await isPicture(whole.screenshot))
})

test('many formats at once', limit, async () => {
	const doc = await client.scrape(site + '/b', { formats: ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'screenshot'] })
	for (const field of ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'screenshot']) assert.ok(doc[field], field)
})

test('a page that is not there is a document, too', limit, async () => {
	const doc = await client.scrape(site + '/missing')
	assert.equal(doc.metadata.statusCode, 404)
	assert.match(doc.markdown, /There is no such page/)
})

test('actions', limit, async () => {
	const doc = await client.scrape(site + '/form', {
		formats: ['markdown'],
		actions: [
			{ type: 'wait', selector: '#name' }, { type: 'click', selector: '#name' }, { type: 'write', text: 'Ada' },
			{ type: 'press', key: 'Tab' }, { type: 'click', selector: '#greet' }, { type: 'wait', milliseconds: 50 },
			{ type: 'scroll', direction: 'down' }, { type: 'screenshot' }, { type: 'scrape' },
			{ type: 'executeJavascript', script: 'document.title' }, { type: 'pdf' },
		],
	})
	assert.match(doc.markdown, /Good day, Ada\./)
	assert.ok(await isPicture(doc.actions.screenshots[0]))
	assert.match(doc.actions.scrapes[0].html, /Good day, Ada\./)
	assert.equal(doc.actions.javascriptReturns[0].value, 'Form')
	assert.equal(doc.actions.pdfs.length, 1)
})

test('options of a page', limit, async () => {
	const doc = await client.scrape(site + '/a', {
		formats: ['markdown', 'html'], onlyMainContent: false, includeTags: ['h1'], excludeTags: ['img'], headers: { 'X-Test': 'yes' },
		timeout: 100_000, waitFor: 100, mobile: true, skipTlsVerification: true, removeBase64Images: true, blockAds: true, proxy: 'basic',
		parsers: ['pdf'], location: { country: 'DE', languages: ['de'] }, maxAge: 0, storeInCache: false,
	})
	assert.equal(doc.markdown.trim(), '# Apples')
	assert.equal(doc.metadata.proxyUsed, 'basic')
})

test('the cache', limit, async () => {
	const page = site + '/b?cached'
	assert.equal((await client.scrape(page)).metadata.cacheState, 'miss')
	assert.notEqual((await client.scrape(page, { maxAge: 0 })).metadata.cacheState, 'hit')
	const again = await client.scrape(page, { maxAge: 3_600_000 })
	assert.equal(again.metadata.cacheState, 'hit')
	assert.ok(Date.parse(again.metadata.cachedAt))
	assert.equal((await client.scrape(page, { lockdown: true })).metadata.cacheState, 'hit')
})

test('files', limit, async () => {
	const pdf = await client.scrape(site + '/doc.pdf', { parsers: [{ type: 'pdf', mode: 'auto', maxPages: 1, pages: true }] })
	assert.match(pdf.markdown, /The year was a good one/)
	assert.equal(pdf.metadata.numPages, 1)
	assert.match(pdf.pages[0].markdown, /Annual report/)
	assert.match((await client.scrape(site + '/doc.docx')).markdown, /The meeting was short/)
})
