package interact

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trawlhq/trawl/browser/cdp"
)

// patience is how long commands wait for an element that is not there yet.
const patience = 2 * time.Second

// element is an element of a page that a command is about.
type element struct {
	*page
	frame protocol.FrameID
	world world
	id    runtime.RemoteObjectID
	name  string // what the command calls it
}

// query is how an element is looked for in a frame.
type query struct {
	kind  string // a finder of inside.js, or role
	value string
	name  string // of a role
	exact bool
	n     int
}

// selector reads what commands call an element by, unless it is a ref.
func selector(text string) query {
	switch {
	case strings.HasPrefix(text, "text="):
		value := strings.TrimPrefix(text, "text=")
		if bare, quoted := unquoted(value); quoted {
			return query{kind: "text", value: bare, exact: true}
		}
		return query{kind: "text", value: value}
	case strings.HasPrefix(text, "xpath="):
		return query{kind: "xpath", value: strings.TrimPrefix(text, "xpath=")}
	case strings.HasPrefix(text, "//"):
		return query{kind: "xpath", value: text}
	}
	return query{kind: "css", value: strings.TrimPrefix(text, "css=")}
}

func unquoted(s string) (string, bool) {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1], true
	}
	return s, false
}

// refOf returns the ref that a selector is, such as @e1, e1 and ref=e1.
func refOf(text string) (string, bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "ref="), "@")
	digits, ok := strings.CutPrefix(text, "e")
	if _, err := strconv.ParseUint(digits, 10, 31); !ok || err != nil {
		return "", false
	}
	return text, true
}

// element returns the element that a selector names, waiting a moment for it.
func (b *Browser) element(ctx context.Context, p *page, name string) (*element, error) {
	if ref, is := refOf(name); is {
		return b.byRef(ctx, p, ref)
	}
	return b.look(ctx, p, selector(name), name, patience)
}

// byRef returns an element of the last snapshot.
func (b *Browser) byRef(ctx context.Context, p *page, ref string) (*element, error) {
	known, ok := b.refs[ref]
	if !ok || known.page != p {
		return nil, failed("Unknown ref: %s", ref)
	}
	w, err := p.inside(ctx, known.frame)
	if isStale(err) {
		p.forget(known.frame)
		w, err = p.inside(ctx, known.frame)
	}
	if err != nil {
		return nil, gone(ctx, err, ref)
	}
	found, err := protocol.Call(ctx, w.session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: protocol.BackendNodeID(known.element), ExecutionContextID: w.id, ObjectGroup: group,
	})
	if err != nil {
		return nil, gone(ctx, err, ref)
	}
	e := &element{page: p, frame: known.frame, world: w, id: found.Object.ObjectID, name: "@" + ref}
	var there bool
	if err := e.call(ctx, "e => e.isConnected", &there); err != nil || !there {
		return nil, gone(ctx, err, ref)
	}
	return e, nil
}

// gone is the error of a ref whose element is no more, unless something else is wrong.
func gone(ctx context.Context, err error, ref string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, errTabClosed) || errors.Is(err, cdp.ErrClosed) {
		return err
	}
	return failed("Element not found: @%s. The page has changed since the last snapshot; take a new one.", ref)
}

// group is where the browser keeps elements for us; it is emptied after each command.
const group = "trawl"

// look finds an element in the present frame, for as long as there is patience.
func (b *Browser) look(ctx context.Context, p *page, q query, name string, wait time.Duration) (*element, error) {
	end := time.Now().Add(wait)
	for {
		e, err := p.find(ctx, p.current(), q)
		if e != nil {
			e.name = name
			return e, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if t, is := errors.AsType[*thrown](err); is && strings.Contains(t.text, "SyntaxError") {
			return nil, failed("Invalid selector: %s", name)
		}
		if err != nil && !isStale(err) {
			return nil, err
		}
		if !time.Now().Before(end) {
			return nil, failed("Element not found: %s", name)
		}
		pause(ctx, 50*time.Millisecond)
	}
}

// find looks for an element once; there is none if both results are nil.
func (p *page) find(ctx context.Context, frame protocol.FrameID, q query) (*element, error) {
	w, err := p.inside(ctx, frame)
	if isStale(err) {
		p.forget(frame)
	}
	if err != nil {
		return nil, err
	}
	if q.kind == "role" {
		return p.findRole(ctx, frame, w, q)
	}
	var a answer
	err = w.session.Call(ctx, runtime.Evaluate.Method, runtime.EvaluateParams{
		Expression: expression("find", q.kind, q.value, q.exact, q.n), ContextID: w.id, ObjectGroup: group,
	}, &a)
	if err == nil {
		err = a.fault()
	}
	if err != nil {
		if isStale(err) {
			p.forget(frame)
		}
		return nil, cause(ctx, err)
	}
	if a.Result.ObjectID == "" || a.Result.Subtype == "null" {
		return nil, nil
	}
	return &element{page: p, frame: frame, world: w, id: a.Result.ObjectID}, nil
}

// findRole looks for an element by what it is to those who do not see.
func (p *page) findRole(ctx context.Context, frame protocol.FrameID, w world, q query) (*element, error) {
	root, err := protocol.Call(ctx, w.session, runtime.Evaluate, runtime.EvaluateParams{Expression: "document", ContextID: w.id, ObjectGroup: group})
	if err != nil || root.Result == nil {
		return nil, cause(ctx, err)
	}
	var found struct {
		Nodes []axNode `json:"nodes"`
	}
	err = w.session.Call(ctx, accessibility.QueryAXTree.Method, accessibility.QueryAXTreeParams{ObjectID: root.Result.ObjectID, Role: q.value}, &found)
	if err != nil {
		return nil, cause(ctx, err)
	}
	for _, n := range found.Nodes {
		name := n.Name.text()
		fits := q.name == "" || name == q.name || !q.exact && strings.Contains(strings.ToLower(name), strings.ToLower(q.name))
		if n.Ignored || !fits {
			continue
		}
		node, err := protocol.Call(ctx, w.session, dom.ResolveNode, dom.ResolveNodeParams{
			BackendNodeID: protocol.BackendNodeID(n.Element), ExecutionContextID: w.id, ObjectGroup: group,
		})
		if err != nil {
			return nil, cause(ctx, err)
		}
		return &element{page: p, frame: frame, world: w, id: node.Object.ObjectID}, nil
	}
	return nil, nil
}

// call runs a function on the element, in our world, and decodes its value.
func (e *element) call(ctx context.Context, function string, result any, args ...any) error {
	given := []*runtime.CallArgument{{ObjectID: e.id}}
	for _, arg := range args {
		data, err := json.Marshal(arg)
		if err != nil {
			return err
		}
		given = append(given, &runtime.CallArgument{Value: data})
	}
	var a answer
	err := e.world.session.Call(ctx, runtime.CallFunctionOn.Method, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, ObjectID: e.id, Arguments: given, ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true),
	}, &a)
	if err == nil {
		err = a.fault()
	}
	if err != nil {
		return cause(ctx, err)
	}
	return decode(a.Result.Value, result)
}

// do calls one of our functions with the element as its first argument.
func (e *element) do(ctx context.Context, function string, result any, args ...any) error {
	return e.call(ctx, "(...a) => trawl."+function+"(...a)", result, args...)
}

// point is a place in the window.
type point struct{ x, y float64 }

// aim brings the element into view and returns where the mouse hits it; ok is false if
// it takes no room.
func (e *element) aim(ctx context.Context) (at point, ok bool, err error) {
	_, err = protocol.Call(ctx, e.world.session, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{ObjectID: e.id})
	if err != nil {
		return at, false, unless(ctx, err)
	}
	quads, err := protocol.Call(ctx, e.world.session, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: e.id})
	if err != nil {
		return at, false, unless(ctx, err)
	}
	for _, q := range quads.Quads {
		if at, ok = middle(q); ok {
			break
		}
	}
	if !ok {
		return at, false, nil
	}
	offset, err := e.page.offset(ctx, e.frame)
	return point{at.x + offset.x, at.y + offset.y}, true, err
}

// unless drops the error of a browser that only says that an element is not drawn.
func unless(ctx context.Context, err error) error {
	if _, refused := errors.AsType[*cdp.Error](err); refused && ctx.Err() == nil {
		return nil
	}
	return cause(ctx, err)
}

// middle returns the middle of a quad that has an area.
func middle(q dom.Quad) (point, bool) {
	if len(q) != 8 {
		return point{}, false
	}
	var area, x, y float64
	for i := range 4 {
		j := (i + 1) % 4
		area += q[2*i]*q[2*j+1] - q[2*j]*q[2*i+1]
		x += q[2*i] / 4
		y += q[2*i+1] / 4
	}
	return point{x, y}, area > 1 || area < -1
}

// offset is where a frame with a process of its own is in the window.
func (p *page) offset(ctx context.Context, frame protocol.FrameID) (at point, err error) {
	if p.speaker(frame) == p.session {
		return at, nil
	}
	owner, err := protocol.Call(ctx, p.session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: frame})
	if err != nil {
		return at, cause(ctx, err)
	}
	box, err := protocol.Call(ctx, p.session, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: owner.BackendNodeID})
	if err != nil || box.Model == nil || len(box.Model.Content) != 8 {
		return at, cause(ctx, err)
	}
	return point{box.Model.Content[0], box.Model.Content[1]}, nil
}
