// Keys and team: who may use the service for this team.

import { call, optional } from './api.js';
import { button, copier, empty, fill, foreign, h, problem, table, tell } from './dom.js';
import { ago, clock, count } from './format.js';

class TeamScreen extends HTMLElement {
  connectedCallback() {
    this.about = h('div');
    this.fresh = h('div', { 'aria-live': 'polite' });
    this.list = h('div');
    const name = h('input', { type: 'text', id: 'key-name', maxlength: 255, placeholder: 'What it is for' });
    const make = h('form', { class: 'row', onsubmit: async (event) => {
      event.preventDefault();
      try {
        const { apiKey } = await call('POST', 'v2/team/api-keys', { body: name.value.trim() ? { name: name.value.trim() } : {} });
        name.value = '';
        fill(this.fresh, h('div', { class: 'secret' }, h('p', {}, h('strong', {}, 'The new key, shown only now:')), h('p', { class: 'row' }, h('code', {}, apiKey.token), copier('Copy', () => apiKey.token))));
        await this.load();
      } catch (error) {
        fill(this.fresh, problem(error));
      }
    } }, h('label', { for: 'key-name' }, 'Name'), name, h('button', { class: 'main' }, 'Create a key'));
    this.make = make;
    fill(this, h('div', { class: 'head' }, h('h1', {}, 'Keys and team')), this.about, h('section', {}, h('h2', {}, 'API keys'), make, this.fresh, this.list));
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
      else fill(this.list, table('API keys', ['Name', 'Key', 'Made', 'Last used', '#Credits', 'State', ''], keys.data.map((key) => this.row(key))));
    } catch (error) {
      if (error.status !== 401) fill(this.list, problem(error));
    }
  }

  row(key) {
    const over = key.revokedAt || (key.expiresAt && new Date(key.expiresAt) < Date.now());
    const own = key.id === this.team?.key?.id;
    return h('tr', {},
      h('th', { scope: 'row' }, foreign(key.name ?? '–', 255), key.operator && h('span', { class: 'badge' }, 'operator'), own && h('span', { class: 'badge completed' }, 'this one')),
      h('td', {}, h('code', {}, key.hint && `…${key.hint}`)), h('td', { title: clock(key.createdAt) }, ago(key.createdAt)), h('td', {}, key.lastUsedOn ?? 'never'), h('td', { class: 'number' }, count(key.creditsUsed)),
      h('td', {}, key.revokedAt ? 'revoked' : over ? 'expired' : key.expiresAt ? `until ${clock(key.expiresAt)}` : 'valid'),
      h('td', {}, !over && h('div', { class: 'row' }, button('Rename', () => this.rename(key), { class: 'quiet' }), button('Revoke', () => this.revoke(key, own), { class: 'quiet danger' }))));
  }

  async rename(key) {
    const name = await this.ask(`New name of ${key.name ?? key.hint}`, key.name ?? '');
    if (!name) return;
    await call('PATCH', `v2/team/api-keys/${key.id}`, { body: { name } });
    await this.load();
  }

  async revoke(key, own) {
    const sure = await this.ask(`Revoke ${key.name ?? key.hint}? Whoever uses it is shut out at once${own ? ', and so are you' : ''}.`);
    if (sure == null) return;
    await call('DELETE', `v2/team/api-keys/${key.id}`);
    tell('The key is revoked.');
    await this.load();
  }

  // ask asks for a text, or only whether to go on; null means no.
  ask(question, text) {
    return new Promise((resolve) => {
      const field = text === undefined ? null : h('input', { type: 'text', maxlength: 255, value: text, 'aria-label': question });
      const dialog = h('dialog', { onclose: () => {
        resolve(dialog.returnValue === 'yes' ? field?.value.trim() ?? '' : null);
        dialog.remove();
      } }, h('form', { method: 'dialog' }, h('p', {}, foreign(question, 400)), field, h('div', { class: 'row' }, h('button', { value: 'no', formnovalidate: true }, 'Cancel'), h('button', { value: 'yes', class: 'main' }, 'OK'))));
      this.append(dialog);
      dialog.showModal();
    });
  }
}

customElements.define('team-screen', TeamScreen);
