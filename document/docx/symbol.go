package docx

import "strings"

// symbols says which characters a font of symbols shows in place of others.
type symbols map[rune]rune

// symbolFont returns the symbols of a font, nil for other fonts.
func symbolFont(name string) symbols {
	switch strings.ToLower(name) {
	case "symbol":
		return symbolSigns
	case "wingdings":
		return wingdings
	case "wingdings 2":
		return wingdings2
	}
	return nil
}

// shown returns a text as it is seen in a font. Word shifts the characters of fonts
// of symbols to a private area; where the font is unknown, it is mostly Symbol.
func shown(text, font string) string {
	table := symbolFont(font)
	if table == nil && !strings.ContainsFunc(text, isPrivate) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case isPrivate(r) && table == nil:
			r = symbolSigns.sign(r - 0xf000)
		case isPrivate(r):
			r = table.sign(r - 0xf000)
		case table[r] != 0:
			r = table[r]
		}
		return r
	}, text)
}

func isPrivate(r rune) bool { return r >= 0xf020 && r <= 0xf0ff }

// sign returns what a character shows, a bullet if it is unknown.
func (s symbols) sign(r rune) rune {
	if s[r] != 0 {
		return s[r]
	}
	return '•'
}

var symbolSigns = table(map[rune]string{
	0x21: "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
	0x61: "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
	0xa0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…",
	0xc0: "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑",
	0xf1: "〉∫",
})

var wingdings = table(map[rune]string{
	0x22: "✂", 0x28: "☎✆✉", 0x3f: "✍", 0x41: "✌", 0x43: "👍👎☜☞☝☟", 0x4a: "☺", 0x4c: "☹💣☠", 0x51: "✈☼", 0x54: "❄",
	0x6c: "●❍■□", 0x71: "❑❒⬧⧫◆❖⬥⌧", 0x7a: "⌘", 0x81: "①②③④⑤⑥⑦⑧⑨⑩", 0x8c: "❶❷❸❹❺❻❼❽❾❿", 0x9e: "·•", 0xa1: "○", 0xa4: "◉", 0xa7: "▪☐", 0xab: "★",
	0xd8: "➢", 0xdf: "←→↑↓", 0xe8: "➔", 0xef: "⇦⇨⇧⇩⇔", 0xfb: "✗✓☒☑",
})

var wingdings2 = table(map[rune]string{0x4f: "✗✓", 0x52: "☑☒☒", 0xa3: "☐"})

// table makes a table of rows of signs, each for the characters from one on.
func table(rows map[rune]string) symbols {
	t := symbols{}
	for code, signs := range rows {
		for _, sign := range signs {
			t[code] = sign
			code++
		}
	}
	return t
}
