package odf

import (
	"encoding/base64"
	"path"
	"strings"

	"github.com/trawlhq/trawl/document/tex"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// frame reads what stands in a frame: a text box, a picture, a formula, a chart.
func (l *line) frame(n *zipped.Node) {
	if l.hidden {
		return
	}
	r := l.reader
	if box := n.Child("draw:text-box"); box != nil {
		l.aside(r.blocks(box))
		return
	}
	if object := n.Child("draw:object"); object != nil {
		formula, blocks := r.object(object)
		l.aside(blocks)
		if formula != "" {
			l.add(tree.Span{TeX: formula})
			return
		}
	}
	image := r.image(n)
	switch anchor := n.Get("text:anchor-type"); {
	case image == nil:
	case anchor == "as-char" || anchor == "":
		l.add(tree.Span{Image: image})
	default: // it stands beside the text
		l.beside(tree.Span{Image: image, Link: l.link})
	}
}

// beside adds a picture that is not part of the text, in a paragraph of its own:
// before the text if none has come yet.
func (l *line) beside(s tree.Span) {
	p := &tree.Paragraph{Text: []tree.Span{s}}
	if l.words.IsEmpty() {
		l.before = append(l.before, p)
	} else {
		l.asides = append(l.asides, p)
	}
}

// image returns the picture of a frame: the first of its forms that browsers show.
// Without one there is still what it shows, if that is told.
func (r *reader) image(frame *zipped.Node) *tree.Image {
	alt := strings.TrimSpace(frame.Child("svg:title").Content())
	if desc := strings.TrimSpace(frame.Child("svg:desc").Content()); alt == "" || strings.HasPrefix(desc, alt) {
		alt = desc
	}
	for n := range frame.All() {
		if n.Name != "draw:image" {
			continue
		}
		if source := r.source(n); source != "" {
			return &tree.Image{Source: source, Alt: alt}
		}
	}
	if alt == "" {
		return nil
	}
	return &tree.Image{Alt: alt}
}

// source returns a picture as an address or a data URI, "" if it cannot be shown.
func (r *reader) source(n *zipped.Node) string {
	href := n.Get("xlink:href")
	if strings.HasPrefix(href, "http://") || strings.HasPrefix(href, "https://") {
		return href
	}
	if inline := n.Child("office:binary-data"); inline != nil {
		text := strings.Join(strings.Fields(inline.Content()), "")
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return ""
		}
		return r.pictures.Embed(data)
	}
	if r.archive == nil || href == "" {
		return ""
	}
	return r.pictures.EmbedPart(path.Clean(href), r.archive.Read)
}

// maxObjects bounds how many embedded documents are opened.
const maxObjects = 500

// object reads an embedded document: a formula as TeX, a chart or a spreadsheet as
// tables.
func (r *reader) object(n *zipped.Node) (formula string, blocks []tree.Block) {
	if r.objects < 0 {
		return "", nil
	}
	if r.objects >= maxObjects {
		r.doc.Warn(warnObjects)
		return "", nil
	}
	root := n.First // of flat files
	for root != nil && root.Name != "office:document" && root.Name != "math:math" {
		root = root.Next
	}
	if root == nil && r.archive != nil {
		root, _ = r.archive.XML(path.Clean(n.Get("xlink:href")) + "/content.xml")
	}
	if root == nil {
		return "", nil
	}
	if root.Name == "math:math" {
		r.objects++
		return tex.MathML(root), nil
	}
	styles, count := r.styles, r.objects
	r.styles, r.objects = newSheet(nil), -1 // no objects within objects
	body := root.Child("office:body")
	if chart := body.Child("office:chart").Child("chart:chart"); chart != nil {
		blocks = r.chart(chart)
	}
	for t := range body.Child("office:spreadsheet").All() {
		if t.Name == "table:table" {
			blocks = append(blocks, r.sheet(t)...)
		}
	}
	r.styles, r.objects = styles, count+1
	return "", blocks
}

// chart returns the title of a chart, or what kind it is, and its data.
func (r *reader) chart(n *zipped.Node) []tree.Block {
	data := n.Child("table:table")
	if data == nil {
		return nil
	}
	tables := r.sheet(data)
	if len(tables) == 0 {
		return nil
	}
	title := strings.TrimSpace(n.Child("chart:title").Content())
	if title == "" {
		title = chartKind(n.Get("chart:class"))
	}
	return append([]tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: title}}}}, tables...)
}

func chartKind(class string) string {
	switch kind := strings.TrimPrefix(class, "chart:"); kind {
	case "":
		return "Chart"
	case "circle":
		return "Pie chart"
	case "ring":
		return "Donut chart"
	default:
		return strings.ToUpper(kind[:1]) + kind[1:] + " chart"
	}
}
