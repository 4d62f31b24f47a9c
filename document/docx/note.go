package docx

import (
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// notes are the footnotes and endnotes of a document.
type notes struct {
	nodes map[string]*zipped.Node // by name
	parts map[string]string       // by kind, which they are in
	read  map[string]bool         // by name, those that were referred to
}

func noteName(kind, id string) string { return kind + id }

// readNotes finds the notes; they are read where they are referred to.
func (r *reader) readNotes() {
	r.notes = notes{nodes: map[string]*zipped.Node{}, parts: map[string]string{}, read: map[string]bool{}}
	for _, kind := range []string{"footnote", "endnote"} {
		root, part := r.related(kind + "s")
		name := "w:" + kind
		r.notes.parts[name] = part
		for n := range root.All() {
			if t := n.Get("w:type"); n.Name == name && (t == "" || t == "normal") {
				r.notes.nodes[noteName(name, n.Get("w:id"))] = n
			}
		}
	}
}

// readNote reads a note if it was not yet, and tells whether there is one.
func (r *reader) readNote(kind, id string) bool {
	name := noteName(kind, id)
	n := r.notes.nodes[name]
	if n == nil {
		return false
	}
	if r.notes.read[name] {
		return true
	}
	r.notes.read[name] = true
	at := len(r.doc.Notes)
	r.doc.Notes = append(r.doc.Notes, tree.Note{Name: name})
	r.within(r.notes.parts[kind], func() { r.doc.Notes[at].Body = r.blocks(n) })
	return true
}
