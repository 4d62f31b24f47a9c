// Measures how a page looks: which colours cover it, how its text is set, what its
// buttons, fields, logos and icons are like. It decides nothing, changes nothing
// and never throws. Runs in an isolated world, so the functions of the language are
// the browser's own; but names in a page's forms hide properties of documents and
// forms, wherefore the ones that matter are read through their prototypes.
//
// The files of this folder are the body of one function, one after the other. It is
// given the time that it may take, in milliseconds.
// This one has the bounds, the tools and the result.
const started = performance.now();
const most = {elements: 3000, footer: 300, time, footerTime: time / 4, children: 3000, rules: 4000, svg: 50000, drawings: 300000, attempts: 40, shapes: 400, searches: 200, result: 500000};

const reader = (prototype, name) => {
	const get = Object.getOwnPropertyDescriptor(prototype, name).get;
	return object => get.call(object);
};
const rootOf = reader(Document.prototype, 'documentElement'), bodyOf = reader(Document.prototype, 'body');
const titleOf = reader(Document.prototype, 'title'), sheetsOf = reader(Document.prototype, 'styleSheets');
const shadowOf = reader(Element.prototype, 'shadowRoot'), firstOf = reader(Element.prototype, 'firstElementChild');
const nextOf = reader(Element.prototype, 'nextElementSibling'), nameOf = reader(Element.prototype, 'localName');
const nodesOf = reader(Node.prototype, 'firstChild');
const attribute = (element, name) => Element.prototype.getAttribute.call(element, name) || '';
const box = element => Element.prototype.getBoundingClientRect.call(element);
const find = selector => Document.prototype.querySelectorAll.call(document, selector);
const attempt = (make, otherwise) => { try { return make(); } catch { return otherwise; } };
let deadline = started + most.time;
const late = () => performance.now() > deadline;
const short = (text, length) => String(text || '').replace(/\s+/g, ' ').trim().slice(0, length);
const hundredths = number => Math.round(number * 100) / 100 || 0;
const tenths = number => Math.round(number * 10) / 10;
const pixels = text => hundredths(parseFloat(text));

// Colours become #rrggbbaa. What is not written in the old way is painted and
// read back, which also tells whether it is a colour at all.
const colours = new Map();
const hex = bytes => '#' + bytes.map(b => Math.max(0, Math.min(255, Math.round(b))).toString(16).padStart(2, '0')).join('');
let brush;
function painted(text) {
	brush = brush || new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
	for (const before of ['#010203', '#040506']) {
		brush.fillStyle = before;
		brush.fillStyle = text;
		if (brush.fillStyle === before) return '';
	}
	brush.clearRect(0, 0, 1, 1);
	brush.fillRect(0, 0, 1, 1);
	return hex([...brush.getImageData(0, 0, 1, 1).data]);
}
function colour(text) {
	text = String(text || '').trim();
	if (!text || text.length > 200) return '';
	if (colours.has(text)) return colours.get(text);
	if (colours.size > 3000) return '';
	const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
	const value = plain ? hex([+plain[1], +plain[2], +plain[3], 255 * (plain[4] === undefined ? 1 : +plain[4])]) : attempt(() => painted(text), '');
	colours.set(text, value);
	return value;
}
const channels = code => [1, 3, 5, 7].map(i => parseInt(code.slice(i, i + 2), 16));
const opacity = code => code ? parseInt(code.slice(7), 16) / 255 : 0;
function over(code, ground) {
	const a = opacity(code);
	if (a >= 1 || !ground) return code;
	if (!a) return ground;
	const below = channels(ground);
	return hex(channels(code).map((b, i) => i === 3 ? 255 : b * a + below[i] * (1 - a)));
}
const inText = /(?:rgba?|hsla?|oklch|oklab|lab|lch|color|color-mix)\((?:[^()]|\([^()]*\))*\)|#[0-9a-f]{3,8}\b/gi;
const photo = image => /url\(/.test(image.slice(0, 5000));
const stops = image => /gradient\(/.test(image) && !photo(image) && image.length < 5000 ? (image.match(inText) || []).slice(0, 8).map(colour).filter(c => opacity(c) > 0.3) : [];
const address = text => attempt(() => new URL(text, document.baseURI).href, '').slice(0, 100000);
const linked = image => { const found = /url\("?((?:[^"\\)]|\\.)*)"?\)/.exec(image.slice(0, 100000)); return found ? address(found[1]) : ''; };

const root = rootOf(document), body = bodyOf(document) || root;
const view = {width: innerWidth, height: innerHeight};
const page = {width: root ? root.scrollWidth : 0, height: root ? root.scrollHeight : 0};
const result = {
	measurement: 1, url: location.href, title: short(attempt(() => titleOf(document), ''), 300), view, page,
	canvas: '', declared: false, scheme: '', metas: {}, names: [], icons: [], faces: [], properties: [],
	stacks: [], texts: [], grounds: [], buttons: [], inputs: [], states: [], logos: [], drawings: [],
	distances: [], radii: [], gaps: [], columns: [], containers: [], moves: [],
	headers: [], footers: [], chars: 0, emoji: 0, looked: 0, cut: false, late: false,
};

// Counters: how much there is of everything that has the same key.
const counters = new Map();
function count(list, key, item, amount) {
	const id = list + '|' + key;
	const known = counters.get(id);
	if (known) known.amount += amount;
	else if (result[list].length < 400) {
		item.amount = amount;
		counters.set(id, item);
		result[list].push(item);
	}
}
const stackIndex = new Map();
function stack(text) {
	if (!stackIndex.has(text)) {
		if (stackIndex.size >= 40) return 0;
		stackIndex.set(text, result.stacks.push(text.slice(0, 500)) - 1);
	}
	return stackIndex.get(text);
}
