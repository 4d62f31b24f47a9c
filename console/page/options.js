// The options of a request, made from the OpenAPI document: whatever the API takes can
// be chosen here, with the words of the API.

import { lookUp } from './api.js';
import { fill, h } from './dom.js';

// groups is the order in which options are shown. What it does not name comes last.
const groups = [
  ['What to look for', ['search', 'prompt', 'schema', 'systemPrompt', 'urls', 'showSources', 'enableWebSearch', 'sources', 'categories', 'includeDomains', 'excludeDomains', 'tbs', 'lang', 'country']],
  ['Result', ['formats', 'onlyMainContent', 'includeTags', 'excludeTags', 'removeBase64Images', 'parsers']],
  ['Scope', ['limit', 'maxDiscoveryDepth', 'includePaths', 'excludePaths', 'regexOnFullURL', 'crawlEntireDomain', 'allowSubdomains', 'includeSubdomains', 'allowExternalLinks',
    'filterByPath', 'sitemap', 'ignoreSitemap', 'ignoreQueryParameters', 'deduplicateSimilarURLs', 'ignoreRobotsTxt', 'robotsUserAgent', 'ignoreInvalidURLs', 'maxDepth']],
  ['Fetching', ['proxy', 'location', 'headers', 'mobile', 'waitFor', 'timeout', 'blockAds', 'skipTlsVerification', 'actions', 'profile', 'delay', 'maxConcurrency']],
  ['Cache', ['maxAge', 'minAge', 'lockdown', 'storeInCache', 'ignoreCache', 'zeroDataRetention']],
  ['Events', ['webhook']],
];
const otherGroup = 'More';
const idleGroup = 'Without effect here';
const always = ['url', 'query']; // have a field of their own

// OptionForm edits an object by its schema. It tells of every change by the event edit.
class OptionForm extends HTMLElement {
  value = {};
  words = '';

  set(api, schema, value) {
    Object.assign(this, { api, schema, value });
    this.draw();
  }

  draw() {
    const search = h('input', { type: 'search', placeholder: 'Find an option', 'aria-label': 'Find an option', value: this.words, oninput: () => {
      this.words = search.value.trim().toLowerCase();
      this.filter();
    } });
    this.parts = groupsOf(this.api, this.schema).map(([name, fields], at) => this.group(name, fields, this.value, () => this.changed(), at === 0));
    const pages = this.schema.properties.scrapeOptions;
    if (pages) this.parts.push(...this.nested(pages));
    fill(this, search, this.parts, h('p', { class: 'empty', hidden: true }, 'No option has these words.'));
    this.filter();
  }

  // nested are the options for each page of a job.
  nested(pages) {
    const schema = lookUp(this.api, pages);
    const own = isObject(this.value.scrapeOptions) ? this.value.scrapeOptions : {};
    const changed = () => {
      if (Object.keys(own).length) this.value.scrapeOptions = own;
      else delete this.value.scrapeOptions;
      this.changed();
    };
    return groupsOf(this.api, schema).map(([name, fields]) => this.group(`Each page: ${name.toLowerCase()}`, fields, own, changed));
  }

  // group is a part of the form. Its fields are made when they are first needed.
  group(name, fields, value, changed, open = false) {
    const set = fields.filter(([key]) => key in value).length;
    const part = h('details', { class: 'options', open: open || set > 0, ontoggle: () => part.make() },
      h('summary', {}, name, set > 0 && h('span', { class: 'count' }, String(set))));
    part.make = () => {
      if (part.childElementCount === 1) part.append(...fields.map(([key, schema]) => field(this.api, key, schema, value, changed)));
    };
    if (part.open) part.make();
    return part;
  }

  filter() {
    let found = 0;
    for (const part of this.parts) {
      if (!this.words && part.childElementCount === 1) {
        part.hidden = false;
        found++;
        continue;
      }
      part.make();
      let some = 0;
      for (const option of part.querySelectorAll(':scope > .option')) {
        option.hidden = !this.words.split(/\s+/).every((word) => option.dataset.words.includes(word));
        if (!option.hidden) some++;
      }
      part.hidden = some === 0;
      if (this.words) part.open = some > 0;
      found += some;
    }
    this.querySelector('.empty').hidden = found > 0;
  }

  changed() {
    this.dispatchEvent(new Event('edit'));
  }
}

customElements.define('option-form', OptionForm);

// groupsOf sorts the fields of a schema: [name, [[key, schema]…]]….
function groupsOf(api, schema) {
  const left = new Map(Object.entries(schema.properties ?? {}).filter(([key]) => !always.includes(key) && key !== 'scrapeOptions').map(([key, part]) => [key, lookUp(api, part)]));
  const out = [];
  const idle = [...left].filter(([, part]) => /^(Accepted for compatibility|The older name)/.test(part.description ?? ''));
  for (const [key] of idle) left.delete(key);
  for (const [name, keys] of groups) {
    const fields = keys.filter((key) => left.has(key)).map((key) => [key, left.get(key)]);
    for (const [key] of fields) left.delete(key);
    if (fields.length) out.push([name, fields]);
  }
  if (left.size) out.push([otherGroup, [...left]]);
  if (idle.length) out.push([idleGroup, idle]);
  return out;
}

let ids = 0;

// field is one option: its control, its name and what it does.
function field(api, key, schema, value, changed, depth = 0) {
  const id = `option-${++ids}`;
  const put = (next) => {
    if (next === undefined) delete value[key];
    else value[key] = next;
    row.classList.toggle('set', key in value);
    changed();
  };
  const control = controlOf(api, schema, value[key], put, id, depth);
  const help = h('p', { class: 'help', id: `${id}-help` }, schema.description ?? '', bounds(schema));
  const box = control.type === 'checkbox';
  const compound = ['fieldset', 'div'].includes(control.localName);
  const row = h('div', { class: `option${box ? ' box' : ''}${key in value ? ' set' : ''}`, 'data-words': `${key} ${schema.description ?? ''}`.toLowerCase() },
    box && control,
    compound ? h('span', { class: 'name', id: `${id}-name` }, key) : h('label', { for: id, class: 'name' }, key),
    !box && control, help);
  if (compound) {
    control.setAttribute('role', 'group');
    control.setAttribute('aria-labelledby', `${id}-name`);
  }
  (compound ? control : row.querySelector(`#${id}`))?.setAttribute('aria-describedby', help.id);
  return row;
}

function bounds({ minimum, maximum, default: usual }) {
  const parts = []; // a box shows its default itself
  if (minimum != null && maximum != null && maximum < 1e12) parts.push(`${minimum} to ${maximum}`);
  if (usual !== undefined && !['object', 'boolean'].includes(typeof usual)) parts.push(`usually ${usual}`);
  return parts.length ? ` (${parts.join(', ')})` : '';
}

// A request may have been typed in: what is not of its type is shown as if it were not there.
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const typeOf = (schema) => (Array.isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type);

function controlOf(api, schema, value, put, id, depth) {
  const type = typeOf(schema);
  const mapping = schema.items?.discriminator?.mapping;
  if (type === 'boolean') return checkbox(schema, value, put, id);
  if (schema.enum) return choice(schema, value, put, id);
  if (type === 'integer' || type === 'number') return number(schema, value, put, id);
  if (mapping && schema.items.anyOf?.length > 1) return several(api, schema, mapping, value, put, depth);
  if (mapping) return steps(api, mapping, value, put, depth);
  if (type === 'array' && typeOf(lookUp(api, schema.items)) === 'string') return lines(value, put, id, (text) => text, (text) => text, 'One per line');
  if (schema.additionalProperties?.type === 'string' && !schema.properties) return pairs(value, put, id);
  if (type === 'object' && schema.properties && depth < 3) return object(api, schema, value, put, depth);
  const web = schema.oneOf?.map((part) => lookUp(api, part)).find((part) => part.properties);
  if (web && depth < 3) return object(api, web, typeof value === 'string' ? { url: value } : value, put, depth);
  if (type === 'string') return text(schema, value, put, id);
  return json(value, put, id);
}

function checkbox(schema, value, put, id) {
  const usual = schema.default ?? false;
  const input = h('input', { type: 'checkbox', id, onchange: () => put(input.checked === usual ? undefined : input.checked) });
  input.checked = value ?? usual;
  return input;
}

function choice(schema, value, put, id) {
  const select = h('select', { id, onchange: () => put(select.value || undefined) },
    h('option', { value: '' }, schema.default ? `${schema.default} (usual)` : 'not set'),
    schema.enum.filter((one) => one !== schema.default).map((one) => h('option', { value: one }, one)));
  select.value = value === schema.default ? '' : value ?? '';
  return select;
}

function number(schema, value, put, id) {
  const input = h('input', {
    type: 'number', id, step: typeOf(schema) === 'integer' ? 1 : 'any', min: schema.minimum, max: schema.maximum, placeholder: schema.default ?? '', value,
    oninput: () => put(input.value === '' ? undefined : Number(input.value)),
  });
  return input;
}

function text(schema, value, put, id) {
  const long = schema.maxLength >= 5000;
  const input = h(long ? 'textarea' : 'input', { id, rows: long ? 2 : null, type: long ? null : 'text', spellcheck: 'false', placeholder: schema.default ?? '', oninput: () => put(input.value || undefined) });
  input.value = typeof value === 'string' ? value : '';
  return input;
}

// lines is a list, one entry a line.
function lines(value, put, id, read, write, placeholder) {
  const area = h('textarea', { id, rows: 2, spellcheck: 'false', placeholder, oninput: () => {
    const all = area.value.split('\n').map((line) => line.trim()).filter(Boolean).map(read);
    put(all.length ? all : undefined);
  } });
  area.value = (Array.isArray(value) ? value : []).map((one) => (typeof one === 'string' ? write(one) : JSON.stringify(one))).join('\n');
  return area;
}

// pairs is an object of texts, one "name: value" a line.
function pairs(value, put, id) {
  const area = h('textarea', { id, rows: 2, spellcheck: 'false', placeholder: 'Name: value', oninput: () => {
    const all = area.value.split('\n').map((line) => /^([^:]+):\s*(.*)$/.exec(line.trim())).filter(Boolean);
    put(all.length ? Object.fromEntries(all.map(([, name, text]) => [name.trim(), text])) : undefined);
  } });
  area.value = Object.entries(isObject(value) ? value : {}).map(([name, one]) => `${name}: ${one}`).join('\n');
  return area;
}

function object(api, schema, value, put, depth) {
  const own = isObject(value) ? value : {};
  const changed = () => put(Object.keys(own).length ? own : undefined);
  return h('fieldset', {}, Object.entries(schema.properties).filter(([key]) => key !== 'type').map(([key, part]) => field(api, key, lookUp(api, part), own, changed, depth + 1)));
}

// json is any value.
function json(value, put, id) {
  const area = h('textarea', { id, rows: 3, spellcheck: 'false', placeholder: 'JSON', oninput: () => {
    try {
      put(area.value.trim() ? JSON.parse(area.value) : undefined);
      area.setCustomValidity('');
    } catch {
      area.setCustomValidity('This is not JSON.');
    }
  } });
  area.value = value === undefined ? '' : JSON.stringify(value, null, 2);
  return area;
}

// several chooses among named things, each once, some with options of their own.
function several(api, schema, mapping, value, put, depth) {
  const usual = (schema.default ?? []).map((one) => one.type ?? one);
  const chosen = new Map((Array.isArray(value) ? value : usual).filter((one) => typeof one === 'string' || isObject(one)).map((one) => [one.type ?? one, one]));
  const tell = () => {
    const all = [...chosen.values()];
    put(JSON.stringify(all.map((one) => one.type ?? one)) === JSON.stringify(usual) && all.every((one) => typeof one === 'string') ? undefined : all);
  };
  const inner = h('div', { class: 'inner' });
  const draw = () => fill(inner, [...chosen].map(([name, one]) => {
    const own = typeof one === 'string' ? { type: one } : one;
    const parts = Object.entries(lookUp(api, { $ref: mapping[name] }).properties ?? {})
      .filter(([key, part]) => key !== 'type' && !/^Accepted for compat/.test(part.description ?? ''));
    if (!parts.length || depth > 1) return null;
    return h('details', { class: 'inner', open: typeof one !== 'string' }, h('summary', {}, name), parts.map(([key, part]) => field(api, key, lookUp(api, part), own, () => {
      chosen.set(name, Object.keys(own).length > 1 ? own : name);
      tell();
    }, depth + 1)));
  }));
  const names = schema.items.oneOf?.find((part) => part.enum)?.enum ?? Object.keys(mapping);
  const chips = names.map((name) => {
    const box = h('input', { type: 'checkbox', onchange: () => {
      if (box.checked) chosen.set(name, name);
      else chosen.delete(name);
      draw();
      tell();
    } });
    box.checked = chosen.has(name);
    return h('label', { class: 'chip' }, box, h('span', {}, name));
  });
  draw();
  return h('div', {}, h('div', { class: 'chips' }, chips), inner);
}

// steps is a list of things of several kinds, in their order.
function steps(api, mapping, value, put, depth) {
  const all = Array.isArray(value) ? value.filter(isObject) : [];
  const list = h('ol', { class: 'steps' });
  const tell = () => put(all.length ? all : undefined);
  const draw = () => fill(list, all.map((step, index) => h('li', {},
    h('div', { class: 'row' }, h('strong', {}, String(step.type)), h('button', { type: 'button', class: 'quiet', 'aria-label': `Remove step ${index + 1}, ${step.type}`, onclick: () => {
      all.splice(index, 1);
      draw();
      tell();
    } }, 'Remove')),
    Object.entries(mapping[step.type] ? lookUp(api, { $ref: mapping[step.type] }).properties : {}).filter(([key]) => key !== 'type')
      .map(([key, part]) => field(api, key, lookUp(api, part), step, tell, depth + 1)))));
  const add = h('select', { 'aria-label': 'Add a step', onchange: () => {
    if (add.value) all.push({ type: add.value });
    add.value = '';
    draw();
    tell();
  } }, h('option', { value: '' }, 'Add a step…'), Object.keys(mapping).map((name) => h('option', { value: name }, name)));
  draw();
  return h('div', {}, list, add);
}
