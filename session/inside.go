package session

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

const (
	mostCopied  = 300_000 // bytes
	mostOptions = 1000    // of a list
	mostLabel   = 200     // bytes of one
)

// inside runs a script in a page, where scripts of the page itself cannot reach, and
// decodes its result.
func inside(ctx context.Context, p *shown, script string, result any) error {
	ctx, cancel := context.WithTimeout(ctx, gestureTime)
	defer cancel()
	world, err := protocol.Call(ctx, p.session, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: protocol.FrameID(p.id), WorldName: "view"})
	if err != nil {
		return err
	}
	found, err := protocol.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ContextID: world.ExecutionContextID, ReturnByValue: new(true),
	})
	if err != nil {
		return err
	}
	if found.ExceptionDetails != nil || found.Result == nil {
		return errors.New("script failed")
	}
	return json.Unmarshal(found.Result.Value, result)
}

const selectionScript = `(() => {
	const field = document.activeElement;
	if (field && typeof field.selectionStart === 'number' && field.type !== 'password') {
		return field.value.slice(field.selectionStart, field.selectionEnd).slice(0, 100000);
	}
	return String(getSelection()).slice(0, 100000);
})()`

// selection returns the text that is selected in a page.
func selection(ctx context.Context, p *shown) (text string) {
	_ = inside(ctx, p, selectionScript, &text)
	return clip(text, mostCopied)
}

// option is an entry of a list that a page drops down. The browser draws such a
// list beside the page, so that it is in no picture: the view draws it.
type option struct {
	Text   string `json:"text"`
	Off    bool   `json:"off"` // it cannot be chosen
	Chosen bool   `json:"chosen"`
}

const openList = `(() => {
	let field = document.activeElement;
	while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
	return field instanceof HTMLSelectElement && field.matches(':open') ? field : null;
})()`

const optionsScript = `[...(` + openList + `?.options ?? [])].slice(0, 1000).map((o) => (
	{ text: o.label.trim().slice(0, 200), off: o.disabled || Boolean(o.closest('optgroup')?.disabled), chosen: o.selected }))`

// list returns the entries of the list that is open in a page, if one is.
func list(ctx context.Context, p *shown) []option {
	var options []option
	if inside(ctx, p, optionsScript, &options) != nil {
		return nil
	}
	options = options[:min(len(options), mostOptions)]
	for i := range options {
		options[i].Text = clip(options[i].Text, mostLabel)
	}
	return options
}

// choose chooses from the list that is open, and closes it. A negative index only
// closes it.
func choose(ctx context.Context, p *shown, index int) error {
	var open bool
	if err := inside(ctx, p, openList+" !== null", &open); err != nil || !open {
		return err
	}
	// It is chosen first: closing the list takes back what was only looked at.
	var chosen bool
	script := `((n, list) => {
		if (!list || n < 0 || n >= list.options.length || n === list.selectedIndex || list.options[n].disabled) return false;
		list.selectedIndex = n;
		for (const kind of ['input', 'change']) list.dispatchEvent(new Event(kind, { bubbles: true, composed: kind === 'input' }));
		return true;
	})(` + strconv.Itoa(index) + ", " + openList + ")"
	escape := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "Escape", Code: "Escape", WindowsVirtualKeyCode: 27}
	if err := inside(ctx, p, script, &chosen); err != nil {
		return err
	}
	_, err := protocol.Call(ctx, p.session, input.DispatchKeyEvent, escape)
	return err
}
