package browser

import (
	"context"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// mostTyped is how many characters are typed key by key; what is longer is put
// in as one.
const mostTyped = 200

// key is a key of a keyboard of the United States, or a character that has none.
type key struct {
	name string // as in the DOM
	code string // where it is on the keyboard
	text string // what it writes
	num  int64  // the virtual key code that Windows has for it
	mask int64  // the modifier that it is, or needs
}

// Bits of the modifiers, as the browser counts them.
const (
	maskAlt = 1 << iota
	maskControl
	maskMeta
	maskShift
)

// keyNamed returns a key by its name: in the DOM, whatever the case, one of
// common other names for it, or the character that it writes.
func keyNamed(name string) (key, bool) {
	if utf8.RuneCountInString(name) == 1 {
		r, _ := utf8.DecodeRuneInString(name)
		return keyFor(r), unicode.IsGraphic(r) || r == '\n' || r == '\t'
	}
	if k, ok := namedKey(strings.ToLower(name)); ok {
		return k, true
	}
	rest, isFunction := strings.CutPrefix(strings.ToUpper(name), "F")
	if n, err := strconv.Atoi(rest); isFunction && err == nil && n >= 1 && n <= 24 {
		code := "F" + strconv.Itoa(n)
		return key{name: code, code: code, num: int64(111 + n)}, true
	}
	return key{}, false
}

func namedKey(lower string) (key, bool) {
	switch lower {
	case "enter", "return":
		return key{name: "Enter", code: "Enter", text: "\r", num: 13}, true
	case "tab":
		return key{name: "Tab", code: "Tab", num: 9}, true
	case "escape", "esc":
		return key{name: "Escape", code: "Escape", num: 27}, true
	case "backspace":
		return key{name: "Backspace", code: "Backspace", num: 8}, true
	case "delete", "del":
		return key{name: "Delete", code: "Delete", num: 46}, true
	case "insert":
		return key{name: "Insert", code: "Insert", num: 45}, true
	case "space", "spacebar":
		return keyFor(' '), true
	case "pageup":
		return key{name: "PageUp", code: "PageUp", num: 33}, true
	case "pagedown":
		return key{name: "PageDown", code: "PageDown", num: 34}, true
	case "end":
		return key{name: "End", code: "End", num: 35}, true
	case "home":
		return key{name: "Home", code: "Home", num: 36}, true
	case "arrowleft", "left":
		return key{name: "ArrowLeft", code: "ArrowLeft", num: 37}, true
	case "arrowup", "up":
		return key{name: "ArrowUp", code: "ArrowUp", num: 38}, true
	case "arrowright", "right":
		return key{name: "ArrowRight", code: "ArrowRight", num: 39}, true
	case "arrowdown", "down":
		return key{name: "ArrowDown", code: "ArrowDown", num: 40}, true
	case "contextmenu":
		return key{name: "ContextMenu", code: "ContextMenu", num: 93}, true
	case "plus":
		return keyFor('+'), true
	}
	return modifierNamed(lower)
}

func modifierNamed(lower string) (key, bool) {
	switch lower {
	case "shift":
		return key{name: "Shift", code: "ShiftLeft", num: 16, mask: maskShift}, true
	case "control", "ctrl":
		return key{name: "Control", code: "ControlLeft", num: 17, mask: maskControl}, true
	case "alt", "option":
		return key{name: "Alt", code: "AltLeft", num: 18, mask: maskAlt}, true
	case "meta", "command", "cmd":
		return key{name: "Meta", code: "MetaLeft", num: 91, mask: maskMeta}, true
	}
	return key{}, false
}

// signs are the keys of punctuation: what each writes, without and with Shift.
var signs = []struct {
	plain, shifted rune
	code           string
	num            int64
}{
	{'1', '!', "Digit1", 49}, {'2', '@', "Digit2", 50}, {'3', '#', "Digit3", 51}, {'4', '$', "Digit4", 52},
	{'5', '%', "Digit5", 53}, {'6', '^', "Digit6", 54}, {'7', '&', "Digit7", 55}, {'8', '*', "Digit8", 56},
	{'9', '(', "Digit9", 57}, {'0', ')', "Digit0", 48}, {';', ':', "Semicolon", 186}, {'=', '+', "Equal", 187},
	{',', '<', "Comma", 188}, {'-', '_', "Minus", 189}, {'.', '>', "Period", 190}, {'/', '?', "Slash", 191},
	{'`', '~', "Backquote", 192}, {'[', '{', "BracketLeft", 219}, {'\\', '|', "Backslash", 220},
	{']', '}', "BracketRight", 221}, {'\'', '"', "Quote", 222},
}

// keyFor returns the key that writes a character.
func keyFor(r rune) key {
	k := key{name: string(r), text: string(r)}
	switch {
	case r == '\n' || r == '\r':
		k, _ = namedKey("enter")
	case r == '\t':
		k, _ = namedKey("tab")
	case r == ' ':
		k.code, k.num = "Space", ' '
	case r >= 'a' && r <= 'z':
		k.code, k.num = "Key"+string(r-'a'+'A'), int64(r-'a'+'A')
	case r >= 'A' && r <= 'Z':
		k.code, k.num, k.mask = "Key"+string(r), int64(r), maskShift
	}
	for _, sign := range signs {
		switch r {
		case sign.plain:
			k.code, k.num = sign.code, sign.num
		case sign.shifted:
			k.code, k.num, k.mask = sign.code, sign.num, maskShift
		}
	}
	return k
}

// with returns the key as it is while modifiers are held. With Control and the
// like a key gives a command, for which a capital is but the name of the key.
func (k key) with(held int64) key {
	if k.text == "" || k.code == "" {
		return k
	}
	r, _ := utf8.DecodeRuneInString(k.text)
	switch {
	case held&maskShift != 0:
		k = keyFor(shifted(r))
	case held != 0:
		k = keyFor(unicode.ToLower(r))
	}
	if held&^maskShift != 0 {
		k.text = ""
	}
	return k
}

// shifted returns what the key of a character writes while Shift is held.
func shifted(r rune) rune {
	for _, sign := range signs {
		if r == sign.plain {
			return sign.shifted
		}
	}
	return unicode.ToUpper(r)
}

// stroke reads a key with the modifiers before it, such as Control+Shift+K.
func stroke(text string) (modifiers []key, last key, ok bool) {
	names := strings.Split(text, "+")
	if strings.HasSuffix(text, "+") { // the sign itself
		names = append(strings.Split(strings.TrimSuffix(strings.TrimSuffix(text, "+"), "+"), "+"), "+")
		if names[0] == "" {
			names = names[1:]
		}
	}
	for _, name := range names[:len(names)-1] {
		modifier, ok := modifierNamed(strings.ToLower(name))
		if !ok {
			return nil, key{}, false
		}
		modifiers = append(modifiers, modifier)
	}
	last, ok = keyNamed(names[len(names)-1])
	return modifiers, last, ok
}

// press presses a key, with modifiers held if there are any, and waits for what
// that sets off.
func (t *tab) press(ctx context.Context, text string) error {
	modifiers, last, ok := stroke(text)
	if !ok {
		return failure("there is no key " + quoted(text))
	}
	return t.stir(ctx, calmTime, func() error { return t.strike(ctx, modifiers, last) })
}

// strike sends what a keyboard does when a key goes down and up.
func (t *tab) strike(ctx context.Context, modifiers []key, last key) error {
	var held int64
	for _, modifier := range modifiers {
		held |= modifier.mask
		if err := t.send(ctx, input.DispatchKeyEventTypeRawKeyDown, modifier, held); err != nil {
			return err
		}
	}
	last = last.with(held)
	down := input.DispatchKeyEventTypeRawKeyDown
	if last.text != "" {
		down = input.DispatchKeyEventTypeKeyDown
	}
	if err := t.send(ctx, down, last, held|last.mask); err != nil {
		return err
	}
	last.text = ""
	if err := t.send(ctx, input.DispatchKeyEventTypeKeyUp, last, held); err != nil {
		return err
	}
	for i := len(modifiers) - 1; i >= 0; i-- {
		held &^= modifiers[i].mask
		if err := t.send(ctx, input.DispatchKeyEventTypeKeyUp, modifiers[i], held); err != nil {
			return err
		}
	}
	return nil
}

func (t *tab) send(ctx context.Context, kind input.DispatchKeyEventType, k key, held int64) error {
	_, err := protocol.Call(ctx, t.Session, input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: kind, Modifiers: held, Text: k.text, UnmodifiedText: k.text, Code: k.code, Key: k.name,
		WindowsVirtualKeyCode: k.num, NativeVirtualKeyCode: k.num,
	})
	return err
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
		if err := t.strike(ctx, nil, keyFor(r)); err != nil {
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
			if err := t.strike(ctx, nil, keyFor('\n')); err != nil {
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
