package interact

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trawlhq/trawl/interact/snapshot"
)

const (
	mostCursors = 2000 // elements without a role that are looked at in a frame
	mostFrames  = 50   // frames that are written into a snapshot
)

// axNode is a node of an accessibility tree as the browser writes it, of which only
// this is read.
type axNode struct {
	ID         string   `json:"nodeId"`
	Ignored    bool     `json:"ignored"`
	Role       axValue  `json:"role"`
	Name       axValue  `json:"name"`
	Value      axValue  `json:"value"`
	Children   []string `json:"childIds"`
	Element    int64    `json:"backendDOMNodeId"`
	Properties []struct {
		Name  string  `json:"name"`
		Value axValue `json:"value"`
	} `json:"properties"`
}

type axValue struct {
	Value json.RawMessage `json:"value"`
}

// text is a value in words, whatever its type.
func (v axValue) text() string {
	var s string
	if len(v.Value) > 0 && v.Value[0] == '"' && json.Unmarshal(v.Value, &s) == nil {
		return s
	}
	if string(v.Value) == "null" {
		return ""
	}
	return string(v.Value)
}

func (v axValue) yes() bool { t := v.text(); return t == "true" }

// node is the node as a snapshot wants it.
func (n *axNode) node() snapshot.Node {
	out := snapshot.Node{
		ID: n.ID, Children: n.Children, Ignored: n.Ignored, Role: n.Role.text(), Name: n.Name.text(), Value: n.Value.text(), Element: n.Element,
	}
	for _, p := range n.Properties {
		switch p.Name {
		case "level":
			out.Level, _ = strconv.Atoi(p.Value.text())
		case "checked":
			out.Checked = p.Value.text()
		case "expanded":
			out.Expanded = new(p.Value.yes())
		case "selected":
			out.Selected = p.Value.yes()
		case "disabled":
			out.Disabled = p.Value.yes()
		case "required":
			out.Required = p.Value.yes()
		case "url":
			out.URL = p.Value.text()
		}
	}
	return out
}

// tree is the accessibility tree of a frame, and of the frames in it as deep as said.
type tree struct {
	snapshot.Tree
	frame protocol.FrameID
	inner []*tree
}

// readTree reads the tree of a frame.
func (p *page) readTree(ctx context.Context, frame protocol.FrameID, depth int) (*tree, error) {
	session := p.speaker(frame)
	var found struct {
		Nodes []axNode `json:"nodes"`
	}
	params := accessibility.GetFullAXTreeParams{}
	if session == p.session {
		params.FrameID = frame
	}
	if err := session.Call(ctx, accessibility.GetFullAXTree.Method, params, &found); err != nil {
		return nil, cause(ctx, err)
	}
	t := &tree{frame: frame}
	t.Nodes = make([]snapshot.Node, len(found.Nodes))
	for i := range found.Nodes {
		t.Nodes[i] = found.Nodes[i].node()
	}
	if err := p.addCursors(ctx, t); err != nil {
		return nil, err
	}
	if depth > 0 {
		p.addFrames(ctx, t, depth)
	}
	return t, nil
}

// addFrames reads what the frames in a tree show. One that does not tell stays empty.
func (p *page) addFrames(ctx context.Context, t *tree, depth int) {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Role != "Iframe" || len(t.inner) >= mostFrames {
			continue
		}
		owner, err := protocol.Call(ctx, p.speaker(t.frame), dom.DescribeNode, dom.DescribeNodeParams{BackendNodeID: protocol.BackendNodeID(n.Element)})
		if err != nil || owner.Node == nil || owner.Node.FrameID == "" {
			continue
		}
		inner, err := p.readTree(ctx, owner.Node.FrameID, depth-1)
		if err != nil {
			continue
		}
		t.inner = append(t.inner, inner)
		n.Frame, n.Children = &inner.Tree, nil
	}
}

// addCursors notes which elements without a role are made to be used.
func (p *page) addCursors(ctx context.Context, t *tree) error {
	var list struct {
		About string `json:"about"`
	}
	w, err := p.inside(ctx, t.frame)
	if isStale(err) {
		p.forget(t.frame)
		w, err = p.inside(ctx, t.frame)
	}
	if err != nil {
		return err
	}
	var a answer
	err = w.session.Call(ctx, runtime.Evaluate.Method, runtime.EvaluateParams{
		Expression: expression("cursors", mostCursors), ContextID: w.id, ObjectGroup: group,
	}, &a)
	if err != nil || a.fault() != nil || a.Result.ObjectID == "" {
		if isStale(err) {
			p.forget(t.frame)
			return nil
		}
		return cause(ctx, err)
	}
	var about []snapshot.Cursor
	elements, err := w.members(ctx, a.Result.ObjectID, &list.About)
	if err != nil || json.Unmarshal([]byte(list.About), &about) != nil {
		return cause(ctx, err)
	}
	byElement := map[int64]*snapshot.Cursor{}
	for i, id := range w.describe(ctx, elements) {
		if i < len(about) && id != 0 {
			byElement[id] = &about[i]
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		c := byElement[n.Element]
		if c == nil || n.Element == 0 || isControl(n.Role) {
			continue
		}
		if n.Ignored {
			n.Role = "generic"
		}
		n.Cursor = c
		delete(byElement, n.Element)
	}
	return nil
}

// isControl reports whether a role says by itself that an element is made to be used.
func isControl(role string) bool {
	switch role {
	case "button", "link", "textbox", "checkbox", "radio", "combobox", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio",
		"option", "searchbox", "slider", "spinbutton", "switch", "tab", "treeitem", "Iframe", "StaticText", "InlineTextBox", "RootWebArea":
		return true
	}
	return false
}

// members returns the elements in the field found of an object, and its field about.
func (w world) members(ctx context.Context, object runtime.RemoteObjectID, about *string) ([]runtime.RemoteObjectID, error) {
	fields, err := protocol.Call(ctx, w.session, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: object, OwnProperties: new(true)})
	if err != nil {
		return nil, err
	}
	var ids []runtime.RemoteObjectID
	for _, field := range fields.Result {
		switch {
		case field.Value == nil:
		case field.Name == "about":
			_ = json.Unmarshal(field.Value.Value, about)
		case field.Name == "found" && field.Value.ObjectID != "":
			list, err := protocol.Call(ctx, w.session, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: field.Value.ObjectID, OwnProperties: new(true)})
			if err != nil {
				return nil, err
			}
			for _, entry := range list.Result {
				if entry.Value != nil && strings.Trim(entry.Name, "0123456789") == "" {
					ids = append(ids, entry.Value.ObjectID)
				}
			}
		}
	}
	return ids, nil
}

// describe returns the DOM nodes of elements, 0 where one is gone.
func (w world) describe(ctx context.Context, elements []runtime.RemoteObjectID) []int64 {
	b := w.session.Batch(ctx)
	waits := make([]func(any) error, len(elements))
	for i, id := range elements {
		waits[i] = b.Add(w.session, dom.DescribeNode.Method, dom.DescribeNodeParams{ObjectID: id})
	}
	out := make([]int64, len(elements))
	for i, wait := range waits {
		var found struct {
			Node struct {
				Element int64 `json:"backendNodeId"`
			} `json:"node"`
		}
		if wait(&found) == nil {
			out[i] = found.Node.Element
		}
	}
	return out
}
