package browser

import (
	"context"
	"strings"
	"unicode/utf8"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"github.com/trawlhq/trawl/browser/keyboard"
)

// mostTyped is how many characters are typed key by key; what is longer is put
// in as one.
const mostTyped = 200

// press presses a key, with modifiers held if there are any, and waits for what
// that sets off.
func (t *tab) press(ctx context.Context, text string) error {
	modifiers, last, ok := keyboard.Parse(text)
	if !ok {
		return failure("there is no key " + quoted(text))
	}
	return t.stir(ctx, calmTime, func() error { return keyboard.Strike(ctx, t.Session, modifiers, last) })
}

// write types into the element that has the focus. A line break presses Enter.
func (t *tab) write(ctx context.Context, text string) error {
	var ready bool
	if err := t.ask(ctx, focusScript, &ready); err != nil {
		return err
	}
	if !ready {
		return failure("nothing that can be written into has the focus; a click on it must come first")
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return t.stir(ctx, calmTime, func() error {
		if utf8.RuneCountInString(text) <= mostTyped {
			return t.typeKeys(ctx, text)
		}
		return t.typeLines(ctx, text)
	})
}

// typeKeys strikes a key for each character.
func (t *tab) typeKeys(ctx context.Context, text string) error {
	for _, r := range text {
		if err := keyboard.Strike(ctx, t.Session, nil, keyboard.For(r)); err != nil {
			return err
		}
	}
	return nil
}

// typeLines puts each line in as one.
func (t *tab) typeLines(ctx context.Context, text string) error {
	for line := range strings.Lines(text) {
		content, ends := strings.CutSuffix(line, "\n")
		if content != "" {
			if _, err := protocol.Call(ctx, t.Session, input.InsertText, input.InsertTextParams{Text: content}); err != nil {
				return err
			}
		}
		if ends {
			if err := keyboard.Strike(ctx, t.Session, nil, keyboard.For('\n')); err != nil {
				return err
			}
		}
	}
	return nil
}

// focusScript answers whether keys would write. It looks into frames and open
// shadow roots; of what it cannot look into, it expects the best.
const focusScript = `() => {
	let element = document.activeElement;
	for (let depth = 0; depth < 20 && element; depth++) {
		if (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
		else if (/^i?frame$/.test(element.localName)) {
			if (!element.contentDocument) return true;
			element = element.contentDocument.activeElement;
		} else break;
	}
	if (!element) return false;
	if (element.isContentEditable || element.localName.includes('-') || element.ownerDocument.designMode === 'on') return true;
	if (element.localName === 'select') return true;
	if (element.disabled || element.readOnly) return false;
	const mute = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;
	return element.localName === 'textarea' || element.localName === 'input' && !mute.test(element.type);
}`

// tap clicks a point of the window: with a finger on a phone, else the mouse.
func (t *tab) tap(ctx context.Context, x, y float64) error {
	if t.mobile {
		return t.touch(ctx, x, y)
	}
	for _, event := range []input.DispatchMouseEventParams{
		{Type: input.DispatchMouseEventTypeMouseMoved},
		{Type: input.DispatchMouseEventTypeMousePressed, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1},
		{Type: input.DispatchMouseEventTypeMouseReleased, Button: input.MouseButtonLeft, ClickCount: 1},
	} {
		event.X, event.Y = x, y
		if _, err := protocol.Call(ctx, t.Session, input.DispatchMouseEvent, event); err != nil {
			return err
		}
	}
	return nil
}

func (t *tab) touch(ctx context.Context, x, y float64) error {
	for _, event := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		if _, err := protocol.Call(ctx, t.Session, input.DispatchTouchEvent, event); err != nil {
			return err
		}
	}
	return nil
}
