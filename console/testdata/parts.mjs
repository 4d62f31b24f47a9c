// The parts by themselves: markdown, diffs, addresses, and a site of 100,000 addresses.
import assert from 'node:assert/strict';
import { base, end, open } from './console.mjs';

const page = await open();
await page.locator('.welcome').waitFor();

// Markdown becomes elements, and HTML in it stays text.
for (const [source, want] of [
  ['# One\n\ntext *a* **b** `c` ~~d~~', '<h3 class="level1">One</h3><p>text <em>a</em> <strong>b</strong> <code>c</code> <del>d</del></p>'],
  ['- a\n- b\n  - c\n\n1. x\n2. y', '<ul><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ul><ol><li>x</li><li>y</li></ol>'],
  ['> quoted\n> more', '<blockquote><p>quoted\nmore</p></blockquote>'],
  ['```html\n<b>&amp;</b>\n```', '<pre tabindex="0"><code>&lt;b&gt;&amp;amp;&lt;/b&gt;</code></pre>'],
  ['<script>x</script> a_b_c \\*', '<p>&lt;script&gt;x&lt;/script&gt; a_b_c *</p>'],
  ['[a](javascript:x) [b](data:text/html,x)', '<p><span>a</span> <span>b</span></p>'],
  ['[a](/b "t")', '<p><a href="https://site.example/b" target="_blank" rel="noopener noreferrer">a</a></p>'],
  ['***', '<hr>'],
]) {
  const got = await page.evaluate(async ([text, address]) => (await import(`${address}markdown.js`)).markdown(text, 'https://site.example/x').innerHTML, [source, base]);
  assert.equal(got, want, source);
}
const grid = await page.evaluate(async (address) => (await import(`${address}markdown.js`)).markdown('| a | b |\n|---|---|\n| 1 \\| 2 | `3` |').textContent, base);
assert.equal(grid, 'ab1 | 23');
// What is meant to keep a renderer busy does not.
for (const text of ['[', '*', '`', '![', '<', '> ', '- ', '_a', '|-', '**a*']) {
  await page.evaluate(async ([address, one]) => (await import(`${address}markdown.js`)).markdown(one.repeat(300000)), [base, text]);
}

// A diff has all lines of both texts, in their order.
const wrong = await page.evaluate(async (address) => {
  const { changes } = await import(`${address}diff.js`);
  let seed = 7;
  const random = (most) => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: random(30) }, () => 'abcd'[random(4)]).join('\n');
    const [before, after] = [text(), text()];
    const all = changes(before, after);
    const side = (sign) => all.filter(([one]) => one === ' ' || one === sign).map(([, line]) => line).join('\n');
    if (side('-') !== before || side('+') !== after) return [before, after, all];
  }
  const [long, other] = ['x', 'y'].map((word) => Array.from({ length: 20000 }, (_, at) => word + at).join('\n'));
  return changes(long, other).length === 40000 ? null : 'long texts';
}, base);
assert.equal(wrong, null);

// A tree of 100,000 addresses has in the document what is in sight.
const id = '01890000-0000-7000-8000-000000000000';
await page.route('**/v2/crawl/**', async (route) => {
  const url = new URL(route.request().url());
  if (!url.pathname.endsWith('/explain')) {
    const status = { success: true, status: 'completed', completed: 50000, total: 50000, createdAt: '2026-01-01T00:00:00Z' };
    if (route.request().headers().accept === 'text/event-stream') return route.fulfill({ contentType: 'text/event-stream', body: `event: done\ndata: ${JSON.stringify(status)}\n\n` });
    return route.fulfill({ json: { ...status, data: [] } });
  }
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const urls = Array.from({ length: 1000 }, (_, at) => ({ url: `https://example.com/${(from + at) % 2 ? 'flat' : `deep/${at % 97}`}/page-${from + at}`, fate: 'filtered', detail: 'external', depth: 1 }));
  const hasMore = from + 1000 < 100000;
  return route.fulfill({ json: { success: true, counts: { filtered: 100000 }, urls, cursor: hasMore ? String(from + 1000) : null, hasMore } });
});
await page.evaluate((job) => { location.hash = `#/jobs/crawl/${job}`; }, id);
await page.getByText('100,000 addresses', { exact: true }).waitFor();
await page.getByRole('treeitem', { name: /flat/ }).click();
const list = page.getByRole('tree');
await list.focus();
for (const [press, want] of [['End', 'page-99999'], ['Home', 'https://example.com'], ['ArrowDown', 'deep'], ['ArrowRight', 'deep'], ['ArrowDown', '0'], ['ArrowLeft', 'deep']]) {
  await page.keyboard.press(press);
  const chosen = page.locator('[aria-selected=true] .path');
  await chosen.filter({ hasText: new RegExp(`^${want}$`) }).waitFor();
  assert(await page.getByRole('treeitem').count() < 120, press);
}
for (const press of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(press); // into the folder, open it, to its first page
await page.locator('.detail', { hasText: 'another site' }).waitFor();
await end();
