package ocr

import "strings"

const (
	bullet = "•"

	// What Tesseract takes bullets for: signs that begin no line, and letters that do
	// so only in words, unless several lines begin with one at the same place.
	bulletSigns   = "¢°©®»«*+"
	bulletLetters = "eoO"
)

// bullets puts bullets where Tesseract, which does not know them, saw something else:
// at the start of lines, apart from the text.
func bullets(words []word) {
	starts := map[int]int{} // letters at the start of lines, by place
	place := func(w *word) int { return int(w.left) / max(int(w.height), 1) }
	each := func(visit func(w *word)) {
		for i := range words {
			if (i == 0 || words[i-1].line != words[i].line) && i+1 < len(words) && words[i+1].line == words[i].line {
				visit(&words[i])
			}
		}
	}
	each(func(w *word) {
		if len(w.text) == 1 && strings.Contains(bulletLetters, w.text) {
			starts[place(w)]++
		}
	})
	each(func(w *word) {
		letter := len(w.text) == 1 && strings.Contains(bulletLetters, w.text)
		sign := len([]rune(w.text)) == 1 && strings.Contains(bulletSigns, w.text)
		if sign || letter && starts[place(w)] > 1 {
			w.text = bullet
		}
	})
}
