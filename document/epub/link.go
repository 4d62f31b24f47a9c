package epub

import (
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	maxPlaces = 200_000 // that are linked to
	maxNotes  = 100_000
)

// places are what links within the book lead to. A place is a file, or a file, a "#"
// and an id.
type places struct {
	names  map[string]string // of files, as anchors have them
	used   map[string]bool
	linked map[string]bool // places that links lead to
	ids    map[string]bool // places that there are, and whether they can be notes
	refs   map[string]bool // places from which notes are referred to
	noted  map[string]bool // places that are referred to as notes
	notes  []string        // the same, in their order
}

func newPlaces() places {
	return places{
		names: map[string]string{}, used: map[string]bool{}, linked: map[string]bool{}, ids: map[string]bool{},
		refs: map[string]bool{}, noted: map[string]bool{},
	}
}

// find notes the links and the ids of a chapter.
func (p *places) find(r *reader, root *dom.Node) {
	p.call(r.chapter)
	for n := root.FirstChild; n != nil; n = dom.Following(n, root, true) {
		if n.Type != dom.ElementNode {
			continue
		}
		if id := identifier(n); id != "" && len(p.ids) < maxPlaces {
			p.ids[r.chapter+"#"+id] = canBeNote(n)
		}
		if n.Atom != atom.A {
			continue
		}
		file, fragment, ok := r.target(n.Get("href"))
		if !ok || len(p.linked) >= maxPlaces {
			continue
		}
		place := join(file, fragment)
		p.linked[place] = true
		if isReference(n) && fragment != "" && len(p.notes) < maxNotes {
			if !p.noted[place] {
				p.noted[place] = true
				p.notes = append(p.notes, place)
			}
			for up := n; up != nil && !dom.IsBlock(up.Atom); up = up.Parent {
				if id := identifier(up); id != "" {
					p.refs[r.chapter+"#"+id] = true
				}
			}
		}
	}
}

func identifier(n *dom.Node) string {
	if id := n.Get("id"); id != "" || n.Atom != atom.A {
		return id
	}
	return n.Get("name")
}

func join(file, fragment string) string {
	if fragment == "" {
		return file
	}
	return file + "#" + fragment
}

// call gives a file a name for anchors, unlike that of others.
func (p *places) call(file string) {
	stem := strings.Map(func(r rune) rune {
		if r == ' ' || r == '#' || r == '%' || r == '"' {
			return '-'
		}
		return r
	}, strings.TrimSuffix(path.Base(file), path.Ext(file)))
	name := stem
	if p.used[name] {
		name = stem + "-" + strconv.Itoa(len(p.names)+1)
	}
	p.used[name] = true
	p.names[file] = name
}

// target returns the file and the place that a link leads to, if it is in the book.
func (r *reader) target(href string) (file, fragment string, ok bool) {
	if href == "" || strings.Contains(href[:min(len(href), 30)], ":") {
		return "", "", false
	}
	file, fragment = resolve(r.chapter, href)
	_, isText := r.media[file]
	return file, fragment, isText || file == r.chapter
}

// link returns where a link leads.
func (r *reader) link(href string) string {
	href = strings.TrimSpace(href)
	file, fragment, ok := r.target(href)
	if !ok {
		if strings.Contains(href[:min(len(href), 30)], ":") {
			return href
		}
		return "" // a file that is not there
	}
	name, isChapter := r.places.names[file]
	if !isChapter {
		return ""
	}
	if _, there := r.places.ids[join(file, fragment)]; fragment == "" || !there {
		return "#" + name
	}
	return "#" + name + "-" + fragment
}

// anchor returns the name of an element that is linked to.
func (r *reader) anchor(id string) string {
	if place := r.chapter + "#" + id; !r.places.linked[place] || r.places.noted[place] {
		return ""
	}
	return r.places.names[r.chapter] + "-" + id
}

// mark makes the beginning of a chapter a place that links lead to.
func (r *reader) mark(blocks []tree.Block, name string) {
	if !r.places.linked[r.chapter] {
		return
	}
	for _, b := range blocks {
		var text []tree.Span
		switch b := b.(type) {
		case *tree.Heading:
			text = b.Text
		case *tree.Paragraph:
			text = b.Text
		}
		if len(text) > 0 {
			if text[0].Anchor == "" {
				text[0].Anchor = name
			}
			return
		}
	}
}

// isReference tells whether a link refers to a note.
func isReference(n *dom.Node) bool {
	return has(n, "noteref") || n.HasClass("footnote-ref", "footnoteRef", "noteref")
}

// noteOf returns the note that a link refers to.
func (r *reader) noteOf(n *dom.Node) string {
	if !isReference(n) {
		return ""
	}
	file, fragment, ok := r.target(n.Get("href"))
	if place := join(file, fragment); ok && r.places.noted[place] && r.places.ids[place] {
		return place
	}
	return ""
}

// canBeNote tells whether an element can be a note, or be what one begins with.
func canBeNote(n *dom.Node) bool {
	return holdsNote(n) || !dom.IsBlock(n.Atom) && n.Inside(atom.P, atom.Li, atom.Dd, atom.Aside) != nil
}

func holdsNote(n *dom.Node) bool {
	switch n.Atom {
	case atom.Aside, atom.Li, atom.P, atom.Div, atom.Section, atom.Dd:
		return true
	}
	return false
}

// isNote returns the note that an element is: by its id, or by that of what it
// begins with.
func (r *reader) isNote(n *dom.Node) string {
	if len(r.places.noted) == 0 || !holdsNote(n) {
		return ""
	}
	if place := r.chapter + "#" + identifier(n); r.places.noted[place] {
		return place
	}
	if n.Atom == atom.Section || n.Atom == atom.Div {
		return ""
	}
	for c, steps := n.FirstChild, 0; c != nil && steps < 4; steps++ {
		if c.Type != dom.ElementNode {
			if strings.TrimSpace(c.Data) != "" {
				return ""
			}
			c = c.NextSibling
			continue
		}
		if dom.IsBlock(c.Atom) {
			return ""
		}
		if place := r.chapter + "#" + identifier(c); r.places.noted[place] {
			return place
		}
		c = c.FirstChild
	}
	return ""
}

// withoutSign takes what is left of the sign of a note from its beginning: it has a
// number of its own.
func withoutSign(note []tree.Block) {
	if len(note) == 0 {
		return
	}
	if p, ok := note[0].(*tree.Paragraph); ok && p.Text[0].IsText() {
		p.Text[0].Text = strings.TrimLeft(p.Text[0].Text, ".:)] \u00a0")
	}
}

// isBacklink tells whether a link leads from a note back to where it is referred to.
func (r *reader) isBacklink(n *dom.Node) bool {
	if has(n, "backlink", "referrer") || n.HasClass("footnote-back", "footnoteBackLink") {
		return true
	}
	if len(r.places.refs) == 0 || isReference(n) {
		return false
	}
	file, fragment, ok := r.target(n.Get("href"))
	return ok && fragment != "" && r.places.refs[join(file, fragment)]
}

// picture embeds a picture.
func (r *reader) picture(source string) string {
	source = strings.TrimSpace(source)
	if strings.HasPrefix(source, "data:image/") {
		if len(source) > 2*tree.MaxPicture || !r.pictures.Take(len(source)*3/4) {
			r.pictures.Leave()
			return ""
		}
		return source
	}
	if strings.HasPrefix(source, "http:") || strings.HasPrefix(source, "https:") {
		return source
	}
	name, _ := resolve(r.chapter, source)
	if source == "" || !r.archive.Has(name) {
		return ""
	}
	return r.pictures.EmbedPart(name, r.archive.Read)
}
