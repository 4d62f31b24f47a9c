// What commands do within a page. It runs in a world of its own, where scripts of the
// page cannot reach it, and leaves one name there.
globalThis.trawl ??= (() => {
	const most = 100000; // elements that are looked at

	// all yields the elements below a root, also those of open shadow roots.
	function* all(root) {
		let left = most;
		const walk = function* (node) {
			for (let e = node.firstElementChild; e && left > 0; e = e.nextElementSibling) {
				left--;
				yield e;
				if (e.shadowRoot) yield* walk(e.shadowRoot);
				yield* walk(e);
			}
		};
		yield* walk(root);
	}

	const first = (test) => {
		for (const e of all(document)) if (test(e)) return e;
		return null;
	};

	const tidy = (text) => (text ?? '').replace(/\s+/g, ' ').trim();

	const same = (text, wanted, exact) => {
		const a = tidy(text), b = tidy(wanted);
		return exact ? a === b : a.toLowerCase().includes(b.toLowerCase());
	};

	const seen = (e) => {
		if (!e.isConnected || !e.checkVisibility({ visibilityProperty: true })) return false;
		const box = e.getBoundingClientRect();
		return box.width > 0 && box.height > 0 || e.localName === 'option';
	};

	// css finds all matches; if the document has none, those of its shadow roots.
	const css = (selector) => {
		const found = [...document.querySelectorAll(selector)];
		if (found.length > 0) return found;
		for (const e of all(document)) if (e.shadowRoot) found.push(...e.shadowRoot.querySelectorAll(selector));
		return found;
	};

	const mute = /^(script|style|template|noscript|head|title|meta|link)$/;

	// says is the text that an element shows as a whole.
	const says = (e) => {
		if (mute.test(e.localName)) return '';
		if (e.localName === 'input') return /^(button|submit|reset)$/.test(e.type) ? e.value : '';
		return e.shadowRoot ? e.shadowRoot.textContent + ' ' + e.textContent : e.textContent;
	};

	// text finds the smallest element that shows a text, rather one that is seen.
	const text = (wanted, exact) => {
		const smallest = (root) => {
			for (let e = root.firstElementChild; e; e = e.nextElementSibling) {
				if (!mute.test(e.localName) && same(says(e), wanted, exact) || !exact && e.querySelector('input')) {
					const inner = e.shadowRoot && smallest(e.shadowRoot) || smallest(e);
					if (inner) return inner;
					if (same(says(e), wanted, exact) && seen(e)) return e;
				} else if (exact && tidy(says(e)).includes(tidy(wanted))) {
					const inner = e.shadowRoot && smallest(e.shadowRoot) || smallest(e);
					if (inner) return inner;
				}
			}
			return null;
		};
		return smallest(document);
	};

	const label = (wanted, exact) => {
		const named = first((e) => e.localName === 'label' && same(e.textContent, wanted, exact));
		const control = named?.control ?? named?.querySelector('input, select, textarea');
		if (control) return control;
		return first((e) => {
			if (e.hasAttribute('aria-label') && same(e.getAttribute('aria-label'), wanted, exact)) return true;
			const by = e.getAttribute('aria-labelledby');
			return by && same(by.split(/\s+/).map((id) => document.getElementById(id)?.textContent).join(' '), wanted, exact);
		});
	};

	const attribute = (name) => (wanted, exact) => first((e) => e.hasAttribute(name) && same(e.getAttribute(name), wanted, exact));

	const finders = {
		css: (selector) => css(selector)[0] ?? null,
		text,
		xpath: (path) => document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue,
		label, placeholder: attribute('placeholder'), alt: attribute('alt'), title: attribute('title'),
		testid: (wanted) => first((e) => e.getAttribute('data-testid') === wanted),
		first: (selector) => css(selector)[0] ?? null,
		last: (selector) => css(selector).at(-1) ?? null,
		focused: () => {
			let e = document.activeElement;
			while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
			return e;
		},
		nth: (selector, exact, n) => css(selector).at(n) ?? null,
	};

	const changed = (e) => {
		for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, { bubbles: true, composed: kind === 'input' }));
	};

	// assign sets the value of a field as its page would see a person do it.
	const assign = (e, value) => {
		const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value');
		if (own?.set) own.set.call(e, value);
		else e.value = value;
		changed(e);
	};

	const typed = /^(text|search|url|tel|email|password|number|)$/;

	return {
		find: (kind, wanted, exact, n) => {
			const found = finders[kind](wanted, exact, n);
			return found instanceof Element ? found : null;
		},
		count: (selector) => css(selector).length,
		seen, says: (e) => e.innerText ?? e.textContent,

		// ready makes an element take what is typed. It answers how: text, value, or why not.
		ready: (e, clear) => {
			if (!e.isConnected) return 'gone';
			if (e.disabled) return 'disabled';
			if (e.readOnly) return 'readonly';
			const field = e.localName === 'textarea' || e.localName === 'input' && typed.test(e.type);
			if (!field && !e.isContentEditable) return e.localName === 'input' && !/^(button|submit|reset|image|file|hidden)$/.test(e.type) || e.localName === 'select' ? 'value' : 'uneditable';
			e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
			e.focus();
			if (field) {
				if (clear) e.select();
				else try { e.setSelectionRange(e.value.length, e.value.length) } catch { }
			} else {
				const range = document.createRange(), selection = getSelection();
				range.selectNodeContents(e);
				if (!clear) range.collapse(false);
				selection.removeAllRanges();
				selection.addRange(range);
			}
			return 'text';
		},
		empty: (e) => (e.value ?? e.textContent) === '',
		assign: (e, value) => {
			if (e.localName === 'select') return globalThis.trawl.choose(e, [value]);
			assign(e, value);
			return '';
		},
		choose: (e, wanted) => {
			if (e.localName !== 'select') return 'not a select';
			const options = [...e.options];
			const chosen = wanted.map((w) => options.find((o) => o.value === w) ?? options.find((o) => tidy(o.label) === tidy(w) || tidy(o.textContent) === tidy(w)));
			const missing = chosen.indexOf(undefined);
			if (missing >= 0) return 'no option ' + JSON.stringify(wanted[missing]);
			if (e.multiple) for (const o of options) o.selected = chosen.includes(o);
			else chosen.at(-1).selected = true;
			changed(e);
			return '';
		},
		// press clicks what the mouse cannot hit.
		press: (e) => {
			const list = e.localName === 'option' && e.closest('select');
			if (!list) return e.click();
			if (list.multiple) e.selected = !e.selected;
			else e.selected = true;
			changed(list);
		},
		focus: (e) => e.focus(),
		checked: (e) => {
			const field = e.localName === 'label' ? e.control ?? e : e;
			if (typeof field.checked === 'boolean') return field.checked;
			const aria = field.getAttribute('aria-checked');
			return aria === null ? false : aria === 'true';
		},
		checkable: (e) => {
			const field = e.localName === 'label' ? e.control ?? e : e;
			return typeof field.checked === 'boolean' || field.hasAttribute('aria-checked') || /^(checkbox|radio|switch)$/.test(field.getAttribute('role') ?? '');
		},
		enabled: (e) => !e.matches(':disabled') && e.closest('[aria-disabled="true"]') === null,
		value: (e) => 'value' in e ? String(e.value ?? '') : e.isContentEditable ? e.innerText : '',
		html: (e) => e.innerHTML,
		attribute: (e, name) => e.getAttribute(name),
		link: (e) => e.closest('a[href], area[href]')?.href ?? '',
		styles: (e) => {
			const out = {}, style = getComputedStyle(e);
			for (const name of [...style].sort()) out[name] = style.getPropertyValue(name);
			return out;
		},
		box: (e) => {
			const { x, y, width, height } = e.getBoundingClientRect();
			return { x, y, width, height };
		},
		stay: (e) => { // a click must not open a tab that nobody asked for
			return e.closest('a[target], area[target]')?.target ?? '';
		},
		highlight: (e) => {
			e.scrollIntoView({ block: 'nearest', behavior: 'instant' });
			e.style.outline = '3px solid red';
		},
		scroll: (e, x, y) => (e ?? window).scrollBy({ left: x, top: y, behavior: 'instant' }),
		hasText: (wanted) => same(document.body?.innerText ?? '', wanted, false),

		// cursors are elements without a role that are made to be used.
		cursors: (limit) => {
			const native = 'a[href], button, input, select, textarea, option, optgroup, summary, details, label, iframe, html, body';
			const found = [], about = [];
			for (const e of all(document)) {
				if (found.length >= limit) break;
				if (!(e instanceof HTMLElement) || e.matches(native)) continue;
				const hints = [];
				const pointer = getComputedStyle(e).cursor === 'pointer' && (!e.parentElement || getComputedStyle(e.parentElement).cursor !== 'pointer');
				if (pointer) hints.push('cursor:pointer');
				if (e.hasAttribute('onclick') || e.onclick) hints.push('onclick');
				const clickable = hints.length > 0;
				const index = e.getAttribute('tabindex');
				if (index !== null && index !== '-1') hints.push('tabindex');
				const editable = e.isContentEditable && !e.parentElement?.isContentEditable;
				if (editable) hints.push('contenteditable');
				if (hints.length === 0 || !seen(e)) continue;
				found.push(e);
				about.push({ kind: editable ? 'editable' : clickable ? 'clickable' : 'focusable', hints, text: tidy(e.innerText).slice(0, 100) });
			}
			return { found, about: JSON.stringify(about) };
		},

		// mark draws numbers on elements for a picture; unmark removes them.
		mark: (boxes) => {
			const layer = document.createElement('div');
			layer.style.cssText = 'all:initial;position:absolute;left:0;top:0;z-index:2147483647;pointer-events:none';
			for (const { x, y, width, height, label } of boxes) {
				const box = document.createElement('div');
				box.style.cssText = `position:absolute;left:${x + scrollX}px;top:${y + scrollY}px;width:${width}px;height:${height}px;outline:2px solid #d00;font:bold 11px sans-serif`;
				const tag = document.createElement('span');
				tag.textContent = label;
				tag.style.cssText = 'background:#d00;color:#fff;padding:0 3px;position:absolute;left:0;top:0';
				box.append(tag);
				layer.append(box);
			}
			document.documentElement.append(layer);
			globalThis.trawlLayer = layer;
		},
		unmark: () => { globalThis.trawlLayer?.remove(); globalThis.trawlLayer = undefined; },
		size: () => ({ width: Math.max(document.documentElement.scrollWidth, innerWidth), height: Math.max(document.documentElement.scrollHeight, innerHeight) }),
		selection: () => String(getSelection()).slice(0, 100000),
		storage: (kind) => {
			const area = kind === 'session' ? sessionStorage : localStorage;
			return Object.keys(area).sort().map((key) => [key, area.getItem(key)]);
		},
		store: (kind, key, value) => (kind === 'session' ? sessionStorage : localStorage).setItem(key, value),
		unstore: (kind) => (kind === 'session' ? sessionStorage : localStorage).clear(),
		source: () => document.documentElement.outerHTML,
	};
})();
