// Package keyboard knows the keys of a keyboard of the United States: their names,
// what they write, and what a browser is told when one is struck.
package keyboard

import (
	"context"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// Key is a key of a keyboard of the United States, or a character that has none.
type Key struct {
	Name string // as in the DOM
	Code string // where it is on the keyboard
	Text string // what it writes
	Num  int64  // the virtual key code that Windows has for it
	Mask int64  // the modifier that it is, or needs
}

// Bits of the modifiers, as the browser counts them.
const (
	Alt = 1 << iota
	Control
	Meta
	Shift
)

// Named returns a key by its Name: in the DOM, whatever the case, one of
// common other names for it, or the character that it writes.
func Named(name string) (Key, bool) {
	if utf8.RuneCountInString(name) == 1 {
		r, _ := utf8.DecodeRuneInString(name)
		return For(r), unicode.IsGraphic(r) || r == '\n' || r == '\t'
	}
	if k, ok := namedKey(strings.ToLower(name)); ok {
		return k, true
	}
	rest, isFunction := strings.CutPrefix(strings.ToUpper(name), "F")
	if n, err := strconv.Atoi(rest); isFunction && err == nil && n >= 1 && n <= 24 {
		code := "F" + strconv.Itoa(n)
		return Key{Name: code, Code: code, Num: int64(111 + n)}, true
	}
	return Key{}, false
}

func namedKey(lower string) (Key, bool) {
	switch lower {
	case "enter", "return":
		return Key{Name: "Enter", Code: "Enter", Text: "\r", Num: 13}, true
	case "tab":
		return Key{Name: "Tab", Code: "Tab", Num: 9}, true
	case "escape", "esc":
		return Key{Name: "Escape", Code: "Escape", Num: 27}, true
	case "backspace":
		return Key{Name: "Backspace", Code: "Backspace", Num: 8}, true
	case "delete", "del":
		return Key{Name: "Delete", Code: "Delete", Num: 46}, true
	case "insert":
		return Key{Name: "Insert", Code: "Insert", Num: 45}, true
	case "space", "spacebar":
		return For(' '), true
	case "pageup":
		return Key{Name: "PageUp", Code: "PageUp", Num: 33}, true
	case "pagedown":
		return Key{Name: "PageDown", Code: "PageDown", Num: 34}, true
	case "end":
		return Key{Name: "End", Code: "End", Num: 35}, true
	case "home":
		return Key{Name: "Home", Code: "Home", Num: 36}, true
	case "arrowleft", "left":
		return Key{Name: "ArrowLeft", Code: "ArrowLeft", Num: 37}, true
	case "arrowup", "up":
		return Key{Name: "ArrowUp", Code: "ArrowUp", Num: 38}, true
	case "arrowright", "right":
		return Key{Name: "ArrowRight", Code: "ArrowRight", Num: 39}, true
	case "arrowdown", "down":
		return Key{Name: "ArrowDown", Code: "ArrowDown", Num: 40}, true
	case "contextmenu":
		return Key{Name: "ContextMenu", Code: "ContextMenu", Num: 93}, true
	case "plus":
		return For('+'), true
	}
	return modifierNamed(lower)
}

func modifierNamed(lower string) (Key, bool) {
	switch lower {
	case "shift":
		return Key{Name: "Shift", Code: "ShiftLeft", Num: 16, Mask: Shift}, true
	case "control", "ctrl":
		return Key{Name: "Control", Code: "ControlLeft", Num: 17, Mask: Control}, true
	case "alt", "option":
		return Key{Name: "Alt", Code: "AltLeft", Num: 18, Mask: Alt}, true
	case "meta", "command", "cmd":
		return Key{Name: "Meta", Code: "MetaLeft", Num: 91, Mask: Meta}, true
	}
	return Key{}, false
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

// For returns the key that writes a character.
func For(r rune) Key {
	k := Key{Name: string(r), Text: string(r)}
	switch {
	case r == '\n' || r == '\r':
		k, _ = namedKey("enter")
	case r == '\t':
		k, _ = namedKey("tab")
	case r == ' ':
		k.Code, k.Num = "Space", ' '
	case r >= 'a' && r <= 'z':
		k.Code, k.Num = "Key"+string(r-'a'+'A'), int64(r-'a'+'A')
	case r >= 'A' && r <= 'Z':
		k.Code, k.Num, k.Mask = "Key"+string(r), int64(r), Shift
	}
	for _, sign := range signs {
		switch r {
		case sign.plain:
			k.Code, k.Num = sign.code, sign.num
		case sign.shifted:
			k.Code, k.Num, k.Mask = sign.code, sign.num, Shift
		}
	}
	return k
}

// With returns the key as it is while modifiers are held. With Control and the
// like a key gives a command, for which a capital is but the name of the key.
func (k Key) With(held int64) Key {
	if k.Text == "" || k.Code == "" {
		return k
	}
	r, _ := utf8.DecodeRuneInString(k.Text)
	switch {
	case held&Shift != 0:
		k = For(shifted(r))
	case held != 0:
		k = For(unicode.ToLower(r))
	}
	if held&^Shift != 0 {
		k.Text = ""
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

// Parse reads a key with the modifiers before it, such as Control+Shift+K.
func Parse(text string) (modifiers []Key, last Key, ok bool) {
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
			return nil, Key{}, false
		}
		modifiers = append(modifiers, modifier)
	}
	last, ok = Named(names[len(names)-1])
	return modifiers, last, ok
}

// Strike sends what a keyboard does when a key goes down and up.
func Strike(ctx context.Context, session protocol.Session, modifiers []Key, last Key) error {
	var held int64
	for _, modifier := range modifiers {
		held |= modifier.Mask
		if err := Down(ctx, session, modifier, held); err != nil {
			return err
		}
	}
	if err := Down(ctx, session, last, held); err != nil {
		return err
	}
	if err := Up(ctx, session, last.With(held), held); err != nil {
		return err
	}
	for i := len(modifiers) - 1; i >= 0; i-- {
		held &^= modifiers[i].Mask
		if err := Up(ctx, session, modifiers[i], held); err != nil {
			return err
		}
	}
	return nil
}

// Down tells of a key that goes down while modifiers are held.
func Down(ctx context.Context, session protocol.Session, k Key, held int64) error {
	kind := input.DispatchKeyEventTypeRawKeyDown
	if k = k.With(held); k.Text != "" {
		kind = input.DispatchKeyEventTypeKeyDown
	}
	return send(ctx, session, kind, k, held|k.Mask)
}

// Up tells of a key that goes up.
func Up(ctx context.Context, session protocol.Session, k Key, held int64) error {
	k.Text = ""
	return send(ctx, session, input.DispatchKeyEventTypeKeyUp, k, held)
}

// send tells of a key. It names no code of the keyboard itself: a key that has one is
// the browser's own, too, which opens its history, its settings and its tools for some.
func send(ctx context.Context, session protocol.Session, kind input.DispatchKeyEventType, k Key, held int64) error {
	_, err := protocol.Call(ctx, session, input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: kind, Modifiers: held, Text: k.Text, UnmodifiedText: k.Text, Code: k.Code, Key: k.Name, WindowsVirtualKeyCode: k.Num,
	})
	return err
}
