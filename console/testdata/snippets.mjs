// Every snippet that is copied is a program that gives the same answer.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { end, open, tab } from './console.mjs';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
const programs = {
  curl: (text) => run('sh', ['-c', text]),
  JavaScript: (text) => run(process.execPath, ['--input-type=module', '-e', text]),
  Python: (text) => run('python3', ['-c', text]),
  Go: (text) => {
    const file = join(folder, 'main.go');
    writeFileSync(file, text);
    return run('go', ['run', file]);
  },
  trawl: (text) => run('sh', ['-c', text.replace(/^trawl /m, `"${process.env.TRAWL}" `)]),
};

// the request has what programs have to write with care
const request = { url: 'http://sample.localhost/docs', formats: ['markdown', 'links'], includeTags: ['main', "[title='it`s \"so\"']"], maxAge: 0 };

const page = await open();
await page.evaluate((text) => { location.hash = `#/try/scrape?${encodeURIComponent(text)}`; }, JSON.stringify(request));
await page.locator('.bar button').click();
await page.locator('.answer').waitFor();
await tab(page, 'Answer');
await page.getByText('Copy JSON').click();
await page.getByText('Copied.').waitFor();
const shown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).data;
assert(shown.markdown.includes('Documentation'));

for (const [name, program] of Object.entries(programs)) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.locator(`[data-snippet="${name}"]`).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert(!text.includes(process.env.TRAWL_API_KEY), `${name} has the key in it`);
  const { stdout } = await program(text).catch((error) => assert.fail(`${name}: ${error.message}\n${text}`));
  const answer = JSON.parse(stdout);
  const document = answer.data ?? answer;
  assert.deepEqual(document.links, shown.links, name);
  if (name !== 'trawl') assert.equal(document.markdown, shown.markdown, name); // the command has no includeTags, and says so
}
await end();
