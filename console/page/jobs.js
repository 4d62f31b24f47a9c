// Jobs: crawls, batches and extracts of the team, those that run first.

import { get, optional, query } from './api.js';
import { button, empty, fill, foreign, h, problem } from './dom.js';
import { ago, clock, count, duration } from './format.js';
import { Watching } from './watching.js';

const often = 3000; // between two looks at what runs, in milliseconds
const seldom = 10000; // if nothing does
export const running = (status) => ['scraping', 'processing', 'running'].includes(status);

// bar shows how much of a job is done.
export function bar(done, failed, total) {
  const meter = h('span', { class: 'meter', role: 'img', 'aria-label': `${done + failed} of ${total}` });
  for (const [name, part] of [['done', done], ['failed', failed]]) {
    const piece = h('span', { class: name });
    piece.style.width = total ? `${(100 * part) / total}%` : '0';
    meter.append(piece);
  }
  return meter;
}

// pace says how fast a job is, and how long it will take if it stays so.
export function pace(job, now = Date.now()) {
  const done = (job.completed ?? 0) + (job.failed ?? 0);
  const seconds = (new Date(job.finishedAt ?? job.completedAt ?? now) - new Date(job.createdAt)) / 1000;
  if (!done || seconds <= 0) return {};
  const rate = done / seconds;
  return { rate: `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`, left: running(job.status) && job.total > done ? duration(((job.total - done) / rate) * 1000) : null };
}

class JobsScreen extends Watching {
  filters = {};
  older = [];

  begin() {
    this.body = h('div', { 'aria-live': 'off' });
    const select = (key, label, values) => {
      const element = h('select', { 'aria-label': label, onchange: () => {
        this.filters[key] = element.value;
        this.older = [];
        this.load();
      } }, h('option', { value: '' }, label), values.map((value) => h('option', { value }, value.replace('_', ' '))));
      return element;
    };
    fill(this, h('div', { class: 'head' }, h('h1', {}, 'Jobs'), h('div', { class: 'row' },
      select('status', 'Any status', ['scraping', 'completed', 'failed', 'cancelled']), select('kind', 'Any kind', ['crawl', 'batch_scrape', 'extract']),
      h('a', { class: 'button', href: '#/try/crawl' }, 'New crawl'))), this.body);
  }

  wait() {
    return this.page?.data.some((job) => running(job.status)) ? often : seldom;
  }

  async load() {
    const { signal } = this.stop;
    try {
      const page = await optional(`v2/team/jobs${query({ ...this.filters, limit: 100 })}`, { signal }) ?? await this.active(signal);
      this.page = page;
      if (this.older.length === 0) this.cursor = page.cursor;
      this.draw();
    } catch (error) {
      if (error.name !== 'AbortError' && error.status !== 401) fill(this.body, problem(error));
    }
  }

  // active is what can be known on a server without the list: the crawls that run.
  async active(signal) {
    const { crawls } = await get('v2/crawl/active', { signal });
    const jobs = crawls.map((crawl) => ({ id: crawl.id, kind: 'crawl', url: crawl.url, status: 'scraping', createdAt: crawl.created_at }));
    return { data: jobs.reverse(), partial: true };
  }

  draw() {
    const jobs = [...this.page.data, ...this.older];
    const live = jobs.filter((job) => running(job.status));
    const over = jobs.filter((job) => !running(job.status));
    if (this.shadow === JSON.stringify(jobs)) return; // nothing changed: focus stays where it is
    this.shadow = JSON.stringify(jobs);
    fill(this.body,
      this.page.partial && h('p', { class: 'warning' }, 'The list of past jobs is not available here. Crawls that run are shown.'),
      jobs.length === 0 && empty('No jobs. ', h('a', { href: '#/try/crawl' }, 'Start a crawl'), '.'),
      live.length > 0 && this.list('Running', live), over.length > 0 && this.list('Over', over),
      this.cursor && button('Older jobs', () => this.more()));
  }

  async more() {
    const page = await get(`v2/team/jobs${query({ ...this.filters, limit: 100, cursor: this.cursor })}`);
    this.older.push(...page.data);
    this.cursor = page.has_more ? page.cursor : null;
    this.draw();
  }

  list(title, jobs) {
    return h('section', {}, h('h2', {}, title), h('ul', { class: 'rows' }, jobs.map(row)));
  }
}

function row(job) {
  const { rate, left } = pace(job);
  const failed = job.failed ?? 0;
  return h('li', {}, h('a', { class: 'job', href: `#/jobs/${job.kind}/${job.id}` },
    h('span', { class: `badge ${job.status}` }, job.status),
    h('span', { class: 'what' }, h('strong', {}, foreign(job.url, 300)), h('span', { class: 'soft' }, ` ${job.kind.replace('_', ' ')}`, job.apiKey && [' · ', foreign(job.apiKey, 100)])),
    job.total != null && h('span', { class: 'progress' }, bar(job.completed, failed, job.total), h('span', {}, `${count(job.completed)} / ${count(job.total)}`, failed > 0 && h('span', { class: 'bad' }, ` ${count(failed)} failed`))),
    h('span', { class: 'soft when', title: clock(job.createdAt) }, running(job.status) ? [rate, left && ` · ${left} left`] : [ago(job.createdAt), job.creditsUsed != null && ` · ${count(job.creditsUsed)} credits`])));
}

customElements.define('jobs-screen', JobsScreen);
