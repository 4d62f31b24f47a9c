// The API, as every client sees it. The key is kept for the tab alone.

// root is where the API is: one level above the console, whatever stands before that.
export const root = new URL('..', import.meta.url);

const store = 'trawl.key';

export const key = () => sessionStorage.getItem(store) ?? '';

export function setKey(value) {
  if (value) sessionStorage.setItem(store, value);
  else sessionStorage.removeItem(store);
}

// Problem is an answer that is not a success, or none at all.
export class Problem extends Error {
  constructor(status, body = {}) {
    super(words(status, body));
    this.status = status;
    this.code = body.code;
    this.details = body.details;
  }

  // missing tells a route that this server does not have from a thing that is not there.
  get missing() {
    return this.status === 404 && /nothing at this path/i.test(this.message);
  }
}

function words(status, body) {
  if (body.error) return String(body.error);
  if (status === 0) return 'The server cannot be reached.';
  if (status === 502 || status === 503 || status === 504) return 'The server does not answer at the moment.';
  return `The server answered with the status ${status}.`;
}

// signedOut is called when a key does not count any more.
let signedOut = () => {};
export const onSignedOut = (act) => { signedOut = act; };

// request sends a request and returns the response, if it is a success.
export async function request(method, path, { body, form, accept, signal, secret = key() } = {}) {
  const headers = {};
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (accept) headers.Accept = accept;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(new URL(path, root), {
      method, headers, signal, body: form ?? (body === undefined ? undefined : JSON.stringify(body)), credentials: 'omit', cache: 'no-store',
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0);
  }
  if (response.ok) return response;
  const problem = new Problem(response.status, await response.json().catch(() => ({})));
  if (response.status === 401 && secret === key()) signedOut();
  throw problem;
}

export const call = async (method, path, options) => (await request(method, path, options)).json();
export const get = (path, options) => call('GET', path, options);

// optional is get, but null where this server has no such route, or not for this key.
export async function optional(path, options) {
  try {
    return await get(path, options);
  } catch (error) {
    if (error.missing || error.status === 403) return null;
    throw error;
  }
}

// query writes parameters; those without a value are left out.
export function query(values) {
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value != null && value !== '')).toString();
  return text && '?' + text;
}

// pages yields page after page of a list that has a cursor.
export async function* pages(path, values, options) {
  for (let cursor; ;) {
    const page = await get(path + query({ ...values, cursor }), options);
    yield page;
    cursor = page.cursor;
    if (cursor == null || !(page.hasMore ?? page.has_more)) return;
  }
}

let described;

// description is the OpenAPI document, read once.
export function description() {
  described ??= get('openapi.json').catch((error) => {
    described = undefined;
    throw error;
  });
  return described;
}

// file is where the schema names a part of itself.
export const lookUp = (document, schema) => (schema?.$ref
  ? { ...schema.$ref.split('/').slice(1).reduce((at, part) => at[part], document), ...(schema.description && { description: schema.description }) }
  : schema ?? {});
