package sheet

import (
	"math"
	"strconv"
	"strings"
)

// decimal is a number as its digits: 0.d1d2d3… × 10^exp. Excel keeps fifteen of
// them and rounds those, so that 1.005 becomes 1.01 as on paper.
type decimal struct {
	digits []byte
	exp    int
}

const precision = 15

// decimalOf returns the digits of a number that is not negative.
func decimalOf(v float64) decimal {
	var buf [32]byte
	b := strconv.AppendFloat(buf[:0], v, 'e', precision-1, 64)
	e := len(b) - 1
	for e > 0 && b[e] != 'e' {
		e--
	}
	exp, _ := strconv.Atoi(string(b[e+1:]))
	d := decimal{make([]byte, 0, precision+1), exp + 1}
	for _, c := range b[:e] {
		if c != '.' {
			d.digits = append(d.digits, c)
		}
	}
	return d.trim()
}

// trim drops zeros at the end.
func (d decimal) trim() decimal {
	n := len(d.digits)
	for n > 0 && d.digits[n-1] == '0' {
		n--
	}
	d.digits = d.digits[:n]
	if n == 0 {
		d.exp = 0
	}
	return d
}

// round rounds to so many digits after the point.
func (d decimal) round(places int) decimal {
	keep := d.exp + places
	if keep >= len(d.digits) {
		return d
	}
	if keep < 0 {
		return decimal{}
	}
	up := d.digits[keep] >= '5'
	out := decimal{append([]byte{'0'}, d.digits[:keep]...), d.exp + 1}
	for i := keep; up; i-- {
		if out.digits[i] == '9' {
			out.digits[i] = '0'
			continue
		}
		out.digits[i]++
		up = false
	}
	if out.digits[0] == '0' {
		out.digits, out.exp = out.digits[1:], out.exp-1
	}
	return out.trim()
}

// split returns the digits before the point, without zeros in front, and those
// after it. Numbers beyond all sense are cut.
func (d decimal) split() (whole, rest string) {
	switch {
	case d.exp <= 0:
		return "", strings.Repeat("0", min(-d.exp, 400)) + string(d.digits)
	case d.exp >= len(d.digits):
		return string(d.digits) + strings.Repeat("0", min(d.exp-len(d.digits), 400)), ""
	}
	return string(d.digits[:d.exp]), string(d.digits[d.exp:])
}

// showGeneral shows a number without a format.
func showGeneral(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "#NUM!"
	}
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	d := decimalOf(v)
	if len(d.digits) == 0 {
		return "0"
	}
	if d.exp > 21 || d.exp < -8 {
		text := sign + string(d.digits[:1])
		if len(d.digits) > 1 {
			text += "." + string(d.digits[1:])
		}
		return text + "E" + signed(d.exp-1, 2, true)
	}
	whole, rest := d.split()
	if whole == "" {
		whole = "0"
	}
	if rest != "" {
		return sign + whole + "." + rest
	}
	return sign + whole
}

// signed returns an exponent with at least so many digits.
func signed(n, digits int, plus bool) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	} else if plus {
		sign = "+"
	}
	text := strconv.Itoa(n)
	return sign + strings.Repeat("0", max(digits-len(text), 0)) + text
}

// number shows a number by a section that is not one of dates.
func (s *section) number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "#NUM!"
	}
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	if s.isGeneral || s.isText {
		return sign + s.around(v)
	}
	for i, t := range s.tokens {
		if t.part == slash {
			if text, ok := s.fraction(v, i); ok {
				return sign + text
			}
		}
	}
	p := s.plan()
	if p.digits == 0 {
		return s.literals(sign)
	}
	return sign + s.lay(p, v)
}

// around shows a number as General in the midst of other text.
func (s *section) around(v float64) string {
	var out strings.Builder
	for _, t := range s.tokens {
		switch t.part {
		case general, asText:
			out.WriteString(showGeneral(v))
		case literal:
			out.WriteString(t.text)
		}
	}
	return out.String()
}

// literals is all that a section without digits shows.
func (s *section) literals(sign string) string {
	var out strings.Builder
	for _, t := range s.tokens {
		out.WriteString(t.text)
	}
	if out.Len() == 0 {
		return ""
	}
	return sign + out.String()
}

// plan is how a section lays out a number.
type plan struct {
	digits          int // placeholders in all
	whole, decimals int // placeholders before and after the point
	grouped         bool
	scale           int // power of ten that the number is multiplied by
	exponent        int // token of the exponent, -1 if there is none
	power           int // placeholders of the exponent
}

func (s *section) plan() plan {
	p := plan{exponent: -1}
	afterPoint := false
	var pending []int // commas since the last placeholder
	for i, t := range s.tokens {
		switch t.part {
		case digit:
			if p.exponent >= 0 {
				p.power++
				continue
			}
			p.digits++
			if len(pending) > 0 && !afterPoint && p.whole > 0 {
				p.grouped = true
			}
			pending = pending[:0]
			if afterPoint {
				p.decimals++
			} else {
				p.whole++
			}
		case point:
			p.scale -= 3 * len(pending)
			pending, afterPoint = pending[:0], true
		case comma:
			if p.digits > 0 {
				pending = append(pending, i)
			}
		case percent:
			p.scale += 2
		case exponent:
			if p.exponent < 0 && p.digits > 0 {
				p.exponent = i
			}
		}
	}
	p.scale -= 3 * len(pending)
	return p
}

// lay writes a number into the placeholders of a section.
func (s *section) lay(p plan, v float64) string {
	d := decimalOf(v)
	if len(d.digits) > 0 {
		d.exp += p.scale
	}
	power := 0
	if p.exponent >= 0 {
		d, power = mantissa(d, max(p.whole, 1), p.decimals)
	} else {
		d = d.round(p.decimals)
	}
	whole, rest := d.split()
	l := layout{whole: whole, rest: rest, plan: p, left: p.whole}
	for i, t := range s.tokens {
		switch t.part {
		case digit:
			switch {
			case p.exponent >= 0 && i > p.exponent:
			case l.afterPoint:
				l.decimal(t.text[0])
			default:
				l.integer(t.text[0])
			}
		case point:
			if !l.afterPoint && p.whole == 0 {
				l.out = append(l.out, whole...)
			}
			l.afterPoint = true
			l.out = append(l.out, '.')
		case exponent:
			if i == p.exponent {
				l.out = append(l.out, "E"+signed(power, p.power, t.text[1] == '+')...)
			}
		case comma:
		default:
			l.out = append(l.out, t.text...)
		}
	}
	return string(l.out)
}

// mantissa brings a number into the form of a scientific format, whose exponent
// is a multiple of the placeholders before the point.
func mantissa(d decimal, whole, decimals int) (decimal, int) {
	for range 2 { // rounding may add a digit
		if len(d.digits) == 0 {
			return d, 0
		}
		power := d.exp - 1
		if whole > 1 {
			power = int(math.Floor(float64(power)/float64(whole))) * whole
		}
		m := decimal{d.digits, d.exp - power}.round(decimals)
		if m.exp <= max(whole, 1) {
			return m, power
		}
		d = decimal{m.digits, m.exp + power}
	}
	return d, 0
}

// layout is a number half way into its placeholders.
type layout struct {
	out         []byte
	whole, rest string
	plan        plan
	left        int // placeholders that are left before the point
	started     bool
	afterPoint  bool
	at          int // digit after the point
}

// integer fills a placeholder before the point. The first takes all digits for
// which there are no others.
func (l *layout) integer(mark byte) {
	from := len(l.whole) - l.left
	if !l.started && from > 0 {
		for i := range from {
			l.put(l.whole[i], len(l.whole)-i)
		}
	}
	l.started = true
	switch {
	case from >= 0:
		l.put(l.whole[from], l.left)
	case mark == '0':
		l.put('0', l.left)
	case mark == '?':
		l.out = append(l.out, ' ')
	}
	l.left--
}

// put writes a digit that has so many at and after it.
func (l *layout) put(c byte, remaining int) {
	l.out = append(l.out, c)
	if l.plan.grouped && remaining > 1 && remaining%3 == 1 {
		l.out = append(l.out, ',')
	}
}

// decimal fills a placeholder after the point.
func (l *layout) decimal(mark byte) {
	switch {
	case l.at < len(l.rest):
		l.out = append(l.out, l.rest[l.at])
	case mark == '0':
		l.out = append(l.out, '0')
	case mark == '?':
		l.out = append(l.out, ' ')
	}
	l.at++
}
