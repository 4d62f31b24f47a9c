// A screen that looks again and again for as long as it is shown. What extends it has
// begin, which makes its parts, load, which fills them, and wait, which says for how many
// milliseconds that is good.

import { pause } from './stream.js';

export class Watching extends HTMLElement {
  connectedCallback() {
    this.stop = new AbortController();
    this.begin();
    this.watch(this.stop.signal);
  }

  disconnectedCallback() {
    this.stop.abort();
  }

  resume() {
    this.stop.abort();
    this.connectedCallback();
  }

  async watch(signal) {
    while (!signal.aborted) {
      await this.load(signal);
      await pause(this.wait(), signal);
    }
  }
}
