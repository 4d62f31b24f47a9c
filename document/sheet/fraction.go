package sheet

import (
	"math"
	"strconv"
	"strings"
)

// fraction shows a number by a section like "# ?/?" whose slash is at the token
// given. It does not apply if there are no digits on both sides.
func (s *section) fraction(v float64, at int) (string, bool) {
	from := at
	for from > 0 && s.tokens[from-1].part == digit {
		from--
	}
	to, fixed := at+1, ""
	for to < len(s.tokens) && isDenominator(s.tokens[to]) {
		fixed += s.tokens[to].text
		to++
	}
	if from == at || to == at+1 {
		return "", false
	}
	if v >= 1e15 {
		return showGeneral(v), true
	}
	hasWhole := false
	for _, t := range s.tokens[:from] {
		hasWhole = hasWhole || t.part == digit
	}
	whole, part := 0.0, v
	if hasWhole {
		whole, part = math.Modf(v)
	}
	top, bottom := approximate(part, fixed)
	if hasWhole && top == bottom {
		whole, top = whole+1, 0
	}
	return s.layFraction(whole, top, bottom, from, to, hasWhole), true
}

// isDenominator reports whether a token is a placeholder or a digit that stands for itself.
func isDenominator(t token) bool {
	return t.part == digit || t.part == literal && len(t.text) == 1 && t.text[0] >= '1' && t.text[0] <= '9'
}

func (s *section) layFraction(whole, top, bottom float64, from, to int, hasWhole bool) string {
	var out strings.Builder
	written := false
	for _, t := range s.tokens[:from] {
		switch {
		case t.part == digit && !written:
			written = true
			if whole != 0 || top == 0 || t.text == "0" {
				out.WriteString(strconv.FormatFloat(whole, 'f', 0, 64))
			}
		case t.part == literal:
			out.WriteString(t.text)
		}
	}
	if top != 0 || !hasWhole || s.tokens[from].text == "0" {
		out.WriteString(strconv.FormatFloat(top, 'f', 0, 64) + "/" + strconv.FormatFloat(bottom, 'f', 0, 64))
	}
	for _, t := range s.tokens[to:] {
		if t.part == literal {
			out.WriteString(t.text)
		}
	}
	return out.String()
}

// approximate returns the fraction nearest to v: with the denominator that the
// format names, or with the best that has as many digits as placeholders.
func approximate(v float64, denominator string) (top, bottom float64) {
	if n, err := strconv.ParseFloat(denominator, 64); err == nil && n > 0 {
		return math.Round(v * n), n
	}
	return nearest(v, math.Pow(10, float64(min(len(denominator), 7)))-1)
}

// nearest returns the fraction nearest to v with a denominator of at most most:
// a convergent of its continued fraction, or the last step towards the next one.
func nearest(v, most float64) (top, bottom float64) {
	whole, rest := math.Modf(v)
	a, b, c, d := 1.0, 0.0, 0.0, 1.0 // a/b before c/d
	for x := rest; x > 1e-9; {
		x = 1 / x
		n := math.Floor(x)
		if n*d+b > most {
			n = math.Floor((most - b) / d)
			top, bottom := n*c+a, n*d+b
			if bottom > 0 && math.Abs(rest-top/bottom) < math.Abs(rest-c/d) {
				c, d = top, bottom
			}
			break
		}
		a, b, c, d = c, d, n*c+a, n*d+b
		x -= n
	}
	return whole*d + c, d
}
