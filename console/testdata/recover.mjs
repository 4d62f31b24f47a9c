// The stream drops, the server goes away and comes back while a crawl runs: the page
// shows the crawl to its end. Then the key is revoked: nothing that was typed is lost.
import assert from 'node:assert/strict';
import { ask, end, key, open, site } from './console.mjs';

const page = await open();
await page.locator('.modes').getByText('Crawl').click();
await page.getByLabel('Address', { exact: true }).fill(site);
await page.locator('.bar button').click();
await page.locator('job-view .badge.scraping').waitFor();
await page.getByText('Open this crawl').click();
await page.locator('job-screen .badge.scraping').waitFor();

await ask('drop');
await page.getByText('The connection to the server is gone').waitFor();
await page.getByText('The connection to the server is gone').waitFor({ state: 'hidden' });
await page.locator('job-screen .badge.scraping').waitFor();

await ask('stop');
await page.getByText('The connection to the server is gone').waitFor();
await ask('start');
await page.getByText('The connection to the server is gone').waitFor({ state: 'hidden' });
await ask('go');
await page.locator('job-screen .badge.completed').waitFor();
await page.locator('job-screen .facts', { hasText: '20 of 20' }).waitFor();
await page.getByText('scraped 20').waitFor();

await page.locator('#screens').getByText('Try', { exact: true }).click();
await page.locator('.modes').getByText('Scrape').click();
await page.getByLabel('Address', { exact: true }).fill('http://sample.localhost/news');
await page.getByLabel('The request as JSON').fill('{"url": "http://sample.localhost/news", "mobile": true}');
const other = await ask('revoke');
await page.locator('.bar button').click();
await page.getByText('not valid any more').waitFor();
assert.equal(await page.evaluate(() => Object.values(sessionStorage).some((value) => value.startsWith('fc-'))), false);
await page.getByLabel('API key').fill(key);
await page.getByRole('button', { name: 'Log in' }).click();
await page.getByText('This key is not valid.').waitFor();
await page.getByLabel('API key').fill(other);
await page.getByRole('button', { name: 'Log in' }).click();
assert.deepEqual(JSON.parse(await page.getByLabel('The request as JSON').inputValue()), { url: 'http://sample.localhost/news', mobile: true });
await page.locator('.bar button').click();
await page.locator('.markdown').waitFor();
await end();
