// The page on which a browser session is watched. It opens a socket at its own
// address, draws the pictures that arrive, shows what the server says around
// them and, if it may take part, sends gestures. Whether it may is up to the
// server, which takes nothing from those who may only look.
//
// This file is the connection and what is shown; hand.js, which is served as the rest
// of it, is what people do.

const $ = (id) => document.getElementById(id);
const stage = $('stage'), screen = $('screen'), canvas = $('canvas'), keys = $('keys'), address = $('address');
const paper = canvas.getContext('2d', { alpha: false });

const ENDED = 4001, NOT_ALLOWED = 1008, TOO_MANY = 1013;
const SILENCE = 25_000; // the server says something every few seconds
const HIDDEN = 60_000; // after which a view that nobody sees lets go

const reasons = {
  deleted: 'It was ended by its owner.',
  closed: 'A client closed the browser.',
  expired: 'It reached the end of its time.',
  idle: 'Nobody used it for too long.',
  credits: 'The team has no credits left for another minute.',
  crashed: 'The browser crashed.',
  'server stopped': 'The server that ran it was stopped.',
};

let state = null; // what the server said last
let notedAt = 0; // and when
let socket = null;
let attempts = 0;
let over = false;
let retry = 0;
let heardAt = 0;

// --- the connection

function connect() {
  clearTimeout(retry);
  if (over || socket) return;
  setStatus(attempts ? 'reconnecting' : 'connecting', attempts ? 'Reconnecting' : 'Connecting');
  const at = new URL(location.pathname.replace(/\/+$/, '') + '/socket', location.href);
  at.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const mine = new WebSocket(at);
  mine.binaryType = 'arraybuffer';
  socket = mine;
  heardAt = performance.now();
  let opened = false;
  mine.onopen = () => { opened = true; };
  mine.onmessage = (event) => {
    if (mine !== socket) return;
    heardAt = performance.now();
    if (typeof event.data === 'string') hear(JSON.parse(event.data));
    else paint(event.data);
  };
  mine.onclose = (event) => {
    if (mine !== socket) return;
    socket = null;
    if (event.code === ENDED) finish(event.reason);
    else if (event.code === NOT_ALLOWED) finish('', event.reason);
    else if (!opened) findOut();
    else {
      if (event.code === TOO_MANY) notice('Too many people watch this session.');
      reconnect();
    }
  };
}

// findOut asks why a socket was refused, which a socket does not tell.
async function findOut() {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' });
    if (answer.status === 410) {
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      return finish(page.body.dataset.ended);
    }
    if (answer.status === 404) return finish('', 'There is no session at this address.');
  } catch {
    // The server cannot be reached; it may come back.
  }
  reconnect();
}

function reconnect() {
  if (over) return;
  setStatus('reconnecting', 'Reconnecting');
  letGo();
  const wait = Math.min(500 * 2 ** attempts++, 15_000) * (0.75 + Math.random() / 2);
  clearTimeout(retry);
  retry = setTimeout(connect, wait);
}

function hangUp() {
  const old = socket;
  socket = null;
  old?.close();
}

function send(message) {
  if (state?.interactive && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function finish(reason = '', text) {
  over = true;
  clearTimeout(retry);
  hangUp();
  letGo();
  document.body.classList.remove('interactive', 'loading');
  setStatus('ended', 'Ended');
  $('time').hidden = true;
  $('badge').hidden = true;
  $('progress').hidden = true;
  address.readOnly = true;
  keys.hidden = true;
  $('list').close();
  showCard({ mark: 'power', title: reason ? 'This session has ended' : 'This session cannot be shown', text: text ?? reasons[reason.split(',')[0]] ?? 'It is over.' });
}

setInterval(() => {
  if (socket && performance.now() - heardAt > SILENCE) {
    hangUp();
    reconnect();
  }
}, 5_000);

let hiding = 0;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding);
  if (document.hidden) {
    hiding = setTimeout(() => { clearTimeout(retry); hangUp(); setStatus('reconnecting', 'Paused'); }, HIDDEN);
  } else if (!socket) {
    connect();
  }
});
addEventListener('online', connect);

// --- what the server says

function hear(message) {
  if (message.type === 'state') {
    attempts = 0;
    state = message;
    notedAt = performance.now();
    render();
  } else if (message.type === 'notice') {
    notice(message.text);
  } else if (message.type === 'copied') {
    copied(message.text);
  } else if (message.type === 'list') {
    showList(message.options);
  }
}

function render() {
  const active = state.tabs.find((tab) => tab.active);
  const { body } = document;
  setStatus('live', 'Live');
  body.classList.toggle('interactive', state.interactive);
  body.classList.toggle('loading', state.loading);
  keys.hidden = !state.interactive;
  keys.tabIndex = state.interactive ? 0 : -1;
  $('badge').hidden = false;
  setText($('badge').lastElementChild, state.interactive ? 'Interactive' : 'Read-only');
  $('badge').title = state.interactive ? 'What you do here is done in the session' : 'You can watch this session, and not take part in it';
  setIcon($('badge'), state.interactive ? 'hand' : 'eye');
  $('progress').hidden = !state.loading;
  $('back').disabled = !state.canGoBack;
  $('forward').disabled = !state.canGoForward;
  $('reload').disabled = !active;
  setIcon($('reload'), state.loading ? 'stop' : 'reload');
  $('reload').ariaLabel = $('reload').title = state.loading ? 'Stop' : 'Reload';
  renderTabs();
  renderAddress(active);
  renderTime();
  renderCard(active);
  document.title = (active?.title || 'No page') + ' – live view';
}

let going = null; // where somebody wants to go, until something comes of it

function renderAddress(active) {
  if (going && (active?.id !== going.tab || active.address !== going.from || going.began && !state.loading)) going = null;
  if (going) going.began ||= state.loading;
  const shown = going?.to ?? (active && active.address !== 'about:blank' ? active.address : '');
  address.readOnly = !state.interactive || !active;
  address.placeholder = !active ? 'No page open' : state.interactive ? 'Type an address' : 'Blank page';
  if (document.activeElement !== address || address.readOnly || address.dataset.shown !== active?.id) address.value = shown;
  address.dataset.shown = active?.id ?? '';
  setIcon($('lock').parentElement, shown.startsWith('https:') ? 'lock' : 'open-lock');
}

// renderTabs keeps the elements of tabs that stay, so that they keep the focus.
function renderTabs() {
  const strip = $('tabs');
  const old = new Map([...strip.children].map((element) => [element.dataset.id, element]));
  state.tabs.forEach((tab, i) => {
    const element = old.get(tab.id) ?? newTab(tab.id);
    old.delete(tab.id);
    if (strip.children[i] !== element) strip.insertBefore(element, strip.children[i] ?? null);
    const title = tab.title || tab.address || 'New tab';
    const name = element.querySelector('.name');
    const wasActive = element.classList.contains('active');
    element.classList.toggle('active', tab.active);
    name.ariaSelected = String(tab.active);
    name.tabIndex = tab.active ? 0 : -1;
    name.title = title;
    setText(element.querySelector('.title'), tab.address === 'about:blank' ? 'New tab' : title);
    setText(element.querySelector('.letter'), letterOf(tab));
    element.querySelector('.shut').ariaLabel = 'Close ' + title;
    if (tab.active && !wasActive) element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  for (const element of old.values()) element.remove();
}

function newTab(id) {
  const element = document.createElement('div');
  element.className = 'tab';
  element.role = 'presentation';
  element.dataset.id = id;
  const name = document.createElement('button');
  name.className = 'name';
  name.type = 'button';
  name.role = 'tab';
  const letter = document.createElement('span');
  letter.className = 'letter';
  letter.ariaHidden = 'true';
  const title = document.createElement('span');
  title.className = 'title';
  name.append(letter, title);
  name.addEventListener('click', () => send({ type: 'select', tab: id }));
  name.addEventListener('auxclick', (event) => { if (event.button === 1) send({ type: 'close', tab: id }); });
  const shut = document.createElement('button');
  shut.className = 'shut acts';
  shut.type = 'button';
  shut.tabIndex = -1;
  shut.append(icon('stop'));
  shut.addEventListener('click', () => send({ type: 'close', tab: id }));
  element.append(name, shut);
  return element;
}

function letterOf(tab) {
  try {
    const host = new URL(tab.address).hostname.replace(/^www\./, '');
    return (host.match(/[\p{L}\p{N}]/u) ?? ['•'])[0];
  } catch {
    return '•';
  }
}

$('tabs').addEventListener('keydown', (event) => {
  const names = [...$('tabs').querySelectorAll('.name')];
  const at = names.indexOf(document.activeElement);
  if (at < 0 || !state?.interactive) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 }[event.key];
  if (event.key === 'Delete') send({ type: 'close', tab: names[at].parentElement.dataset.id });
  if (to === undefined) return;
  event.preventDefault();
  const next = names[(to + names.length) % names.length];
  next.focus();
  next.click();
});

function setStatus(status, text) {
  document.body.dataset.status = status;
  setText($('status').lastElementChild, text);
  if (status !== 'live') screen.classList.add('dim'); // until there is a new picture
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function setIcon(element, name) {
  const use = element.querySelector('use');
  if (use.getAttribute('href') !== '#icon-' + name) use.setAttribute('href', '#icon-' + name);
}

function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', '#icon-' + name);
  svg.append(use);
  return svg;
}

const clock = (seconds) => {
  const s = Math.max(0, Math.ceil(seconds)), pad = (n) => String(n).padStart(2, '0');
  return s >= 3600 ? `${Math.floor(s / 3600)}:${pad(Math.floor(s / 60) % 60)}:${pad(s % 60)}` : `${Math.floor(s / 60)}:${pad(s % 60)}`;
};

function renderTime() {
  if (!state || over) return;
  const passed = (performance.now() - notedAt) / 1000;
  const left = state.secondsLeft - passed, idle = state.idleSecondsLeft - passed;
  const idling = idle < 60 && idle < left;
  const text = idling ? 'Idle, ends in ' + clock(idle) : clock(left) + ' left';
  $('time').hidden = false;
  $('time').classList.toggle('soon', idling || left < 60);
  $('time').title = 'Until ' + new Date(state.expiresAt).toLocaleTimeString() + `, or when nobody used it for ${clock(state.activityTtl)}`;
  setText($('time').lastElementChild, text);
}
setInterval(renderTime, 1000);

let noticing = 0;
function notice(text) {
  going = null;
  if (state) renderAddress(state.tabs.find((tab) => tab.active));
  $('notice').textContent = text;
  $('notice').hidden = false;
  clearTimeout(noticing);
  noticing = setTimeout(() => { $('notice').hidden = true; }, 5000);
}

// --- cards: what stands between the viewer and the page

let answer = () => {};
let asked = '';

function renderCard(active) {
  const { dialog, interactive } = state;
  if (!active) {
    wipe();
    return showCard({ mark: 'page', title: 'No page open', text: interactive ? 'Open a tab to go on.' : 'All tabs of this session are closed.', yes: interactive && 'New tab', done: () => send({ type: 'open' }) });
  }
  if (dialog) return showCard(question(dialog));
  const reload = { mark: 'alert', yes: interactive && 'Reload', done: () => send({ type: 'reload' }) };
  if (state.crashed) return showCard({ title: 'This page crashed', text: 'The rest of the session goes on.', ...reload });
  if (state.stuck) return showCard({ title: 'The page does not answer', text: 'It is busy, or shows a dialog that was opened before anybody watched.', ...reload });
  hideCard();
}

function question(dialog) {
  const leaving = dialog.kind === 'beforeunload', asks = dialog.kind !== 'alert';
  return {
    title: leaving ? 'Leave this page?' : (dialog.site || 'The page') + (asks ? ' asks' : ' says'),
    text: (leaving && !dialog.message ? 'Changes may not be saved.' : dialog.message) + (state.interactive ? '' : '\n\nIt waits for an answer.'),
    input: state.interactive && dialog.kind === 'prompt' ? dialog.default : undefined,
    no: state.interactive && asks && (leaving ? 'Stay' : 'Cancel'),
    yes: state.interactive && (leaving ? 'Leave' : 'OK'),
    done: (accept, text) => send({ type: 'dialog', accept, text }),
  };
}

function showCard({ mark, title, text, input, yes, no, done }) {
  answer = done ?? (() => {});
  const what = JSON.stringify([mark, title, text, input, yes, no]);
  if (what === asked) return;
  asked = what;
  letGo();
    setIcon($('card-icon'), mark ?? 'page');
  $('card').classList.toggle('asks', !mark);
  $('card-title').textContent = title;
  $('card-text').textContent = text;
  $('card-input').hidden = input === undefined;
  $('card-input').value = input ?? '';
  for (const [id, label] of [['card-yes', yes], ['card-no', no]]) {
    $(id).hidden = !label;
    $(id).textContent = label || '';
  }
  $('card').hidden = false;
  if (document.activeElement === keys || document.activeElement === document.body) (input === undefined ? $('card-yes') : $('card-input')).focus();
}

function hideCard() {
  if (!asked) return;
  asked = '';
  const had = $('card').contains(document.activeElement);
  $('card').hidden = true;
  if (had && state?.interactive) keys.focus({ preventScroll: true });
}

$('form').addEventListener('submit', (event) => {
  event.preventDefault();
  answer(true, $('card-input').value);
});
$('card-no').addEventListener('click', () => answer(false, ''));
$('card').addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !$('card-no').hidden) answer(false, '');
});

// --- pictures

let size = { width: 1280, height: 720 }; // of what is seen of the page, in its own pixels
let newest = null, drawing = false;

// paint draws the newest picture; those that arrive while one is drawn are skipped.
async function paint(data) {
  newest = data;
  if (drawing) return;
  drawing = true;
  while (newest) {
    const header = new DataView(newest, 0, 6), jpeg = new Blob([new Uint8Array(newest, 6)], { type: 'image/jpeg' });
    newest = null;
    if (header.getUint16(0) !== 1) continue;
    try {
      const bitmap = await createImageBitmap(jpeg);
      if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
      paper.drawImage(bitmap, 0, 0);
      bitmap.close();
      size = { width: header.getUint16(2), height: header.getUint16(4) };
      screen.classList.add('painted');
      screen.classList.toggle('dim', document.body.dataset.status !== 'live');
      fit();
    } catch {
      // A picture that cannot be read is skipped too.
    }
  }
  drawing = false;
}

function wipe() {
  screen.classList.remove('painted');
}

// fit makes the picture as large as there is room, within reason.
function fit() {
  const edge = innerWidth < 720 ? 0 : 16;
  const scale = Math.min((stage.clientWidth - 2 * edge) / size.width, (stage.clientHeight - 2 * edge) / size.height, 1.5);
  const width = Math.max(1, Math.floor(size.width * scale)), height = Math.max(1, Math.floor(size.height * scale));
  screen.style.width = width + 'px';
  screen.style.height = height + 'px';
}
new ResizeObserver(fit).observe(stage);
