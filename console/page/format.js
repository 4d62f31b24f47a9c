// Numbers, times and sizes as people read them.

const numbers = new Intl.NumberFormat('en');
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export const count = (value) => (value == null ? '–' : numbers.format(value));

// plural is a number with its noun.
export const plural = (value, noun, many = `${noun}s`) => `${count(value)} ${value === 1 ? noun : many}`;

export function duration(ms) {
  if (ms == null || !Number.isFinite(ms)) return '–';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

export function bytes(size) {
  if (size == null) return '–';
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let at = 0;
  for (; size >= 1000 && at < units.length - 1; at++) size /= 1000;
  return `${size.toFixed(at > 0 && size < 10 ? 1 : 0)} ${units[at]}`;
}

// ago says how long since, or until.
export function ago(time, now = Date.now()) {
  if (!time) return '–';
  const seconds = (new Date(time) - now) / 1000;
  for (const [unit, length] of [['day', 86400], ['hour', 3600], ['minute', 60]]) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(Math.trunc(seconds), 'second');
}

export const clock = (time) => (time ? new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }) : '–');

// written is JSON on as few lines as are easy to read: a short list stands on one.
export function written(value, indent = '') {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  const list = Array.isArray(value);
  const parts = list ? value.map((one) => written(one, inner)) : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${written(one, inner)}`);
  const [open, close] = list ? '[]' : '{}';
  const line = open + parts.join(', ') + close;
  if (parts.length === 0 || (indent && line.length < 56 && !line.includes('\n'))) return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
