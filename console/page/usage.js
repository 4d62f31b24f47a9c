// Usage: credits by day, and what is in use now.

import { get, optional, query } from './api.js';
import { empty, fill, foreign, h, problem, table } from './dom.js';
import { count } from './format.js';

const colours = 8; // that the style sheet has for series

class UsageScreen extends HTMLElement {
  days = 30;
  by = 'endpoint';

  connectedCallback() {
    const choose = (label, key, values) => {
      const element = h('select', { 'aria-label': label, onchange: () => {
        this[key] = element.value;
        this.load();
      } }, values.map(([value, text]) => h('option', { value }, text)));
      return element;
    };
    this.now = h('dl', { class: 'facts tiles' });
    this.chart = h('div');
    fill(this, h('div', { class: 'head' }, h('h1', {}, 'Usage'), h('div', { class: 'row' },
      choose('Time', 'days', [[30, 'Last 30 days'], [7, 'Last 7 days'], [90, 'Last 90 days'], [366, 'Last year']]), choose('Split by', 'by', [['endpoint', 'By request'], ['apiKey', 'By key']]))), this.now, this.chart);
    this.load();
  }

  resume() {
    this.load();
  }

  async load() {
    try {
      const [left, queue, slots, used] = await Promise.all([get('v2/team/credit-usage'), get('v2/team/queue-status'), get('v2/concurrency-check'), optional(`v2/team/usage${query({ days: this.days })}`)]);
      const unlimited = left.data.planCredits >= 999999999;
      fill(this.now, [['Credits left', unlimited ? 'no limit' : count(left.data.remainingCredits)], ['Granted', unlimited ? '–' : count(left.data.planCredits)],
        ['In use now', `${count(slots.concurrency)} of ${count(slots.maxConcurrency)}`], ['Waiting', count(queue.waitingJobsInQueue)]].map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
      if (used) this.draw(used.data);
      else await this.months();
    } catch (error) {
      if (error.status !== 401) fill(this.chart, problem(error));
    }
  }

  // months is what older servers know.
  async months() {
    const { periods } = await get('v2/team/credit-usage/historical?byApiKey=true');
    fill(this.chart, h('p', { class: 'warning' }, 'Usage by day is not available here. By month:'),
      table('Usage by month', ['Month', 'Key', '#Credits'], periods.map((period) => h('tr', {}, h('td', {}, period.startDate.slice(0, 7)), h('td', {}, foreign(period.apiKey ?? '')), h('td', { class: 'number' }, count(period.creditsUsed))))));
  }

  draw(rows) {
    if (rows.length === 0) {
      fill(this.chart, empty('Nothing was used in this time.'));
      return;
    }
    const name = (row) => row[this.by] ?? (this.by === 'apiKey' ? 'no key' : 'other');
    const series = [...new Set(rows.map(name))].sort();
    const days = allDays(Number(this.days));
    const sums = new Map();
    for (const row of rows) {
      const at = `${row.date} ${name(row)}`;
      const sum = sums.get(at) ?? { credits: 0, requests: 0 };
      sum.credits += row.credits;
      sum.requests += row.requests;
      sums.set(at, sum);
    }
    const value = (day, one) => sums.get(`${day} ${one}`)?.credits ?? 0;
    const total = rows.reduce((sum, row) => sum + row.credits, 0);
    fill(this.chart, h('figure', {}, h('figcaption', {}, `${count(total)} credits in ${this.days} days`), chart(days, series, value), h('ul', { class: 'legend' }, series.map((one, at) => h('li', {}, h('span', { class: `dot series${at % colours}`, 'aria-hidden': 'true' }), foreign(one, 100))))),
      table('Usage by day', ['Day', ...series.map((one) => `#${one.slice(0, 100)}`), '#Credits', '#Requests'], days.filter((day) => series.some((one) => sums.has(`${day} ${one}`))).reverse().map((day) => h('tr', {}, h('th', { scope: 'row' }, day),
        series.map((one) => h('td', { class: 'number' }, count(value(day, one)))), h('td', { class: 'number' }, count(series.reduce((sum, one) => sum + value(day, one), 0))),
        h('td', { class: 'number' }, count(series.reduce((sum, one) => sum + (sums.get(`${day} ${one}`)?.requests ?? 0), 0)))))));
  }
}

// allDays are the last days in UTC, oldest first.
function allDays(size) {
  return Array.from({ length: size }, (_, at) => new Date(Date.now() - (size - 1 - at) * 86400000).toISOString().slice(0, 10));
}

const width = 800;
const height = 180;

// chart is a bar of stacked parts for each day. The table below it says the same.
function chart(days, series, value) {
  const most = Math.max(1, ...days.map((day) => series.reduce((sum, one) => sum + value(day, one), 0)));
  const step = width / days.length;
  const bars = days.map((day, at) => {
    let top = height;
    return h('g', {}, series.map((one, colour) => {
      const size = (height * value(day, one)) / most;
      top -= size;
      return size > 0 && h('rect', { x: at * step + step * 0.1, y: top, width: step * 0.8, height: size, class: `series${colour % colours}` }, h('svg:title', {}, `${day}: ${count(value(day, one))} ${one}`));
    }));
  });
  return h('div', { class: 'chart' }, h('span', { class: 'soft' }, count(most)),
    h('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Credits by day; the table has the numbers', preserveAspectRatio: 'none' }, h('line', { x1: 0, x2: width, y1: height, y2: height }), bars),
    h('div', { class: 'row soft' }, h('span', {}, days[0]), h('span', {}, days.at(-1))));
}

customElements.define('usage-screen', UsageScreen);
