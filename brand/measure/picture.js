// ---- logos and icons ----
// An inline drawing on its own: with the colours that style sheets give it, with
// what it refers to, and without anything that acts or loads.
function drawing(svg, rect) {
	const originals = svg.getElementsByTagName('*');
	if (originals.length > most.shapes || most.attempts-- <= 0) return '';
	const copy = svg.cloneNode(true), copies = [...copy.querySelectorAll('*')];
	[...originals].forEach((shape, i) => {
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
	if (!copy.querySelector('path, rect, circle, ellipse, polygon, polyline, line, text, use')) return '';
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

// The address of a picture: not that of what holds its place until it is loaded.
function pictureSource(element) {
	const now = element.currentSrc || attribute(element, 'src');
	const first = text => text.trim().split(/[\s,]+/)[0];
	const later = ['data-src', 'data-lazy-src', 'data-original'].map(name => attribute(element, name)).find(Boolean) ||
		first(attribute(element, 'data-srcset')) || first(attribute(element, 'data-lazy-srcset'));
	const holder = !now || /^data:/.test(now) || element.naturalWidth <= 2 || /blank|placeholder|spacer/i.test(now);
	return address(later && holder ? later : now);
}

function logo(item, rect, style, at) {
	const {element, tag} = item;
	const source = {kind: '', src: '', alt: '', svg: ''};
	const marked = at.logo || at.home;
	if (tag === 'img') {
		source.kind = 'image';
		source.src = pictureSource(element);
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
		away: !!at.away, cookie: !!at.cookie, wall: !!at.wall || wallLike.test(own), button: !!at.button, link: !!at.link, crowd: crowd(element),
		left: tenths(rect.left), top: tenths(rect.top + scrollY), width: tenths(rect.width), height: tenths(rect.height),
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
	for (const other of Array.prototype.slice.call(around.querySelectorAll('img, svg'), 0, 12)) if (Math.abs(box(other).height - height) < height * 0.5) n++;
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
