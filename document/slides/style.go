package slides

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/ooxml"
	"github.com/trawlhq/trawl/document/zipped"
)

// bullet is what is said about the bullets of a level, if anything is.
type bullet struct {
	deck.Bullet
	said bool
}

// bulletOf reads what the properties of a paragraph say about its bullet.
func bulletOf(pPr *zipped.Node) bullet {
	for c := range pPr.All() {
		switch c.Name {
		case "a:buNone":
			return bullet{said: true}
		case "a:buChar":
			return bullet{deck.Bullet{Shown: strings.TrimSpace(c.Get("char")) != ""}, true}
		case "a:buBlip":
			return bullet{deck.Bullet{Shown: true}, true}
		case "a:buAutoNum":
			start, _ := strconv.Atoi(c.Get("startAt"))
			return bullet{deck.Bullet{Shown: true, Number: c.Get("type"), Start: min(max(start, 1), 32767)}, true}
		}
	}
	return bullet{}
}

// bullets are those of all levels.
type bullets [deck.MaxLevel + 1]bullet

// read reads a list of styles.
func (b *bullets) read(list *zipped.Node) {
	if list == nil {
		return
	}
	for i := range b {
		b[i] = bulletOf(list.Child(fmt.Sprintf("a:lvl%dpPr", i+1)))
	}
}

// layout is a layout or, if it has none itself, a master.
type layout struct {
	master            *layout
	placeholders      []placeholder
	title, body, rest bullets // that a master has for texts
}

// placeholder is a place that a layout has for a shape of its slides.
type placeholder struct {
	kind, index string
	box         deck.Box
	bullets     bullets
}

// layout returns a layout, which is read once.
func (r *reader) layout(part string) *layout {
	if l := r.layouts[part]; l != nil {
		return l
	}
	l := &layout{}
	r.layouts[part] = l // also for one that is its own master
	root, _ := r.archive.XML(part)
	for n := range root.Child("p:cSld").Child("p:spTree").All() {
		ph := properties(n).Child("p:nvPr").Child("p:ph")
		if ph == nil {
			continue
		}
		p := placeholder{kind: ph.Get("type"), index: ph.Get("idx"), box: box(n)}
		p.bullets.read(n.Child("p:txBody").Child("a:lstStyle"))
		l.placeholders = append(l.placeholders, p)
	}
	if root != nil && root.Name == "p:sldMaster" {
		styles := root.Child("p:txStyles")
		l.title.read(styles.Child("p:titleStyle"))
		l.body.read(styles.Child("p:bodyStyle"))
		l.rest.read(styles.Child("p:otherStyle"))
		return l
	}
	for _, rel := range ooxml.Relations(r.archive, part) {
		if rel.Kind == "slideMaster" {
			l.master = r.layout(rel.Target)
		}
	}
	return l
}

// find returns the placeholder that one of a slide stands for, nil if there is none.
// Its number counts more than its kind.
func (l *layout) find(kind, index string) *placeholder {
	var found *placeholder
	for i := range l.placeholders {
		p := &l.placeholders[i]
		switch {
		case family(kind) == "title" && family(p.kind) == "title":
			return p
		case index != "" && p.index == index:
			return p
		case found == nil && p.kind == kind:
			found = p
		}
	}
	return found
}

// family returns the kind of placeholder of a master that one stands for.
func family(kind string) string {
	switch kind {
	case "title", "ctrTitle":
		return "title"
	case "dt", "ftr", "sldNum", "hdr", "sldImg":
		return kind
	}
	return "body"
}

// style is what a shape inherits: its kind, where it stands, and the bullets of those
// that it asks, the nearest first.
type style struct {
	kind  string
	box   deck.Box
	asked []*bullets
}

// inherit returns what a shape inherits. Ph is nil if it is no placeholder.
func (s *slide) inherit(ph *zipped.Node) style {
	var of style
	master := s.layout.master
	if ph == nil {
		if master != nil {
			of.asked = append(of.asked, &master.rest)
		}
		of.asked = append(of.asked, &s.defaults)
		return of
	}
	of.kind = ph.Get("type")
	index := ph.Get("idx")
	if p := s.layout.find(of.kind, index); p != nil {
		if of.kind == "" {
			of.kind = p.kind
		}
		of.box = p.box
		of.asked = append(of.asked, &p.bullets)
	}
	if master == nil {
		return of
	}
	if p := master.find(family(of.kind), ""); p != nil {
		if of.box == (deck.Box{}) {
			of.box = p.box
		}
		of.asked = append(of.asked, &p.bullets)
	}
	if family(of.kind) == "title" {
		of.asked = append(of.asked, &master.title)
	} else {
		of.asked = append(of.asked, &master.body)
	}
	return of
}

// bullet returns the bullet of a line whose own properties are silent about it.
func (of *style) bullet(level int) deck.Bullet {
	for _, b := range of.asked {
		if b[level].said {
			return b[level].Bullet
		}
	}
	return deck.Bullet{}
}
