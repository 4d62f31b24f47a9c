// What people do in the view. This file is served as the end of view.js.

// --- the mouse

const held = { x: 0, y: 0, at: 0, button: -1, clicks: 0 }; // the last click
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
  Object.assign(held, { x: event.clientX, y: event.clientY });
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

// --- lists that the page drops down, which are in no picture

const choices = $('choices');

function showList(options) {
  choices.replaceChildren(...options.map(({ text, off, chosen }) => Object.assign(new Option(text, '', chosen, chosen), { disabled: off })));
  choices.size = Math.min(Math.max(options.length, 2), 12);
  const box = $('list');
  if (!box.open) box.showModal();
  const near = (at, most) => Math.max(Math.min(at, most - 8), 8) + 'px';
  box.style.left = near(held.x - 24, innerWidth - box.offsetWidth);
  box.style.top = near(held.y + 14, innerHeight - box.offsetHeight);
  choices.focus();
}

function choose(index) {
  send({ type: 'choose', index });
  $('list').close();
  keys.focus({ preventScroll: true });
}

choices.addEventListener('click', (event) => {
  if (event.target instanceof HTMLOptionElement && !event.target.disabled) choose(event.target.index);
});
choices.addEventListener('keydown', (event) => { if (event.key === 'Enter') choose(choices.selectedIndex); });
$('list').addEventListener('cancel', () => choose(-1));
$('list').addEventListener('click', (event) => { if (event.target === $('list')) choose(-1); }); // beside it

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
