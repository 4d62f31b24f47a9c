// A JSON value as a tree. Parts are made when they are opened.

import { button, foreign, h, link, safeURL } from './dom.js';

const atOnce = 200; // entries of a list or an object

// tree shows a value; what is small is open.
export function tree(value) {
  return h('div', { class: 'json' }, node(null, value, 0));
}

function node(name, value, depth) {
  const label = name == null ? null : h('span', { class: 'name' }, foreign(name, 200));
  if (value === null || typeof value !== 'object') return h('div', { class: 'leaf' }, label, label && ': ', leaf(value));
  const entries = Object.entries(value);
  const list = Array.isArray(value);
  const size = list ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0) return h('div', { class: 'leaf' }, label, label && ': ', h('span', { class: 'soft' }, list ? '[]' : '{}'));
  const open = depth < 2 && entries.length <= 50;
  const body = h('div', { class: 'branch' });
  const make = () => {
    if (body.childElementCount === 0) grow(body, entries, 0, depth);
  };
  const details = h('details', { open, ontoggle: make }, h('summary', {}, label ?? (list ? 'list' : 'object'), ' ', h('span', { class: 'soft' }, size)), body);
  if (open) make();
  return details;
}

// grow adds some entries, and what adds the next.
function grow(body, entries, from, depth) {
  body.append(...entries.slice(from, from + atOnce).map(([name, value]) => node(name, value, depth + 1)));
  const left = entries.length - from - atOnce;
  if (left > 0) {
    const more = button(`${left} more`, () => {
      more.remove();
      grow(body, entries, from + atOnce, depth);
    }, { class: 'quiet' });
    body.append(more);
  }
}

function leaf(value) {
  if (typeof value !== 'string') return h('span', { class: 'atom' }, String(value));
  if (/^https?:\/\//.test(value) && value.length < 2000 && safeURL(value)) return link(value);
  return h('span', { class: 'string' }, foreign(value, 5000));
}
