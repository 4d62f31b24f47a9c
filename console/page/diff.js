// Two texts, line by line: what is gone, what is new, and what is the same.

import { h } from './dom.js';

const mostSteps = 4000; // edits that are looked for, beyond which the rest is replaced

// changes returns [sign, line] for all lines of both: ' ', '-' or '+'.
export function changes(before, after) {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [
    ...a.slice(0, start).map((line) => [' ', line]),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...(end ? a.slice(-end) : []).map((line) => [' ', line]),
  ];
}

// middle finds the shortest edit by Myers' greedy method, within bounds.
function middle(a, b) {
  const replaced = () => [...a.map((line) => ['-', line]), ...b.map((line) => ['+', line])];
  if (!a.length || !b.length) return replaced();
  const most = Math.min(a.length + b.length, mostSteps);
  const trace = [];
  let furthest = new Map([[1, 0]]);
  for (let steps = 0; steps <= most; steps++) {
    trace.push(new Map(furthest));
    for (let k = -steps; k <= steps; k += 2) {
      const down = k === -steps || (k !== steps && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? furthest.get(k + 1) ?? 0 : (furthest.get(k - 1) ?? -1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return back(trace, a, b);
    }
    if (trace.length * steps > 2_000_000) break;
  }
  return replaced();
}

function back(trace, a, b) {
  const out = [];
  let x = a.length;
  let y = b.length;
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const furthest = trace[steps];
    const k = x - y;
    const down = k === -steps || (k !== steps && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
    const from = down ? k + 1 : k - 1;
    const x0 = steps === 0 ? 0 : furthest.get(from) ?? 0;
    const y0 = steps === 0 ? 0 : x0 - from;
    while (x > x0 && y > y0) out.push([' ', a[--x], --y]);
    if (steps > 0) out.push(down ? ['+', b[--y]] : ['-', a[--x]]);
  }
  return out.reverse().map(([sign, line]) => [sign, line]);
}

const around = 3; // lines shown before and after a change

// diff shows the changes, with what is the same left out but for a few lines.
export function diff(before, after) {
  const all = changes(before, after);
  const near = new Set();
  all.forEach(([sign], at) => {
    if (sign !== ' ') for (let i = at - around; i <= at + around; i++) near.add(i);
  });
  if (near.size === 0) return h('p', { class: 'empty' }, 'No difference.');
  const added = all.filter(([sign]) => sign === '+').length;
  const removed = all.filter(([sign]) => sign === '-').length;
  const rows = [];
  let skipped = false;
  all.forEach(([sign, line], at) => {
    if (!near.has(at)) {
      skipped = true;
      return;
    }
    if (skipped) rows.push(h('span', { class: 'gap' }, '⋯\n'));
    skipped = false;
    rows.push(h(sign === '+' ? 'ins' : sign === '-' ? 'del' : 'span', {}, `${sign} ${line}\n`));
  });
  return h('div', {}, h('p', { class: 'soft' }, `${added} lines added, ${removed} removed`), h('pre', { class: 'diff', tabindex: '0' }, rows.slice(0, 5000)));
}
