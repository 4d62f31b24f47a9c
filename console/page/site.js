// The addresses of a crawl as the tree of their sites, each with what became of it.

import { pages } from './api.js';
import { button, empty, fill, foreign, h, link, problem } from './dom.js';
import { count } from './format.js';
import { pause } from './stream.js';
import './list.js';

// fates in the order in which they are shown, with what they mean.
export const fates = {
  running: 'Is being scraped.',
  queued: 'Waits for a slot.',
  scraped: 'Has a document.',
  failed: 'Has no document: ',
  filtered: 'A rule of the crawl keeps it out: ',
  robots: 'robots.txt of the site forbids it.',
  duplicate: 'Another address leads to the same page: ',
  limit: 'The crawl had all the pages that it may have.',
  cancelled: 'The job ended before it was done.',
};

const rules = {
  external: 'it is another site, and allowExternalLinks is off.',
  subdomain: 'it is another host of the domain, and allowSubdomains is off.',
  path: 'it is not below the path of the start, and crawlEntireDomain is off.',
  'file type': 'by its extension it is a picture, a style, a script, an archive or the like.',
  includePaths: 'it matches none of includePaths.',
  maxDiscoveryDepth: 'it is more links away from the start than maxDiscoveryDepth.',
  trap: 'it looks like a crawler trap.',
  protocol: 'it is neither http nor https.',
  invalid: 'it is not an address, or has a password.',
  'too long': 'it has more than 2000 bytes.',
};

// why says in words what became of an address.
export function why({ fate, detail }) {
  const text = fates[fate] ?? fate;
  if (fate === 'filtered') return [text, foreign(rules[detail] ?? (detail ? `it matches ${detail}` : 'none was named.'))];
  if (fate === 'duplicate') return [text, link(detail ?? '')];
  return detail ? [text, foreign(detail)] : [text.replace(/: $/, '.')];
}

// Tree keeps addresses by host and path.
export class Tree {
  root = node('');

  add(entry) {
    const [host, ...segments] = segmentsOf(entry.url);
    let at = this.root;
    for (const name of [host, ...segments]) {
      at.total++;
      at.kinds[entry.fate] = (at.kinds[entry.fate] ?? 0) + 1;
      let next = at.children.get(name);
      if (!next) {
        next = node(name);
        at.children.set(name, next);
        at.sorted = null;
      }
      at = next;
    }
    at.total++;
    at.kinds[entry.fate] = (at.kinds[entry.fate] ?? 0) + 1;
    at.entry = entry;
  }

  // rows are the nodes in sight, from top to bottom, with their depth.
  rows(open) {
    const out = [];
    const walk = (parent, depth, path) => {
      parent.sorted ??= [...parent.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const child of parent.sorted) {
        const own = `${path}/${child.name}`;
        const isOpen = open.has(own);
        out.push({ node: child, depth, path: own, open: isOpen });
        if (isOpen && child.children.size) walk(child, depth + 1, own);
      }
    };
    walk(this.root, 0, '');
    return out;
  }
}

const node = (name) => ({ name, children: new Map(), kinds: {}, total: 0, entry: null, sorted: null });

// segmentsOf takes an address apart without the cost of parsing it in full.
function segmentsOf(url) {
  const match = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(\/[^?#]*)?(.*)$/i.exec(url);
  if (!match) return [url];
  const parts = (match[2] ?? '/').split('/').slice(1);
  const last = parts.pop() + match[3];
  return [match[1], ...parts, last || '/'];
}

// SiteTree reads the fates of a crawl and shows them.
class SiteTree extends HTMLElement {
  open = new Set();
  fate = '';
  live = false; // whether the job still runs
  ended = Promise.withResolvers();

  // end says that the job is over: the fates are read for the last time.
  end() {
    this.live = false;
    this.ended.resolve();
  }

  connectedCallback() {
    this.stop = new AbortController();
    this.list = document.createElement('virtual-list');
    this.list.id = 'site';
    this.detail = h('div', { class: 'detail', 'aria-live': 'polite' }, h('p', { class: 'soft' }, 'Choose an address to see what became of it, and why.'));
    this.counts = h('div', { class: 'chips', role: 'group', 'aria-label': 'Only addresses with this fate' });
    this.state = h('p', { class: 'soft', role: 'status' });
    fill(this, this.counts, this.state, h('div', { class: 'split' }, this.list, this.detail));
    this.list.set({
      label: 'Addresses of the site', role: 'tree', item: 'treeitem', rows: [], render: (row) => this.row(row), onchoose: (row, index) => this.choose(row, index),
      onkey: (key, row, index) => this.key(key, row, index),
    });
    this.load();
  }

  disconnectedCallback() {
    this.stop.abort();
  }

  // load reads all pages of the list, then again while the job runs: the longer it took
  // the later.
  async load() {
    const { signal } = this.stop;
    while (!signal.aborted) {
      const began = performance.now();
      const { live } = this;
      const tree = new Tree();
      let read = 0;
      try {
        for await (const page of pages(`v2/crawl/${this.job}/explain`, { fate: this.fate, limit: 1000 }, { signal })) {
          for (const entry of page.urls) tree.add(entry);
          read += page.urls.length;
          this.chips(page.counts);
          if (!this.tree || read % 10000 < 1000 && !this.settled) this.show(tree);
          fill(this.state, page.hasMore ? `Reading… ${count(read)} addresses` : `${count(read)} addresses`);
        }
        this.settled = true;
        this.show(tree);
        if (read === 0) fill(this.state, empty('No addresses yet.'));
      } catch (error) {
        if (error.name === 'AbortError') return;
        fill(this.state, problem(error));
        if (error.status > 0 && error.status < 500) return;
      }
      if (!live) return; // what was read is how it ended
      await Promise.race([pause(Math.max(2000, 10 * (performance.now() - began)), signal), this.ended.promise]);
    }
  }

  show(tree) {
    const first = !this.tree;
    this.tree = tree;
    if (first || !this.touched) {
      for (const host of tree.root.children.values()) if (tree.root.children.size < 5 || host.total > 1) this.open.add(`/${host.name}`);
    }
    this.list.rows = tree.rows(this.open);
    this.list.refresh();
  }

  chips(counts) {
    const all = Object.entries(counts).filter(([, size]) => size > 0);
    fill(this.counts, all.map(([fate, size]) => h('button', { type: 'button', class: `chip fate ${fate}`, 'aria-pressed': String(this.fate === fate), onclick: () => this.only(this.fate === fate ? '' : fate) },
      h('span', { class: 'dot', 'aria-hidden': 'true' }), `${fate} ${count(size)}`)));
  }

  only(fate) {
    this.fate = fate;
    this.settled = false;
    this.tree = null;
    this.stop.abort();
    this.stop = new AbortController();
    this.load();
  }

  row({ node: one, depth, open }) {
    const branch = one.children.size > 0;
    const fate = one.entry?.fate ?? Object.keys(fates).find((name) => one.kinds[name]) ?? 'queued';
    const row = h('div', { class: 'line', 'aria-level': depth + 1, 'aria-expanded': branch ? String(open) : null },
      h('span', { class: 'indent' }), h('span', { class: 'twist', 'aria-hidden': 'true' }, branch ? (open ? '▾' : '▸') : ''),
      h('span', { class: `dot ${one.entry ? fate : 'none'}`, 'aria-hidden': 'true' }), h('span', { class: 'path' }, foreign(one.name, 300)),
      branch ? h('span', { class: 'soft' }, count(one.total)) : h('span', { class: 'soft' }, fate));
    row.firstElementChild.style.width = `${Math.min(depth, 20) * 16}px`;
    return row;
  }

  choose(row, index) {
    const { node: one } = row;
    if (one.children.size) this.toggle(row, index);
    const parts = Object.entries(one.kinds).map(([fate, size]) => `${count(size)} ${fate}`).join(', ');
    fill(this.detail, one.entry
      ? [h('h3', {}, link(one.entry.url)), h('p', {}, h('span', { class: `badge ${one.entry.fate}` }, one.entry.fate), ' ', why(one.entry)),
        h('p', { class: 'soft' }, one.entry.depth != null && `${one.entry.depth} links from the start. `, one.entry.via && ['Linked from ', link(one.entry.via), '.'])]
      : [h('h3', {}, foreign(one.name)), h('p', {}, `No page of its own. Below it: ${parts}.`)],
    one.entry?.fate === 'scraped' && button('Show the document', () => this.dispatchEvent(new CustomEvent('page', { detail: one.entry.url }))));
  }

  toggle(row) {
    this.touched = true;
    if (this.open.has(row.path)) this.open.delete(row.path);
    else this.open.add(row.path);
    this.list.rows = this.tree.rows(this.open);
    this.list.refresh();
  }

  key(key, row, index) {
    if (!row) return false;
    const branch = row.node.children.size > 0;
    if (key === 'ArrowRight' && branch && !row.open) this.toggle(row, index);
    else if (key === 'ArrowRight' && branch) this.list.go(index + 1);
    else if (key === 'ArrowLeft' && branch && row.open) this.toggle(row, index);
    else if (key === 'ArrowLeft') this.list.go(this.list.rows.findLastIndex((other, at) => at < index && other.depth < row.depth));
    else return false;
    return true;
  }
}

customElements.define('site-tree', SiteTree);
