// Server: how it is going, for those who run it.

import { optional } from './api.js';
import { button, empty, fill, foreign, h, problem, table } from './dom.js';
import { ago, bytes, clock, count } from './format.js';

const states = { ok: 'completed', missing: 'queued', failed: 'failed' };

class ServerScreen extends HTMLElement {
  connectedCallback() {
    this.body = h('div');
    fill(this, h('div', { class: 'head' }, h('h1', {}, 'Server'), button('Look again', () => this.load())), this.body);
    this.load();
  }

  resume() {
    this.load();
  }

  async load() {
    try {
      const [server, teams] = await Promise.all([optional('v2/server'), optional('v2/server/teams')]);
      if (!server) fill(this.body, empty('This is for operators. ', h('code', {}, 'trawl keys create --operator'), ' makes a key for one.'));
      else fill(this.body, this.parts(server.data, teams?.data ?? []));
    } catch (error) {
      if (error.status !== 401) fill(this.body, problem(error));
    }
  }

  parts({ version, go, startedAt, nodes, queue, checks, settings, disk }, teams) {
    const facts = [['Version', version], ['Go', go], ['Up since', h('span', { title: clock(startedAt) }, ago(startedAt))], ['Queued', count(queue?.queued)], ['Running', count(queue?.running)],
      ['Oldest waits since', queue?.oldest ? ago(queue.oldest) : '–'], ['Disk', disk ? `${bytes(disk.free)}${disk.total ? ` of ${bytes(disk.total)}` : ''} free` : '–']];
    return [
      h('dl', { class: 'facts tiles' }, facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
      checks?.length > 0 && h('section', {}, h('h2', {}, 'Checks'), table('Checks', ['What', 'State', 'Detail'], checks.map((check) => h('tr', {}, h('th', { scope: 'row' }, foreign(check.name)), h('td', {}, h('span', { class: `badge ${states[check.state] ?? ''}` }, check.state)), h('td', {}, foreign(check.detail ?? '')))))),
      h('section', {}, h('h2', {}, 'Nodes'), table('Nodes', ['Node', 'Last seen'], (nodes ?? []).map((node) => h('tr', {}, h('td', {}, h('code', {}, foreign(node.id))), h('td', { title: clock(node.seenAt) }, ago(node.seenAt)))))),
      h('section', {}, h('h2', {}, 'Teams'), table('Teams', ['Name', '#Credits', '#Granted', '#At a time', 'Made'], teams.map((team) => h('tr', {}, h('th', { scope: 'row' }, foreign(team.name)), h('td', { class: 'number' }, team.credits == null ? 'no limit' : count(team.credits)), h('td', { class: 'number' }, count(team.granted)), h('td', { class: 'number' }, count(team.concurrency)), h('td', { title: clock(team.createdAt) }, ago(team.createdAt)))))),
      h('section', {}, h('h2', {}, 'Settings'), table('Settings', ['Setting', 'Value', 'From'], (settings ?? []).map((one) => h('tr', {}, h('th', { scope: 'row' }, h('code', {}, foreign(one.name))), h('td', {}, foreign(one.value ?? '')), h('td', { class: 'soft' }, foreign(one.source ?? '')))))),
    ];
  }
}

customElements.define('server-screen', ServerScreen);
