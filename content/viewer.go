package content

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
)

// littleBeside is how much text may stand around a file for the page to be no more
// than its viewer, in bytes. Headings, links and margins do not count.
const littleBeside = 400

// ShownFile returns the address of the document that a page shows in an element of its
// own or in the frame of a viewer, if there is next to nothing else on the page. It is
// empty for all other pages.
func (p *Page) ShownFile() string {
	if !p.markup {
		return ""
	}
	v := viewer{page: p, nodes: maxSignNodes}
	if own := viewedBy(p.url); own != "" { // the page is a viewer by itself
		return p.web(own)
	}
	for n := p.tree.Root.FirstChild; n != nil; n = n.NextSibling {
		v.visit(n, 0)
	}
	if v.done() || len(v.files) != 1 {
		return ""
	}
	return v.files[0]
}

// viewer looks for files that a page shows.
type viewer struct {
	page  *Page
	nodes int // that may still be looked at
	text  int // bytes of running text
	files []string
}

func (v *viewer) done() bool { return v.text > littleBeside || v.nodes <= 0 || len(v.files) > 1 }

func (v *viewer) visit(n *dom.Node, at place) {
	if v.nodes--; v.done() {
		return
	}
	switch n.Type {
	case dom.TextNode:
		if at&(inLink|inMargin|inHidden|inLabel) == 0 {
			v.text += len(strings.TrimSpace(n.Data))
		}
		return
	case dom.ElementNode:
	default:
		return
	}
	switch n.Atom {
	case atom.Embed, atom.Object, atom.Iframe:
		v.look(n, at)
		return // what stands within is for who cannot see it
	}
	if n == v.page.told || dom.IsInvisible(n) {
		return
	}
	look := lookAt(n)
	at = look.place(n, at)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		v.visit(c, at)
	}
}

// look notes the file that an element shows. An object may have an embed element
// within for browsers that do not know it, which shows the same.
func (v *viewer) look(n *dom.Node, at place) {
	look := lookAt(n)
	if at&inHidden != 0 || isPixel(n) || look.isHidden() {
		return
	}
	source := n.Get("src")
	if n.Is(atom.Object) {
		source = n.Get("data")
	}
	file := viewedBy(v.page.base.Join(source))
	if file == "" && (isDocumentType(n.Get("type")) || isDocumentName(source)) {
		file = source
	}
	if file = v.page.web(file); file != "" && !(len(v.files) > 0 && v.files[0] == file) {
		v.files = append(v.files, file)
	}
}

// web returns an address as an absolute one, or "" if it is none of the web.
func (p *Page) web(ref string) string {
	if ref == "" {
		return ""
	}
	full := p.base.Join(ref)
	if !address.IsWeb(full) {
		return ""
	}
	full, _, _ = strings.Cut(full, "#") // which says how it is shown
	return full
}

// viewedBy returns the file that a viewer's address names: Google's and Microsoft's,
// and pdf.js wherever it stands.
func viewedBy(viewer string) string {
	u, err := url.Parse(viewer)
	if err != nil || u.RawQuery == "" && u.Fragment == "" {
		return ""
	}
	query := u.Query()
	switch name := path.Base(u.Path); {
	case u.Host == "docs.google.com" && (name == "viewer" || name == "gview"), u.Host == "drive.google.com" && name == "viewerng":
		return query.Get("url")
	case u.Host == "view.officeapps.live.com" && (name == "embed.aspx" || name == "view.aspx"):
		return query.Get("src")
	case name == "viewer.html" || name == "viewer":
		if file := query.Get("file"); isDocumentName(file) {
			return file
		}
	}
	return ""
}

func isDocumentType(media string) bool {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	return strings.TrimSpace(media) == "application/pdf"
}

// isDocumentName reports whether an address ends as that of a PDF file.
func isDocumentName(ref string) bool {
	ref, _, _ = strings.Cut(ref, "#")
	ref, _, _ = strings.Cut(ref, "?")
	return strings.HasSuffix(strings.ToLower(ref), ".pdf")
}
