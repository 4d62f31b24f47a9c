// Package symbolfont knows what the fonts of symbols show that come with every word
// processor: Symbol and Wingdings. Text in them is stored as ordinary characters, or
// as those of a private area of Unicode.
package symbolfont

import "strings"

// Font says which sign a font shows for a character. What is not in it is not known.
type Font map[rune]rune

// Named returns a font of symbols by its name, nil for other fonts.
func Named(name string) Font {
	switch name = strings.ToLower(strings.TrimSpace(name)); {
	case name == "wingdings 2":
		return wingdings2
	case strings.HasPrefix(name, "wingdings"):
		return wingdings
	case strings.HasPrefix(name, "symbol"):
		return greek
	}
	return nil
}

// Private returns the character that one of the private area stands for, and whether
// it is of that area.
func Private(c rune) (rune, bool) { return c - 0xf000, c >= 0xf020 && c <= 0xf0ff }

// HasPrivate tells whether a text has characters of the private area.
func HasPrivate(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { _, ok := Private(c); return ok })
}

// Shown returns a text as it is seen in a font. Signs that are not known are mostly
// bullets.
func Shown(text, font string) string {
	signs := Named(font)
	if signs == nil && !HasPrivate(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		code, private := Private(r)
		switch {
		case private && signs == nil: // mostly of Symbol
			r = Named("Symbol")[code]
		case private:
			r = signs[code]
		case signs[r] != 0:
			r = signs[r]
		}
		if r == 0 {
			return '•'
		}
		return r
	}, text)
}

// greek is the font Symbol.
var greek = table(map[rune]string{
	0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
	0xa0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
	0xf1: "⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
})

var wingdings = table(map[rune]string{
	0x20: " ", 0x22: "✂", 0x28: "☎✆✉", 0x3f: "✍", 0x41: "✌", 0x43: "👍👎☜☞☝☟", 0x4a: "☺", 0x4c: "☹💣☠", 0x51: "✈☼", 0x54: "❄",
	0x6c: "●❍■□", 0x71: "❑❒⬧⧫◆❖⬥☒", 0x7a: "⌘", 0x81: "①②③④⑤⑥⑦⑧⑨⑩", 0x8c: "❶❷❸❹❺❻❼❽❾❿", 0x9e: "·•", 0xa1: "○", 0xa4: "◉", 0xa7: "▪☐", 0xab: "★",
	0xd8: "➢", 0xdf: "←→↑↓", 0xe8: "➔", 0xef: "⇦⇨⇧⇩⇔", 0xfb: "✗✓☒☑",
})

var wingdings2 = table(map[rune]string{0x4f: "✗✓", 0x52: "☑☒☒", 0xa3: "☐"})

// table makes a font of rows of signs, each for the characters from one on.
func table(rows map[rune]string) Font {
	t := Font{}
	for code, signs := range rows {
		for _, sign := range signs {
			t[code] = sign
			code++
		}
	}
	return t
}
