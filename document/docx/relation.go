package docx

import (
	"path"
	"strings"

	"github.com/trawlhq/trawl/document/zipped"
)

// relation is what an id in a part refers to.
type relation struct {
	kind     string // the last element of its type: image, hyperlink, styles …
	target   string // a part of the archive, or an address
	external bool
}

// mainPart returns the name of the part that holds the body.
func (r *reader) mainPart() string {
	for _, rel := range r.relationsOf("") {
		if rel.kind == "officeDocument" && r.archive.Has(rel.target) {
			return rel.target
		}
	}
	return "word/document.xml"
}

// relationsOf reads the relations of a part, those of the archive for "".
func (r *reader) relationsOf(part string) map[string]relation {
	dir, file := path.Split(part)
	root, _ := r.archive.XML(dir + "_rels/" + file + ".rels")
	relations := map[string]relation{}
	for n := range root.All() {
		if n.Name != "rel:Relationship" {
			continue
		}
		rel := relation{
			kind:   path.Base(n.Get("Type")),
			target: strings.TrimSpace(n.Get("Target")),
		}
		rel.external = n.Get("TargetMode") == "External" || rel.kind == "hyperlink"
		if !rel.external {
			rel.target = resolve(dir, rel.target)
		}
		relations[n.Get("Id")] = rel
	}
	return relations
}

// resolve returns the part that a target means, seen from a folder.
func resolve(dir, target string) string {
	target, _, _ = strings.Cut(strings.ReplaceAll(target, `\`, "/"), "#")
	if strings.HasPrefix(target, "/") {
		return strings.TrimLeft(path.Clean(target), "/")
	}
	return strings.TrimLeft(path.Join("/", dir, target), "/")
}

// enter makes a part the one that is read.
func (r *reader) enter(part string) {
	r.part = part
	r.relations = r.relationsOf(part)
}

// related returns a part that the present one refers to by its kind, nil if there
// is none. A file that fails to refer to it has it at the usual place.
func (r *reader) related(kind string) (*zipped.Node, string) {
	name := path.Join(path.Dir(r.part), kind+".xml")
	for _, rel := range r.relations {
		if rel.kind == kind && !rel.external {
			name = rel.target
		}
	}
	root, _ := r.archive.XML(name)
	return root, name
}
