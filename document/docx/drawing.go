package docx

import (
	"strings"

	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// maxBoxes is how many text boxes may be in each other.
const maxBoxes = 8

// drawing reads what is drawn in a line: pictures stay in it, text boxes and charts
// come after it.
func (l *line) drawing(n *zipped.Node, link string) {
	if !l.visible() {
		return
	}
	d := drawn{line: l, link: link}
	d.children(n)
}

// drawn is a drawing that is being read.
type drawn struct {
	*line
	link     string
	alt      string
	floating bool // text flows around it
}

// children looks through a drawing for what can be told in words.
func (d *drawn) children(n *zipped.Node) {
	for c := range n.All() {
		switch c.Name {
		case "wp:docPr":
			d.describe(c)
		case "wp:anchor":
			d.floating = true
			d.children(c)
		case "a:blip":
			d.picture(c.Get("r:embed"), c.Get("r:link"))
		case "v:imagedata":
			d.picture(c.Get("r:id"), c.Get("r:href"))
		case "v:shape", "v:rect", "v:group":
			d.shape(c)
		case "w:txbxContent":
			d.box(c)
		case "c:chart":
			d.chart(c.Get("r:id"))
		case "dgm:relIds":
			d.diagram(c.Get("r:dm"))
		case "mc:AlternateContent":
			d.children(alternative(c))
		default:
			d.children(c)
		}
	}
}

// describe takes the text that stands for a picture, and its link.
func (d *drawn) describe(n *zipped.Node) {
	d.alt = n.Get("descr")
	if d.alt == "" {
		d.alt = n.Get("title")
	}
	if rel := d.relations[n.Child("a:hlinkClick").Get("r:id")]; rel.External {
		d.link = rel.Target
	}
}

// shape reads a shape of the older kind of drawings.
func (d *drawn) shape(n *zipped.Node) {
	if n.Get("o:hr") == "t" || n.Get("o:hr") == "true" {
		d.cut()
		d.done = append(d.done, piece{block: &tree.Rule{}})
		return
	}
	d.alt = n.Get("alt")
	d.floating = d.floating || strings.Contains(n.Get("style"), "position:absolute")
	d.children(n)
}

// picture adds a picture that is in the archive or somewhere else.
func (d *drawn) picture(embedded, linked string) {
	alt := named.Description(d.alt)
	rel := d.relations[embedded]
	if rel.Target == "" {
		rel = d.relations[linked]
	}
	source := rel.Target
	switch {
	case !rel.External && source != "":
		source = d.pictures.EmbedPart(source, d.archive.Read)
	case strings.HasPrefix(source, "file:"):
		source = "" // on a machine of somebody else
	}
	if source == "" && alt == "" {
		return
	}
	picture := &tree.Image{Source: source, Alt: alt}
	if d.floating && d.link == "" {
		d.floats = append(d.floats, picture)
	} else {
		d.add(tree.Span{Image: picture, Link: d.link})
	}
}

// box reads a text box.
func (d *drawn) box(n *zipped.Node) {
	if d.boxes == maxBoxes {
		d.doc.Incomplete(tree.ErrTooComplex)
		return
	}
	fields, carry := d.fields, d.carry
	d.fields, d.carry = nil, nil
	d.boxes++
	d.boxed = append(d.boxed, d.blocks(n)...)
	d.boxes--
	d.fields, d.carry = fields, carry
}
