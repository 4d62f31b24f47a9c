// ---- where an element is ----

const headerLike = /(^|[-_ ])(site-?header|page-?header|main-?header|header|masthead|navbar|topbar|top-?nav)([-_ ]|$)/i;
const footerLike = /(^|[-_ ])(site-?footer|footer)([-_ ]|$)/i;
const cookieLike = /cookie|consent|gdpr|onetrust|didomi|usercentrics|privacy-?manager/i;
const noticeLike = /(cookie|consent|gdpr|privacy)[-_ a-z]*(banner|bar|notice|popup|modal|message|law|info|wall|overlay|box|hint|dialog|prompt)|onetrust|didomi|usercentrics/i;
const adLike = /(^|[-_ ])(ads?|advert|advertisement|advertising|adsbygoogle|ad-?(slot|unit|banner|container)|banner-ad)([-_ ]|$)/i;
const wallLike = /partner|client|customer|sponsor|trusted|press|featured-in|testimonial|as-seen|integrations|payment|avatar|author/i;
const rowLike = /(^|[-_ ])(logos|brands)([-_ ]|$)|logos?-?(wall|grid|cloud|strip|garden|carousel|marquee|slider|row)/i;
const logoLike = /logo|brand(?!ing)|wordmark/i;
const buttonLike = /(^|[-_ ])(btn|button|cta)([-_ ]|$)|(^|[-_a-z ])(Button|Btn)([-_A-Z ]|$)/;
const stateLike = /(^|[-_ ])(success|warning|danger|error)([-_ ]|$)/i;
const partLike = /(^|[-_ ])(alert|badge|text|bg|toast|message|notice|status|btn|button|label|tag|pill|banner|callout|chip)([-_ ]|$)/i;
const bareState = /^(is-|has-|-+)?(success|warning|danger|error)$/i;
const namesOf = element => (attribute(element, 'class') + ' ' + attribute(element, 'id')).slice(0, 300);

// Whether an element holds what only the page itself holds. Looking is not free:
// after so many times, everything does.
function holdsPage(element, what) {
	if (most.searches-- <= 0) return true;
	return !!Element.prototype.querySelector.call(element, what);
}
const small = rect => rect.width * rect.height < view.width * view.height * 0.3;
const full = rect => rect.width >= view.width * 0.9 && rect.height >= view.height * 0.9;

// The name of an element that tells how something went: one that says what the
// element is as well, or one that stands beside it.
function stateName(element, names, rect) {
	if (!stateLike.test(names) || !partLike.test(names) || !small(rect)) return '';
	const name = names.split(' ').find(name => stateLike.test(name) && (partLike.test(name) || bareState.test(name)));
	return name && !holdsPage(element, 'main, h1, header') ? name : '';
}

// What lies before the page for a while: a dialog, or a veil over all of it.
function isLayer(element, tag, rect, style) {
	const apart = style.position === 'fixed' || style.position === 'absolute';
	const dialog = tag === 'dialog' || attribute(element, 'aria-modal') === 'true' || /^(alert)?dialog$/.test(attribute(element, 'role')) && apart;
	if (dialog) return !holdsPage(element, 'main');
	const veil = opacity(colour(style.backgroundColor));
	return style.position === 'fixed' && full(rect) && !(parseInt(style.zIndex) < 0) && veil > 0.05 && veil < 0.97 && !holdsPage(element, 'main, h1, header');
}

// What asks for consent to cookies: it lies before the page, or is a small part of it.
function isCookie(element, names, rect, style) {
	if (!cookieLike.test(names)) return false;
	const before = style.position === 'fixed' || style.position === 'sticky';
	return (before || noticeLike.test(names) && small(rect)) && !holdsPage(element, 'main, h1, header');
}

// What is of others, or before the page: it tells nothing about the page.
let leftOut = 0, layersToo = false;
function isForeign(item, rect, style) {
	const {element, tag, names} = item;
	if (element === body) return false;
	const layer = !layersToo && isLayer(element, tag, rect, style);
	if (layer) leftOut++;
	return layer || adLike.test(names) && tag !== 'a' && !holdsPage(element, 'main, h1, header');
}

// Where an element is, as its ancestors tell.
function place(item, rect, style) {
	const {element, tag, names} = item, role = attribute(element, 'role');
	const at = Object.assign({}, item.at);
	const top = rect.top + scrollY, whole = /^(html|body|main)$/.test(tag);
	const headed = tag === 'header' || role === 'banner' || (headerLike.test(names) || /-(header|masthead|navbar|topbar)$/.test(tag)) && rect.width > view.width * 0.5;
	if (!at.article && headed && top < 250 && rect.height < 400) at.header = true;
	if (tag === 'footer' || role === 'contentinfo' || footerLike.test(names) || /-footer$/.test(tag)) at.footer = true;
	if (tag === 'nav' || role === 'navigation') at.nav = true;
	if (tag === 'article' || tag === 'main') at.article = true;
	if (/^(p|li|td|dd|blockquote|figcaption)$/.test(tag)) at.prose = true;
	if (!whole && !at.cookie && isCookie(element, names, rect, style)) at.cookie = true;
	if (!whole && (wallLike.test(names) || rowLike.test(names) && !at.header)) at.wall = true;
	if (!whole && logoLike.test(names + ' ' + attribute(element, 'aria-label')) && !/^(header|nav)$/.test(tag)) at.logo = true;
	at.stateName = whole ? '' : stateName(element, names, rect);
	if (at.stateName) at.state = true;
	if (/^(pre|code|kbd|samp)$/.test(tag)) at.code = true;
	if (/^h[1-6]$/.test(tag)) at.heading = tag;
	if (tag === 'a' && attribute(element, 'href')) leads(element, at);
	if (style.position === 'fixed') {
		at.fixed = true;
		at.float = !at.header && !at.nav && rect.width < view.width * 0.6 && rect.top > 40 && rect.bottom > view.height * 0.5;
	}
	return at;
}

// Where a link leads: home, elsewhere on the site, or away from it.
function leads(element, at) {
	at.link = true;
	const target = attempt(() => new URL(attribute(element, 'href'), document.baseURI), null);
	const site = host => host.split('.').slice(-2).join('.');
	at.away = !!target && /^https?:$/.test(target.protocol) && site(target.hostname) !== site(location.hostname);
	at.home = !!target && target.host === location.host && !target.search && /^\/([a-z]{2}(-[a-z]{2})?\/?|[a-z]{2}\/[a-z]{2}\/?|index\.\w+|home\/?)?$/i.test(target.pathname) && attribute(element, 'href')[0] !== '#';
	at.root = at.home && target.pathname === '/';
}

// What an element leaves to see of what is in it, and what of it is seen. What is
// positioned is cut by ancestors that are positioned too.
const everything = {left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity};
const clipOf = (item, style) => style.position === 'fixed' ? everything : style.position === 'absolute' ? item.held : item.clip;
function clipped(rect, clip) {
	const left = Math.max(rect.left, clip.left, 0), right = Math.min(rect.right, clip.right, Math.max(view.width, 1));
	const top = Math.max(rect.top, clip.top, -scrollY), bottom = Math.min(rect.bottom, clip.bottom);
	return {left, right, top, bottom, width: Math.max(0, right - left), height: Math.max(0, bottom - top)};
}
function clips(item, rect, style, clip) {
	const inner = {clip, held: item.held};
	if (item.element !== body && style.display !== 'contents' && style.display !== 'inline') {
		const down = /hidden|clip/.test(style.overflowY), across = style.overflowX !== 'visible';
		inner.clip = {
			left: across ? Math.max(clip.left, rect.left) : clip.left, right: across ? Math.min(clip.right, rect.right) : clip.right,
			top: down ? Math.max(clip.top, rect.top) : clip.top, bottom: down ? Math.min(clip.bottom, rect.bottom) : clip.bottom,
		};
	}
	if (style.position !== 'static' || style.transform !== 'none') inner.held = inner.clip;
	return inner;
}

// ---- the ground of the page ----

// The ground of the page: that of a layer behind all of it, that of the root, else
// that of the body, else what browsers paint for its scheme.
function canvas() {
	const behind = backdrop();
	if (behind) return behind;
	for (const element of [root, body]) {
		const style = getComputedStyle(element);
		const code = colour(style.backgroundColor) || '';
		result.declared = true;
		if (opacity(code) > 0.5) return over(code, '#ffffffff');
		const between = stops(style.backgroundImage);
		if (between.length) return over(between[0], '#ffffffff');
	}
	result.declared = false;
	const scheme = getComputedStyle(root).colorScheme;
	const dark = /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia('(prefers-color-scheme: dark)').matches);
	return dark ? '#121212ff' : '#ffffffff';
}

// The colour of a layer that fills the window behind the page.
function backdrop() {
	const queue = [{element: body, depth: 0}];
	for (let n = 0; n < queue.length && n < 100; n++) {
		const {element, depth} = queue[n], style = getComputedStyle(element);
		const paint = opacity(colour(style.backgroundColor)) > 0.9 ? colour(style.backgroundColor) : '';
		if (paint && style.position === 'fixed' && parseInt(style.zIndex) < 0 && full(box(element))) {
			met.add(element);
			result.declared = true;
			return paint;
		}
		if (depth < 3) for (let child = firstOf(element), k = 0; child && k < 20; child = nextOf(child), k++) queue.push({element: child, depth: depth + 1});
	}
	return '';
}
