package slides

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/ooxml"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// properties returns what a shape says of itself that has nothing to do with its looks:
// its name, what it shows, whether it is a placeholder.
func properties(shape *zipped.Node) *zipped.Node {
	for c := range shape.All() {
		switch c.Name {
		case "p:nvSpPr", "p:nvPicPr", "p:nvGraphicFramePr", "p:nvGrpSpPr":
			return c
		}
	}
	return nil
}

// box returns where a shape says that it is.
func box(shape *zipped.Node) deck.Box {
	frame := shape.Child("p:xfrm")
	for _, name := range [...]string{"p:spPr", "p:grpSpPr"} {
		frame = cmp.Or(frame, shape.Child(name).Child("a:xfrm"))
	}
	if frame == nil {
		return deck.Box{}
	}
	number := func(n *zipped.Node, attr string) float64 {
		f, err := strconv.ParseFloat(n.Get(attr), 64)
		if err != nil || f < -1e12 || f > 1e12 {
			return 0
		}
		return f
	}
	at, size := frame.Child("a:off"), frame.Child("a:ext")
	left, top := number(at, "x"), number(at, "y")
	return deck.Box{Left: left, Top: top, Right: left + number(size, "cx"), Bottom: top + number(size, "cy")}
}

// shapes reads what is in a tree or a group of shapes.
func (s *slide) shapes(n *zipped.Node) []deck.Shape {
	var out []deck.Shape
	for c := range n.All() {
		if c.Name == "mc:AlternateContent" {
			out = append(out, s.shapes(alternative(c))...)
			continue
		}
		told := properties(c).Child("p:cNvPr")
		if told == nil || isOn(told, "hidden") {
			continue
		}
		shape := deck.Shape{Box: box(c)}
		link := s.link(told.Child("a:hlinkClick"))
		switch c.Name {
		case "p:sp":
			s.textShape(c, &shape, link)
		case "p:pic":
			shape.Body = s.picture(c, told, link)
		case "p:graphicFrame":
			shape.Body = s.graphic(c.Child("a:graphic").Child("a:graphicData"))
			if len(shape.Body) == 0 {
				shape.Body = image("", description(told), link)
			}
		case "p:grpSp":
			for _, inner := range deck.Arrange(s.shapes(c)) {
				shape.Body = append(shape.Body, inner.Body...)
			}
		}
		if shape.Box == (deck.Box{}) {
			shape.Box = s.inherit(properties(c).Child("p:nvPr").Child("p:ph")).box
		}
		if len(shape.Body) > 0 {
			out = append(out, shape)
		}
	}
	return out
}

// textShape reads a shape with text. The first one that is a title is the title of the
// slide.
func (s *slide) textShape(sp *zipped.Node, shape *deck.Shape, link string) {
	of := s.inherit(properties(sp).Child("p:nvPr").Child("p:ph"))
	text := sp.Child("p:txBody")
	switch of.kind {
	case "dt", "ftr", "sldNum", "hdr", "sldImg":
		return
	case "title", "ctrTitle":
		if title := s.line(text, link); len(s.Title) == 0 && len(title) > 0 {
			s.Title, s.Opening = title, of.kind == "ctrTitle"
			return
		}
	}
	shape.Body = s.text(text, &of, link)
}

// description returns the text that stands for a picture.
func description(told *zipped.Node) string {
	return strings.Join(strings.Fields(cmp.Or(told.Get("descr"), told.Get("title"))), " ")
}

// picture reads a picture that is in the archive or somewhere else.
func (s *slide) picture(pic, told *zipped.Node, link string) []tree.Block {
	blip := pic.Child("p:blipFill").Child("a:blip")
	rel := cmp.Or(s.relations[blip.Get("r:embed")], s.relations[blip.Get("r:link")])
	source := rel.Target
	switch {
	case !rel.External && source != "":
		source = s.pictures.EmbedPart(source, s.archive.Read)
	case strings.HasPrefix(source, "file:"):
		source = "" // on a machine of somebody else
	}
	return image(source, description(told), link)
}

// image makes a block of a picture; none if there is nothing to show.
func image(source, alt, link string) []tree.Block {
	if source == "" && alt == "" {
		return nil
	}
	return []tree.Block{&tree.Paragraph{Text: []tree.Span{{Image: &tree.Image{Source: source, Alt: alt}, Link: link}}}}
}

// graphic reads what is in a frame: a table, a chart, a diagram, or the picture of an
// object of another program.
func (s *slide) graphic(data *zipped.Node) []tree.Block {
	for c := range data.All() {
		var block tree.Block
		switch c.Name {
		case "a:tbl":
			block = s.table(c)
		case "c:chart", "cx:chart":
			root, _ := s.once(s.relations[c.Get("r:id")].Target)
			block = ooxml.Chart(root, s.doc)
		case "dgm:relIds":
			root, _ := s.once(s.relations[c.Get("r:dm")].Target)
			block = ooxml.Diagram(root)
		case "p:oleObj":
			if pic := c.Child("p:pic"); pic != nil {
				return s.picture(pic, pic.Child("p:nvPicPr").Child("p:cNvPr"), "")
			}
		case "mc:AlternateContent":
			return s.graphic(alternative(c))
		}
		if block != nil {
			return []tree.Block{block}
		}
	}
	return nil
}
