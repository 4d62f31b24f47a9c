package ooxml

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// maxLevels is how deep the points of a diagram are nested.
const maxLevels = 16

// Diagram returns the texts of a diagram as a list, from the part with its data: a
// point stands in the one that it is drawn under. It is nil if there is no text.
func Diagram(root *zipped.Node) tree.Block {
	d := diagram{texts: map[string][]tree.Span{}, under: map[string][]branch{}, branch: map[string]bool{}, written: map[string]bool{}}
	for pt := range root.Child("dgm:ptLst").All() {
		d.point(pt)
	}
	for cxn := range root.Child("dgm:cxnLst").All() {
		d.connect(cxn)
	}
	for _, list := range d.under {
		slices.SortStableFunc(list, func(a, b branch) int { return cmp.Compare(a.place, b.place) })
	}
	var items []tree.LevelItem
	for _, roots := range [...]bool{true, false} { // those in a circle have no root
		for _, id := range d.order {
			if roots != d.branch[id] {
				items = d.add(items, id, 0, 0)
			}
		}
	}
	if len(items) == 0 {
		return nil
	}
	return tree.Nest(items)
}

// diagram is a diagram while it is read.
type diagram struct {
	order   []string // of the points in the file
	texts   map[string][]tree.Span
	under   map[string][]branch
	branch  map[string]bool // which points are under another
	written map[string]bool
}

// branch is a point that is drawn under another.
type branch struct {
	id    string
	place int
}

// point notes a point, if it is one that is drawn as itself.
func (d *diagram) point(pt *zipped.Node) {
	switch pt.Get("type") {
	case "pres", "parTrans", "sibTrans":
		return
	}
	var lines []string
	for p := range pt.Child("dgm:t").All() {
		if text := strings.TrimSpace(paragraphText(p)); p.Name == "a:p" && text != "" {
			lines = append(lines, text)
		}
	}
	id := pt.Get("modelId")
	if id == "" {
		id = "?" + strconv.Itoa(len(d.order))
	}
	d.order = append(d.order, id)
	if len(lines) > 0 {
		d.texts[id] = []tree.Span{{Text: strings.Join(lines, "\n")}}
	}
}

// paragraphText returns the text of a paragraph with its line breaks.
func paragraphText(p *zipped.Node) string {
	var b strings.Builder
	for c := range p.All() {
		switch c.Name {
		case "a:br":
			b.WriteByte('\n')
		case "a:r", "a:fld":
			b.WriteString(c.Child("a:t").Content())
		}
	}
	return b.String()
}

func (d *diagram) connect(cxn *zipped.Node) {
	if kind := cxn.Get("type"); cxn.Name != "dgm:cxn" || kind != "" && kind != "parOf" {
		return
	}
	place, _ := strconv.Atoi(cxn.Get("srcOrd"))
	from := cxn.Get("srcId")
	d.under[from] = append(d.under[from], branch{cxn.Get("destId"), place})
	d.branch[cxn.Get("destId")] = true
}

// add adds a point and those under it, unless it was added before. Points without text
// count for the depth but not for the level.
func (d *diagram) add(items []tree.LevelItem, id string, level, depth int) []tree.LevelItem {
	if d.written[id] || depth > maxLevels {
		return items
	}
	d.written[id] = true
	if text := d.texts[id]; len(text) > 0 {
		items = append(items, tree.LevelItem{Level: level, Item: tree.Item{Body: []tree.Block{&tree.Paragraph{Text: text}}}})
		level++
	}
	for _, b := range d.under[id] {
		items = d.add(items, b.id, level, depth+1)
	}
	return items
}
