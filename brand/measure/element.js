// ---- text, grounds and distances ----

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

// Counts what an element is painted with. What is written on a photograph stands
// on no colour that could be told.
function ground(item, rect, shown, style, inner) {
	const {at} = inner;
	if (/text/.test(style.webkitBackgroundClip || style.backgroundClip)) return;
	const code = colour(style.backgroundColor), between = stops(style.backgroundImage);
	const own = opacity(code) > 0.05 ? [code] : [];
	const paints = between.length ? between : own;
	if (paints.length) at.photo = false;
	else if (photo(style.backgroundImage) && rect.width > 200 && rect.height > 100) at.photo = true;
	if (!paints.length || at.cookie || at.state || at.float) {
		if (paints.length) inner.ground = over(paints[0], item.ground);
		return;
	}
	const area = Math.round(shown.width * Math.min(shown.height, page.height));
	for (const paint of paints) {
		const seen = over(paint, item.ground);
		count('grounds', seen, {color: seen}, area / paints.length);
	}
	inner.ground = over(paints[0], item.ground);
	count('grounds', item.ground, {color: item.ground}, -area);
}

function text(item, style, at) {
	const own = ownText(item.element);
	if (!own || at.cookie || at.state || at.float) return;
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
		line: line && size ? hundredths(line / size) : 0, weight: parseInt(style.fontWeight) || 400,
		color: ink, ground: at.photo ? '' : item.ground, link,
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
	if (radius > 0 && !round && (card || at.button || /^(img|input|textarea|select|video)$/.test(tag))) count('radii', radius, {value: radius, height: tenths(rect.height)}, at.button ? 3 : 1);
}

function layout(item, rect, style, at) {
	const {element, tag} = item, top = tenths(rect.top + scrollY), height = tenths(rect.height);
	const wide = rect.width >= view.width * 0.6 && height > 10;
	if (at.header && !item.at.header && wide && result.headers.length < 20) result.headers.push({top, height, tag, fixed: style.position === 'fixed' || style.position === 'sticky'});
	else if (tag === 'nav' && !item.at.header && wide && top < 60 && height < 300 && result.headers.length < 20) result.headers.push({top, height, tag, fixed: false});
	else if (top <= 1 && height >= 40 && height <= 160 && rect.width >= view.width * 0.9 && /^(div|section)$/.test(tag) && element.querySelector('a[href]') && result.headers.length < 20) result.headers.push({top, height, tag: 'top', fixed: false});
	if (at.footer && !item.at.footer && wide && result.footers.length < 20) result.footers.push({top, height, tag});
	const limit = pixels(style.maxWidth);
	if (/px$/.test(style.maxWidth) && limit >= 600 && limit <= 2560 && !at.cookie && !/^(img|svg|video|p|h\d)$/.test(tag) && height > 10) {
		count('containers', limit, {value: limit}, Math.min(height, page.height));
	}
	if (/^(inline-)?(grid|flex)$/.test(style.display) && !at.cookie) columns(element, style, at, item.clip);
}

// Children of about the same width that stand side by side.
function columns(element, style, at, clip) {
	let first = null, before = null, n = 0, gap = -1, tall = 0;
	for (let child = firstOf(element), seen = 0; child && seen < 16; child = nextOf(child), seen++) {
		const rect = box(child);
		const middle = (rect.left + rect.right) / 2;
		if (rect.width < 100 || rect.height < 60 || middle < Math.max(clip.left, 0)) continue;
		if (middle > Math.min(clip.right, view.width)) break;
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
	gap = pixels(style.columnGap) || tenths(gap);
	count('columns', n + ' ' + gap + ' ' + !!at.footer, {columns: n, gap, footer: !!at.footer}, Math.round(tall));
}
