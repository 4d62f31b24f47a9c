// One job: what it does now, its site, its pages, its errors and its events.

import { call, get, optional, query } from './api.js';
import { documentParts } from './answer.js';
import { button, empty, fill, foreign, h, link, problem, save, table, tabs, tell } from './dom.js';
import { ago, clock, count, duration, plural } from './format.js';
import { bar, pace, running } from './jobs.js';
import { follow, pause } from './stream.js';
import { tree } from './value.js';
import './site.js';

const paths = { crawl: 'v2/crawl', batch_scrape: 'v2/batch/scrape', extract: 'v2/extract' };
const titles = { __proto__: null, crawl: 'Crawl', batch_scrape: 'Batch', extract: 'Extract' };
const noDocuments = 2147483647; // a stream that begins behind the last document has the status alone
const pageSize = 25;

const requestsKey = 'trawl.requests';
const remembered = () => JSON.parse(sessionStorage.getItem(requestsKey) ?? '{}');

// remember keeps what a job of this tab was asked for, so that it can be run again.
export function remember(id, request) {
  const entries = Object.entries({ ...remembered(), [id]: request }).slice(-20);
  sessionStorage.setItem(requestsKey, JSON.stringify(Object.fromEntries(entries)));
}

// JobView shows a job of a kind by its id, and follows it while it runs.
class JobView extends HTMLElement {
  connectedCallback() {
    this.stop = new AbortController();
    this.path = `${paths[this.kind]}/${encodeURIComponent(this.job)}`;
    this.head = h('div', { class: 'jobhead' });
    this.link = h('p', { class: 'warning', role: 'status', hidden: true }, 'The connection to the server is gone. Trying again…');
    this.parts = h('div');
    fill(this, this.link, this.head, this.parts);
    this.start();
  }

  disconnectedCallback() {
    this.stop.abort();
  }

  async start() {
    const { signal } = this.stop;
    try {
      if (this.kind === 'extract') await this.poll(signal);
      else await this.watch(signal);
    } catch (error) {
      if (signal.aborted || error.status === 401) return;
      fill(this.head, this.gone(error));
      fill(this.parts);
    }
  }

  gone(error) {
    if (error.status !== 404 && error.status !== 400) return problem(error);
    if (/expired/i.test(error.message)) return empty('This job has expired: results are kept for a time that the operator chose, and are gone.');
    return empty('There is no such job. It may be another team’s, or its id is incomplete.');
  }

  async watch(signal) {
    const first = await get(`${this.path}?limit=1`, { signal });
    this.heard(first);
    this.tabs();
    await follow(`${this.path}?skip=${noDocuments}`, signal, (name, data) => {
      this.link.hidden = true;
      if (name === 'status' || name === 'done') this.heard(data);
    }, () => { this.link.hidden = signal.aborted; });
  }

  async poll(signal) {
    while (!signal.aborted) {
      const status = await get(this.path, { signal });
      this.heard(status);
      if (!running(status.status)) {
        fill(this.parts, status.error && h('p', { class: 'problem' }, foreign(status.error)), tree(status.data), status.sources && tree(status.sources));
        return;
      }
      await pause(1000, signal);
    }
  }

  // heard draws a state; changes in quick succession are drawn as one.
  heard(status) {
    const { data, next, ...state } = status;
    this.url ??= data?.[0]?.metadata?.sourceURL;
    if (!this.url && state.completed > 0) this.meet();
    this.status = { ...this.status, ...state };
    if (!running(this.status.status)) this.tree?.end();
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.drawHead();
    });
  }

  // meet learns the address of a job that had no document when it was first read.
  meet() {
    this.meeting ??= get(`${this.path}?limit=1`, { signal: this.stop.signal }).then((status) => this.heard(status), () => {});
  }

  drawHead() {
    const { status } = this;
    const { rate, left } = pace(status);
    const failed = status.failed ?? 0;
    const live = running(status.status);
    fill(this.head,
      h('div', { class: 'row' }, h('span', { class: `badge ${status.status}` }, status.status), h('span', { class: 'what' }, this.url && link(this.url), ' ', h('span', { class: 'soft' }, this.kind.replace('_', ' '))),
        h('span', { class: 'row' }, live && button('Cancel', () => this.cancel()), button('Run again', () => this.again()), this.kind !== 'extract' && button('Download', () => this.download(), { title: 'All documents, one JSON object a line' }))),
      status.total != null && h('div', { class: 'progress large' }, bar(status.completed, failed, status.total)),
      h('dl', { class: 'facts' }, [
        ['Pages', status.total != null && `${count(status.completed)} of ${count(status.total)}`], ['Failed', failed > 0 && count(failed)], ['Rate', rate], ['Time left', left], ['Took', !live && status.duration != null && duration(status.duration * 1000)],
        ['Credits', status.creditsUsed != null && count(status.creditsUsed)], ['Started', status.createdAt && h('span', { title: clock(status.createdAt) }, ago(status.createdAt))],
        ['Deleted', status.expiresAt && !live && ago(status.expiresAt)],
      ].filter(([, value]) => value).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
      status.error && h('p', { class: 'problem' }, foreign(status.error)),
      status.warning && h('p', { class: 'warning' }, foreign(status.warning)));
  }

  tabs() {
    fill(this.parts, tabs('Job', [
      ...(this.kind === 'crawl' ? [{ name: 'Site', make: () => this.site() }] : []),
      { name: 'Pages', make: () => this.pages() },
      { name: 'Errors', make: () => this.errors() },
      { name: 'Webhooks', make: () => this.webhooks() },
    ]));
  }

  site() {
    const site = this.tree = document.createElement('site-tree');
    Object.assign(site, { job: this.job, live: running(this.status.status) });
    const shown = h('div', { 'aria-live': 'polite' });
    site.addEventListener('page', async (event) => {
      fill(shown, h('p', { class: 'waiting' }, 'Looking for the document…'));
      const found = await this.find(event.detail).catch((error) => error);
      fill(shown, found instanceof Error ? problem(found) : found ? this.preview(found) : empty('The document is not there yet, or is gone.'));
    });
    return [site, shown];
  }

  // find looks for the document of an address, from the first page on.
  async find(url) {
    for (let skip = 0; skip < 20000 && skip < this.status.completed; skip += 100) {
      const { data } = await get(`${this.path}${query({ skip, limit: 100 })}`, { signal: this.stop.signal });
      const found = data.find(({ metadata }) => metadata?.sourceURL === url || metadata?.url === url);
      if (found || data.length === 0) return found;
    }
    return null;
  }

  preview(doc) {
    return h('section', { class: 'pane', 'aria-label': 'Document' }, h('h3', {}, foreign(doc.metadata?.title ?? doc.metadata?.sourceURL, 300)), tabs('Document', documentParts(doc)));
  }

  pages() {
    const list = h('ul', { class: 'rows' });
    const place = h('div');
    let skip = 0;
    const more = async () => {
      const { data } = await get(`${this.path}${query({ skip, limit: pageSize })}`, { signal: this.stop.signal });
      skip += data.length;
      list.append(...data.map((doc) => h('li', {}, h('details', { class: 'page', ontoggle: (event) => {
        const body = event.currentTarget.lastElementChild;
        if (body.childElementCount === 0) fill(body, tabs('Document', documentParts(doc)));
      } }, h('summary', {}, h('strong', {}, foreign(doc.metadata?.title || '(no title)', 300)), ' ', h('span', { class: 'soft' }, foreign(doc.metadata?.sourceURL, 500))), h('div')))));
      fill(place, skip === 0 ? empty('No documents yet. ', button('Look again', more, { class: 'quiet' }))
        : skip < this.status.completed || running(this.status.status) ? button('More pages', more) : h('p', { class: 'soft' }, plural(skip, 'document')));
    };
    more().catch((error) => fill(place, problem(error)));
    return [list, place];
  }

  errors() {
    const place = h('div', {}, h('p', { class: 'waiting' }, 'Reading…'));
    get(`${this.path}/errors`, { signal: this.stop.signal }).then(({ errors, robotsBlocked }) => fill(place,
      errors.length === 0 && empty('No page failed.'),
      errors.length > 0 && table('Errors', ['Address', 'Code', 'Why'], errors.slice(0, 1000).map((error) => h('tr', {}, h('td', {}, link(error.url)), h('td', {}, h('code', {}, foreign(error.code ?? ''))), h('td', {}, foreign(error.error))))),
      errors.length > 1000 && h('p', { class: 'soft' }, `${count(errors.length - 1000)} more are not shown; the API has them.`),
      robotsBlocked.length > 0 && h('details', {}, h('summary', {}, `robots.txt forbids ${plural(robotsBlocked.length, 'address', 'addresses')}`), h('ul', {}, robotsBlocked.slice(0, 1000).map((url) => h('li', {}, link(url)))))),
    (error) => fill(place, problem(error)));
    return place;
  }

  webhooks() {
    const place = h('div', {}, h('p', { class: 'waiting' }, 'Reading…'));
    const load = async () => {
      const { deliveries, hasMore } = await get(`${this.path}/webhooks?limit=1000`, { signal: this.stop.signal });
      const send = (body) => async () => {
        const { replayed } = await call('POST', `${this.path}/webhooks/replay`, { body });
        tell(`${plural(replayed, 'event')} will be sent again.`);
        await load();
      };
      fill(place, deliveries.length === 0 ? empty('No events. A job has them if its request names a webhook.')
        : [h('div', { class: 'row' }, button('Send all that failed again', send({})), button('Look again', load, { class: 'quiet' }), hasMore && h('span', { class: 'soft' }, 'The first 1000 are shown.')),
          table('Events', ['Event', 'About', 'State', '#Attempts', 'Last answer', ''], deliveries.map((one) => h('tr', {}, h('td', {}, one.type), h('td', {}, link(one.url ?? '')), h('td', {}, h('span', { class: `badge ${one.state}` }, one.state)),
            h('td', { class: 'number' }, count(one.attempts)), h('td', {}, one.status ? String(one.status) : '', ' ', foreign(one.error ?? '')), h('td', {}, button('Send again', send({ deliveryId: one.id }), { class: 'quiet' })))))]);
    };
    load().catch((error) => fill(place, problem(error)));
    return place;
  }

  async cancel() {
    const { status } = await call('DELETE', this.path);
    this.heard({ status });
    tell('The job is cancelled.');
  }

  // again opens the request of the job in Try: as the server knows it, as this tab sent it,
  // or else with its address alone. A batch has no form there, and is sent again at once.
  async again() {
    const stored = (await optional(`v2/team/jobs/${encodeURIComponent(this.job)}`).catch(() => null))?.data.request;
    if (this.kind === 'batch_scrape') {
      if (!stored) throw new Error('The request of this batch is not kept.');
      const { id } = await call('POST', paths.batch_scrape, { body: stored });
      location.hash = `#/jobs/batch_scrape/${id}`;
      return;
    }
    const request = stored ?? remembered()[this.job] ?? { url: this.url };
    location.hash = `#/try/${this.kind}?${encodeURIComponent(JSON.stringify(request))}`;
  }

  async download() {
    const blobs = [];
    for (let skip = 0; ;) {
      const { data } = await get(`${this.path}${query({ skip, limit: 100 })}`, { signal: this.stop.signal });
      if (data.length === 0) break;
      blobs.push(new Blob([data.map((doc) => JSON.stringify(doc) + '\n').join('')]));
      skip += data.length;
      tell(`${count(skip)} of ${count(this.status.completed)} documents`);
    }
    save(`${this.kind}-${this.job}.jsonl`, 'application/jsonl', blobs);
  }
}

customElements.define('job-view', JobView);

class JobScreen extends HTMLElement {
  connectedCallback() {
    this.draw();
  }

  resume() {
    this.draw();
  }

  draw() {
    const [kind, id] = this.route.parts;
    const view = document.createElement('job-view');
    Object.assign(view, { kind, job: id });
    fill(this, h('div', { class: 'head' }, h('h1', {}, titles[kind] ?? 'Job'), h('a', { href: '#/jobs' }, 'All jobs')),
      kind in titles ? view : empty('There is no such job.'));
  }
}

customElements.define('job-screen', JobScreen);
