// Sessions: the browsers of the team, as they look now.

import { call, get, root } from './api.js';
import { button, copier, empty, fill, foreign, h, link, problem, table, tell } from './dom.js';
import { ago, bytes, clock, count, duration } from './format.js';
import { Watching } from './watching.js';

const often = 5000; // between two looks, in milliseconds

const playwright = (address) => `import { chromium } from 'playwright-core';

const browser = await chromium.connectOverCDP(${JSON.stringify(address)});
const context = browser.contexts()[0];
const page = context.pages()[0] ?? await context.newPage();
await page.goto('https://example.com/');
console.log(await page.title());
await browser.close(); // disconnects; the session stays open
`;

const puppeteer = (address) => `import puppeteer from 'puppeteer-core';

const browser = await puppeteer.connect({ browserWSEndpoint: ${JSON.stringify(address)}, defaultViewport: null });
const page = await browser.newPage();
await page.goto('https://example.com/');
console.log(await page.title());
await browser.disconnect(); // close() would end the session
`;

class SessionsScreen extends Watching {
  tiles = new Map();

  begin() {
    this.grid = h('div', { class: 'grid' });
    this.past = h('div');
    this.said = h('div', { 'aria-live': 'polite' });
    fill(this, h('div', { class: 'head' }, h('h1', {}, 'Sessions'), h('div', { class: 'row' }, button('Start a browser', () => this.start(), { class: 'main' }))), this.said, this.grid, this.past);
    this.tiles.clear();
  }

  wait() {
    return often;
  }

  async start() {
    try {
      await call('POST', 'v2/browser', { body: {} });
      fill(this.said);
    } catch (error) {
      fill(this.said, problem(error));
    }
    await this.load(this.stop.signal);
  }

  async load(signal) {
    try {
      const [{ sessions }, { profiles }] = await Promise.all([get('v2/browser', { signal }), get('v2/browser/profiles', { signal })]);
      const active = sessions.filter((one) => one.status === 'active');
      for (const [id, tile] of this.tiles) {
        if (!active.some((one) => one.id === id)) {
          tile.remove();
          this.tiles.delete(id);
        }
      }
      for (const session of active) this.show(session);
      if (active.length === 0) fill(this.grid, empty('No browser runs. A session costs 2 credits a minute.'));
      else this.grid.querySelector('.empty')?.remove();
      this.rest(sessions.filter((one) => one.status !== 'active'), profiles);
    } catch (error) {
      if (error.name !== 'AbortError' && error.status !== 401) fill(this.said, problem(error));
    }
  }

  // show makes the tile of a session once: its picture must not begin again.
  show(session) {
    let tile = this.tiles.get(session.id);
    if (!tile) {
      tile = this.tile(session);
      this.tiles.set(session.id, tile);
      this.grid.append(tile);
    }
    fill(tile.querySelector('.left'), `${duration(Math.max(0, new Date(session.expiresAt) - Date.now()))} left · ${count(session.creditsBilled)} credits`, session.profile && [' · profile ', foreign(session.profile, 128)]);
  }

  tile(session) {
    const here = session.liveViewUrl && new URL(session.liveViewUrl, root).origin === location.origin;
    return h('article', { class: 'tile', 'aria-label': `Session ${session.id}` },
      here ? h('iframe', { src: session.liveViewUrl, title: 'What the browser shows now', loading: 'lazy', tabindex: '-1' }) : h('p', { class: 'empty' }, session.liveViewUrl ? link(session.liveViewUrl, 'Watch it') : 'This session cannot be watched.'),
      h('div', { class: 'body' }, h('p', {}, h('code', {}, session.id)), h('p', { class: 'soft left' }),
        h('div', { class: 'row' }, session.interactiveLiveViewUrl && h('a', { class: 'button', href: session.interactiveLiveViewUrl, target: '_blank', rel: 'noopener noreferrer' }, 'Take over'),
          copier('Playwright', () => playwright(session.cdpUrl)), copier('Puppeteer', () => puppeteer(session.cdpUrl)), button('End', () => this.end(session.id), { class: 'quiet danger' }))));
  }

  async end(id) {
    const { creditsBilled } = await call('DELETE', `v2/browser/${id}`);
    tell(`The session is over. It cost ${creditsBilled} credits.`);
    await this.load(this.stop.signal);
  }

  rest(past, profiles) {
    const text = JSON.stringify([past, profiles]);
    if (text === this.known) return;
    this.known = text;
    fill(this.past,
      profiles.length > 0 && h('section', {}, h('h2', {}, 'Profiles'), table('Profiles', ['Name', '#Size', 'Saved', ''], profiles.map((one) => h('tr', {}, h('th', { scope: 'row' }, foreign(one.name)), h('td', { class: 'number' }, bytes(one.size)), h('td', { title: clock(one.savedAt) }, one.saving ? 'in use' : ago(one.savedAt)),
        h('td', {}, button('Delete', () => this.forget(one.name), { class: 'quiet danger' })))))),
      past.length > 0 && h('section', {}, h('h2', {}, 'Ended'), table('Ended sessions', ['Session', 'Ended', 'Why', '#Credits'], past.slice(0, 50).map((one) => h('tr', {}, h('td', {}, h('code', {}, one.id)), h('td', { title: clock(one.destroyedAt) }, ago(one.destroyedAt)), h('td', {}, foreign(one.reason ?? '')), h('td', { class: 'number' }, count(one.creditsBilled)))))));
  }

  async forget(name) {
    await call('DELETE', `v2/browser/profiles/${encodeURIComponent(name)}`);
    await this.load(this.stop.signal);
  }
}

customElements.define('sessions-screen', SessionsScreen);
