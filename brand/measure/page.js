// ---- the walk ----

function visit(item) {
	const {element} = item;
	const style = getComputedStyle(element), rect = box(element);
	if (style.display === 'none' || style.contentVisibility === 'hidden') return null;
	item.tag = nameOf(element);
	if (/^(script|style|noscript|template|head|meta|link|title|option|iframe|object|embed|canvas)$/.test(item.tag)) return null;
	item.names = namesOf(element);
	if (style.opacity === '0' && /absolute|fixed/.test(style.position) || isForeign(item, rect, style)) return null;
	const clip = clipOf(item, style), shown = clipped(rect, clip);
	const at = place(item, rect, style), inner = Object.assign(clips(item, rect, style, clip), {at, ground: item.ground});
	if (item.tag === 'slot') text(item, style, at);
	if (style.visibility === 'hidden' || style.display === 'contents') return inner;
	if (shown.width <= 1 || shown.height <= 1) return rect.height <= 1 ? inner : null;
	const pressed = !item.at.button && isButton(item, rect, style);
	if (pressed) at.button = true;
	if (element !== root && element !== body) ground(item, rect, shown, style, inner);
	text(Object.assign({}, item, {ground: inner.ground}), style, at);
	spaces(item, rect, style, at);
	layout(Object.assign({}, item, {clip: inner.clip}), rect, style, at);
	if (pressed) button(item, rect, style, at);
	input(item, rect, style, at);
	state(item, style, at);
	moves(item, style);
	attempt(() => logo(item, rect, style, at));
	if (item.tag === 'a' && at.home && (at.header || at.logo || at.root && !at.article && !pressed && rect.top + scrollY < 200) && result.names.length < 12) result.names.push({type: 'wordmark', name: words(element, 60).text});
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

let met = new WeakSet();
function walk(first, limit) {
	const stack = [{element: first, at: {}, ground: result.canvas, clip: everything, held: everything}];
	for (let n = 0; stack.length; n++) {
		if (late()) result.late = true;
		if (n >= limit || result.late) { result.cut = true; break; }
		const item = stack.pop();
		if (met.has(item.element)) continue;
		met.add(item.element);
		result.looked++;
		const inner = attempt(() => visit(item), null);
		if (!inner) continue;
		const list = children(item);
		for (let i = list.length - 1; i >= 0; i--) stack.push({element: list[i], at: inner.at, ground: inner.ground, clip: inner.clip, held: inner.held});
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

// Kinds of organisations, as data for machines call them.
const organised = /Organization|Corporation|WebSite|Business|Brand|Airline|Store|Shop$|Dealer|Restaurant|Hotel|Motel|Hostel|Resort|Winery|Brewery|Bakery|Distillery|BarOrPub|Establishment|Bank|CreditUnion|Agency|Agent|Attorney|Notary|(Legal|Financial|Accounting|Emergency|Food|Government)Service|MedicalClinic|Dentist|Physician|Pharmacy|Hospital|VeterinaryCare|Optician|School|College|University|Library|Museum|Club|Gym|Spa$|Salon|Parlor|Theater|Casino|Gallery|Contractor|Plumber|Electrician|Locksmith|HousePainter|(Radio|Television|Gas)Station|Consortium|Cooperative|SportsTeam|MusicGroup|TheaterGroup|^NGO$/;

// Names of organisations in the data for machines.
function names() {
	const seek = (value, depth) => {
		if (!value || typeof value !== 'object' || depth > 6 || result.names.length >= 10) return;
		if (Array.isArray(value)) { value.slice(0, 50).forEach(v => seek(v, depth + 1)); return; }
		const type = [].concat(value['@type'] || []).join(' ');
		const named = organised.test(type) || value.logo && !/Product|Article|Person|Event|Page|List|Offer/.test(type);
		if (named && typeof value.name === 'string') result.names.push({type: short(type, 60), name: short(value.name, 120)});
		for (const key of ['@graph', 'publisher', 'mainEntity', 'isPartOf']) seek(value[key], depth + 1);
	};
	for (const script of [...find('script[type="application/ld+json"]')].slice(0, 20)) {
		if (script.textContent.length < 200000) attempt(() => seek(JSON.parse(script.textContent), 0));
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
	if (result.chars < 20 && leftOut) { // the dialog is the page
		[layersToo, met] = [true, new WeakSet()];
		attempt(() => walk(body, most.elements - most.footer));
	}
	attempt(pageEnd);
}
result.took = Math.round(performance.now() - started);
let length = JSON.stringify(result).length;
for (const name of ['logos', 'properties', 'texts', 'buttons']) {
	while (length > most.result && result[name].length) length -= JSON.stringify(result[name].pop()).length;
}
return result;
