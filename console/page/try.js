// Try: one request, from its options to its answer.

import { call, description, get, lookUp, root } from './api.js';
import { answer, comparison } from './answer.js';
import { copier, fill, h, problem, tell } from './dom.js';
import { bytes, duration, written } from './format.js';
import { snippets } from './snippet.js';
import { pause } from './stream.js';
import { remember } from './job.js';
import './list.js';
import './options.js';

const modes = [
  { name: 'scrape', path: 'v2/scrape', title: 'Scrape', what: 'A page as markdown, HTML, data, pictures', schema: 'ScrapeRequest' },
  { name: 'crawl', path: 'v2/crawl', title: 'Crawl', what: 'All pages of a site', schema: 'CrawlRequest' },
  { name: 'map', path: 'v2/map', title: 'Map', what: 'The addresses of a site', schema: 'MapRequest' },
  { name: 'search', path: 'v2/search', title: 'Search', what: 'The web, and what it finds as documents', schema: 'SearchRequest', needs: ['search', 'This server has no web search: its operator can name one with TRAWL_SEARCH_URL.'] },
  { name: 'extract', path: 'v2/extract', title: 'Extract', what: 'Data from many pages', schema: 'ExtractRequest', needs: ['model', 'This server has no language model. With a schema, data comes from what pages say for machines.'] },
  { name: 'parse', path: 'v2/parse', title: 'Parse', what: 'A file of yours', schema: 'ParseRequest' },
];

const presets = [
  ['Markdown', ['markdown']],
  ['Page and links', ['markdown', 'html', 'links', 'images']],
  ['What is kept', ['markdown', 'html', 'rawHtml']],
  ['Screenshot', ['markdown', 'screenshot']],
  ['Branding', ['branding']],
  ['Changes', ['markdown', { type: 'changeTracking', modes: ['git-diff'] }]],
];

const sample = 'http://sample.localhost/';
const mostShared = 8000; // characters of a request in the address
const mostRuns = 20;

class TryScreen extends HTMLElement {
  requests = Object.fromEntries(modes.map((mode) => [mode.name, {}]));
  runs = [];
  file = null;

  // arrive takes the request of the address, if it has one.
  arrive() {
    const { parts, query } = this.route;
    const mode = modes.find((one) => one.name === parts[0]);
    if (query) this.take(mode ?? modes[0], query);
    else if (mode) this.mode = mode;
    this.mode ??= modes[0];
    if (this.bar) this.choose(this.mode);
    else this.draw();
  }

  take(mode, query) {
    this.mode = mode;
    try {
      const request = JSON.parse(query);
      if (request && typeof request === 'object' && !Array.isArray(request)) this.requests[mode.name] = request;
    } catch {
      tell('The request in the address cannot be read.', 'bad');
    }
  }

  get request() {
    return this.requests[this.mode.name];
  }

  draw() {
    this.bar = h('form', { class: 'bar', onsubmit: (event) => {
      event.preventDefault();
      this.run();
    } });
    this.choices = h('div', { class: 'modes', role: 'group', 'aria-label': 'What to try' }, modes.map((mode) => h('button', {
      type: 'button', title: mode.what, onclick: () => this.choose(mode),
    }, mode.title)));
    this.options = document.createElement('option-form');
    this.options.addEventListener('edit', () => this.changed('options'));
    this.code = h('textarea', { class: 'code', spellcheck: 'false', 'aria-label': 'The request as JSON', oninput: () => this.read() });
    this.wrong = h('p', { class: 'bad', role: 'alert' });
    this.lacks = h('p', { class: 'warning lacks' });
    this.copies = h('div', { class: 'copies', role: 'group', 'aria-label': 'Copy the request' });
    this.result = h('section', { class: 'result-pane', 'aria-label': 'Answer', 'aria-live': 'polite', tabindex: '-1' }, this.welcome());
    this.history = h('div', { class: 'history' });
    const wide = matchMedia('(min-width: 60rem)').matches;
    const options = h('details', { class: 'pane', open: wide }, h('summary', {}, h('h2', {}, 'Options')), this.options);
    fill(this, h('h1', { class: 'aside' }, 'Try'), this.choices, this.bar, this.lacks, h('div', { class: 'bench' },
      h('div', { class: 'request' }, options,
        h('details', { class: 'pane', open: wide }, h('summary', {}, h('h2', {}, 'Request')), this.code, this.wrong, this.copies)),
      h('div', { class: 'outcome' }, this.history, this.result)));
    this.drop();
    this.choose(this.mode);
  }

  // choose shows another kind of request.
  choose(mode) {
    this.mode = mode;
    [...this.choices.children].forEach((choice, at) => choice.setAttribute('aria-pressed', String(modes[at] === mode)));
    this.address();
    this.meet();
    this.describe();
    this.changed();
  }

  // meet says what this server cannot do, once it is known.
  meet() {
    const [part, text] = this.mode.needs ?? [];
    this.lacks.hidden = !part || this.team?.features?.[part] !== false;
    fill(this.lacks, text);
  }

  // address is the field at the top: what of, or which file.
  address() {
    const { name } = this.mode;
    const fields = { search: ['query', 'Query', 'What to search for'], extract: ['urls', 'Addresses', 'https://example.com/*'] };
    const [key, label, placeholder] = fields[name] ?? ['url', 'Address', 'https://example.com'];
    this.go = h('button', { class: 'main' }, this.mode.title);
    if (name === 'parse') {
      const input = h('input', { type: 'file', id: 'file', class: 'aside', onchange: () => this.upload(input.files[0]) });
      this.picked = h('span', {}, this.file ? `${this.file.name} (${bytes(this.file.size)})` : 'Drop a file here, or choose one');
      fill(this.bar, h('label', { class: 'drop', for: 'file' }, this.picked), input, this.go);
      return;
    }
    this.field = h('input', { type: 'text', inputmode: name === 'search' ? 'search' : 'url', class: 'address', 'aria-label': label, placeholder, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', oninput: () => {
      const text = this.field.value.trim();
      if (!text) delete this.request[key];
      else this.request[key] = key === 'urls' ? text.split(/[\s,]+/) : text;
      this.changed('field');
    } });
    this.fieldKey = key;
    fill(this.bar, this.field, this.go);
  }

  async describe() {
    const { mode } = this;
    try {
      this.api ??= await description();
      if (mode !== this.mode) return;
      this.options.set(this.api, lookUp(this.api, { $ref: `#/components/schemas/${mode.schema}` }), this.request);
    } catch (error) {
      fill(this.options, problem(error));
    }
  }

  // changed brings everything in line with the request, but where the change was made.
  changed(by) {
    const { request, mode } = this;
    if (by !== 'field' && this.mode.name !== 'parse') {
      const value = request[this.fieldKey];
      this.field.value = Array.isArray(value) ? value.join(' ') : value ?? '';
    }
    if (by !== 'code') {
      this.code.value = written(request);
      fill(this.wrong);
    }
    if (by === 'code' && this.api) this.options.set(this.api, this.options.schema, request);
    const text = JSON.stringify(request);
    const empty = text === '{}';
    history.replaceState(null, '', `#/try/${mode.name}${empty || text.length > mostShared ? '' : `?${encodeURIComponent(text)}`}`);
    this.copy(text.length > mostShared);
  }

  // read takes the request from its JSON.
  read() {
    try {
      const value = JSON.parse(this.code.value || '{}');
      if (!value || typeof value !== 'object' || Array.isArray(value)) throw new Error('A request is an object: { … }.');
      this.requests[this.mode.name] = value;
      fill(this.wrong);
      this.changed('code');
    } catch (error) {
      fill(this.wrong, `This is not JSON yet: ${error.message}`);
    }
  }

  copy(long) {
    const about = () => ({ url: new URL(this.mode.path, root).href, body: this.request, mode: this.mode.name, file: this.mode.name === 'parse' ? this.file?.name ?? 'file.pdf' : null });
    fill(this.copies, h('span', { class: 'soft' }, 'Copy as'), snippets.map(([name, write]) => copier(name, () => write(about()), { 'data-snippet': name })),
      !long && copier('Link', () => location.href, { title: 'An address that opens the console with this request' }));
  }

  welcome() {
    const start = (act) => () => {
      if (!this.request.url) this.request.url = sample;
      act();
      this.choose(modes[0]);
      this.run();
    };
    return h('div', { class: 'welcome' }, h('h2', {}, 'Ask for a page'), h('p', {}, 'The answer appears here: rendered, as source and as data. Begin with the sample site, which every server has:'),
      h('div', { class: 'row' }, presets.map(([name, formats]) => h('button', { type: 'button', onclick: start(() => { this.request.formats = formats; }) }, name))));
  }

  upload(file) {
    if (!file) return;
    this.file = file;
    if (this.mode.name !== 'parse') this.choose(modes.find((mode) => mode.name === 'parse'));
    else this.address();
    this.copy();
  }

  drop() {
    const over = (on) => (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      this.classList.toggle('over', on);
    };
    this.addEventListener('dragover', over(true));
    this.addEventListener('dragleave', over(false));
    this.addEventListener('drop', (event) => {
      over(false)(event);
      this.upload(event.dataTransfer?.files[0]);
    });
  }

  async run() {
    if (this.stop) {
      this.stop.abort();
      return;
    }
    if (this.mode.name === 'parse' && !this.file) {
      this.bar.querySelector('input').click();
      return;
    }
    const { mode } = this;
    const stop = this.stop = new AbortController();
    const run = { mode: mode.name, request: structuredClone(this.request), at: new Date(), number: (this.runs.at(-1)?.number ?? 0) + 1 };
    const began = performance.now();
    const { go } = this;
    go.textContent = 'Stop';
    this.result.setAttribute('aria-busy', 'true');
    fill(this.result, h('p', { class: 'waiting' }, h('span', { class: 'spin', 'aria-hidden': 'true' }), 'Waiting for the answer…'));
    try {
      run.answer = await this.send(mode, run, stop.signal);
    } catch (error) {
      run.error = error.name === 'AbortError' ? Object.assign(new Error('You stopped it.'), { title: 'Stopped.' }) : error;
    }
    run.ms = performance.now() - began;
    this.stop = null;
    go.textContent = mode.title;
    this.result.removeAttribute('aria-busy');
    this.runs = [...this.runs, run].slice(-mostRuns);
    this.show(run);
  }

  async send(mode, run, signal) {
    if (mode.name === 'parse') {
      const form = new FormData();
      form.append('file', this.file, this.file.name);
      form.append('options', JSON.stringify(run.request));
      return call('POST', mode.path, { form, signal });
    }
    const answered = await call('POST', mode.path, { body: run.request, signal });
    if (answered.id) remember(answered.id, run.request);
    if (mode.name !== 'extract') return answered;
    for (;;) {
      const status = await get(`v2/extract/${answered.id}`, { signal });
      if (status.status !== 'processing') {
        if (status.status === 'failed') throw Object.assign(new Error(status.error ?? 'It failed.'), { title: 'The extract failed.' });
        return { ...status, invalidURLs: answered.invalidURLs };
      }
      await pause(500, signal);
      signal.throwIfAborted();
    }
  }

  // show shows a run, beside the list of all.
  show(run) {
    if (run.mode === 'crawl' && run.answer) {
      run.view ??= document.createElement('job-view');
      Object.assign(run.view, { kind: 'crawl', job: run.answer.id, url: run.request.url });
      fill(this.result, run.answer.warning && h('p', { class: 'warning' }, run.answer.warning), h('p', {}, h('a', { href: `#/jobs/crawl/${run.answer.id}` }, 'Open this crawl among the jobs')), run.view);
    } else {
      fill(this.result, answer(run));
    }
    this.list(run);
  }

  list(run) {
    const others = this.runs.filter((one) => one !== run && one.mode === run.mode && one.mode !== 'crawl');
    const words = (one) => `${one.number}: ${one.mode} ${String(one.request.url ?? one.request.query ?? one.request.urls ?? '').slice(0, 60)} ${one.error ? 'failed' : duration(one.ms)}`;
    const back = h('select', { 'aria-label': 'Run', onchange: () => this.show(this.runs[back.value]) }, this.runs.map((one, at) => h('option', { value: at, selected: one === run }, words(one))));
    const compare = h('select', { 'aria-label': 'Compare with', onchange: () => {
      if (compare.value !== '') fill(this.result, h('h2', {}, `Run ${this.runs[compare.value].number} compared with run ${run.number}`), comparison(this.runs[compare.value], run));
      else this.show(run);
    } }, h('option', { value: '' }, 'Compare with…'), others.map((one) => h('option', { value: this.runs.indexOf(one) }, words(one))));
    fill(this.history, this.runs.length > 1 && back, others.length > 0 && compare);
  }
}

customElements.define('try-screen', TryScreen);

