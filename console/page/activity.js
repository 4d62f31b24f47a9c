// Activity: every request of the team, newest first.

import { get, optional, query } from './api.js';
import { documentParts } from './answer.js';
import { button, empty, fill, foreign, h, problem, table, tabs } from './dom.js';
import { ago, clock, count, duration } from './format.js';

const endpoints = ['scrape', 'parse', 'batch_scrape', 'crawl', 'extract', 'map', 'search'];
const jobs = ['crawl', 'batch_scrape', 'extract'];

class ActivityScreen extends HTMLElement {
  filters = {};

  connectedCallback() {
    const select = (key, label, values) => {
      const element = h('select', { 'aria-label': label, onchange: () => {
        this.filters[key] = element.value;
        this.load();
      } }, h('option', { value: '' }, label), values.map(([value, text]) => h('option', { value }, text)));
      return element;
    };
    this.keys = h('span');
    this.rows = h('tbody');
    this.below = h('div');
    this.shown = h('div', { 'aria-live': 'polite' });
    const list = table('Activity', ['When', 'What', 'Of', 'Outcome', '#Time', '#Credits', 'Key', ''], []);
    list.querySelector('tbody').replaceWith(this.rows);
    fill(this, h('div', { class: 'head' }, h('h1', {}, 'Activity'), h('div', { class: 'row' },
      select('endpoint', 'Any request', endpoints.map((name) => [name, name.replace('_', ' ')])), select('status', 'Any outcome', ['completed', 'failed', 'cancelled', 'scraping'].map((name) => [name, name])), this.keys,
      button('Look again', () => this.load()))), list, this.below, this.shown);
    this.load();
    optional('v2/team/api-keys').then((keys) => keys && fill(this.keys, select('apiKey', 'Any key', keys.data.map((key) => [key.id, key.name ?? key.hint])))).catch(() => {});
  }

  resume() {
    this.load();
  }

  async load() {
    fill(this.rows);
    await this.more();
  }

  async more(cursor) {
    try {
      const page = await get(`v2/team/activity${query({ ...this.filters, limit: 50, cursor })}`);
      this.rows.append(...page.data.map((item) => this.row(item)));
      fill(this.below, this.rows.childElementCount === 0 ? empty('Nothing yet. ', h('a', { href: '#/try' }, 'Try something'), '.') : page.has_more && button('Older', () => this.more(page.cursor)));
    } catch (error) {
      if (error.status !== 401) fill(this.below, problem(error));
    }
  }

  row(item) {
    const failed = item.status === 'failed';
    return h('tr', {},
      h('td', { title: clock(item.created_at) }, ago(item.created_at)), h('td', {}, item.endpoint.replace('_', ' ')), h('td', { class: 'wide' }, foreign(item.target, 300)),
      h('td', {}, item.status && h('span', { class: `badge ${item.status}` }, item.error_code ?? item.status)), h('td', { class: 'number' }, duration(item.duration)), h('td', { class: 'number' }, count(item.credits)),
      h('td', {}, foreign(item.api_key ?? '')), h('td', {}, h('div', { class: 'row' }, this.open(item, failed), this.again(item))));
  }

  // open leads to the job, or shows the document.
  open(item, failed) {
    if (jobs.includes(item.endpoint)) return h('a', { href: `#/jobs/${item.endpoint}/${item.id}` }, 'Open');
    if (failed || !['scrape', 'parse'].includes(item.endpoint)) return null;
    return button('Open', async () => {
      const { data } = await get(`v2/scrape/${item.id}`);
      fill(this.shown, h('section', { class: 'pane', 'aria-label': 'Document' }, h('h2', {}, foreign(data.metadata?.title ?? item.target, 300)), tabs('Document', documentParts(data))));
      this.shown.scrollIntoView({ block: 'nearest' });
    }, { class: 'quiet' });
  }

  again(item) {
    if (['parse', 'batch_scrape'].includes(item.endpoint)) return null;
    const request = item.endpoint === 'search' ? { query: item.target } : item.endpoint === 'extract' ? { urls: [item.target] } : { url: item.target };
    return h('a', { href: `#/try/${item.endpoint}?${encodeURIComponent(JSON.stringify(request))}` }, 'Try again');
  }
}

customElements.define('activity-screen', ActivityScreen);
