// The frame around the screens: who is logged in, and which screen is shown.

import { get, key, onSignedOut, optional, setKey } from './api.js';
import { fill, h, problem } from './dom.js';
import './try.js';
import './jobs.js';
import './job.js';
import './monitors.js';
import './sessions.js';
import './activity.js';
import './usage.js';
import './team.js';
import './server.js';

const screens = [
  { path: 'try', name: 'Try', element: 'try-screen', kept: true },
  { path: 'jobs', name: 'Jobs', element: 'jobs-screen' },
  { path: 'monitors', name: 'Monitors', element: 'monitors-screen' },
  { path: 'sessions', name: 'Sessions', element: 'sessions-screen' },
  { path: 'activity', name: 'Activity', element: 'activity-screen' },
  { path: 'usage', name: 'Usage', element: 'usage-screen' },
  { path: 'team', name: 'Keys', element: 'team-screen' },
  { path: 'server', name: 'Server', element: 'server-screen', operator: true },
];

const main = document.getElementById('main');
const leave = document.getElementById('leave');
const kept = new Map(); // screens that keep what was typed
let team = null;
let shown = null;

// route is what the address says: #/jobs/crawl/ID?query.
function route() {
  const [path, ...rest] = location.hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').map((part) => decode(part));
  return { screen: screens.find((screen) => screen.path === parts[0]) ?? screens[0], parts: parts.slice(1), query: decode(rest.join('?')) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function show() {
  const at = route();
  const name = at.screen.path === 'jobs' && at.parts.length >= 2 ? 'job-screen' : at.screen.element;
  const element = kept.get(name) ?? document.createElement(name);
  if (at.screen.kept) kept.set(name, element);
  element.route = at;
  element.team = team;
  shown = element;
  fill(main, element);
  element.arrive?.();
  document.title = `${at.screen.name} – Trawl`;
  for (const anchor of document.querySelectorAll('#screens a')) {
    if (anchor.hash === `#/${at.screen.path}`) anchor.setAttribute('aria-current', 'page');
    else anchor.removeAttribute('aria-current');
  }
}

function navigation() {
  fill(document.getElementById('screens'), screens.filter((screen) => !screen.operator || team?.operator)
    .map((screen) => h('li', {}, h('a', { href: `#/${screen.path}` }, screen.name))));
  fill(document.getElementById('team'), team?.name && h('bdi', { class: 'soft' }, team.name));
  leave.hidden = !key();
}

// logIn asks for a key. A screen that was open stays as it is behind it.
function logIn(text) {
  leave.hidden = true;
  document.getElementById('screens').replaceChildren();
  document.getElementById('team').replaceChildren();
  const field = h('input', {
    id: 'key', type: 'password', autocomplete: 'off', spellcheck: 'false', required: true, placeholder: 'fc-…', 'aria-describedby': 'key-help',
  });
  const said = h('div', { 'aria-live': 'assertive' }, text && h('p', { class: 'problem' }, text));
  const form = h('form', { class: 'card', onsubmit: async (event) => {
    event.preventDefault();
    const secret = field.value.trim();
    try {
      await get('v2/concurrency-check', { secret });
      setKey(secret);
      await enter();
    } catch (error) {
      fill(said, error.status === 401 ? h('p', { class: 'problem' }, 'This key is not valid. It may have been revoked, or have expired.') : problem(error));
      field.select();
    }
  } },
  h('h1', {}, 'Log in'),
  said,
  h('label', { for: 'key' }, 'API key'), field,
  h('p', { id: 'key-help', class: 'soft' }, 'The first key is printed when the server first starts; ', h('code', {}, 'trawl keys create'), ' makes another. It is kept for this tab alone.'),
  h('button', { class: 'main' }, 'Log in'));
  document.querySelector('.login')?.remove();
  if (shown) shown.hidden = true;
  main.append(h('div', { class: 'login' }, form));
  document.title = 'Log in – Trawl';
  field.focus();
}

// enter shows the screen of the address to somebody whose key is valid.
async function enter() {
  const again = document.querySelector('.login') && shown;
  team = (await optional('v2/team'))?.data ?? null;
  document.querySelector('.login')?.remove();
  navigation();
  if (again) {
    shown.hidden = false;
    shown.team = team;
    shown.resume?.();
  } else {
    show();
  }
}

// fromAddress takes a key out of the address, which logs in once.
function fromAddress() {
  const match = /^#key=([^&]+)/.exec(location.hash);
  if (!match) return;
  setKey(decode(match[1]));
  history.replaceState(null, '', '#/try');
}

async function start() {
  fromAddress();
  onSignedOut(() => {
    if (document.querySelector('.login')) return;
    const had = key();
    setKey('');
    team = null;
    logIn(had && 'This key is not valid any more. What you typed is kept.');
  });
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#key=')) {
      fromAddress();
      enter().catch(() => {}); // a key that is not valid leads to the log-in
    } else if (location.hash === '#main') {
      main.focus();
    } else if (!document.querySelector('.login')) {
      show();
      main.focus({ preventScroll: true });
    }
  });
  leave.addEventListener('click', () => {
    sessionStorage.clear();
    kept.clear();
    shown?.remove();
    shown = null;
    logIn();
  });
  try {
    if (key()) navigation(), show();
    else await get('v2/concurrency-check'); // a server without keys needs none
    await enterAfterFirstPaint();
  } catch (error) {
    if (error.status === 401) {
      if (!document.querySelector('.login')) logIn();
    } else {
      fill(main, problem(error));
    }
  }
}

// enterAfterFirstPaint learns about the team behind the screen that is there already.
async function enterAfterFirstPaint() {
  const before = shown;
  team = (await optional('v2/team'))?.data ?? null;
  navigation();
  if (!before) show();
  else {
    shown.team = team;
    shown.meet?.();
    for (const anchor of document.querySelectorAll('#screens a')) {
      if (anchor.hash === `#/${route().screen.path}`) anchor.setAttribute('aria-current', 'page');
    }
  }
}

start();
