// Drives a session with Playwright: node playwright.mjs <packages> <cdpUrl> <site>
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const [packages, address, site] = process.argv.slice(2);
const { chromium } = createRequire(packages + '/')('playwright-core');
const png = picture => picture.subarray(1, 4).toString() === 'PNG';

const connect = () => chromium.connectOverCDP(address, { timeout: 0 }); // who runs this ends it when nothing more comes

let browser = await connect();
const context = browser.contexts()[0];
context.setDefaultTimeout(0);
const page = context.pages()[0] ?? await context.newPage();
await page.goto(site + '/');
await page.click('#go');
assert.equal(await page.textContent('#go'), 'gone');
await page.fill('#name', 'Ada');
await page.locator('#name').pressSequentially(' Lovelace');
assert.equal(await page.inputValue('#name'), 'Ada Lovelace');
assert.equal(await page.evaluate(n => n * 2, 21), 42);
assert(png(await page.screenshot()));
assert(png(await page.screenshot({ fullPage: true })));

// Files of the client are sent to the page.
await page.setInputFiles('#file', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
assert.equal(await page.evaluate(() => document.querySelector('#file').files[0].text()), 'hello');

const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#popup')]);
await popup.waitForLoadState();
assert.equal(await popup.title(), 'popup');
await popup.close();

const other = await browser.newContext({ viewport: { width: 400, height: 300 }, locale: 'de-DE' });
other.setDefaultTimeout(0);
const elsewhere = await other.newPage();
await elsewhere.route('**/made-up', route => route.fulfill({ contentType: 'text/html', body: '<title>made up</title>' }));
await elsewhere.goto(site + '/made-up');
assert.equal(await elsewhere.title(), 'made up');
assert.deepEqual(await elsewhere.evaluate(() => [innerWidth, navigator.language, document.cookie]), [400, 'de-DE', '']);
const [download] = await Promise.all([elsewhere.waitForEvent('download'), elsewhere.goto(site + '/download').catch(() => {})]);
assert.match(await download.failure(), /cancel/);
await other.close();
await assert.rejects(browser.newContext({ proxy: { server: 'http://127.0.0.1:9' } }), /own way to the network/);

const session = await context.newCDPSession(page);
const whole = await browser.newBrowserCDPSession();
for (const [on, method, params, why] of [
  [session, 'Page.navigate', { url: 'file:///etc/passwd' }, /begin with file: are not available/],
  [session, 'Page.navigate', { url: 'chrome://version' }, /begin with chrome: are not available/],
  [session, 'Page.crash', {}, /Page.crash is not available in a remote session/],
  [session, 'DOM.setFileInputFiles', { files: ['/etc/passwd'] }, /files would be those of the server/],
  [whole, 'Browser.getBrowserCommandLine', {}, /tells of the server/],
  [whole, 'SystemInfo.getInfo', {}, /tells of the server/],
  [whole, 'Target.createTarget', { url: 'devtools://devtools/bundled/inspector.html' }, /begin with devtools: are not available/],
]) {
  await assert.rejects(on.send(method, params), why);
}
await assert.rejects(page.goto('file:///etc/passwd'), /begin with file: are not available/);
const { targetInfos } = await whole.send('Target.getTargets', { filter: [{}] });
assert.deepEqual(targetInfos.filter(t => t.url.startsWith('chrome')), []);
assert.equal(await page.title(), 'site');
await browser.close(); // leaves it

browser = await connect();
assert.equal(browser.contexts().length, 1);
const again = browser.contexts()[0].pages().find(p => p.url() === site + '/');
assert.equal(await again.textContent('#go'), 'gone');
await browser.close();
console.log('playwright is content');
