// Markdown as elements. It is built node by node: HTML in the text stays text.

import { h, safeURL } from './dom.js';

const most = 200000; // characters that are rendered
const mostLooks = 20000; // at characters that may begin something and do not
let looks = 0;

// markdown renders a text. Pictures are links: nothing is loaded from elsewhere.
export function markdown(text, base) {
  const cut = text.length > most;
  looks = 0;
  const lines = (cut ? text.slice(0, most) : text).replace(/\r\n?/g, '\n').split('\n');
  const root = h('div', { class: 'markdown', dir: 'auto' }, blocks(lines, base, 0));
  if (cut) root.append(h('p', { class: 'soft' }, 'The rest is shown as source only.'));
  return root;
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const item = /^( *)([-*+]|\d{1,9}[.)])(?:\s+|$)/;
const divider = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

// blocks reads lines from the top; depth bounds how far quotes and lists are nested.
function blocks(lines, base, depth) {
  const out = [];
  if (depth > 20) return [h('p', {}, lines.join('\n'))];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const match = fence.exec(line);
    if (!line.trim()) at++;
    else if (match) {
      let end = at + 1;
      while (end < lines.length && !lines[end].trimStart().startsWith(match[1])) end++;
      out.push(h('pre', { tabindex: '0' }, h('code', {}, lines.slice(at + 1, end).join('\n'))));
      at = end + 1;
    } else if (heading.test(line)) {
      const [, marks, text] = heading.exec(line);
      out.push(h('h' + Math.min(6, marks.length + 2), { class: 'level' + marks.length }, inline(text, base)));
      at++;
    } else if (rule.test(line)) {
      out.push(h('hr'));
      at++;
    } else if (/^ {0,3}>/.test(line)) {
      const end = until(lines, at, (next) => !/^ {0,3}>/.test(next));
      out.push(h('blockquote', {}, blocks(lines.slice(at, end).map((quoted) => quoted.replace(/^ {0,3}> ?/, '')), base, depth + 1)));
      at = end;
    } else if (item.test(line)) {
      at = list(lines, at, base, depth, out);
    } else if (line.includes('|') && at + 1 < lines.length && lines[at + 1].includes('-') && divider.test(lines[at + 1])) {
      const end = until(lines, at + 2, (next) => !next.includes('|'));
      out.push(grid(lines[at], lines.slice(at + 2, end), base));
      at = end;
    } else {
      const end = Math.max(at + 1, until(lines, at + 1, (next) => !next.trim() || fence.test(next) || heading.test(next) || /^ {0,3}>/.test(next) || item.test(next)));
      out.push(h('p', {}, inline(lines.slice(at, end).join('\n'), base)));
      at = end;
    }
  }
  return out;
}

function until(lines, at, over) {
  while (at < lines.length && !over(lines[at])) at++;
  return at;
}

function list(lines, start, base, depth, out) {
  const [, indent, mark] = item.exec(lines[start]);
  const numbered = /\d/.test(mark);
  const items = [];
  let at = start;
  while (at < lines.length) {
    const match = item.exec(lines[at]);
    if (!match || match[1].length < indent.length || match[1].length > indent.length + 1 || /\d/.test(match[2]) !== numbered) break;
    const width = match[0].length;
    const own = [lines[at].slice(width)];
    for (at++; at < lines.length; at++) {
      const next = lines[at];
      const deep = next.length - next.trimStart().length;
      if (next.trim() && deep <= indent.length + 1) {
        if (item.test(next) || !own.at(-1).trim() || fence.test(next) || heading.test(next)) break;
      } else if (!next.trim() && !(lines[at + 1]?.trim() && lines[at + 1].length - lines[at + 1].trimStart().length > indent.length + 1)) {
        break;
      }
      own.push(next.slice(Math.min(deep, width)));
    }
    while (at < lines.length && !lines[at].trim() && item.test(lines[at + 1] ?? '')) at++;
    const parts = blocks(own, base, depth + 1);
    items.push(h('li', {}, parts.length === 1 && parts[0].localName === 'p' ? [...parts[0].childNodes] : parts));
  }
  out.push(h(numbered ? 'ol' : 'ul', numbered && parseInt(mark, 10) !== 1 ? { start: parseInt(mark, 10) } : {}, items));
  return at;
}

function cells(line) {
  return line.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '').split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function grid(head, rows, base) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table' }, h('table', {},
    h('thead', {}, h('tr', {}, cells(head).map((cell) => h('th', { scope: 'col' }, inline(cell, base))))),
    h('tbody', {}, rows.map((row) => h('tr', {}, cells(row).map((cell) => h('td', {}, inline(cell, base))))))));
}

const spans = [
  [/^\\([!-/:-@[-`{-~])/, (match) => match[1]],
  [/^(`+)([^]*?[^`])\1(?!`)/, (match) => h('code', {}, match[2].trim())],
  [/^!\[([^\]]*)\]\(\s*<?([^\s)>]*)>?(?:\s+"[^"]*")?\s*\)/, (match, base) => anchor(match[2], `🖼 ${match[1] || 'image'}`, base)],
  [/^\[((?:[^[\]]|\[[^\]]*\])*)\]\(\s*<?([^\s)>]*)>?(?:\s+"[^"]*")?\s*\)/, (match, base, depth) => anchor(match[2], inline(match[1], base, depth + 1), base)],
  [/^<(https?:[^\s<>]+)>/, (match, base) => anchor(match[1], match[1], base)],
  [/^(\*\*|__)(?=\S)([^]*?\S)\1/, (match, base, depth) => h('strong', {}, inline(match[2], base, depth + 1))],
  [/^~~(?=\S)([^]*?\S)~~/, (match, base, depth) => h('del', {}, inline(match[1], base, depth + 1))],
  [/^([*_])(?=\S)([^*_]*?\S)\1(?!\w)/, (match, base, depth) => h('em', {}, inline(match[2], base, depth + 1))],
  [/^ {2,}\n/, () => h('br')],
  [/^\\\n/, () => h('br')],
];

// inline reads the text of a line. What no rule takes is text.
function inline(text, base, depth = 0) {
  const out = [];
  let plain = '';
  const flush = () => {
    if (plain) out.push(plain);
    plain = '';
  };
  const special = /[\\`![<*_~]| {2,}\n/g;
  for (let at = 0; at < text.length;) {
    special.lastIndex = at;
    const next = depth > 10 || looks > mostLooks ? null : special.exec(text);
    if (!next) {
      plain += text.slice(at);
      break;
    }
    plain += text.slice(at, next.index);
    at = next.index;
    const found = text[at] === '_' && /\w$/.test(plain) ? null : first(text.slice(at, at + 2000));
    if (!found) {
      looks++;
      plain += text[at++];
      continue;
    }
    flush();
    out.push(found.span[1](found.match, base, depth));
    at += found.match[0].length;
  }
  flush();
  return out;
}

function first(rest) {
  for (const span of spans) {
    const match = span[0].exec(rest);
    if (match) return { span, match };
  }
  return null;
}

function anchor(address, content, base) {
  const href = safeURL(address, base);
  return href ? h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, content) : h('span', {}, content);
}
