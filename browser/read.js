// Reads the document as a reader sees it: what open shadow roots show stands in
// place of what their hosts hold. Runs in an isolated world.
function (most, all) {
	const navigation = performance.getEntriesByType('navigation')[0];
	const type = document.contentType || 'text/html';
	const markup = /^(text\/html|application\/xhtml\+xml)$/.test(type);

	const escape = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
	const hollow = new Set(['AREA', 'BASE', 'BR', 'COL', 'EMBED', 'HR', 'IMG', 'INPUT', 'LINK', 'META', 'SOURCE', 'TRACK', 'WBR']);

	// The shown tree below a node, written out. Beyond a depth that no layout has
	// the browser's own writing serves.
	function write(node, depth, parts) {
		if (node.nodeType === Node.TEXT_NODE) {
			const within = node.parentNode && node.parentNode.nodeName;
			parts.push(within === 'SCRIPT' || within === 'STYLE' ? node.data : escape(node.data));
			return;
		}
		if (node.nodeType !== Node.ELEMENT_NODE) return;
		if (depth > 400 || node.namespaceURI !== 'http://www.w3.org/1999/xhtml') {
			parts.push(node.outerHTML);
			return;
		}
		if (node.nodeName === 'SLOT' && node.getRootNode() instanceof ShadowRoot) {
			const given = node.assignedNodes();
			for (const child of given.length ? given : node.childNodes) write(child, depth + 1, parts);
			return;
		}
		const shell = node.cloneNode(false).outerHTML;
		if (hollow.has(node.nodeName)) {
			parts.push(shell);
			return;
		}
		const end = '</' + node.localName + '>';
		parts.push(shell.endsWith(end) ? shell.slice(0, -end.length) : shell);
		if (node.nodeName === 'TEMPLATE') parts.push(node.innerHTML);
		else for (const child of (node.shadowRoot || node).childNodes) write(child, depth + 1, parts);
		parts.push(end);
	}

	function shadows() {
		const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
		while (walker.nextNode()) if (walker.currentNode.shadowRoot) return true;
		return false;
	}

	let html = '';
	const root = document.documentElement;
	if (root && !markup) { // the browser shows text and XML in pages of its own making
		const source = document.getElementById('webkit-xml-viewer-source-xml');
		const plain = document.body && document.body.firstElementChild;
		if (source) html = source.innerHTML;
		else if (plain && plain.nodeName === 'PRE' && /^(text\/|application\/(.*\+)?(json|javascript))/.test(type)) html = plain.textContent;
		else html = root.outerHTML;
	} else if (root) {
		if (shadows()) {
			const parts = [];
			write(root, 0, parts);
			html = parts.join('');
		} else {
			html = root.outerHTML;
		}
		if (document.doctype) html = new XMLSerializer().serializeToString(document.doctype) + html;
	}
	if (html.length > all) html = html.slice(0, all);
	return {
		url: document.location.href,
		status: navigation ? navigation.responseStatus : 0,
		type: type,
		language: root && root.lang || '',
		length: html.length,
		html: html.length > most ? '' : html,
	};
}
