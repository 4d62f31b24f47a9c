// A list of any length of which only the part in sight is in the document.

import { h } from './dom.js';

const height = 28; // of a row, as in the style sheet
const spare = 12; // rows beyond what is in sight
const mostHeight = 30_000_000; // of an element, which browsers bound

// VirtualList shows rows of one height. By keyboard it is used like a tree, of which one
// row is chosen, and calls onkey for keys that it does not know itself; as a plain list it
// only scrolls.
class VirtualList extends HTMLElement {
  rows = [];
  current = 0;
  #from = -1;
  #to = -1;
  #drawn = new Map(); // rows in the document, by index

  // set says what to show: render(row, index) makes the element of a row.
  set({ rows, render, label, role = 'list', item = 'listitem', onchoose, onkey }) {
    Object.assign(this, { rows, render, onchoose, onkey, item, chosen: role !== 'list' });
    this.setAttribute('role', role);
    this.setAttribute('aria-label', label);
    this.refresh();
  }

  connectedCallback() {
    if (!this.space) {
      this.space = h('div', { class: 'space', role: 'presentation' });
      this.append(this.space);
      this.tabIndex = 0;
      this.addEventListener('scroll', () => this.#draw(), { passive: true });
      this.addEventListener('keydown', (event) => this.#key(event));
      this.addEventListener('click', (event) => {
        const row = event.target.closest('[data-index]');
        if (row) this.choose(Number(row.dataset.index));
      });
    }
    this.size = new ResizeObserver(() => this.#draw());
    this.size.observe(this);
    this.#draw(true);
  }

  disconnectedCallback() {
    this.size.disconnect();
  }

  // refresh draws anew after rows have changed.
  refresh() {
    this.current = Math.min(this.current, Math.max(0, this.rows.length - 1));
    this.#draw(true);
  }

  choose(index) {
    this.current = index;
    this.onchoose?.(this.rows[index], index);
    this.#draw(true);
  }

  // go makes a row the current one and brings it into sight.
  go(index) {
    this.current = Math.max(0, Math.min(index, this.rows.length - 1));
    const top = this.current * height;
    if (top < this.scrollTop) this.scrollTop = top;
    else if (top + height > this.scrollTop + this.clientHeight) this.scrollTop = top + height - this.clientHeight;
    this.#draw(true);
  }

  #key(event) {
    if (!this.chosen) return;
    const page = Math.max(1, Math.floor(this.clientHeight / height) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step) this.go(this.current + step);
    else if (event.key === 'Enter' || event.key === ' ') this.choose(this.current);
    else if (!this.onkey?.(event.key, this.rows[this.current], this.current)) return;
    event.preventDefault();
  }

  #draw(anew = false) {
    if (!this.isConnected || !this.space) return;
    if (anew) this.style.height = `${this.rows.length * height + 2}px`; // up to the most that the style allows
    const from = Math.max(0, Math.floor(this.scrollTop / height) - spare);
    const to = Math.min(this.rows.length, Math.ceil((this.scrollTop + this.clientHeight) / height) + spare);
    if (!anew && from === this.#from && to === this.#to) return;
    this.#from = from;
    this.#to = to;
    this.space.style.height = `${Math.min(mostHeight, this.rows.length * height)}px`;
    if (anew) {
      this.#drawn.clear();
      this.space.replaceChildren();
    }
    for (const [index, row] of this.#drawn) {
      if (index >= from && index < to) continue;
      row.remove();
      this.#drawn.delete(index);
    }
    for (let index = from; index < to; index++) {
      if (this.#drawn.has(index)) continue;
      const row = this.#row(index);
      this.#drawn.set(index, row);
      this.space.append(row);
    }
    const current = this.chosen && this.current >= from && this.current < to && this.rows.length ? `${this.id || 'row'}-${this.current}` : null;
    if (current) this.setAttribute('aria-activedescendant', current);
    else this.removeAttribute('aria-activedescendant');
  }

  #row(index) {
    const row = this.render(this.rows[index], index);
    row.id = `${this.id || 'row'}-${index}`;
    row.dataset.index = index;
    row.setAttribute('role', this.item);
    row.setAttribute('aria-setsize', this.rows.length);
    row.setAttribute('aria-posinset', index + 1);
    if (this.chosen) row.setAttribute('aria-selected', String(index === this.current));
    row.style.transform = `translateY(${index * height}px)`;
    return row;
  }
}

customElements.define('virtual-list', VirtualList);
