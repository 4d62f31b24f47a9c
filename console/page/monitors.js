// Monitors: when each looks next and what it found last; the checks of one; and what
// changed in a check.

import { call, get } from './api.js';
import { button, empty, fill, foreign, h, link, problem } from './dom.js';
import { ago, clock, count } from './format.js';
import { Watching } from './watching.js';

const often = 3000; // between two looks while a check runs, in milliseconds
const seldom = 15000;
const running = (status) => ['queued', 'running'].includes(status);

// found says what a check found, in a few words.
function found(summary) {
  if (!summary) return 'not checked yet';
  const parts = ['changed', 'new', 'removed', 'error'].filter((name) => summary[name] > 0).map((name) => `${count(summary[name])} ${name}`);
  return parts.join(', ') || `${count(summary.totalPages)} the same`;
}

class MonitorsScreen extends Watching {
  begin() {
    this.shadow = '';
    this.body = h('div', { 'aria-live': 'off' });
    fill(this, this.body);
  }

  wait() {
    return this.busy ? often : seldom;
  }

  // load shows the list, a monitor or a check, as the address says.
  async load() {
    const [id, check] = this.route.parts;
    try {
      this.busy = await (check ? this.check(id, check) : id ? this.monitor(id) : this.list());
    } catch (error) {
      if (error.name !== 'AbortError' && error.status !== 401) fill(this.body, problem(error));
    }
  }

  // draw replaces what is shown, unless nothing changed: focus stays where it is then.
  draw(data, make) {
    const now = JSON.stringify(data);
    if (now === this.shadow) return;
    this.shadow = now;
    fill(this.body, make());
  }

  async list() {
    const { data } = await get('v2/monitor?limit=100', { signal: this.stop.signal });
    this.draw(data, () => [h('div', { class: 'head' }, h('h1', {}, 'Monitors'), h('a', { class: 'button', href: '../docs/monitors' }, 'How they work')),
      data.length === 0 ? empty('No monitors. ', h('code', {}, 'trawl monitor add'), ' or the API makes one.') : h('ul', { class: 'rows' }, data.map((m) => this.row(m)))]);
    return data.some((m) => m.currentCheckId);
  }

  row(m) {
    return h('li', {}, h('a', { class: 'job', href: `#/monitors/${m.id}` },
      h('span', { class: `badge ${m.currentCheckId ? 'scraping' : m.status === 'active' ? 'completed' : 'cancelled'}` }, m.currentCheckId ? 'checking' : m.status),
      h('span', { class: 'what' }, h('strong', {}, foreign(m.name, 300)), h('span', { class: 'soft' }, ` ${m.schedule.cron} ${m.schedule.timezone}`)),
      h('span', {}, found(m.lastCheckSummary)),
      h('span', { class: 'soft when', title: m.nextRunAt ? clock(m.nextRunAt) : '' }, m.nextRunAt ? `next ${clock(m.nextRunAt)}` : '')));
  }

  async monitor(id) {
    const { signal } = this.stop;
    const [{ data: m }, { data: checks }] = await Promise.all([get(`v2/monitor/${id}`, { signal }), get(`v2/monitor/${id}/checks?limit=50`, { signal })]);
    const act = (text, does) => button(text, async () => {
      await does();
      await this.load();
    });
    this.draw([m, checks], () => [
      h('div', { class: 'head' }, h('h1', {}, foreign(m.name, 300)), h('div', { class: 'row' },
        m.status === 'active' && !m.currentCheckId && act('Check now', () => call('POST', `v2/monitor/${id}/run`)),
        m.status === 'active' ? act('Pause', () => call('PATCH', `v2/monitor/${id}`, { body: { status: 'paused' } })) : act('Resume', () => call('PATCH', `v2/monitor/${id}`, { body: { status: 'active' } })),
        m.feedUrl && link(m.feedUrl, 'Feed'), h('a', { href: '#/monitors' }, 'All monitors'))),
      h('p', { class: 'soft' }, `${m.schedule.cron} ${m.schedule.timezone}`, m.nextRunAt && ` · next ${clock(m.nextRunAt)}`, ` · about ${count(m.estimatedCreditsPerMonth)} credits a month`),
      m.goal && h('p', {}, 'Goal: ', foreign(m.goal, 2000)),
      checks.length === 0 ? empty('Not checked yet.') : h('ul', { class: 'rows' }, checks.map((c) => h('li', {}, h('a', { class: 'job', href: `#/monitors/${id}/${c.id}` },
        h('span', { class: `badge ${running(c.status) ? 'scraping' : c.status}` }, c.status.replaceAll('_', ' ')),
        h('span', { class: 'what' }, c.error ? foreign(c.error, 300) : found(c.summary)),
        h('span', { class: 'soft when', title: clock(c.createdAt) }, ago(c.createdAt), c.actualCredits != null && ` · ${count(c.actualCredits)} credits`)))))]);
    return Boolean(m.currentCheckId);
  }

  async check(id, checkId) {
    const { data } = await get(`v2/monitor/${id}/checks/${checkId}?limit=100`, { signal: this.stop.signal });
    this.draw(data, () => [
      h('div', { class: 'head' }, h('h1', {}, `Check of ${clock(data.createdAt)}`), h('a', { href: `#/monitors/${id}` }, 'The monitor')),
      h('p', { class: 'soft' }, data.status.replaceAll('_', ' '), ` · ${found(data.summary)}`), data.error && h('p', { class: 'warning' }, foreign(data.error, 1000)),
      [...data.pages].sort((a, b) => (a.status === 'same') - (b.status === 'same')).map((page) => this.page(page)),
      data.next && h('p', { class: 'soft' }, 'More pages are in the API.')]);
    return running(data.status);
  }

  page(page) {
    return h('section', { class: 'pane' },
      h('h2', {}, h('span', { class: `badge ${page.status === 'error' ? 'failed' : page.status === 'same' ? 'cancelled' : 'completed'}` }, page.status), ' ', foreign(page.url, 300)),
      page.error && h('p', { class: 'bad' }, foreign(page.error, 1000)),
      page.judgment && h('p', {}, page.judgment.meaningful ? 'It matters: ' : 'It does not matter: ', foreign(page.judgment.reason, 2000)),
      page.diff && (page.diff.text ? lines(page.diff.text) : fields(page.diff.json)));
  }
}

// lines shows a unified diff.
function lines(text) {
  const rows = text.split('\n').filter((line) => !/^(---|\+\+\+) (previous|current)$/.test(line)).slice(0, 5000);
  return h('pre', { class: 'diff', tabindex: '0' }, rows.map((line) => h(line[0] === '+' ? 'ins' : line[0] === '-' ? 'del' : 'span', {}, `${line}\n`)));
}

// fields shows values that changed.
function fields(changes) {
  return h('pre', { class: 'diff', tabindex: '0' }, Object.entries(changes ?? {}).slice(0, 1000).flatMap(([path, { previous, current }]) => [
    h('span', {}, `${path}\n`), h('del', {}, `- ${JSON.stringify(previous)}\n`), h('ins', {}, `+ ${JSON.stringify(current)}\n`)]));
}

customElements.define('monitors-screen', MonitorsScreen);
