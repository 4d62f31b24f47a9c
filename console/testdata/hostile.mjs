// A site that is out to harm its readers: nothing of it runs, and no layout breaks.
import assert from 'node:assert/strict';
import { end, narrow, open, screen, site, tab } from './console.mjs';

for (const width of [1280, 390]) {
  const page = await open({ width });
  const look = async (what) => {
    await narrow(page, `${what}, ${width}`);
    assert.equal(await page.evaluate(() => window.harmed), undefined, what);
    assert.equal(await page.locator('main a:not([href^="http"], [href^="mailto:"], [href^="#"], [href^="blob:"])').count(), 0, what);
  };
  const request = { url: site, formats: ['markdown', 'html', 'rawHtml', 'links', 'images'], onlyMainContent: false };
  await page.evaluate((text) => { location.hash = `#/try/scrape?${encodeURIComponent(text)}`; }, JSON.stringify(request));
  await page.locator('.bar button').click();
  await page.locator('.answer').waitFor();
  for (const name of ['Markdown', 'HTML', 'Raw HTML', 'Kept', 'Links', 'Images', 'Metadata', 'Answer']) {
    await tab(page, name);
    await look(name);
  }
  await tab(page, 'HTML');
  await page.frameLocator('.frame').getByText('harmless text').waitFor();

  await page.locator('.modes').getByText('Crawl').click();
  await page.getByLabel('Address', { exact: true }).fill(site);
  await page.locator('.bar button').click();
  await page.locator('job-view .badge.completed').waitFor();
  await page.getByText('Open this crawl').click();
  await page.locator('job-screen site-tree .line').first().waitFor();
  for (let at = 0; at < Math.min(30, await page.getByRole('treeitem').count()); at++) {
    await page.getByRole('treeitem').nth(at).click();
    await look('site');
  }
  for (const name of ['Pages', 'Errors']) {
    await tab(page, name);
    await page.locator('.rows li, table, .empty').first().waitFor();
    await look(name);
  }
  await screen(page, 'Jobs');
  await look('jobs');
  await screen(page, 'Activity');
  await page.getByRole('cell', { name: 'scrape', exact: true }).first().waitFor();
  await look('activity');

  await screen(page, 'Try');
  await page.locator('.modes').getByText('Parse').click();
  await page.locator('#file').setInputFiles({ name: `<img src=x onerror="harmed=1">\u202egnp.${'a'.repeat(180)}.html`, mimeType: 'text/html', buffer: Buffer.from('<h1>Fine</h1>') });
  await look('file name');
  await page.locator('.bar button').click();
  await page.locator('.markdown, .problem').first().waitFor();
  await look('parsed');

  // What is in the address is no more trusted.
  for (const hash of ['#/try/scrape?{"url":"<img src=x onerror=harmed=1>"', '#/jobs/crawl/<img src=x onerror=harmed=1>', '#/jobs/__proto__/x', '#/<script>harmed=1</script>', '#/try/scrape?{"__proto__":{"harmed":1},"formats":7,"headers":[1],"actions":[null,3]}',
    '#/try/crawl?{"url":{},"scrapeOptions":7,"limit":"many","webhook":[],"includePaths":{}}', '#/try/extract?{"urls":{"a":1},"schema":"x"}']) {
    await page.evaluate((address) => { location.hash = address; }, hash);
    await page.locator('main > *').first().waitFor();
    await look(hash);
  }
}
await end();
