// Elements, built without markup: text stays text, whatever it says.

const svg = new Set(['svg', 'rect', 'line', 'path', 'title', 'text', 'g']);

// h makes an element. Functions are listeners (onclick), true and false set and leave
// out an attribute, other values are attributes; children are elements or text.
export function h(name, attributes, ...children) {
  const element = svg.has(name) && name !== 'title' || name === 'svg:title'
    ? document.createElementNS('http://www.w3.org/2000/svg', name.replace('svg:', ''))
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

// fill replaces what is in an element.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

// foreign shows text of unknown origin: its direction is its own, and it is cut where
// it would be longer than anybody reads.
export function foreign(text, most = 2000) {
  const all = String(text ?? '');
  return h('bdi', { class: 'foreign', title: all.length > most ? 'Shortened' : null }, all.length > most ? all.slice(0, most) + '…' : all);
}

// safeURL returns an address that may be a link, or null.
export function safeURL(address, base) {
  try {
    const url = new URL(address, base);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

// link leads to an address of unknown origin, if it is one that cannot do harm.
export function link(address, text = address, base) {
  const href = safeURL(address, base);
  return href ? h('a', { href, target: '_blank', rel: 'noopener noreferrer', class: 'foreign' }, foreign(text)) : foreign(text);
}

// button makes a button that is busy as long as what it does takes.
export function button(text, act, attributes = {}) {
  const element = h('button', { type: 'button', ...attributes, onclick: async () => {
    element.disabled = true;
    try {
      await act();
    } catch (error) {
      tell(error.message, 'bad');
    } finally {
      element.disabled = false;
    }
  } }, text);
  return element;
}

// copier copies what a function returns.
export function copier(text, what, attributes = {}) {
  return button(text, async () => {
    await copy(await what());
    tell('Copied.');
  }, { class: 'quiet', ...attributes });
}

// copy falls back to a selection where there is no clipboard, as without HTTPS.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = h('textarea', { class: 'aside', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

// save offers text as a file.
export function save(name, kind, parts) {
  const href = URL.createObjectURL(new Blob(parts, { type: kind }));
  h('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

let quiet;

// tell says something that goes away by itself.
export function tell(text, kind = '') {
  const notice = document.getElementById('notice');
  fill(notice, h('p', { class: kind }, foreign(text, 500)));
  clearTimeout(quiet);
  quiet = setTimeout(() => notice.replaceChildren(), 6000);
}

// problem shows an error in words, with its code and its issues.
export function problem(error) {
  const issues = error.details?.filter((issue) => issue.message !== error.message) ?? [];
  return h('div', { class: 'problem', role: 'alert' },
    h('p', {}, h('strong', {}, error.title ?? 'That did not work.'), ' ', foreign(error.message)),
    issues.length > 0 && h('ul', {}, issues.slice(0, 20).map((issue) => h('li', {}, h('code', {}, foreign((issue.path ?? []).join('.'))), ' ', foreign(issue.message)))),
    error.code && h('p', { class: 'soft' }, 'Code ', h('code', {}, foreign(error.code))));
}

// empty says that there is nothing, and what to do about it.
export const empty = (...children) => h('p', { class: 'empty' }, children);

// tabs shows one of several parts. Each is {name, count, make}; make is called when its
// part is first shown.
export function tabs(label, parts, { chosen, onchoose } = {}) {
  const panel = h('div', { role: 'tabpanel', class: 'panel', tabindex: '0' });
  const made = new Map();
  const handles = parts.map((part, index) => h('button', {
    type: 'button', role: 'tab', id: `tab-${label}-${index}`.replace(/\W+/g, '-'), onclick: () => choose(index),
  }, part.name, part.count != null && h('span', { class: 'count' }, String(part.count))));
  const choose = (index) => {
    handles.forEach((handle, at) => {
      handle.setAttribute('aria-selected', String(at === index));
      handle.tabIndex = at === index ? 0 : -1;
    });
    if (!made.has(index)) made.set(index, parts[index].make());
    panel.setAttribute('aria-labelledby', handles[index].id);
    fill(panel, made.get(index));
    onchoose?.(parts[index].name);
  };
  const bar = h('div', { role: 'tablist', 'aria-label': label, onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (handles.indexOf(document.activeElement) + step + handles.length) % handles.length;
    handles[next].focus();
    choose(next);
  } }, handles);
  if (parts.length > 0) choose(Math.max(0, parts.findIndex((part) => part.name === chosen)));
  return h('div', { class: 'tabs' }, bar, panel);
}

// table makes a table that scrolls by itself where it is wider than the screen. A head
// that begins with # is one of numbers, an empty one of what can be done.
export function table(label, heads, rows) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
    h('table', {}, h('thead', {}, h('tr', {}, heads.map(heading))), h('tbody', {}, rows)));
}

function heading(head) {
  if (head === '') return h('th', { scope: 'col' }, h('span', { class: 'aside' }, 'Actions'));
  return typeof head === 'string' && head.startsWith('#') ? h('th', { scope: 'col', class: 'number' }, head.slice(1)) : h('th', { scope: 'col' }, head);
}
