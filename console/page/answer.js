// What a request was answered with, in as many ways as it has parts.

import { copier, empty, fill, foreign, h, link, problem, table, tabs } from './dom.js';
import { compared, framed } from './frame.js';
import { count, duration } from './format.js';
import { markdown } from './markdown.js';
import { tree } from './value.js';
import { diff } from './diff.js';
import { root } from './api.js';

// answer shows the result of a run: {mode, request, answer, error, ms}.
export function answer(run) {
  if (run.error) return h('div', { class: 'answer' }, facts(run), problem(run.error));
  const data = run.answer.data ?? run.answer;
  const document = ['scrape', 'parse'].includes(run.mode) ? data : null;
  const warnings = [run.answer.warning, document?.warning].filter(Boolean);
  return h('div', { class: 'answer' }, facts(run, document),
    warnings.map((text) => h('p', { class: 'warning' }, h('strong', {}, 'Note '), foreign(text))),
    tabs('Answer', [...(document ? documentParts(document) : listParts(run)), whole(run.answer)], { chosen: run.part, onchoose: (name) => { run.part = name; } }));
}

function facts(run, document) {
  const meta = document?.metadata ?? {};
  const credits = meta.creditsUsed ?? run.answer?.creditsUsed;
  return h('dl', { class: 'facts' },
    fact('Outcome', run.error ? h('span', { class: 'bad' }, run.error.status ? `status ${run.error.status}` : 'no answer') : h('span', { class: 'good' }, 'success')),
    meta.statusCode && fact('Page', h('span', { class: meta.statusCode < 400 ? '' : 'bad' }, String(meta.statusCode))),
    fact('Time', duration(run.ms)),
    credits != null && fact('Credits', count(credits)),
    meta.cacheState && fact('Cache', meta.cacheState),
    meta.proxyUsed && fact('Proxy', meta.proxyUsed),
    meta.numPages && fact('Pages', count(meta.numPages)));
}

const fact = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));

const whole = (value) => ({ name: 'Answer', make: () => [copier('Copy JSON', () => JSON.stringify(value, null, 2)), tree(value)] });

const own = new Set(['markdown', 'html', 'rawHtml', 'screenshot', 'links', 'images', 'metadata', 'warning', 'changeTracking', 'summary', 'pages']);

// documentParts are the parts of a document that are there.
export function documentParts(doc) {
  const base = doc.metadata?.url ?? doc.metadata?.sourceURL;
  const parts = [];
  const add = (name, make, size) => parts.push({ name, make, count: size });
  if (doc.markdown != null) add('Markdown', () => both(markdown(doc.markdown, base), doc.markdown));
  if (doc.summary) add('Summary', () => h('p', { dir: 'auto' }, foreign(doc.summary, 20000)));
  if (doc.html != null) add('HTML', () => both(framed(doc.html), doc.html));
  if (doc.rawHtml != null) add('Raw HTML', () => both(framed(doc.rawHtml), doc.rawHtml));
  if (doc.html != null && doc.rawHtml != null) add('Kept', () => [h('p', { class: 'soft' }, 'The whole page. What is crossed out is not in the main content.'), compared(doc.rawHtml, doc.html)]);
  if (doc.screenshot) add('Screenshot', () => screenshot(doc.screenshot));
  if (doc.changeTracking) add('Changes', () => changeTracking(doc.changeTracking));
  for (const [name, value] of Object.entries(doc)) if (!own.has(name) && value != null) add(name === 'json' ? 'JSON' : name, () => [copier('Copy JSON', () => JSON.stringify(value, null, 2)), tree(value)]);
  if (doc.links) add('Links', () => linkList(doc.links, base), doc.links.length);
  if (doc.images) add('Images', () => linkList(doc.images, base), doc.images.length);
  if (doc.pages) add('Pages', () => doc.pages.slice(0, 200).map((page) => h('details', {}, h('summary', {}, `Page ${page.pageNumber}`), source(page.markdown ?? ''))), doc.pages.length);
  if (doc.metadata) add('Metadata', () => metadata(doc.metadata));
  return parts;
}

// both is a thing as it looks beside its source.
function both(rendered, text) {
  const view = h('div', { class: 'both' });
  const ways = { Rendered: () => [rendered], Source: () => [source(text)], 'Side by side': () => [rendered, source(text)] };
  const bar = h('div', { class: 'switch', role: 'group', 'aria-label': 'How it is shown' }, Object.entries(ways).map(([name, parts]) => h('button', {
    type: 'button', onclick: (event) => choose(event.currentTarget, parts),
  }, name)));
  const choose = (handle, parts) => {
    for (const other of bar.children) other.setAttribute('aria-pressed', String(other === handle));
    fill(view, parts());
    view.classList.toggle('two', view.childElementCount === 2);
  };
  choose(bar.firstElementChild, ways.Rendered);
  return [h('div', { class: 'row' }, bar, copier('Copy', () => text)), view];
}

const mostSource = 300000; // characters that are shown at once

export function source(text) {
  return h('pre', { class: 'source', tabindex: '0', dir: 'auto' }, text.length > mostSource ? `${text.slice(0, mostSource)}\n… ${count(text.length - mostSource)} more characters; Copy has them all.` : text);
}

// screenshot shows a picture of this server or in the answer itself, and says so when it is gone.
function screenshot(address) {
  const url = new URL(address, root);
  const local = url.protocol === 'data:' || url.origin === root.origin;
  if (!local) return h('p', {}, 'The picture is elsewhere: ', link(address));
  const image = h('img', { class: 'shot', alt: 'Screenshot of the page', src: url.href, onerror: () => image.replaceWith(empty('The screenshot is gone: files expire with their documents.')) });
  return image;
}

function changeTracking(value) {
  return [
    h('dl', { class: 'facts' }, fact('Status', value.changeStatus ?? '–'), fact('Before', value.previousScrapeAt ?? 'never seen'), fact('Visibility', value.visibility ?? '–')),
    value.diff?.text ? h('pre', { class: 'diff', tabindex: '0' }, value.diff.text.split('\n').map((line) => h(line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : 'span', {}, `${line}\n`))) : null,
    tree(value),
  ];
}

function linkList(addresses, base) {
  if (addresses.length === 0) return empty('None.');
  const list = document.createElement('virtual-list');
  list.className = 'plain';
  list.set({ label: 'Addresses', rows: addresses, render: (address) => h('div', { class: 'line' }, link(typeof address === 'string' ? address : address.url, undefined, base)) });
  return [copier('Copy all', () => addresses.map((one) => one.url ?? one).join('\n')), list];
}

function metadata(values) {
  return table('Metadata', ['Field', 'Value'], Object.entries(values).map(([name, value]) => h('tr', {},
    h('th', { scope: 'row' }, foreign(name, 200)), h('td', {}, typeof value === 'string' && /^https?:/.test(value) ? link(value) : foreign(typeof value === 'object' ? JSON.stringify(value) : value)))));
}

// listParts are the parts of maps, searches and extracts.
function listParts({ mode, answer: value }) {
  if (mode === 'map') return [{ name: 'Links', count: value.links.length, make: () => linkList(value.links) }];
  if (mode === 'search') return Object.entries(value.data ?? {}).map(([name, results]) => ({ name, count: results.length, make: () => results.map(result) }));
  if (mode === 'extract') {
    return [{ name: 'JSON', make: () => [copier('Copy JSON', () => JSON.stringify(value.data, null, 2)), tree(value.data)] },
      ...(value.evidence ? [{ name: 'Evidence', count: value.evidence.length, make: () => table('Evidence', ['Value', 'Page', 'Verified', 'Quote'], value.evidence.map((one) => h('tr', {},
        h('td', {}, foreign(one.path)), h('td', {}, link(one.url)), h('td', {}, one.verified ? 'yes' : 'no'), h('td', {}, foreign(one.quote ?? ''))))) }] : [])];
  }
  return [];
}

function result(one) {
  return h('article', { class: 'result' }, h('h3', {}, link(one.url, one.title || one.url)), h('p', { class: 'soft' }, foreign(one.url)), h('p', {}, foreign(one.description ?? one.snippet ?? '')),
    one.markdown != null && h('details', {}, h('summary', {}, 'Document'), tabs('Document', documentParts(one))));
}

// comparison shows how two runs differ.
export function comparison(before, after) {
  const parts = [];
  const add = (name, of) => {
    const texts = [of(before.answer ?? {}), of(after.answer ?? {})];
    if (texts.some((text) => text != null)) parts.push({ name, make: () => diff(texts[0] ?? '', texts[1] ?? '') });
  };
  add('Markdown', (value) => value.data?.markdown);
  add('HTML', (value) => value.data?.html);
  add('Links', (value) => (value.data?.links ?? value.links)?.map((one) => one.url ?? one).join('\n'));
  add('Metadata', (value) => value.data?.metadata && JSON.stringify(value.data.metadata, null, 2));
  add('Answer', (value) => JSON.stringify(value, null, 2));
  parts.push({ name: 'Request', make: () => diff(JSON.stringify(before.request, null, 2), JSON.stringify(after.request, null, 2)) });
  return tabs('Comparison', parts);
}
