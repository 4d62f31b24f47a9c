// HTML of strangers, in a frame that runs nothing and loads nothing.

import { h } from './dom.js';

const dropped = 'script, style, link, meta, base, iframe, frame, frameset, object, embed, applet, portal, template, noscript, audio, video, source, track, svg, math, form > input[type=hidden]';
const kept = new Set(['title', 'alt', 'colspan', 'rowspan', 'scope', 'lang', 'dir', 'start', 'type', 'open', 'datetime', 'cite', 'abbr', 'headers']);

const most = 2_000_000; // characters that are shown

// quiet renames attributes that the policy would refuse, and drops styles. They do nothing
// in a document that is never shown, but browsers report them as soon as they are parsed.
function quiet(html) {
  const text = html.replace(/<style\b[^>]{0,300}>[^]*?(<\/style\s*>|$)/gi, '');
  let out = '';
  for (let at = 0; at < text.length;) {
    const start = text.indexOf('<', at);
    if (start < 0) return out + text.slice(at);
    const end = endOfTag(text, start);
    out += text.slice(at, start) + text.slice(start, end).replace(/([\s"'/])(style|on\w+)(?=\s*=)/gi, '$1data-$2');
    at = end;
  }
  return out;
}

// endOfTag returns where a tag ends: at the first > that is not in quotes.
function endOfTag(text, start) {
  let quote = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (quote ? char === quote : char === '>') {
      if (!quote) return at + 1;
      quote = '';
    } else if (!quote && (char === '"' || char === "'")) {
      quote = char;
    }
  }
  return text.length;
}

// framed shows HTML in a sandbox. It is cleaned first, so that the policy of the page,
// which holds in the frame too, has nothing to refuse.
export function framed(html) {
  return h('iframe', { class: 'frame', sandbox: '', title: 'The HTML of the page, without scripts', srcdoc: cleaned(html), referrerpolicy: 'no-referrer' });
}

const words = (text) => text.replace(/\s+/g, ' ').trim();
const mostLooks = 500_000_000; // characters that are searched

// compared shows a whole page in the same way, with what is not in its main content
// crossed out.
export function compared(whole, main) {
  const kept = words(new DOMParser().parseFromString(quiet(main.slice(0, most)), 'text/html').body.textContent);
  let left = mostLooks / (kept.length + 1);
  return h('iframe', { class: 'frame', sandbox: '', title: 'The page: what was kept, and what was left out', referrerpolicy: 'no-referrer', srcdoc: cleaned(whole, (page) => {
    for (const text of textsOf(page)) {
      const own = words(text.data);
      if (!own || left-- < 0 || kept.includes(words(text.parentElement.textContent.slice(0, 10000)))) continue;
      if (own.length > 20 && kept.includes(own)) continue; // beside something that is not
      const crossed = page.createElement('del');
      text.replaceWith(crossed);
      crossed.append(text);
    }
  }) });
}

function textsOf(page) {
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  return texts;
}

// cleaned parses HTML into a document that is never shown, and returns what is left of
// it: structure and text. Links and pictures say where they lead instead of leading there.
export function cleaned(html, mark = () => {}) {
  const page = new DOMParser().parseFromString(quiet(html.slice(0, most)), 'text/html');
  for (const element of page.querySelectorAll(dropped)) element.remove();
  for (const element of page.querySelectorAll('*')) {
    const address = element.getAttribute('href') ?? element.getAttribute('src');
    for (const { name } of [...element.attributes]) if (!kept.has(name)) element.removeAttribute(name);
    if (address && !address.startsWith('data:')) element.setAttribute('title', address.slice(0, 500));
    if (element.localName === 'img') element.replaceWith(page.createTextNode(`[image${element.alt ? `: ${element.alt}` : ''}]`));
  }
  mark(page);
  const style = new URL('style.css', import.meta.url);
  return `<!doctype html><html class="framed"><head><meta charset="utf-8"><link rel="stylesheet" href="${style}"></head>${page.body?.outerHTML ?? ''}</html>`;
}
