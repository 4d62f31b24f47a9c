// Keys and team: who may use the service for this team.

import { call, optional } from './api.js';
import { button, copier, empty, fill, foreign, h, problem, table, tell } from './dom.js';
import { ago, clock, count } from './format.js';

class TeamScreen extends HTMLElement {
  connectedCallback() {
    this.about = h('div');
    this.fresh = h('div', { 'aria-live': 'polite' });
    this.list = h('div');
    this.secret = h('div');
    this.make = button('Create a key', () => this.create(), { class: 'main' });
    fill(this, h('div', { class: 'head' }, h('h1', {}, 'Keys and team')), this.about, h('section', {}, h('h2', {}, 'API keys'), this.make, this.fresh, this.list), this.secret);
    this.meet();
    this.load();
  }

  resume() {
    this.meet();
    this.load();
  }

  // meet shows the team once it is known.
  meet() {
    const { team } = this;
    fill(this.about, team && h('dl', { class: 'facts tiles' }, [
      ['Team', foreign(team.name)], ['Id', h('code', {}, team.id)], ['Credits', team.credits == null ? 'no limit' : count(team.credits)], ['At a time', count(team.concurrency)],
      ['This key', foreign(team.key?.name ?? team.key?.hint ?? '–')], ['Zero data retention', team.zeroDataRetention ? 'allowed' : 'not allowed'], ['Server', team.version],
    ].map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))));
  }

  async load() {
    try {
      const keys = await optional('v2/team/api-keys');
      this.make.hidden = !keys;
      if (!keys) fill(this.list, empty('Keys cannot be managed here. ', h('code', {}, 'trawl keys'), ' on the server does it.'));
      else fill(this.list, table('API keys', ['Name', 'Key', 'Made', 'Last used', '#Credits', 'May', 'State', ''], keys.data.map((key) => this.row(key))));
      this.signing(keys);
    } catch (error) {
      if (error.status !== 401) fill(this.list, problem(error));
    }
  }

  row(key) {
    const over = key.revokedAt || (key.expiresAt && new Date(key.expiresAt) < Date.now());
    const own = key.id === this.team?.key?.id;
    return h('tr', {},
      h('th', { scope: 'row' }, foreign(key.name ?? '–', 255), key.operator && h('span', { class: 'badge' }, 'operator'), own && h('span', { class: 'badge completed' }, 'this one')),
      h('td', {}, h('code', {}, key.hint && `…${key.hint}`)), h('td', { title: clock(key.createdAt) }, ago(key.createdAt)), h('td', {}, key.lastUsedOn ?? 'never'), h('td', { class: 'number' }, count(key.creditsUsed)), h('td', {}, this.may(key)),
      h('td', {}, key.revokedAt ? 'revoked' : over ? 'expired' : key.expiresAt ? `until ${clock(key.expiresAt)}` : 'valid'),
      h('td', {}, !over && h('div', { class: 'row' }, button('Edit', () => this.edit(key), { class: 'quiet' }), button('Revoke', () => this.revoke(key, own), { class: 'quiet danger' }))));
  }

  // may says what a key may do, and what it has spent of its limit.
  may(key) {
    const limit = key.spendLimit;
    const parts = [key.allowedEndpoints, key.allowedFormats].filter((list) => list?.length).map((list) => h('div', {}, foreign(list.join(', '), 300)));
    if (limit) parts.push(h('div', { class: key.spent >= limit.credits ? 'bad' : null }, `${count(key.spent)} of ${count(limit.credits)} credits a ${limit.interval}`));
    return parts.length ? parts : h('span', { class: 'soft' }, 'everything');
  }

  async create() {
    const body = await this.form('Create a key', {});
    if (!body) return;
    try {
      const { apiKey } = await call('POST', 'v2/team/api-keys', { body });
      fill(this.fresh, h('div', { class: 'secret' }, h('p', {}, h('strong', {}, 'The new key, shown only now:')), h('p', { class: 'row' }, h('code', {}, apiKey.token), copier('Copy', () => apiKey.token))));
      await this.load();
    } catch (error) {
      fill(this.fresh, problem(error));
    }
  }

  async edit(key) {
    const body = await this.form(`Edit ${key.name ?? key.hint}`, key);
    if (!body) return;
    await call('PATCH', `v2/team/api-keys/${key.id}`, { body });
    await this.load();
  }

  // form asks for what a key is for and what it may do; null means no.
  form(title, key) {
    return new Promise((resolve) => {
      const field = (label, input, hint) => h('label', { class: 'field' }, h('span', {}, label), input, hint && h('span', { class: 'soft' }, hint));
      const text = (value, more) => h('input', { type: 'text', value: value ?? '', ...more });
      const name = text(key.name, { maxlength: 255 });
      const endpoints = text(key.allowedEndpoints?.join(', '));
      const formats = text(key.allowedFormats?.join(', '));
      const credits = h('input', { type: 'number', min: 1, step: 1, value: key.spendLimit?.credits ?? '', 'aria-label': 'Spend limit in credits' });
      const interval = h('select', { 'aria-label': 'Interval of the spend limit' }, ['day', 'week', 'month'].map((one) => h('option', { value: one, selected: one === (key.spendLimit?.interval ?? 'month') }, `credits a ${one}`)));
      const expires = h('input', { type: 'datetime-local', value: key.expiresAt ? key.expiresAt.slice(0, 16) : '' });
      const words = (input) => input.value.split(/[\s,]+/).filter(Boolean);
      const dialog = h('dialog', { 'aria-label': title, onclose: () => {
        resolve(dialog.returnValue !== 'yes' ? null : {
          ...(name.value.trim() && { name: name.value.trim() }), allowedEndpoints: words(endpoints), allowedFormats: words(formats),
          spendLimit: credits.value ? { credits: Number(credits.value), interval: interval.value } : null,
          expiresAt: expires.value ? new Date(`${expires.value}Z`).toISOString() : null,
        });
        dialog.remove();
      } }, h('form', { method: 'dialog' }, h('h2', {}, foreign(title, 300)),
        field('Name', name, 'what it is for'), field('Endpoints', endpoints, 'such as scrape, crawl; all if empty'), field('Formats', formats, 'such as markdown, links; all if empty'),
        h('div', { class: 'field' }, h('span', {}, 'Spend limit'), h('span', { class: 'row' }, credits, interval), h('span', { class: 'soft' }, 'none if empty')),
        field('Expires', expires, 'in UTC; never if empty'),
        h('div', { class: 'row' }, h('button', { value: 'no', formnovalidate: true }, 'Cancel'), h('button', { value: 'yes', class: 'main' }, 'OK'))));
      this.append(dialog);
      dialog.showModal();
    });
  }

  // signing shows what the events of the team are signed with, once that is asked for.
  signing(keys) {
    const show = async (method) => {
      const { data } = await call(method, 'v2/team/webhook-secret');
      fill(place, h('p', { class: 'row' }, h('code', {}, data.secret), copier('Copy', () => data.secret)));
    };
    const place = h('div', { 'aria-live': 'polite' });
    const rotate = async () => {
      if (await this.ask('Sign with a new secret? Receivers that check signatures have to know it from then on.') != null) await show('POST');
    };
    fill(this.secret, keys && h('section', {}, h('h2', {}, 'Webhook secret'), h('p', { class: 'soft' }, 'What the events of this team are signed with.'),
      h('div', { class: 'row' }, button('Show', () => show('GET')), button('Replace', rotate, { class: 'danger' })), place));
  }

  async revoke(key, own) {
    const sure = await this.ask(`Revoke ${key.name ?? key.hint}? Whoever uses it is shut out at once${own ? ', and so are you' : ''}.`);
    if (sure == null) return;
    await call('DELETE', `v2/team/api-keys/${key.id}`);
    tell('The key is revoked.');
    await this.load();
  }

  // ask asks whether to go on; null means no.
  ask(question) {
    return new Promise((resolve) => {
      const dialog = h('dialog', { onclose: () => {
        resolve(dialog.returnValue === 'yes' ? '' : null);
        dialog.remove();
      } }, h('form', { method: 'dialog' }, h('p', {}, foreign(question, 400)), h('div', { class: 'row' }, h('button', { value: 'no', formnovalidate: true }, 'Cancel'), h('button', { value: 'yes', class: 'main' }, 'OK'))));
      this.append(dialog);
      dialog.showModal();
    });
  }
}

customElements.define('team-screen', TeamScreen);
