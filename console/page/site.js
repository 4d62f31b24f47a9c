// The addresses of a crawl as the tree of their sites, each with what became of it.

import { pages } from './api.js';
import { button, empty, fill, foreign, h, link, problem } from './dom.js';
import { count as number, plural } from './format.js';
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
  root = node('', -1);

  add(entry) {
    let at = this.root;
    count(at, entry.fate);
    for (const name of segmentsOf(entry.url)) {
      let next = at.children.get(name);
      if (!next) {
        next = node(name, at.depth + 1);
        at.children.set(name, next);
        at.sorted = null;
      }
      at = next;
      count(at, entry.fate);
    }
    at.entry = entry;
  }

  // rows are the nodes in sight, from top to bottom.
  rows() {
    const out = [];
    const walk = (parent) => {
      parent.sorted ??= [...parent.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const child of parent.sorted) {
        out.push(child);
        if (child.open) walk(child);
      }
    };
    walk(this.root);
    return out;
  }

  // openLike opens what is open in another tree.
  openLike(other) {
    const walk = (to, from) => {
      for (const [name, child] of from.children) {
        const same = child.open && to.children.get(name);
        if (!same) continue;
        same.open = true;
        walk(same, child);
      }
    };
    walk(this.root, other.root);
  }
}

const node = (name, depth) => ({ name, depth, children: new Map(), kinds: {}, total: 0, entry: null, sorted: null, open: false });

function count(at, fate) {
  at.total++;
  at.kinds[fate] = (at.kinds[fate] ?? 0) + 1;
}

// segmentsOf takes an address apart without the cost of parsing it in full.
function segmentsOf(url) {
  const match = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(\/[^?#]*)?(.*)$/i.exec(url);
  if (!match) return [url];
  const parts = (match[2] ?? '/').split('/').slice(1);
  const last = parts.pop() + match[3];
  return [match[1], ...parts, last || '/'];
}

const addresses = (size) => plural(size, 'address', 'addresses');

// SiteTree reads the fates of a crawl and shows them.
class SiteTree extends HTMLElement {
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
      label: 'Addresses of the site', role: 'tree', item: 'treeitem', rows: [], render: (row) => this.row(row), onchoose: (row) => this.choose(row),
      onkey: (key, row, index) => this.key(key, row, index),
    });
    this.load();
  }

  disconnectedCallback() {
    this.stop.abort();
  }

  // load reads all pages of the list, then again while the job runs: the longer it took
  // the later, as many may watch one crawl.
  async load() {
    const { signal } = this.stop;
    for (let reads = 0; !signal.aborted; reads++) {
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
          fill(this.state, page.hasMore ? `Reading… ${addresses(read)}` : addresses(read));
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
      await Promise.race([pause(Math.min(60000, Math.max(Math.min(5000, 500 << Math.min(reads, 8)), 100 * (performance.now() - began))), signal), this.ended.promise]);
    }
  }

  show(tree) {
    if (this.tree) tree.openLike(this.tree);
    if (!this.touched) for (const host of tree.root.children.values()) host.open = tree.root.children.size < 5 || host.total > 1;
    this.tree = tree;
    this.list.rows = tree.rows();
    this.list.refresh();
  }

  chips(counts) {
    const all = Object.entries(counts).filter(([, size]) => size > 0);
    fill(this.counts, all.map(([fate, size]) => h('button', { type: 'button', class: `chip fate ${fate}`, 'aria-pressed': String(this.fate === fate), onclick: () => this.only(this.fate === fate ? '' : fate) },
      h('span', { class: 'dot', 'aria-hidden': 'true' }), `${fate} ${number(size)}`)));
  }

  only(fate) {
    this.fate = fate;
    this.settled = false;
    this.tree = null;
    this.stop.abort();
    this.stop = new AbortController();
    this.load();
  }

  row(one) {
    const branch = one.children.size > 0;
    const fate = one.entry?.fate;
    const row = h('div', { class: 'line', 'aria-level': one.depth + 1, 'aria-expanded': branch ? String(one.open) : null },
      h('span', { class: 'indent' }), h('span', { class: 'twist', 'aria-hidden': 'true' }, branch ? (one.open ? '▾' : '▸') : ''),
      h('span', { class: `dot ${fate ?? 'none'}`, 'aria-hidden': 'true' }), h('span', { class: 'path' }, foreign(one.name, 300)),
      h('span', { class: 'soft' }, branch ? number(one.total) : fate));
    row.firstElementChild.style.width = `${Math.min(one.depth, 20) * 16}px`;
    return row;
  }

  choose(one) {
    if (one.children.size) this.toggle(one);
    const parts = Object.entries(one.kinds).map(([fate, size]) => `${number(size)} ${fate}`).join(', ');
    fill(this.detail, one.entry
      ? [h('h3', {}, link(one.entry.url)), h('p', {}, h('span', { class: `badge ${one.entry.fate}` }, one.entry.fate), ' ', why(one.entry)),
        h('p', { class: 'soft' }, one.entry.depth != null && `${plural(one.entry.depth, 'link')} from the start. `, one.entry.foundOn && ['Found on ', link(one.entry.foundOn), '.'])]
      : [h('h3', {}, foreign(one.name)), h('p', {}, `No page of its own. Below it: ${parts}.`)],
    one.entry?.fate === 'scraped' && button('Show the document', () => this.dispatchEvent(new CustomEvent('page', { detail: one.entry.url }))));
  }

  toggle(one) {
    this.touched = true;
    one.open = !one.open;
    this.list.rows = this.tree.rows();
    this.list.refresh();
  }

  key(key, row, index) {
    if (!row) return false;
    const branch = row.children.size > 0;
    if (key === 'ArrowRight' && branch && !row.open) this.toggle(row);
    else if (key === 'ArrowRight' && branch) this.list.go(index + 1);
    else if (key === 'ArrowLeft' && branch && row.open) this.toggle(row);
    else if (key === 'ArrowLeft') this.list.go(this.list.rows.findLastIndex((other, at) => at < index && other.depth < row.depth));
    else return false;
    return true;
  }
}

customElements.define('site-tree', SiteTree);
