package docx

import (
	"path"

	"github.com/trawlhq/trawl/document/ooxml"
	"github.com/trawlhq/trawl/document/zipped"
)

// enter makes a part the one that is read.
func (r *reader) enter(part string) {
	r.part = part
	r.relations = ooxml.Relations(r.archive, part)
}

// related returns a part that the present one refers to by its kind, nil if there
// is none. A file that fails to refer to it has it at the usual place.
func (r *reader) related(kind string) (*zipped.Node, string) {
	name := path.Join(path.Dir(r.part), kind+".xml")
	for _, rel := range r.relations {
		if rel.Kind == kind && !rel.External {
			name = rel.Target
		}
	}
	root, _ := r.archive.XML(name)
	return root, name
}
