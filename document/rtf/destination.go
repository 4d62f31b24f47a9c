package rtf

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/tree"
)

// destination handles words that say where the text of their group goes.
func (r *reader) destination(t *token) bool {
	s := &r.state
	name := string(t.name)
	switch name {
	case "fonttbl":
		s.into = intoFonts
	case "stylesheet":
		s.into = intoStyles
	case "listtable", "listoverridetable":
		s.into = intoLists
	case "leveltext":
		if s.into != intoLists {
			return false
		}
		r.collect(r.lists.template)
	case "info":
		s.into = intoInfo
	case "upr":
		s.outer, s.into = s.into, intoUpright
	case "generator":
		r.collect(func(text string) { r.doc.Generator = strings.TrimSuffix(trim(text), ";") })
	case "pict":
		r.startPicture()
	default:
		switch {
		case skipped[name]:
			s.into = intoNothing
		case s.into == intoInfo:
			return r.infoWord(name)
		default:
			return r.textDestination(name)
		}
	}
	return true
}

// skipped are destinations whose text is none of the document's, and which have
// no \* to say so.
var skipped = map[string]bool{
	"colortbl": true, "filetbl": true, "revtbl": true, "rsidtbl": true, "header": true, "headerl": true, "headerr": true, "headerf": true,
	"footer": true, "footerl": true, "footerr": true, "footerf": true, "ftnsep": true, "ftnsepc": true, "ftncn": true,
	"aftnsep": true, "aftnsepc": true, "aftncn": true, "annotation": true, "atnauthor": true, "atnid": true, "bkmkstart": true, "bkmkend": true,
	"nonshppict": true, "shprslt": true, "nonesttables": true, "objdata": true, "objclass": true, "objname": true, "objalias": true,
	"objsect": true, "rxe": true, "xe": true, "tc": true, "tcn": true, "txe": true, "template": true, "themedata": true, "datastore": true,
	"colorschememapping": true, "latentstyles": true, "listpicture": true, "levelnumbers": true, "listname": true, "pgdsctbl": true,
	"private": true, "xmlnstbl": true, "fldtype": true, "datafield": true, "mmathPict": true, "falt": true, "panose": true, "fontemb": true,
	"pnseclvl": true, "pntxta": true, "pntxtb": true, "keycode": true, "userprops": true, "blipuid": true, "background": true,
}

// textDestination handles the destinations within text.
func (r *reader) textDestination(name string) bool {
	s := &r.state
	switch name {
	case "footnote":
		r.footnote()
	case "shptxt", "dptxbxtext":
		r.branch(s.flow.aside)
	case "shp", "shpgrp", "do", "shpinst":
		s.shape, s.into = &shape{}, intoShape
	case "picprop":
		s.shape, s.into = &shape{}, intoShape
		if s.picture != nil {
			s.shape = s.picture.shape
		}
	case "sn":
		if shape := s.shape; shape != nil {
			r.collect(func(text string) { shape.name = text })
		}
	case "sv":
		s.into = intoShape
		if shape := s.shape; shape != nil && shape.name == "wzDescription" {
			r.collect(func(text string) { shape.alt = named.Description(text) })
		}
	case "field":
		s.field = &field{}
	case "fldinst":
		r.instruction()
	case "fldrslt":
		r.result()
	case "formfield":
		s.into = intoShape
	case "listtext", "pntext":
		r.label()
	case "moMath":
		r.startMath()
	case "pn", "shppict", "mmath", "moMathPara", "objattph", "result", "object", "sp", "nesttableprops":
		s.nested = s.nested || name == "nesttableprops"
	default:
		return false
	}
	return true
}

// footnote begins a note, which stands in the text where its group is.
func (r *reader) footnote() {
	s := &r.state
	if s.into != intoText || s.hidden || s.deleted {
		s.into = intoNothing
		return
	}
	n := len(r.doc.Notes)
	name := strconv.Itoa(n + 1)
	r.doc.Notes = append(r.doc.Notes, tree.Note{Name: name})
	s.flow.add(tree.Span{Note: name})
	r.branch(func(body []tree.Block) { r.doc.Notes[n].Body = body })
}

// label collects the number or bullet that the next paragraph shows.
func (r *reader) label() {
	s := &r.state
	if s.into != intoText {
		s.into = intoNothing
		return
	}
	flow := s.flow
	r.labels = true
	r.collect(func(text string) { flow.label, flow.labelled = trim(text), true })
}
