// Package deck puts slides together, for all readers of presentations: in which order
// the shapes of a slide are read (order.go), which of their lines are items of lists
// (line.go), and how a slide stands in the document.
//
// A slide begins with its title as a heading of level 2, or with a rule if it has none.
// The title of the first slide is that of the document, if it is there for nothing else.
package deck

import "github.com/trawlhq/trawl/document/tree"

// Slide is a slide that was read.
type Slide struct {
	Title   []tree.Span
	Opening bool // its layout is that of a title page
	Hidden  bool // it is passed over when the slides are shown
	Shapes  []Shape
	Notes   []tree.Block // of the speaker
}

// Shape is what stands at one place of a slide: a text, a picture, a table, a group.
type Shape struct {
	Box
	Body []tree.Block
}

// Box is where a shape is, in any unit. The zero one is nowhere.
type Box struct{ Left, Top, Right, Bottom float64 }

// Add adds a slide to a document.
func Add(doc *tree.Document, s *Slide) {
	var out []tree.Block
	for _, shape := range Arrange(s.Shapes) {
		out = append(out, shape.Body...)
	}
	title := Title(s.Title)
	if len(title)+len(out)+len(s.Notes) == 0 {
		return
	}
	first := len(doc.Body) == 0
	switch {
	case len(title) > 0 && first && s.Opening:
		doc.Body = append(doc.Body, &tree.Heading{Level: 1, Text: title})
	case len(title) > 0:
		doc.Body = append(doc.Body, &tree.Heading{Level: 2, Text: title})
	case !first:
		doc.Body = append(doc.Body, &tree.Rule{})
	}
	if s.Hidden {
		doc.Body = append(doc.Body, sentence("Hidden slide", tree.Italic))
	}
	doc.Body = append(doc.Body, out...)
	if len(s.Notes) > 0 {
		doc.Body = append(doc.Body, &tree.Quote{Body: append([]tree.Block{sentence("Notes", tree.Bold)}, s.Notes...)})
	}
}

func sentence(text string, style tree.Style) tree.Block {
	return &tree.Paragraph{Text: []tree.Span{{Text: text, Style: style}}}
}
