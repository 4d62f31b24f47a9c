// Package snapshot writes what a page offers as text that programs and language models
// read: a line for each node of its accessibility tree, with a ref by which commands
// name the node. Pure functions, no I/O.
package snapshot

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Node is a node of an accessibility tree.
type Node struct {
	ID       string
	Children []string
	Ignored  bool // it is not there for those who do not see; its children are

	Role, Name, Value, URL string

	Level              int
	Checked            string // true, false or mixed; empty if it cannot be
	Expanded           *bool
	Selected, Disabled bool
	Required           bool
	Element            int64 // id of its DOM node
	Cursor             *Cursor
	Frame              *Tree // what an inline frame shows
}

// Cursor is why an element without a role is taken for one that people use.
type Cursor struct {
	Kind  string // clickable, focusable or editable
	Hints []string
	Text  string // what it says
}

// Tree is the nodes of a page, the root first, in the order in which they are numbered.
type Tree struct{ Nodes []Node }

// Options choose what is written.
type Options struct {
	Interactive bool  // only nodes with a ref
	Compact     bool  // only nodes with a ref or a value, and what they are in
	Depth       int   // most levels below the first; negative means all
	URLs        bool  // addresses of links
	Scope       int64 // DOM node of the element to begin with; 0 means the page
}

// Ref is a node that commands can name.
type Ref struct {
	ID string // such as e1
	*Node
	Tree *Tree // that it is in
}

// item is a node that is written, with those below it.
type item struct {
	*Node
	ref      string
	children []*item
	apart    bool // it was in a box of its own, and is no part of the text beside it
}

// writer is what is known of a snapshot while it is made.
type writer struct {
	Options
	refs  []Ref
	named map[*Node]string
}

// Write returns a snapshot of a tree and the refs in it. In a tree whose scope is not
// found, ok is false.
func Write(tree *Tree, options Options) (text string, refs []Ref, ok bool) {
	w := &writer{Options: options, named: map[*Node]string{}}
	w.number(tree)
	top, ok := w.top(tree)
	if !ok {
		return "", nil, false
	}
	if options.Interactive {
		top = onlyRefs(top)
	}
	if options.Compact {
		top = onlyUseful(top)
	}
	var out strings.Builder
	w.lines(&out, top, 0)
	text = strings.TrimSuffix(out.String(), "\n")
	if text == "" {
		text = "(empty page)"
		if options.Interactive {
			text = "(no interactive elements)"
		}
	}
	return text, w.refs, true
}

// number gives refs to the nodes of a tree, then to those of its frames.
func (w *writer) number(tree *Tree) {
	var frames []*Tree
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Ignored && n.Cursor == nil || i == 0 {
			continue
		}
		if hasRef(n) {
			id := "e" + strconv.Itoa(len(w.refs)+1)
			w.named[n] = id
			w.refs = append(w.refs, Ref{id, n, tree})
		}
		if n.Frame != nil {
			frames = append(frames, n.Frame)
		}
	}
	for _, frame := range frames {
		w.number(frame)
	}
}

// hasRef reports whether a node is one that people use, or find their way by.
func hasRef(n *Node) bool {
	switch n.Role {
	case "button", "link", "textbox", "checkbox", "radio", "combobox", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio",
		"option", "searchbox", "slider", "spinbutton", "switch", "tab", "treeitem", "Iframe":
		return true
	case "heading", "cell", "gridcell", "columnheader", "rowheader", "listitem", "article", "region", "main", "navigation":
		return n.Name != "" || n.Cursor != nil
	}
	return n.Cursor != nil
}

// top returns what is written of a tree.
func (w *writer) top(tree *Tree) (items []*item, ok bool) {
	if len(tree.Nodes) == 0 {
		return nil, w.Scope == 0
	}
	b := builder{writer: w, byID: make(map[string]*Node, len(tree.Nodes))}
	for i := range tree.Nodes {
		b.byID[tree.Nodes[i].ID] = &tree.Nodes[i]
	}
	if w.Scope == 0 {
		return joined(b.below(&tree.Nodes[0], 0)), true
	}
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Element == w.Scope {
			return b.build(n, 0), true
		}
	}
	return nil, false
}

// builder makes items of the nodes of one tree.
type builder struct {
	*writer
	byID map[string]*Node
}

// mostDepth is how deep trees are followed; no page is nested like that by accident.
const mostDepth = 1000

// build returns what stands for a node: an item, or those below it.
func (b *builder) build(n *Node, depth int) []*item {
	if n.Role == "InlineTextBox" || depth > mostDepth {
		return nil
	}
	below := b.below(n, depth)
	ref := b.named[n]
	if n.Ignored && ref == "" {
		return below
	}
	below = joined(below)
	if (n.Role == "generic" || n.Role == "none") && ref == "" && (len(n.Children) <= 1 || len(below) == 0) {
		for _, it := range below {
			it.apart = true
		}
		return below
	}
	if len(below) == 1 && len(n.Children) == 1 && below[0].Role == "StaticText" && below[0].Name == n.Name || n.Role == "ListMarker" {
		below = nil
	}
	return []*item{{Node: n, ref: ref, children: below}}
}

func (b *builder) below(n *Node, depth int) (items []*item) {
	for _, id := range n.Children {
		if child := b.byID[id]; child != nil && child != n {
			items = append(items, b.build(child, depth+1)...)
		}
	}
	if n.Frame != nil {
		inner := *b.writer
		inner.Scope = 0
		inside, _ := inner.top(n.Frame)
		items = append(items, inside...)
	}
	return items
}

// joined makes texts that follow each other one.
func joined(items []*item) []*item {
	var out []*item
	for _, it := range items {
		if len(out) > 0 && isText(it) && isText(out[len(out)-1]) {
			last := *out[len(out)-1].Node
			last.Name += it.Name
			out[len(out)-1] = &item{Node: &last}
			continue
		}
		out = append(out, it)
	}
	return out
}

func isText(it *item) bool { return it.Role == "StaticText" && it.ref == "" && !it.apart }

// onlyRefs leaves out what has no ref; what is in it moves up.
func onlyRefs(items []*item) (out []*item) {
	for _, it := range items {
		below := onlyRefs(it.children)
		if it.ref == "" {
			out = append(out, below...)
			continue
		}
		out = append(out, &item{Node: it.Node, ref: it.ref, children: below})
	}
	return out
}

// onlyUseful leaves out what neither has a ref or a value nor holds something that has.
func onlyUseful(items []*item) (out []*item) {
	for _, it := range items {
		below := onlyUseful(it.children)
		if it.ref != "" || shownValue(it.Node) != "" || len(below) > 0 {
			out = append(out, &item{Node: it.Node, ref: it.ref, children: below})
		}
	}
	return out
}

func (w *writer) lines(out *strings.Builder, items []*item, depth int) {
	if w.Depth >= 0 && depth > w.Depth {
		return
	}
	for _, it := range items {
		for range depth {
			out.WriteString("  ")
		}
		w.line(out, it)
		out.WriteByte('\n')
		w.lines(out, it.children, depth+1)
	}
}

func (w *writer) line(out *strings.Builder, it *item) {
	n := it.Node
	out.WriteString("- ")
	out.WriteString(n.Role)
	name := n.Name
	if name == "" && n.Cursor != nil && w.Interactive {
		name = n.Cursor.Text
	}
	if name != "" {
		out.WriteByte(' ')
		out.WriteString(Quote(name))
	}
	if attributes := w.attributes(it); len(attributes) > 0 {
		out.WriteString(" [" + strings.Join(attributes, ", ") + "]")
	}
	if n.Cursor != nil {
		out.WriteString(" " + n.Cursor.Kind + " [" + strings.Join(n.Cursor.Hints, ", ") + "]")
	}
	if value := shownValue(n); value != "" {
		out.WriteString(": " + value)
	}
}

func (w *writer) attributes(it *item) (list []string) {
	n := it.Node
	if n.Level > 0 {
		list = append(list, "level="+strconv.Itoa(n.Level))
	}
	if n.Checked != "" {
		list = append(list, "checked="+n.Checked)
	}
	if n.Expanded != nil {
		list = append(list, "expanded="+strconv.FormatBool(*n.Expanded))
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"selected", n.Selected}, {"disabled", n.Disabled}, {"required", n.Required}} {
		if flag.set {
			list = append(list, flag.name)
		}
	}
	if it.ref != "" {
		list = append(list, "ref="+it.ref)
	}
	if w.URLs && n.Role == "link" && n.URL != "" {
		list = append(list, "url="+n.URL)
	}
	return list
}

// shownValue is the value of a node, on one line, if it says more than the name.
func shownValue(n *Node) string {
	if n.Value == n.Name {
		return ""
	}
	return strings.Join(strings.Fields(n.Value), " ")
}

// Quote writes a name in double quotes, as JSON does.
func Quote(name string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(name) // of a string it never fails
	return strings.TrimSuffix(out.String(), "\n")
}
