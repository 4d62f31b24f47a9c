package rtf

import (
	"strings"

	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/tree"
)

// style is an entry of the stylesheet.
type style struct {
	name    string
	level   int // of the heading that its name speaks of, or 0
	outline int // as in paragraph
	named   bool
}

// styleWord reads a word within the stylesheet.
func (r *reader) styleWord(t *token) {
	switch string(t.name) {
	case "s":
		r.styleNow = t.value
		if len(r.styles) < maxEntries {
			r.styles[t.value] = style{outline: -1}
		}
	case "cs", "ds", "ts":
		r.state.into = intoNothing // of characters, sections, tables
	case "outlinelevel":
		if s, known := r.styles[r.styleNow]; known {
			s.outline = t.value
			r.styles[r.styleNow] = s
		}
	}
}

// nameStyle takes text of the stylesheet: names, each ended by a semicolon.
func (r *reader) nameStyle(text string) {
	s, known := r.styles[r.styleNow]
	if !known {
		s.outline = -1
	}
	if s.named || len(s.name) > 256 || len(r.styles) == maxEntries && !known {
		return
	}
	name, _, ended := strings.Cut(text, ";")
	s.name, s.named = s.name+name, ended
	s.level = headingName(s.name)
	r.styles[r.styleNow] = s
}

// heading returns the level of the heading that a paragraph is, or 0.
func (r *reader) heading(p *paragraph) int {
	if p.tables() > 0 {
		return 0
	}
	s, known := r.styles[p.style]
	switch {
	case s.level == tree.Title:
		return tree.Title
	case p.outline >= 0 && p.outline < 9:
		return p.outline + 1
	case s.level > 0:
		return s.level
	case known && p.outline < 0 && s.outline >= 0 && s.outline < 9:
		return s.outline + 1
	}
	return 0
}

// headingName returns the level that the name of a style speaks of, or 0. Behind a
// comma there may be other names.
func headingName(name string) int {
	name, _, _ = strings.Cut(strings.TrimSpace(name), ",")
	switch role := named.Style(name); {
	case role.Title:
		return tree.Title
	case strings.EqualFold(name, "heading"):
		return 1
	default:
		return role.Level
	}
}
