// Every screen of an empty server by clicks alone, light and dark, wide and narrow, with
// axe looking at each.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { axe, base, end, key, narrow, open, screen, tab } from './console.mjs';

const rules = readFileSync(axe(), 'utf8');

async function look(page, what) {
  await narrow(page, what);
  await page.evaluate(rules);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'], iframes: false }));
  const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
  assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html, failureSummary }) => [html.slice(0, 300), failureSummary])]), [], what);
}

for (const view of [{ colorScheme: 'light', width: 1280 }, { colorScheme: 'dark', width: 390 }]) {
  const at = (name) => `${name}, ${view.colorScheme}, ${view.width}`;
  const page = await open({ ...view, hash: '' });

  await page.getByLabel('API key').fill('fc-wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('This key is not valid').waitFor();
  await look(page, at('log-in'));
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Log in' }).click();

  // Try: a scrape of the sample, all its parts.
  await page.locator('.welcome').getByText('Page and links').click();
  await page.locator('.answer').waitFor();
  if (view.width < 900) {
    await page.locator('summary', { hasText: 'Options' }).click();
    await page.locator('summary', { hasText: 'Request' }).click();
  }
  await page.getByLabel('Find an option').waitFor();
  for (const name of ['Markdown', 'HTML', 'Links', 'Images', 'Metadata', 'Answer']) {
    await tab(page, name);
    await look(page, at(`scrape, ${name}`));
  }
  await tab(page, 'Markdown');
  await page.getByRole('button', { name: 'Side by side' }).click();
  await look(page, at('side by side'));

  // Options and JSON are two faces of one request.
  await page.getByLabel('Find an option').fill('main content');
  await page.getByLabel('onlyMainContent').uncheck();
  assert.equal(JSON.parse(await page.getByLabel('The request as JSON').inputValue()).onlyMainContent, false);
  await page.getByLabel('The request as JSON').fill('{"url": "http://sample.localhost/docs", "waitFor": 1');
  await page.getByText('This is not JSON yet').waitFor();
  await page.getByLabel('The request as JSON').fill('{"url": "http://sample.localhost/docs", "maxAge": 0}');
  await page.getByLabel('Find an option').fill('');
  assert(await page.getByLabel('onlyMainContent').isChecked());
  assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), 'http://sample.localhost/docs');
  assert(decodeURIComponent(page.url()).endsWith('#/try/scrape?{"url":"http://sample.localhost/docs","maxAge":0}'), page.url());

  // Two runs compared.
  await page.locator('.bar button').click();
  await page.locator('.markdown', { hasText: 'Documentation' }).waitFor();
  await page.getByLabel('Compare with').selectOption({ index: 1 });
  await page.locator('.diff ins').first().waitFor();
  await look(page, at('comparison'));

  // A mistake is said in words.
  await page.getByLabel('The request as JSON').fill('{"url": "http://sample.localhost/", "timeout": 1}');
  await page.locator('.bar button').click();
  await page.locator('.problem', { hasText: 'expected number >= 1000' }).waitFor();
  await look(page, at('error'));

  for (const mode of ['Map', 'Search', 'Extract', 'Parse', 'Crawl']) {
    await page.locator('.modes').getByText(mode).click();
    await page.locator('option-form details').first().waitFor();
    await look(page, at(mode));
  }
  await page.locator('.modes').getByText('Parse').click();
  await page.locator('#file').setInputFiles({ name: 'report.html', mimeType: 'text/html', buffer: Buffer.from('<h1>Report</h1><p>All is well.</p>') });
  await page.locator('.bar button').click();
  await page.locator('.markdown', { hasText: 'All is well.' }).waitFor();

  // Jobs: a crawl, its site, pages, errors and events.
  await screen(page, 'Jobs');
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await look(page, at('jobs'));
  await page.getByText('New crawl').click();
  await page.getByLabel('Address', { exact: true }).fill('http://sample.localhost/');
  await page.locator('.bar button').click();
  await page.getByText('Open this crawl').click();
  await page.locator('.badge.completed').first().waitFor();
  await page.getByRole('treeitem', { name: /private/ }).click();
  await page.getByRole('treeitem', { name: /notes/ }).click();
  await page.locator('.detail', { hasText: 'robots.txt of the site forbids it' }).waitFor();
  await look(page, at('site'));
  await page.getByRole('treeitem', { name: /about/ }).click();
  await page.getByText('Show the document').click();
  await page.locator('job-view .markdown').waitFor();
  await tab(page, 'Pages');
  await page.locator('.page summary').first().click();
  await page.locator('.page .markdown').waitFor();
  await look(page, at('pages'));
  await tab(page, 'Errors');
  await page.getByText('robots.txt forbids').last().waitFor();
  await look(page, at('errors'));
  await tab(page, 'Webhooks');
  await page.getByText('No events').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Download').click()]);
  const documents = readFileSync(await download.path(), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(documents.length, 6);
  await page.getByText('Run again').click();
  await page.locator('.address').waitFor();
  assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), 'http://sample.localhost/');

  // A monitor: checked, looked into, paused.
  const name = `Watched ${view.width}`;
  const made = await fetch(new URL('../v2/monitor', base), {
    method: 'POST', headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, schedule: { text: 'hourly' }, targets: [{ type: 'scrape', url: 'http://sample.localhost/' }] }),
  });
  assert.equal(made.status, 200);
  await screen(page, 'Monitors');
  await page.getByText(name).click();
  await page.getByText('Check now').click();
  await page.locator('.badge.completed').waitFor();
  await look(page, at('a monitor'));
  await page.locator('.badge.completed').click();
  await page.getByRole('heading', { name: 'new http://sample.localhost/' }).waitFor();
  await look(page, at('a check'));
  await page.getByText('The monitor').click();
  await page.getByText('Pause').click();
  await page.getByText('Resume').waitFor();
  await screen(page, 'Monitors');
  await page.getByText('paused').first().waitFor();
  await look(page, at('monitors'));

  // A browser, as it looks now.
  await screen(page, 'Sessions');
  await page.getByText('No browser runs').waitFor();
  await page.getByText('Start a browser').click();
  await page.frameLocator('.tile iframe').getByText('Live', { exact: true }).waitFor();
  await look(page, at('a session'));
  await page.locator('.tile').getByText('Playwright').click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /connectOverCDP\("ws:/);
  await page.locator('.tile').getByText('End').click();
  await page.getByText('No browser runs').waitFor();

  for (const name of ['Sessions', 'Activity', 'Usage', 'Keys']) {
    await screen(page, name);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    if (name === 'Activity') await page.getByRole('cell', { name: 'crawl', exact: true }).first().waitFor();
    if (name === 'Usage') await page.locator('usage-screen table').waitFor();
    if (name === 'Sessions') await page.locator('.empty, .tile').first().waitFor();
    await look(page, at(name));
  }
  // Keys: one is made with limits, changed, and revoked.
  const dialog = page.locator('dialog');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await dialog.getByLabel('Name').fill(`laptop ${view.width}`);
  await dialog.getByLabel('Endpoints').fill('scrape, crawl');
  await dialog.getByLabel('Formats').fill('markdown');
  await dialog.getByLabel('Spend limit in credits').fill('50');
  await dialog.getByLabel('Interval of the spend limit').selectOption('week');
  await dialog.getByLabel('Expires').fill('2099-01-02T03:04');
  await look(page, at('a new key'));
  await dialog.getByRole('button', { name: 'OK', exact: true }).click();
  const secret = await page.locator('.secret code').textContent();
  assert.match(secret, /^fc-/);
  const row = page.getByRole('row', { name: new RegExp(`laptop ${view.width}`) });
  await row.getByText('scrape, crawl').waitFor();
  await row.getByText('0 of 50 credits a week').waitFor();
  await row.getByText('until').waitFor();
  await row.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await dialog.getByLabel('Endpoints').inputValue(), 'scrape, crawl');
  await dialog.getByLabel('Endpoints').fill('');
  await dialog.getByLabel('Spend limit in credits').fill('');
  await dialog.getByRole('button', { name: 'OK', exact: true }).click();
  await row.getByText('scrape, crawl').waitFor({ state: 'detached' });
  await row.getByText('markdown').waitFor();
  await page.getByRole('button', { name: 'Show' }).click();
  const signing = page.locator('section', { hasText: 'Webhook secret' }).locator('code');
  const before = await signing.textContent();
  await page.getByRole('button', { name: 'Replace' }).click();
  await dialog.getByRole('button', { name: 'OK', exact: true }).click();
  await page.locator('section', { hasText: 'Webhook secret' }).locator('code', { hasNotText: before }).waitFor();
  await row.getByText('Revoke').click();
  await look(page, at('a question'));
  await page.locator('dialog').getByRole('button', { name: 'OK', exact: true }).click();
  await row.getByText('revoked').waitFor();
  await page.locator('#screens').getByText('Server', { exact: true }).click();
  await page.getByRole('cell', { name: 'TRAWL_LISTEN' }).waitFor();
  await page.getByRole('cell', { name: 'Pages in the browser' }).waitFor();
  await page.getByRole('heading', { name: 'Refused targets' }).waitFor();
  await look(page, at('server'));
  const unknown = '01890000-0000-7000-8000-000000000000';
  for (const kind of ['crawl', 'batch_scrape', 'extract', 'nonsense', 'toString']) {
    await page.evaluate((address) => { location.hash = address; }, `#/jobs/${kind}/${unknown}`);
    await page.getByText('There is no such job').waitFor();
  }

  // By keyboard alone: the first stop is the way past the navigation.
  await page.evaluate(() => { location.hash = '#/try/scrape'; });
  await page.locator('.bar button').waitFor();
  await page.locator('.brand').focus();
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
  await page.getByLabel('Address', { exact: true }).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('http://sample.localhost/news');
  await page.keyboard.press('Enter');
  await page.locator('.answer').waitFor();
}
await end();
