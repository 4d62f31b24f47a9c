// Server-sent events over fetch: an EventSource cannot send the key.

import { Problem, request } from './api.js';

const pauses = [500, 1000, 2000, 5000, 10000];

// follow calls heard(name, data) for each event and lost() whenever the connection is
// gone, and comes back until the stream says that it is done or the signal ends it.
export async function follow(path, signal, heard, lost) {
  for (let failures = 0; !signal.aborted;) {
    try {
      const response = await request('GET', path, { accept: 'text/event-stream', signal });
      for await (const event of events(response.body)) {
        failures = 0;
        heard(event.name, event.data);
        if (event.name === 'done' || event.name === 'error') return;
      }
    } catch (error) {
      if (signal.aborted || error.name === 'AbortError') return;
      if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429) throw error;
    }
    lost();
    await pause(pauses[Math.min(failures++, pauses.length - 1)], signal);
  }
}

// events yields the events of a body.
async function* events(body) {
  let rest = '';
  for await (const chunk of decoded(body)) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { name: 'message', data: '' };
      for (const line of block.split('\n')) {
        if (line.startsWith('event: ')) event.name = line.slice(7);
        if (line.startsWith('data: ')) event.data += line.slice(6);
      }
      if (event.data) yield { name: event.name, data: JSON.parse(event.data) };
    }
  }
}

async function* decoded(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// pause waits for a time, and as long as nobody sees the page, but not longer than the signal.
export function pause(ms, signal) {
  const { promise, resolve } = Promise.withResolvers();
  const seen = () => {
    if (!document.hidden) resolve();
  };
  const timer = setTimeout(() => {
    document.addEventListener('visibilitychange', seen);
    seen();
  }, ms);
  signal?.addEventListener('abort', resolve, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
    signal?.removeEventListener('abort', resolve);
  });
}
