// The page on which a browser session is watched. It opens a socket at its own
// address, draws the pictures that arrive, shows what the server says around
// them and, if it may take part, sends gestures. Whether it may is up to the
// server, which takes nothing from those who may only look.

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

// --- the mouse

const held = { buttons: 0, x: 0, y: 0, at: 0, button: -1, clicks: 0 };
let moved = null, wheel = null, planned = 0;

const onMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

function modifiersOf(event) {
  const control = event.ctrlKey || onMac && event.metaKey, meta = event.metaKey && !onMac;
  return (event.altKey ? 1 : 0) | (control ? 2 : 0) | (meta ? 4 : 0) | (event.shiftKey ? 8 : 0);
}

function place(event) {
  const box = canvas.getBoundingClientRect();
  const within = (n) => Math.min(Math.max(n, 0), 1);
  return { x: within((event.clientX - box.left) / box.width), y: within((event.clientY - box.top) / box.height) };
}

const mouse = (kind, event, more) => ({ type: 'mouse', kind, ...place(event), buttons: event.buttons, modifiers: modifiersOf(event), ...more });

// later sends movements once per picture of the screen, and not each of them.
function later() {
  planned ||= requestAnimationFrame(flush);
}

function flush() {
  cancelAnimationFrame(planned);
  planned = 0;
  if (moved) send(moved);
  if (wheel) send(wheel);
  moved = wheel = null;
}

const takesPart = () => state?.interactive && !over && $('card').hidden && !screen.classList.contains('dim');

canvas.addEventListener('pointermove', (event) => {
  if (!takesPart()) return;
  if (event.pointerType === 'touch') return drag(event);
  moved = mouse('move', event);
  later();
});

canvas.addEventListener('pointerdown', (event) => {
  if (!takesPart()) return;
  event.preventDefault();
  canvas.setPointerCapture(event.pointerId);
  if (event.pointerType === 'touch') return touch(event);
  grab(event);
  flush();
  const again = event.button === held.button && event.timeStamp - held.at < 500 && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 5;
  Object.assign(held, { x: event.clientX, y: event.clientY, at: event.timeStamp, button: event.button, clicks: again ? held.clicks % 3 + 1 : 1 });
  send(mouse('down', event, { button: event.button, clicks: held.clicks }));
});

canvas.addEventListener('pointerup', (event) => {
  if (!takesPart()) return;
  if (event.pointerType === 'touch') return tap(event);
  flush();
  send(mouse('up', event, { button: event.button, clicks: held.clicks || 1 }));
});

canvas.addEventListener('mousedown', (event) => { if (state?.interactive) event.preventDefault(); }); // it would take the focus away again
canvas.addEventListener('contextmenu', (event) => { if (state?.interactive) event.preventDefault(); });
canvas.addEventListener('auxclick', (event) => event.preventDefault());

canvas.addEventListener('wheel', (event) => {
  if (!takesPart()) return;
  event.preventDefault();
  const unit = [1, 16, size.height][event.deltaMode] ?? 1;
  wheel = { type: 'wheel', ...place(event), dx: (wheel?.dx ?? 0) + event.deltaX * unit, dy: (wheel?.dy ?? 0) + event.deltaY * unit, modifiers: modifiersOf(event) };
  later();
}, { passive: false });

// Fingers: a tap is a click, a movement scrolls.
let finger = null;

function touch(event) {
  finger = { x: event.clientX, y: event.clientY, far: false };
}

function drag(event) {
  if (!finger) return;
  const dx = finger.x - event.clientX, dy = finger.y - event.clientY;
  if (!finger.far && Math.hypot(dx, dy) < 8) return;
  const scale = size.width / canvas.getBoundingClientRect().width;
  wheel = { type: 'wheel', ...place(event), dx: (wheel?.dx ?? 0) + dx * scale, dy: (wheel?.dy ?? 0) + dy * scale, modifiers: 0 };
  finger = { x: event.clientX, y: event.clientY, far: true };
  later();
}

function tap(event) {
  if (finger && !finger.far) {
    send(mouse('move', event, { buttons: 0 }));
    send(mouse('down', event, { buttons: 1, button: 0, clicks: 1 }));
    send(mouse('up', event, { buttons: 0, button: 0, clicks: 1 }));
  }
  finger = null;
}

canvas.addEventListener('pointercancel', () => { finger = null; });

// --- the keyboard: a field that is never seen takes what is typed, so that dead
// keys and input methods work

const pressed = new Map(); // keys that are down in the session

// grab takes the keyboard, at the place of a click: input methods open there.
function grab(event) {
  const box = screen.getBoundingClientRect();
  keys.style.left = Math.min(Math.max(event.clientX - box.left, 0), box.width - 2) + 'px';
  keys.style.top = Math.min(Math.max(event.clientY - box.top, 0), box.height - 20) + 'px';
  keys.focus({ preventScroll: true });
}

// letGo lifts the keys that are still down: their end will not be seen here.
function letGo() {
  for (const message of pressed.values()) send({ ...message, kind: 'up', text: '' });
  pressed.clear();
  keys.value = '';
}
keys.addEventListener('blur', letGo);

const writes = (event) => [...event.key].length === 1;

function stroke(kind, event) {
  const graph = event.getModifierState('AltGraph') || onMac && event.altKey && !event.metaKey && !event.ctrlKey;
  let modifiers = modifiersOf(event);
  if (graph && writes(event)) modifiers &= 8; // it is how the character is written
  let text = '';
  if (kind === 'down' && !(modifiers & 7)) text = writes(event) ? event.key : event.key === 'Enter' ? '\r' : '';
  const message = { type: 'key', kind, key: event.key, code: event.code, keyCode: event.keyCode, location: event.location, repeat: event.repeat, modifiers, text };
  if (onMac && event.key === 'Meta') Object.assign(message, { key: 'Control', code: 'ControlLeft', keyCode: 17, location: 1 }); // as the session, which is no Mac, has it
  return message;
}

keys.addEventListener('keydown', (event) => {
  if (event.isComposing || event.keyCode === 229 || ['Dead', 'Process', 'Unidentified', 'AltGraph'].includes(event.key)) return; // it writes by other ways
  if (event.key === 'Escape' && event.shiftKey) {
    event.preventDefault();
    address.focus();
    return;
  }
  const command = (event.ctrlKey || onMac && event.metaKey) && !event.altKey;
  const key = event.key.toLowerCase();
  if (command && key === 'v') return; // what is pasted arrives as such
  event.preventDefault();
  if (command && (key === 'c' || key === 'x')) {
    cutting = key === 'x' ? stroke('down', event) : null;
    send({ type: 'copy' });
    if (cutting) return;
  }
  const message = stroke('down', event);
  pressed.set(event.code || event.key, message);
  send(message);
});

keys.addEventListener('keyup', (event) => {
  const id = event.code || event.key;
  if (!pressed.has(id)) return;
  event.preventDefault();
  const down = pressed.get(id);
  pressed.delete(id);
  send({ ...stroke('up', event), key: down.key });
  if (onMac && event.key === 'Meta') letGo(); // no key that was held with it tells of its end
});

keys.addEventListener('compositionend', (event) => {
  write(event.data);
  keys.value = '';
});

// What was typed without keys that could be told: by keyboards on glass, mostly.
keys.addEventListener('input', (event) => {
  if (event.isComposing || event.inputType === 'insertCompositionText') return;
  if (event.inputType === 'deleteContentBackward') strike('Backspace', 8);
  else if (event.inputType === 'insertLineBreak') strike('Enter', 13, '\r');
  else if (event.inputType !== 'insertFromComposition') write(event.data ?? '');
  keys.value = '';
});

function strike(key, keyCode, text = '') {
  const message = { type: 'key', key, code: key, keyCode, modifiers: 0 };
  send({ ...message, kind: 'down', text });
  send({ ...message, kind: 'up' });
}

function write(text) {
  if (text) send({ type: 'text', text: text.slice(0, 200_000) });
}

keys.addEventListener('paste', (event) => {
  event.preventDefault();
  write(event.clipboardData.getData('text/plain'));
});

let cutting = null;

// copied takes what is selected in the page to the clipboard here. What is to be cut
// is taken out of the page only then.
async function copied(text) {
  if (cutting) {
    send(cutting);
    send({ ...cutting, kind: 'up' });
    cutting = null;
  }
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    keys.value = text; // without the newer way, there is the older one
    keys.select();
    document.execCommand('copy');
    keys.value = '';
  }
}

// --- the controls

$('back').addEventListener('click', () => send({ type: 'back' }));
$('forward').addEventListener('click', () => send({ type: 'forward' }));
$('reload').addEventListener('click', () => send({ type: state?.loading ? 'stop' : 'reload' }));
$('open').addEventListener('click', () => { send({ type: 'open' }); address.focus(); });
$('keyboard').addEventListener('click', () => keys.focus());

address.addEventListener('focus', () => { if (!address.readOnly) address.select(); });
address.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !state) return;
  address.blur();
  renderAddress(state.tabs.find((tab) => tab.active));
});
address.addEventListener('blur', () => { if (state) renderAddress(state.tabs.find((tab) => tab.active)); });
$('bar').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = address.value.trim();
  if (!typed || address.readOnly) return;
  const active = state.tabs.find((tab) => tab.active);
  going = { tab: active?.id, from: active?.address, to: typed, began: false };
  send({ type: 'go', address: typed });
  keys.focus({ preventScroll: true });
});

// --- and go

const { ended } = document.body.dataset;
if (ended) finish(ended);
else connect();
