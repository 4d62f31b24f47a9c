package interact

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trawlhq/trawl/interact/snapshot"
)

// snapshot writes what the page offers and names it anew.
func (c *call) snapshot(ctx context.Context) (output, error) {
	flags, err := c.flags([]string{"-d", "--depth", "-s", "--selector"}, []string{"-i", "--interactive", "-c", "--compact", "-u", "--urls", "-C", "--cursor"})
	if err != nil {
		return output{}, err
	}
	options := snapshot.Options{Depth: -1}
	_, options.Interactive = either(flags, "-i", "--interactive")
	_, options.Compact = either(flags, "-c", "--compact")
	_, options.URLs = either(flags, "-u", "--urls")
	if depth, set := either(flags, "-d", "--depth"); set {
		if options.Depth, err = strconv.Atoi(depth); err != nil || options.Depth < 0 {
			return output{}, failed("Invalid depth: %s", clip(depth, 50))
		}
	}
	scope, scoped := either(flags, "-s", "--selector")
	text, refs, err := c.snap(ctx, options, scope, scoped)
	if err != nil {
		return output{}, err
	}
	address, err := c.page.address(ctx)
	return output{text, map[string]any{"snapshot": text, "origin": address, "refs": refs}}, err
}

// named is what is told of a ref.
type named struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

// snap takes a snapshot of the present frame.
func (c *call) snap(ctx context.Context, options snapshot.Options, scope string, scoped bool) (string, map[string]named, error) {
	p := c.page
	t, err := p.readTree(ctx, p.current(), 1)
	if isStale(err) { // it went elsewhere meanwhile
		if err = p.settle(ctx); err == nil {
			t, err = p.readTree(ctx, p.current(), 1)
		}
	}
	if err != nil {
		return "", nil, err
	}
	if scoped {
		e, err := c.element(ctx, p, scope)
		if err != nil {
			return "", nil, err
		}
		node, err := protocol.Call(ctx, e.world.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: e.id})
		if err != nil {
			return "", nil, cause(ctx, err)
		}
		options.Scope = int64(node.Node.BackendNodeID)
	}
	text, refs, ok := snapshot.Write(&t.Tree, options)
	if !ok {
		return "", nil, failed("Selector '%s' did not match any element", scope)
	}
	frames := map[*snapshot.Tree]protocol.FrameID{&t.Tree: t.frame}
	for _, inner := range t.inner {
		frames[&inner.Tree] = inner.frame
	}
	c.refs = make(map[string]ref, len(refs))
	list := make(map[string]named, len(refs))
	for _, r := range refs {
		c.refs[r.ID] = ref{p, frames[r.Tree], r.Element, r.Role, r.Name}
		list[r.ID] = named{r.Role, r.Name}
	}
	return text, list, nil
}

// get prints something of the page or of an element.
func (c *call) get(ctx context.Context) (output, error) {
	p, what := c.page, c.args[0]
	value := func(text string, err error) (output, error) {
		return output{text, map[string]any{what: text}}, err
	}
	switch what {
	case "title":
		return value(p.title(ctx))
	case "url":
		return p.here(ctx)
	case "cdp-url":
		return output{c.cdpURL, map[string]any{"cdpUrl": c.cdpURL}}, nil
	}
	if len(c.args) < 2 || what == "attr" && len(c.args) < 3 {
		return output{}, usage(c.name)
	}
	if what == "count" {
		var n int
		if err := p.ask(ctx, p.current(), expression("count", c.args[1]), &n); err != nil {
			return output{}, badSelector(err, c.args[1])
		}
		return output{strconv.Itoa(n), map[string]any{"count": n}}, nil
	}
	if !slices.Contains([]string{"text", "html", "value", "attr", "box", "styles"}, what) {
		return output{}, failed("Unknown subcommand: get %s", clip(what, 100))
	}
	e, err := c.element(ctx, p, c.args[1])
	if err != nil {
		return output{}, err
	}
	var text string
	switch what {
	case "text":
		err = e.do(ctx, "says", &text)
	case "html", "value":
		err = e.do(ctx, what, &text)
	case "attr":
		var found *string
		if err = e.do(ctx, "attribute", &found, c.args[2]); err == nil && found == nil {
			return output{"✓ Done", map[string]any{"value": nil}}, nil
		} else if found != nil {
			text = *found
		}
	case "box":
		return e.printBox(ctx)
	case "styles":
		return e.printStyles(ctx)
	}
	return value(text, err)
}

func badSelector(err error, name string) error {
	if t, is := err.(*thrown); is && strings.Contains(t.text, "SyntaxError") {
		return failed("Invalid selector: %s", clip(name, 200))
	}
	return err
}

func (e *element) printBox(ctx context.Context) (output, error) {
	var box struct {
		X      float64 `json:"x"`
		Y      float64 `json:"y"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	}
	err := e.do(ctx, "box", &box)
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	return output{fmt.Sprintf("x:      %s\ny:      %s\nwidth:  %s\nheight: %s", number(box.X), number(box.Y), number(box.Width), number(box.Height)), box}, err
}

func (e *element) printStyles(ctx context.Context) (output, error) {
	styles := map[string]string{}
	if err := e.do(ctx, "styles", &styles); err != nil {
		return output{}, err
	}
	lines := make([]string, 0, len(styles))
	for name, value := range styles {
		lines = append(lines, name+": "+value)
	}
	slices.Sort(lines)
	return output{strings.Join(lines, "\n"), map[string]any{"styles": styles}}, nil
}

// is prints whether something is true of an element.
func (c *call) is(ctx context.Context) (output, error) {
	function, known := map[string]string{"visible": "seen", "enabled": "enabled", "checked": "checked"}[c.args[0]]
	if !known {
		return output{}, failed("Unknown subcommand: is %s", clip(c.args[0], 100))
	}
	e, err := c.element(ctx, c.page, c.args[1])
	if err != nil {
		return output{}, err
	}
	var yes bool
	err = e.do(ctx, function, &yes)
	return output{strconv.FormatBool(yes), map[string]any{c.args[0]: yes}}, err
}

// find looks for an element by what people know of it, and does something with it.
func (c *call) find(ctx context.Context) (output, error) {
	flags, err := c.flags([]string{"--name"}, []string{"--exact"})
	if err != nil || len(c.args) < 2 {
		return output{}, usage(c.name)
	}
	_, exact := flags["--exact"]
	q := query{kind: c.args[0], value: c.args[1], name: flags["--name"], exact: exact}
	rest := c.args[2:]
	switch q.kind {
	case "role", "text", "label", "placeholder", "alt", "title", "testid", "first", "last":
	case "nth":
		if len(rest) == 0 {
			return output{}, usage(c.name)
		}
		if q.n, err = strconv.Atoi(q.value); err != nil {
			return output{}, failed("Invalid index: %s", clip(q.value, 50))
		}
		q.value, rest = rest[0], rest[1:]
	default:
		return output{}, failed("Unknown locator: %s", clip(q.kind, 100))
	}
	e, err := c.look(ctx, c.page, q, strings.Join(c.args[:2], " "), patience)
	if err != nil {
		return output{}, err
	}
	action := "click"
	if len(rest) > 0 {
		action, rest = rest[0], rest[1:]
	}
	return c.withFound(ctx, e, action, strings.Join(rest, " "))
}

// withFound does with an element what a find asks for.
func (c *call) withFound(ctx context.Context, e *element, action, text string) (output, error) {
	switch action {
	case "click":
		return done, c.clickOn(ctx, e, 1)
	case "dblclick":
		return done, c.clickOn(ctx, e, 2)
	case "fill":
		return done, c.fillWith(ctx, e, text)
	case "type":
		return done, c.typeOn(ctx, e, text, false, 0)
	case "check":
		return done, c.check(ctx, e, true)
	case "uncheck":
		return done, c.check(ctx, e, false)
	case "hover":
		return done, c.hover(ctx, e)
	case "focus":
		return done, e.do(ctx, "focus", nil)
	case "text":
		var said string
		err := e.do(ctx, "says", &said)
		return output{said, map[string]any{"text": said}}, err
	}
	return output{}, failed("Unknown action: %s", clip(action, 100))
}

// eval runs a script of the caller in the page's own world and prints its value.
func (c *call) eval(ctx context.Context) (output, error) {
	flags, err := c.flags([]string{"-b", "--base64"}, []string{"--stdin"})
	if err != nil {
		return output{}, err
	}
	script := strings.Join(c.args, " ")
	if encoded, set := either(flags, "-b", "--base64"); set {
		data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
		if err != nil {
			return output{}, failed("Invalid base64")
		}
		script = string(data)
	} else if _, set := flags["--stdin"]; set || script == "" && c.input != nil {
		if c.input == nil {
			return output{}, failed("Nothing to read: put a script into eval --stdin with a here-document or a pipe")
		}
		script = *c.input
	}
	if strings.TrimSpace(script) == "" {
		return output{}, usage(c.name)
	}
	value, err := c.page.evaluate(ctx, script)
	if err != nil {
		return output{}, err
	}
	address, err := c.page.address(ctx)
	if err != nil {
		address = "" // the script led elsewhere
	}
	return output{string(plainJSON(value, "  ")), map[string]any{"origin": address, "result": value}}, nil
}

// evaluate runs a script in the page's own world of the present frame.
func (p *page) evaluate(ctx context.Context, script string) (json.RawMessage, error) {
	frame := p.current()
	p.mu.Lock()
	w, known := p.mains[frame]
	p.mu.Unlock()
	params := runtime.EvaluateParams{
		Expression: strings.ToValidUTF8(script, "\uFFFD"), ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true),
		AllowUnsafeEvalBlockedByCSP: new(true),
	}
	session := p.speaker(frame)
	if known && frame != p.main() {
		session, params.ContextID = w.session, w.id
	}
	if strings.Contains(script, "await") { // only lines of a console have it at the top
		params.ReplMode = new(true)
	}
	var a answer
	err := session.Call(ctx, runtime.Evaluate.Method, params, &a)
	if err == nil && a.Exception != nil && params.ReplMode == nil && strings.Contains(exception(a.Exception), "has already been declared") {
		params.ReplMode, a = new(true), answer{}
		err = session.Call(ctx, runtime.Evaluate.Method, params, &a)
	}
	if err != nil {
		if isStale(err) && ctx.Err() == nil { // the script went to another page, and so has no value
			return json.RawMessage("null"), p.settle(ctx)
		}
		return nil, cause(ctx, err)
	}
	if a.Exception != nil {
		return nil, failed("Evaluation error: %s", clip(strings.TrimPrefix(exception(a.Exception), "Uncaught "), mostLogLine))
	}
	switch {
	case a.Result.Odd != "":
		return plainJSON(strings.TrimSuffix(a.Result.Odd, "n"), ""), nil
	case len(a.Result.Value) == 0 || !json.Valid(a.Result.Value):
		return json.RawMessage("null"), nil
	}
	return a.Result.Value, nil
}

// batch runs commands that are given as words.
func (c *call) batch(ctx context.Context) (output, error) {
	flags, err := c.flags(nil, []string{"--bail"})
	if err != nil {
		return output{}, err
	}
	_, bail := flags["--bail"]
	if len(c.args) == 0 {
		return output{}, usage(c.name)
	}
	return c.runBatch(ctx, bail)
}
