package rtf

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// style is an entry of the stylesheet.
type style struct {
	name    string
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
	r.styles[r.styleNow] = s
}

// heading returns the level of the heading that a paragraph is, or 0.
func (r *reader) heading(p *paragraph) int {
	if p.tables() > 0 {
		return 0
	}
	if headingName(r.styles[p.style].name) == tree.Title {
		return tree.Title
	}
	if p.outline >= 0 && p.outline < 9 {
		return p.outline + 1
	}
	s, known := r.styles[p.style]
	if !known {
		return 0
	}
	if n := headingName(s.name); n > 0 {
		return n
	}
	if p.outline < 0 && s.outline >= 0 && s.outline < 9 {
		return s.outline + 1
	}
	return 0
}

// headingName returns the level that the name of a style speaks of, or 0.
func headingName(name string) int {
	name, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), ",")
	switch name {
	case "title":
		return tree.Title
	case "heading":
		return 1
	}
	for _, word := range headings {
		rest, ok := strings.CutPrefix(name, word)
		if n, err := strconv.Atoi(strings.TrimSpace(rest)); ok && err == nil && n >= 1 && n <= 9 {
			return n
		}
	}
	return 0
}

// headings are the words for a heading in names of styles, before its number.
var headings = [...]string{
	"heading", "überschrift", "titre", "título", "titolo", "rubrik", "kop", "overskrift", "otsikko", "nagłówek", "nadpis", "címsor",
	"titlu", "başlık", "заголовок", "επικεφαλίδα", "标题", "標題", "見出し", "제목",
}
