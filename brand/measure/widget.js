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
		padding: pixels(style.paddingLeft), left: tenths(rect.left), top: tenths(rect.top + scrollY), width: tenths(rect.width), height: tenths(rect.height),
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
		header: !!at.header, nav: !!at.nav, footer: !!at.footer, cookie: !!at.cookie, fixed: !!at.fixed && !at.header,
	}));
}

function input(item, rect, style, at) {
	const {element, tag} = item;
	const typed = tag === 'textarea' || tag === 'select' || tag === 'input' && /^(text|email|search|password|tel|url|number|date)?$/i.test(attribute(element, 'type'));
	if (!typed || at.cookie || result.inputs.length >= 30 || rect.width < 40) return;
	const field = look(item, rect, style);
	result.inputs.push(Object.assign(field, {tag, text: over(colour(style.color), field.background || item.ground), focus: focusOf(element, style, field.border)}));
}

// Rules for what has the focus, as far as the page lets its style sheets be read.
const focusRules = new Map();
function collect(rules, parent, left, found) {
	for (let i = 0; i < rules.length && left.rules > 0; i++) {
		const rule = rules[i];
		left.rules--;
		if (left.rules % 200 === 0 && late()) { left.rules = 0; return; }
		if (rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches) continue;
		let selector = parent;
		if (rule instanceof CSSStyleRule) {
			selector = rule.selectorText.slice(0, 2000);
			if (parent) selector = selector.includes('&') ? selector.replaceAll('&', ':is(' + parent + ')') : ':is(' + parent + ') ' + selector;
			if (/:focus/.test(selector) && selector.length < 4000) found.push({selector: selector.replace(/:focus(-visible|-within)?/g, ''), style: rule.style});
		}
		if (rule.cssRules && rule.cssRules.length) attempt(() => collect(rule.cssRules, selector, left, found));
	}
}
// The rules that hold in a document or in a shadow.
const leftRules = {rules: most.rules};
function focusRulesOf(tree) {
	if (!focusRules.has(tree)) {
		const found = [], sheets = tree === document ? sheetsOf(document) : tree.styleSheets;
		for (const list of [sheets, tree.adoptedStyleSheets || []]) for (const sheet of list) attempt(() => !sheet.disabled && collect(sheet.cssRules, '', leftRules, found));
		focusRules.set(tree, found.slice(-600));
	}
	return focusRules.get(tree);
}
function resolve(value, style, depth) {
	return value.replace(/var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\))?[^()]*))?\)/g, (_, name, otherwise) => {
		const set = style.getPropertyValue(name).trim() || otherwise || '';
		return depth < 5 ? resolve(set, style, depth + 1) : set;
	});
}
function focusOf(element, style, border) {
	let outline = '', edge = '', shadow = '';
	for (const rule of focusRulesOf(Node.prototype.getRootNode.call(element))) {
		if (late()) break;
		if (!attempt(() => element.matches(rule.selector.replace(/::?[\w-]+$/, '') || '*'), false)) continue;
		const value = name => resolve(rule.style.getPropertyValue(name).slice(0, 2000), style, 0).slice(0, 2000);
		const colourIn = text => (text.match(inText) || [text]).map(colour).filter(c => opacity(c) > 0.1)[0] || '';
		edge = colourIn(value('border-top-color') || value('border-color')) || colourIn(value('border')) || edge;
		outline = colourIn(value('outline-color')) || colourIn(value('outline')) || outline;
		shadow = colourIn(value('box-shadow')) || shadow;
	}
	if (edge && over(edge, '#ffffffff') !== border) return over(edge, '#ffffffff');
	return [outline, shadow, edge].filter(Boolean).map(c => c.slice(0, 7) + 'ff')[0] || '';
}

// Elements that tell by their names that something went well or badly.
function state(item, style, at) {
	const found = stateLike.exec(at.stateName);
	if (!found || result.states.length >= 40) return;
	const below = opacity(colour(style.backgroundColor)) > 0.05 ? over(colour(style.backgroundColor), item.ground) : '';
	result.states.push({kind: found[2].toLowerCase(), text: over(colour(style.color), below || item.ground), background: below, border: side(style, below || item.ground)});
}
