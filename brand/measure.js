// Measures how a page looks: which colours cover it, how its text is set, what its
// buttons, fields, logos and icons are like. It decides nothing, changes nothing
// and never throws. Runs in an isolated world, so the functions of the language are
// the browser's own; but names in a page's forms hide properties of documents and
// forms, wherefore the ones that matter are read through their prototypes.
function () {
	'use strict';
	const started = performance.now();
	const most = {elements: 3000, footer: 300, time: 1000, footerTime: 350, children: 3000, rules: 4000, svg: 50000, drawings: 300000, shapes: 400, result: 500000};

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
	const round = number => Math.round(number * 100) / 100 || 0;
	const round2 = number => Math.round(number * 10) / 10;
	const pixels = text => round(parseFloat(text));

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
	const stops = image => /gradient\(/.test(image) && image.length < 5000 ? (image.match(inText) || []).slice(0, 8).map(colour).filter(c => opacity(c) > 0.3) : [];
	const address = text => attempt(() => new URL(text, document.baseURI).href, '').slice(0, 100000);
	const linked = image => { const found = /url\("?((?:[^"\\)]|\\.)*)"?\)/.exec(image.slice(0, 100000)); return found ? address(found[1]) : ''; };

	const root = rootOf(document), body = bodyOf(document) || root;
	const view = {width: innerWidth, height: innerHeight};
	const page = {width: root ? root.scrollWidth : 0, height: root ? root.scrollHeight : 0};
	const result = {
		measurement: 1, url: location.href, title: short(attempt(() => titleOf(document), ''), 300), view, page,
		canvas: '', scheme: '', metas: {}, names: [], icons: [], faces: [], properties: [],
		stacks: [], texts: [], grounds: [], buttons: [], inputs: [], states: [], logos: [], drawings: [],
		distances: [], radii: [], gaps: [], columns: [], containers: [], moves: [],
		headers: [], footers: [], chars: 0, emoji: 0, looked: 0, cut: false,
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

	// The ground of the page: that of the root, else that of the body, else what
	// browsers paint for its scheme.
	function canvas() {
		for (const element of [root, body]) {
			const style = getComputedStyle(element);
			const code = colour(style.backgroundColor) || '';
			if (opacity(code) > 0.5) return over(code, '#ffffffff');
			const between = stops(style.backgroundImage);
			if (between.length) return over(between[0], '#ffffffff');
		}
		const scheme = getComputedStyle(root).colorScheme;
		const dark = /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia('(prefers-color-scheme: dark)').matches);
		return dark ? '#121212ff' : '#ffffffff';
	}

	// ---- one element ----

	const headerLike = /(^|[-_ ])(site-?header|page-?header|main-?header|header|masthead|navbar|topbar|top-?nav)([-_ ]|$)/i;
	const cookieLike = /cookie|consent|gdpr|onetrust|cmp-|didomi|usercentrics/i;
	const wallLike = /partner|client|customer|sponsor|trusted|press|featured-in|testimonial|as-seen|integrations|payment|avatar|author/i;
	const logoLike = /logo|brand(?!ing)|wordmark/i;
	const buttonLike = /(^|[-_ ])(btn|button|cta)([-_ ]|$)|(^|[-_a-z ])(Button|Btn)([-_A-Z ]|$)/;
	const stateLike = /(^|[-_ ])(success|warning|danger|error)([-_ ]|$)/i;
	const partLike = /alert|badge|text|bg|toast|message|notice|status|btn|button|label|tag|pill|banner|callout|chip/i;
	const namesOf = element => (attribute(element, 'class') + ' ' + attribute(element, 'id')).slice(0, 300);

	// Where an element is, as its ancestors tell.
	function place(item, rect, style) {
		const {element, tag, names} = item, role = attribute(element, 'role');
		const at = Object.assign({}, item.at);
		const top = rect.top + scrollY;
		if (!at.article && (tag === 'header' || role === 'banner' || headerLike.test(names) && rect.width > view.width * 0.5) && top < 250 && rect.height < 400) at.header = true;
		if (tag === 'footer' || role === 'contentinfo' || /(^|[-_ ])(site-?footer|footer)([-_ ]|$)/i.test(names)) at.footer = true;
		if (tag === 'nav' || role === 'navigation') at.nav = true;
		if (tag === 'article' || tag === 'main') at.article = true;
		if (/^(p|li|td|dd|blockquote|figcaption)$/.test(tag)) at.prose = true;
		if (cookieLike.test(names) && !/^(html|body|main)$/.test(tag)) at.cookie = true;
		if (wallLike.test(names) && !/^(html|body|main)$/.test(tag)) at.wall = true;
		if (logoLike.test(names + ' ' + attribute(element, 'aria-label')) && !/^(html|body|main|header|nav)$/.test(tag)) at.logo = true;
		if (stateLike.test(names) && partLike.test(names) && !/^(html|body|main)$/.test(tag)) at.state = true;
		if (/^(pre|code|kbd|samp)$/.test(tag)) at.code = true;
		if (/^h[1-6]$/.test(tag)) at.heading = tag;
		if (tag === 'a' && attribute(element, 'href')) {
			at.link = true;
			const home = attempt(() => new URL(attribute(element, 'href'), document.baseURI), null);
			at.home = !!home && home.host === location.host && !home.search && /^\/([a-z]{2}(-[a-z]{2})?\/?|index\.\w+|home\/?)?$/i.test(home.pathname) && attribute(element, 'href')[0] !== '#';
		}
		if (style.position === 'fixed') at.fixed = true;
		return at;
	}

	// The text that stands in an element itself. What a host of shadows holds stands
	// in the slot that shows it.
	function ownText(element) {
		let text = '';
		const take = node => { if (node.nodeType === Node.TEXT_NODE && text.length < 5000) text += node.data.slice(0, 5000) + ' '; };
		const given = nameOf(element) === 'slot' ? attempt(() => element.assignedNodes(), []).slice(0, 50) : [];
		given.forEach(take);
		for (let node = given.length || shadowOf(element) ? null : nodesOf(element), n = 0; node && n < 50; node = node.nextSibling, n++) take(node);
		return text.replace(/\s+/g, ' ').trim();
	}

	// The words that an element shows, and the element that shows the first of them.
	function words(element, length) {
		let text = '', by = null;
		const queue = [element];
		for (let n = 0; queue.length && n < 40 && text.length < length; n++) {
			const next = queue.shift();
			if (next !== element && getComputedStyle(next).display === 'none') continue;
			const own = /^(style|script|svg)$/.test(nameOf(next)) ? '' : ownText(next);
			if (own) { text += ' ' + own; by = by || next; }
			queue.push(...children({element: next, tag: nameOf(next)}).slice(0, 20));
		}
		return {text: short(text, length), by};
	}

	function ground(item, rect, style, inner) {
		const {at} = inner;
		if (/text/.test(style.webkitBackgroundClip || style.backgroundClip)) return;
		const code = colour(style.backgroundColor), between = stops(style.backgroundImage);
		const own = opacity(code) > 0.05 ? [code] : [];
		const paints = between.length ? between : own;
		if (!paints.length || at.cookie || at.state) {
			if (paints.length) inner.ground = over(paints[0], item.ground);
			return;
		}
		const width = Math.min(rect.right, page.width) - Math.max(rect.left, 0), height = Math.min(rect.height, page.height);
		const area = Math.round(Math.max(0, width) * Math.max(0, height));
		for (const paint of paints) {
			const shown = over(paint, item.ground);
			count('grounds', shown, {color: shown}, area / paints.length);
		}
		inner.ground = over(paints[0], item.ground);
		count('grounds', item.ground, {color: item.ground}, -area);
	}

	function text(item, style, at) {
		const own = ownText(item.element);
		if (!own || at.cookie || at.state) return;
		const size = pixels(style.fontSize), line = parseFloat(style.lineHeight);
		let ink = colour(style.webkitTextFillColor || style.color);
		if (opacity(ink) < 0.1) ink = stops(style.backgroundImage)[0] || ink;
		if (opacity(ink) < 0.1 || size < 4) return;
		ink = over(ink, item.ground);
		result.chars += own.length;
		result.emoji += (own.match(/\p{Emoji_Presentation}/gu) || []).length;
		const link = !at.link ? '' : at.prose && !at.nav && !at.header && !at.footer ? 'prose' : at.nav || at.header || at.footer ? 'nav' : 'other';
		const entry = {
			kind: at.code ? 'code' : at.button ? 'button' : at.heading || 'body', stack: stack(style.fontFamily), size,
			line: line && size ? round(line / size) : 0, weight: parseInt(style.fontWeight) || 400,
			color: ink, ground: item.ground, link,
		};
		count('texts', Object.values(entry).join(' '), entry, own.length);
	}

	function spaces(item, rect, style, at) {
		const {tag} = item;
		for (const name of ['paddingTop', 'paddingRight', 'paddingBottom', 'paddingLeft', 'marginTop', 'marginBottom', 'rowGap', 'columnGap']) {
			const value = pixels(style[name]);
			if (value > 0 && value <= 200) count('distances', value, {value}, 1);
		}
		const gap = (kind, value) => value > 0 && value < 400 && count('gaps', kind + value, {kind, value}, 1);
		if (tag === 'p' && !at.footer) gap('paragraph', pixels(style.marginBottom));
		if (/^h[1-3]$/.test(tag)) gap('heading', pixels(style.marginBottom));
		if (tag === 'section' || /(^|[-_ ])section([-_ ]|$)/.test(item.names) && rect.width > view.width * 0.6) {
			gap('section', pixels(style.paddingTop));
			gap('between', pixels(style.marginBottom));
		}
		const paintedCard = opacity(colour(style.backgroundColor)) > 0.05 || pixels(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none' || style.boxShadow !== 'none';
		const card = paintedCard && !at.button && rect.width >= 120 && rect.width < view.width * 0.8 && rect.height >= 60 && !/^(input|textarea|select|img|svg|pre|code|table)$/.test(tag);
		if (card) gap('card', pixels(style.paddingTop));
		const radius = pixels(style.borderTopLeftRadius), round = Math.abs(rect.width - rect.height) < 2 && (radius * 2 >= rect.width - 1 || /%/.test(style.borderTopLeftRadius));
		if (radius > 0 && !round && (card || at.button || /^(img|input|textarea|select|video)$/.test(tag))) count('radii', radius, {value: radius, height: round2(rect.height)}, at.button ? 3 : 1);
	}

	function layout(item, rect, style, at) {
		const {element, tag} = item, top = round2(rect.top + scrollY), height = round2(rect.height);
		const wide = rect.width >= view.width * 0.6 && height > 10;
		if (at.header && !item.at.header && wide && result.headers.length < 20) result.headers.push({top, height, tag, fixed: style.position === 'fixed' || style.position === 'sticky'});
		else if (tag === 'nav' && !item.at.header && wide && top < 60 && height < 300 && result.headers.length < 20) result.headers.push({top, height, tag, fixed: false});
		else if (top <= 1 && height >= 40 && height <= 160 && rect.width >= view.width * 0.9 && /^(div|section)$/.test(tag) && element.querySelector('a[href]') && result.headers.length < 20) result.headers.push({top, height, tag: 'top', fixed: false});
		if (at.footer && !item.at.footer && wide && result.footers.length < 20) result.footers.push({top, height, tag});
		const limit = pixels(style.maxWidth);
		if (/px$/.test(style.maxWidth) && limit >= 600 && limit <= 2560 && !at.cookie && !/^(img|svg|video|p|h\d)$/.test(tag) && height > 10) {
			count('containers', limit, {value: limit}, Math.min(height, page.height));
		}
		if (/^(inline-)?(grid|flex)$/.test(style.display) && !at.cookie) columns(element, style, at);
	}

	// Children of about the same width that stand side by side.
	function columns(element, style, at) {
		let first = null, before = null, n = 0, gap = -1, tall = 0;
		for (let child = firstOf(element), seen = 0; child && seen < 16; child = nextOf(child), seen++) {
			const rect = box(child);
			if (rect.width < 100 || rect.height < 60) continue;
			if (first && (Math.abs(rect.top - first.top) > 4 || Math.abs(rect.width - first.width) > first.width * 0.1)) break;
			if (before && rect.left < before.right - 1) break;
			if (before && gap < 0) {
				const inner = getComputedStyle(child);
				gap = rect.left - before.right;
				if (opacity(colour(inner.backgroundColor)) === 0 && inner.borderLeftStyle === 'none') gap += pixels(inner.paddingLeft) + pixels(inner.paddingRight);
			}
			first = first || rect;
			before = rect;
			tall = Math.max(tall, rect.height);
			n++;
		}
		if (n < 2 || at.nav || at.header || at.wall) return;
		gap = round2(gap);
		count('columns', n + ' ' + gap + ' ' + !!at.footer, {columns: n, gap, footer: !!at.footer}, Math.round(tall));
	}

	// ---- buttons and fields ----

	function isButton(item, rect, style) {
		const {element, tag, names} = item, role = attribute(element, 'role');
		if (tag === 'button' || role === 'button' || tag === 'summary') return true;
		if (tag === 'input') return /^(submit|button)$/i.test(attribute(element, 'type'));
		if (tag !== 'a' && !/-button$|-btn$/.test(tag)) return false;
		const ownGround = opacity(colour(style.backgroundColor)) > 0.05 || stops(style.backgroundImage).length > 0;
		const framed = pixels(style.borderTopWidth) > 0 && pixels(style.borderLeftWidth) > 0 && style.borderTopStyle !== 'none' && opacity(colour(style.borderTopColor)) > 0.05;
		const padded = pixels(style.paddingLeft) >= 8 && rect.height >= 24 && rect.height <= 90 && rect.width <= 500;
		return (ownGround || framed) && padded || buttonLike.test(names) && (ownGround || framed);
	}

	function side(style, ground) {
		const width = pixels(style.borderTopWidth), bottom = pixels(style.borderBottomWidth);
		const [name, size] = width > 0 && style.borderTopStyle !== 'none' ? ['borderTopColor', width] : ['borderBottomColor', style.borderBottomStyle === 'none' ? 0 : bottom];
		const code = size > 0 ? colour(style[name]) : '';
		return opacity(code) > 0.05 ? over(code, ground) : '';
	}

	function look(item, rect, style) {
		const between = stops(style.backgroundImage), flat = colour(style.backgroundColor);
		const paint = between[0] || (opacity(flat) > 0.05 ? flat : '');
		const below = paint ? over(paint, item.ground) : '';
		return {
			ground: item.ground, background: below, gradient: between.length > 0, border: side(style, below || item.ground),
			radius: /%/.test(style.borderTopLeftRadius) ? Math.round(Math.min(rect.width, rect.height) * parseFloat(style.borderTopLeftRadius)) / 100 : pixels(style.borderTopLeftRadius),
			padding: pixels(style.paddingLeft), left: round2(rect.left), top: round2(rect.top + scrollY), width: round2(rect.width), height: round2(rect.height),
		};
	}

	function button(item, rect, style, at) {
		if (result.buttons.length >= 80) return;
		const {element, tag} = item, shown = words(element, 60);
		const label = tag === 'input' ? short(attribute(element, 'value') || 'Submit', 60) : shown.text;
		if (!label) return;
		const b = look(item, rect, style);
		const ink = colour(getComputedStyle(shown.by || element).color);
		result.buttons.push(Object.assign(b, {
			label, tag, names: short(item.names, 120), text: over(ink, b.background || item.ground),
			submit: /^submit$/i.test(attribute(element, 'type')), disabled: element.disabled === true || attribute(element, 'aria-disabled') === 'true',
			header: !!at.header, nav: !!at.nav, footer: !!at.footer, cookie: !!at.cookie, fixed: !!at.fixed,
		}));
	}

	function input(item, rect, style, at) {
		const {element, tag} = item;
		const typed = tag === 'textarea' || tag === 'select' || tag === 'input' && /^(text|email|search|password|tel|url|number|date)?$/i.test(attribute(element, 'type'));
		if (!typed || at.cookie || result.inputs.length >= 30 || rect.width < 40) return;
		const look1 = look(item, rect, style);
		result.inputs.push(Object.assign(look1, {tag, text: over(colour(style.color), look1.background || item.ground), focus: focusOf(element, style, look1.border)}));
	}

	// Rules for what has the focus, as far as the page lets its style sheets be read.
	let focusRules = null;
	function collect(rules, parent, left) {
		for (let i = 0; i < rules.length && left.rules > 0; i++) {
			const rule = rules[i];
			left.rules--;
			if (left.rules % 200 === 0 && late()) { left.rules = 0; return; }
			if (rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches) continue;
			let selector = parent;
			if (rule instanceof CSSStyleRule) {
				selector = rule.selectorText.slice(0, 2000);
				if (parent) selector = selector.includes('&') ? selector.replaceAll('&', ':is(' + parent + ')') : ':is(' + parent + ') ' + selector;
				if (/:focus/.test(selector) && selector.length < 4000) focusRules.push({selector: selector.replace(/:focus(-visible|-within)?/g, ''), style: rule.style});
			}
			if (rule.cssRules && rule.cssRules.length) attempt(() => collect(rule.cssRules, selector, left));
		}
	}
	function readFocus() {
		focusRules = [];
		const left = {rules: most.rules}, lists = [sheetsOf(document), document.adoptedStyleSheets || []];
		for (const list of lists) for (const sheet of list) attempt(() => !sheet.disabled && collect(sheet.cssRules, '', left));
	}
	function resolve(value, style, depth) {
		return value.replace(/var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\))?[^()]*))?\)/g, (_, name, otherwise) => {
			const set = style.getPropertyValue(name).trim() || otherwise || '';
			return depth < 5 ? resolve(set, style, depth + 1) : set;
		});
	}
	function focusOf(element, style, border) {
		if (!focusRules) readFocus();
		let outline = '', edge = '', shadow = '';
		for (const rule of focusRules.slice(-600)) {
			if (!attempt(() => element.matches(rule.selector.replace(/::?[\w-]+$/, '') || '*'), false)) continue;
			const value = name => resolve(rule.style.getPropertyValue(name), style, 0);
			const in1 = text => (text.match(inText) || [text]).map(colour).filter(c => opacity(c) > 0.1)[0] || '';
			edge = in1(value('border-top-color') || value('border-color')) || in1(value('border')) || edge;
			outline = in1(value('outline-color')) || in1(value('outline')) || outline;
			shadow = in1(value('box-shadow')) || shadow;
		}
		if (edge && over(edge, '#ffffffff') !== border) return over(edge, '#ffffffff');
		return [outline, shadow, edge].filter(Boolean).map(c => c.slice(0, 7) + 'ff')[0] || '';
	}

	// Elements that tell by their names that something went well or badly.
	function state(item, style) {
		const found = stateLike.exec(item.names);
		if (!found || result.states.length >= 40 || !partLike.test(item.names)) return;
		const below = opacity(colour(style.backgroundColor)) > 0.05 ? over(colour(style.backgroundColor), item.ground) : '';
		result.states.push({kind: found[2].toLowerCase(), text: over(colour(style.color), below || item.ground), background: below, border: side(style, below || item.ground)});
	}

	// ---- logos and icons ----

	// An inline drawing on its own: with the colours that style sheets give it, with
	// what it refers to, and without anything that acts or loads.
	function drawing(svg, rect) {
		const copy = svg.cloneNode(true);
		const originals = [...svg.querySelectorAll('*')].slice(0, most.shapes + 1), copies = [...copy.querySelectorAll('*')];
		if (originals.length > most.shapes) return '';
		originals.forEach((shape, i) => {
			const style = getComputedStyle(shape);
			if (/^(path|rect|circle|ellipse|polygon|polyline|line|text|tspan|use|g)$/.test(nameOf(shape))) {
				const before = style.fill, stroke = style.stroke;
				if (!/url/.test(before)) copies[i].setAttribute('fill', before === 'none' ? 'none' : (colour(before) || '#000000ff').slice(0, 7));
				if (stroke !== 'none' && !/url/.test(stroke)) { copies[i].setAttribute('stroke', (colour(stroke) || '#000000ff').slice(0, 7)); copies[i].setAttribute('stroke-width', style.strokeWidth); }
			}
			if (style.display === 'none') copies[i].setAttribute('display', 'none');
		});
		for (const use of [...copy.querySelectorAll('use')].slice(0, 10)) {
			const name = use.getAttribute('href') || use.getAttribute('xlink:href') || '';
			const target = name[0] === '#' ? svg.getRootNode().getElementById(name.slice(1)) : null;
			if (!target || copy.querySelector('#' + CSS.escape(name.slice(1)))) { if (!target) use.remove(); continue; }
			const part = document.createElementNS('http://www.w3.org/2000/svg', nameOf(target) === 'symbol' ? 'svg' : 'g');
			for (const name of ['viewBox', 'transform', 'fill', 'stroke']) if (target.getAttribute(name)) part.setAttribute(name, target.getAttribute(name));
			if (!part.getAttribute('fill') && use.getAttribute('fill')) part.setAttribute('fill', use.getAttribute('fill'));
			for (const child of target.childNodes) part.append(child.cloneNode(true));
			use.replaceWith(part);
		}
		for (const element of [copy, ...copy.querySelectorAll('*')]) {
			if (/^(script|foreignobject|style|iframe|audio|video|animate\w*|set|a|image|metadata|handler)$/i.test(nameOf(element)) && element !== copy) { nameOf(element) === 'a' ? element.replaceWith(...element.childNodes) : element.remove(); continue; }
			for (const a of [...element.attributes]) {
				const refers = /href$/i.test(a.name) && a.value.trim()[0] !== '#';
				if (/^on/i.test(a.name) || refers || /^(style|class|tabindex|role|data-.*|aria-.*)$/i.test(a.name) || /url\(\s*["']?[^"'#\s]|javascript:/i.test(a.value)) element.removeAttribute(a.name);
			}
		}
		const ink = colour(getComputedStyle(svg).color);
		if (ink) copy.setAttribute('color', ink.slice(0, 7));
		const fill = getComputedStyle(svg).fill;
		if (!/url/.test(fill)) copy.setAttribute('fill', fill === 'none' ? 'none' : (colour(fill) || '#000000ff').slice(0, 7));
		if (!copy.getAttribute('viewBox') && !copy.getAttribute('width')) { copy.setAttribute('width', Math.round(rect.width)); copy.setAttribute('height', Math.round(rect.height)); }
		const text = new XMLSerializer().serializeToString(copy);
		if (text.length > Math.min(most.svg, most.drawings)) return '';
		most.drawings -= text.length;
		return text;
	}

	function logo(item, rect, style, at) {
		const {element, tag} = item;
		const source = {kind: '', src: '', alt: '', svg: ''};
		const marked = at.logo || at.home;
		if (tag === 'img') {
			source.kind = 'image';
			source.src = address(element.currentSrc || attribute(element, 'src') || attribute(element, 'data-src'));
			source.alt = short(attribute(element, 'alt') || attribute(element, 'title'), 120);
		} else if (tag === 'svg') {
			source.kind = 'drawing';
			const title = element.querySelector('title');
			source.alt = short(attribute(element, 'aria-label') || title && title.textContent, 120);
		} else if (marked) {
			source.kind = 'background';
			source.src = linked(style.backgroundImage) || linked(style.maskImage || style.webkitMaskImage || '');
			source.alt = short(attribute(element, 'aria-label') || attribute(element, 'title') || ownText(element), 120);
		}
		if (!source.kind || source.kind !== 'drawing' && !source.src || rect.width < 12 || rect.height < 8 || result.logos.length >= 60) return;
		const own = item.names + ' ' + source.alt + ' ' + (source.src.startsWith('data:') ? '' : source.src.slice(-120));
		const candidate = Object.assign(source, {
			logo: logoLike.test(own), around: !!at.logo, home: !!at.home, header: !!at.header, nav: !!at.nav, footer: !!at.footer,
			cookie: !!at.cookie, wall: !!at.wall || wallLike.test(own), button: !!at.button, link: !!at.link, crowd: crowd(element),
			left: round2(rect.left), top: round2(rect.top + scrollY), width: round2(rect.width), height: round2(rect.height),
		});
		if (tag === 'svg' && (marked || candidate.logo || at.header)) candidate.svg = attempt(() => drawing(element, rect), '');
		if (tag === 'svg' && !candidate.svg) return;
		result.logos.push(candidate);
	}

	// How many pictures of about the same height stand around one.
	function crowd(element) {
		let around = element.parentElement;
		for (let up = 0; around && up < 2; up++) around = around.childElementCount > 2 ? around : around.parentElement;
		if (!around) return 0;
		const height = box(element).height;
		let n = 0;
		for (const other of [...around.querySelectorAll('img, svg')].slice(0, 12)) if (Math.abs(box(other).height - height) < height * 0.5) n++;
		return n;
	}

	function icon(item, rect, style) {
		const {element, tag, names} = item;
		if (rect.width < 8 || rect.width > 64 || rect.height > 64) return;
		if (tag === 'svg') {
			const shape = element.querySelector('path, circle, rect, line, polyline, polygon, use');
			if (!shape) return;
			const inner = getComputedStyle(shape), outline = inner.stroke !== 'none' && inner.fill === 'none';
			const ink = colour(outline ? inner.stroke : inner.fill);
			if (ink) count('drawings', outline + ink, {style: outline ? 'outline' : 'filled', color: ink}, 1);
		} else if (/^(i|span)$/.test(tag) && /(^| )(fa[bsrl]?|bi|mdi|ti|icon|glyphicon|material-(icons|symbols))([-_ ]|$)/.test(names)) {
			const outlined = /outline|(^| )far( |$)|regular|light/.test(names);
			count('drawings', outlined + colour(style.color), {style: outlined ? 'outline' : 'filled', color: colour(style.color)}, 1);
		}
	}

	function moves(item, style) {
		const first = text => text.split(/,(?![^(]*\))/)[0].trim();
		const duration = first(style.transitionDuration), easing = first(style.transitionTimingFunction);
		if (style.transitionProperty === 'none' || !(parseFloat(duration) > 0) || duration.length > 20 || easing.length > 100) return;
		count('moves', duration + easing, {duration, easing}, item.at.button || item.tag === 'a' || item.tag === 'button' ? 3 : 1);
	}

	// ---- the walk ----

	function visit(item) {
		const {element} = item;
		const style = getComputedStyle(element), rect = box(element);
		if (style.display === 'none' || style.contentVisibility === 'hidden') return null;
		item.tag = nameOf(element);
		if (/^(script|style|noscript|template|head|meta|link|title|option|iframe|object|embed|canvas)$/.test(item.tag)) return null;
		item.names = namesOf(element);
		const seen = style.visibility !== 'hidden' && rect.width > 1 && rect.height > 1 && rect.right > 0 && rect.left < Math.max(view.width, page.width) && rect.bottom + scrollY > 0;
		if (style.opacity === '0' && /absolute|fixed/.test(style.position)) return null;
		const at = place(item, rect, style), inner = {at, ground: item.ground};
		if (item.tag === 'slot') text(item, style, at);
		if (!seen) return style.display === 'contents' || rect.height <= 1 ? inner : style.visibility === 'hidden' ? inner : null;
		const pressed = !item.at.button && isButton(item, rect, style);
		if (pressed) at.button = true;
		if (element !== root && element !== body) ground(item, rect, style, inner);
		text(Object.assign({}, item, {ground: inner.ground}), style, at);
		spaces(item, rect, style, at);
		layout(item, rect, style, at);
		if (pressed) button(item, rect, style, at);
		input(item, rect, style, at);
		state(item, style);
		moves(item, style);
		attempt(() => logo(item, rect, style, at));
		if (item.tag === 'a' && at.home && (at.header || at.logo) && result.names.length < 12) result.names.push({type: 'wordmark', name: words(element, 60).text});
		icon(item, rect, style);
		return item.tag === 'svg' ? null : inner;
	}

	function children(item) {
		const {element} = item, shadow = shadowOf(element), list = [];
		const given = item.tag === 'slot' ? attempt(() => element.assignedElements(), []) : [];
		if (given.length) return given.slice(0, most.children);
		for (let child = (shadow ? shadow.firstElementChild : firstOf(element)); child && list.length < most.children; child = nextOf(child)) list.push(child);
		return list;
	}

	const met = new WeakSet();
	function walk(first, limit) {
		const stack = [{element: first, at: {}, ground: result.canvas}];
		for (let n = 0; stack.length; n++) {
			if (n >= limit || late()) { result.cut = true; break; }
			const item = stack.pop();
			if (met.has(item.element)) continue;
			met.add(item.element);
			result.looked++;
			const inner = attempt(() => visit(item), null);
			if (!inner) continue;
			const list = children(item);
			for (let i = list.length - 1; i >= 0; i--) stack.push({element: list[i], at: inner.at, ground: inner.ground});
		}
	}

	// ---- what the page says of itself ----

	function head() {
		for (const meta of [...find('meta[name], meta[property]')].slice(0, 200)) {
			const name = (attribute(meta, 'property') || attribute(meta, 'name')).toLowerCase();
			if (!/^(og:site_name|og:image|og:image:url|twitter:image|application-name|apple-mobile-web-app-title|theme-color|msapplication-tilecolor|og:title)$/.test(name) || result.metas[name]) continue;
			const media = attribute(meta, 'media');
			if (media && !attempt(() => matchMedia(media).matches, true)) continue;
			const content = attribute(meta, 'content');
			result.metas[name] = /image/.test(name) ? address(content) : /color$/.test(name) ? colour(content) : short(content, 200);
		}
		for (const link of [...find('link[rel][href]')].slice(0, 200)) {
			const rel = attribute(link, 'rel').toLowerCase();
			if (/(^| )(icon|apple-touch-icon|apple-touch-icon-precomposed|mask-icon)( |$)/.test(rel) && result.icons.length < 30) {
				const media = attribute(link, 'media');
				if (media && !attempt(() => matchMedia(media).matches, true)) continue;
				result.icons.push({rel: short(rel, 60), src: address(attribute(link, 'href')), sizes: short(attribute(link, 'sizes'), 60), type: short(attribute(link, 'type'), 60)});
			}
		}
	}

	// Names of organisations in the data for machines.
	function names() {
		const look1 = (value, depth) => {
			if (!value || typeof value !== 'object' || depth > 6 || result.names.length >= 10) return;
			if (Array.isArray(value)) { value.slice(0, 50).forEach(v => look1(v, depth + 1)); return; }
			const type = [].concat(value['@type'] || []).join(' ');
			if (/Organization|Corporation|WebSite|LocalBusiness|Brand/.test(type) && typeof value.name === 'string') result.names.push({type: short(type, 60), name: short(value.name, 120)});
			for (const key of ['@graph', 'publisher', 'mainEntity', 'isPartOf']) look1(value[key], depth + 1);
		};
		for (const script of [...find('script[type="application/ld+json"]')].slice(0, 20)) {
			if (script.textContent.length < 200000) attempt(() => look1(JSON.parse(script.textContent), 0));
		}
	}

	function properties() {
		const wanted = /primary|secondary|brand|accent|theme|success|positive|warning|caution|danger|error|destructive|negative|link/i;
		const known = new Set();
		for (const element of [root, body]) {
			const style = getComputedStyle(element);
			let n = 0;
			for (const [name] of element.computedStyleMap()) {
				if (!name.startsWith('--') || known.has(name)) continue;
				if (++n > 2000 || result.properties.length >= 200) break;
				if (name.length > 64 || !wanted.test(name)) continue;
				const value = style.getPropertyValue(name).trim();
				const code = colour(/^[\d.]+(deg)?[\s,]+[\d.]+%[\s,]+[\d.]+%$/.test(value) ? 'hsl(' + value + ')' : value);
				known.add(name);
				if (opacity(code) > 0.5) result.properties.push({name, color: code});
			}
		}
	}

	function faces() {
		const known = new Set();
		for (const face of reader(Document.prototype, 'fonts')(document)) {
			const id = face.family + face.status;
			if (known.has(id) || known.size >= 60) continue;
			known.add(id);
			result.faces.push({family: short(face.family.replace(/^["']|["']$/g, ''), 100), status: face.status});
		}
	}

	// The walk looks at the beginning of a long page; the footer is at its end.
	function pageEnd() {
		const list = find('footer, [role=contentinfo]');
		if (!result.cut || !list.length || met.has(list[list.length - 1])) return;
		deadline = performance.now() + most.footerTime;
		walk(list[list.length - 1], most.footer);
	}

	if (root) {
		attempt(() => { result.canvas = canvas(); });
		result.canvas = result.canvas || '#ffffffff';
		attempt(() => { result.scheme = short(getComputedStyle(root).colorScheme, 40); });
		count('grounds', result.canvas, {color: result.canvas}, Math.max(page.width * page.height, 1));
		attempt(head);
		attempt(names);
		attempt(properties);
		attempt(faces);
		attempt(() => walk(body, most.elements - most.footer));
		attempt(pageEnd);
	}
	result.took = Math.round(performance.now() - started);
	for (const name of ['logos', 'properties', 'texts', 'buttons']) {
		while (JSON.stringify(result).length > most.result && result[name].length) result[name].pop();
	}
	return result;
}
