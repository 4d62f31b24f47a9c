// What the drivers share: a browser on the console, which fails when a request leaves
// the origin, something is refused by the policy, a script fails or a dialog opens.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const packages = process.env.CONSOLE_PACKAGES;
const require = createRequire(`${packages}/`);
const { chromium } = require('playwright-core');

export const base = process.env.CONSOLE_URL; // ends in /console/
export const key = process.env.TRAWL_API_KEY;
export const site = process.env.SITE_URL;
export const axe = () => require.resolve('axe-core');

let browser;
const complaints = [];

// open opens the console in a browser of its own; people means that a key is typed in.
export async function open({ colorScheme = 'light', width = 1280, hash = `#key=${key}` } = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'], timeout: 0 });
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(0); // who runs this ends it when nothing more comes
  const page = await context.newPage();
  const { origin } = new URL(base);
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol) && url.host !== new URL(origin).host) complaints.push(`a request to ${url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.stack));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  // An answer with an error status is a line of its own, and what some tests are about. The
  // view of a session that has ended asks for it until it is told so.
  const expected = /^Failed to load resource|^WebSocket connection to '[^']*\/live\/[^']*' failed: .*response code: 410$/;
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text());
  });
  await context.exposeBinding('complain', (_, text) => complaints.push(text));
  await context.addInitScript(() => addEventListener('securitypolicyviolation', (event) => complain(`the policy refused ${event.violatedDirective} ${event.blockedURI}`)));
  await page.goto(base + hash);
  return page;
}

// tab chooses a tab by its name, whatever number is beside it.
export const tab = (page, name) => page.getByRole('tab', { name: new RegExp(`^${name}\\b`) }).first().click();

// screen goes to a screen by a click.
export const screen = (page, name) => page.locator('#screens').getByText(name, { exact: true }).click();

// narrow fails if something is wider than the window.
export async function narrow(page, what) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert(wide <= window, `${what} is ${wide} pixels wide in a window of ${window}`);
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

// ask has the test that runs this do something.
export async function ask(what) {
  console.log(what);
  return (await lines.next()).value;
}

// end fails if there were complaints.
export async function end() {
  await browser.close();
  assert.deepEqual(complaints, []);
  process.exit(0);
}
