// Drives a session with Puppeteer, and ends it: node puppeteer.mjs <packages> <cdpUrl> <site>
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const [packages, address, site] = process.argv.slice(2);
const puppeteer = createRequire(packages + '/')('puppeteer-core');
const connect = () => puppeteer.connect({ browserWSEndpoint: address, defaultViewport: null });

let browser = await connect();
let page = await browser.newPage();
page.setDefaultTimeout(0); // who runs this ends it when nothing more comes
await page.goto(site + '/?puppeteer');
await page.click('#go');
assert.equal(await page.$eval('#go', e => e.textContent), 'gone');
await page.type('#name', 'Grace');
assert.equal(await page.$eval('#name', e => e.value), 'Grace');
assert.equal(await page.evaluate(n => n * 2, 21), 42);
const picture = await page.screenshot();
assert.equal(Buffer.from(picture.subarray(1, 4)).toString(), 'PNG');
assert.equal(Buffer.from((await page.pdf({ timeout: 0 })).subarray(0, 5)).toString(), '%PDF-');

const [popup] = await Promise.all([new Promise(resolve => page.once('popup', resolve)), page.click('#popup')]);
await popup.waitForSelector('h1', { timeout: 0 });
assert.equal(await popup.title(), 'popup');
await popup.close();

const context = await browser.createBrowserContext();
const elsewhere = await context.newPage();
elsewhere.setDefaultTimeout(0);
await elsewhere.goto(site + '/popup');
assert.equal(await elsewhere.title(), 'popup');
await context.close();
await assert.rejects(browser.createBrowserContext({ proxyServer: 'http://127.0.0.1:9' }), /own way to the network/);

const session = await page.createCDPSession();
await assert.rejects(session.send('Page.crash'), /not available in a remote session/);
await assert.rejects(page.goto('file:///etc/passwd'), /begin with file: are not available/);
assert.deepEqual(browser.targets().filter(t => t.url().startsWith('chrome')), []);
await browser.disconnect();

browser = await connect();
page = (await browser.pages()).find(p => p.url() === site + '/?puppeteer');
assert.equal(await page.$eval('#name', e => e.value), 'Grace');
await browser.close(); // ends the session
console.log('puppeteer is content');
