// Server: how it is going, for those who run it.

import { get, optional } from './api.js';
import { button, empty, fill, foreign, h, problem, table } from './dom.js';
import { ago, bytes, clock, count } from './format.js';

const states = { ok: 'completed', missing: 'queued', failed: 'failed' };
const parts = { browser: 'Browser', sessions: 'Browser sessions', model: 'Language model', search: 'Web search', recognition: 'Text of pictures' };

const kinds = { browser: 'Pages in the browser', session: 'Browser sessions', document: 'Documents' };

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
      const [server, teams, refusals] = await Promise.all([optional('v2/server'), optional('v2/server/teams'), optional('v2/server/refusals')]);
      if (!server) fill(this.body, empty('This is for operators. ', h('code', {}, 'trawl keys create --operator'), ' makes a key for one.'));
      else fill(this.body, this.facts(server.data), this.checks(), this.lists(server.data, teams?.data ?? [], refusals?.data ?? []));
    } catch (error) {
      if (error.status !== 401) fill(this.body, problem(error));
    }
  }

  facts({ version, go, startedAt, queue, freeDisk, features }) {
    return h('dl', { class: 'facts tiles' }, [
      ['Version', `${version}, ${go}`], ['Up since', h('span', { title: clock(startedAt) }, ago(startedAt))], ['Jobs', count(queue?.jobs)], ['Pages queued', count(queue?.queued)], ['Pages running', count(queue?.running)],
      ['Oldest waits since', queue?.oldest ? ago(queue.oldest) : '–'], ['Disk', freeDisk == null ? '–' : `${bytes(freeDisk)} free`],
      ...Object.entries(features ?? {}).map(([name, there]) => [parts[name] ?? name, h('span', { class: there ? 'good' : 'soft' }, there ? 'ready' : 'none')]),
    ].map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  // checks tries every part of the installation, which takes a while.
  checks() {
    const place = h('div', { 'aria-live': 'polite' });
    const run = async () => {
      fill(place, h('p', { class: 'waiting' }, h('span', { class: 'spin', 'aria-hidden': 'true' }), 'Trying every part…'));
      try {
        const { data } = await get('v2/server/checks');
        fill(place, table('Checks', ['Part', 'State', 'Detail'], data.map(({ part, state, detail }) => h('tr', {},
          h('th', { scope: 'row' }, foreign(part)), h('td', {}, h('span', { class: `badge ${states[state] ?? ''}` }, state)), h('td', {}, foreign(detail ?? ''))))));
      } catch (error) {
        fill(place, error.missing ? empty('The checks are not available here; ', h('code', {}, 'trawl doctor'), ' on the server does them.') : problem(error));
      }
    };
    return h('section', {}, h('h2', {}, 'Checks'), button('Try every part', run), place);
  }

  lists({ node: own, nodes, settings, workers }, teams, refusals) {
    const rows = {
      Processes: [['For', '#Running', '#Idle', '#Busy', '#Waiting', '#At most', '#Started', '#Crashed', '#Replaced'], workers,
        (one) => [kinds[one.kind] ?? one.kind, ...[one.running, one.idle, one.busy, one.waiting, one.most, one.started, one.crashed, one.recycled].map(count)]],
      'Refused targets': [['Host', 'Why', '#Times', 'Last'], refusals, (one) => [foreign(one.host || 'not told', 300), foreign(one.reason), count(one.count), h('span', { title: clock(one.lastAt) }, ago(one.lastAt))]],
      Nodes: [['Node', 'Last seen'], nodes, (node) => [h('code', {}, foreign(node.id)), [ago(node.seenAt), node.id === own && ' (this one)']]],
      Teams: [['Name', '#Credits', '#Granted', '#At a time', 'Made'], teams,
        (team) => [foreign(team.name), team.credits == null ? 'no limit' : count(team.credits), count(team.granted), count(team.concurrency), ago(team.createdAt)]],
      Settings: [['Setting', 'Value', 'From'], settings, (one) => [h('code', {}, foreign(one.name)), foreign(one.value ?? ''), foreign(one.source ?? '')]],
    };
    return Object.entries(rows).map(([name, [heads, list, cells]]) => h('section', {}, h('h2', {}, name), !list?.length ? empty('None.') : table(name, heads, list.map((one) => h('tr', {},
      cells(one).map((cell, at) => h('td', { class: heads[at].startsWith('#') ? 'number' : null }, cell)))))));
  }
}

customElements.define('server-screen', ServerScreen);
