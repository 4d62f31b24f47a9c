package layout

import "unicode"

// maxInitials bounds the large letters of a page for which a line is sought.
const maxInitials = 50

// initials puts large letters that several lines are set around in front of the
// first of these lines.
func (p *page) initials(size float32) {
	tried := 0
	for i := range p.runs {
		cap := &p.runs[i]
		if cap.chars != 1 || cap.size < 1.8*size || cap.turn != 0 || cap.of > 0 {
			continue
		}
		letter := []rune(string(p.runText(cap)))
		if len(letter) != 1 || !unicode.IsUpper(letter[0]) {
			continue
		}
		if tried++; tried > maxInitials {
			break
		}
		if at := p.besideInitial(i); at >= 0 {
			p.prepend(i, at)
		}
	}
}

// besideInitial returns the first line beside a large letter; -1 if there are not two.
func (p *page) besideInitial(i int) int {
	cap := &p.runs[i]
	first, n := -1, 0
	for k := range p.runs {
		r := &p.runs[k]
		if k == i || r.turn != 0 || r.size > 0.7*cap.size || r.Left < cap.centerX() || r.Left > cap.Right+0.5*cap.size || r.centerY() < cap.Top || r.centerY() > cap.Bottom {
			continue
		}
		n++
		if first < 0 || r.base < p.runs[first].base {
			first = k
		}
	}
	if n < 2 {
		return -1
	}
	return first
}

// prepend puts the text of a large letter in front of a run.
func (p *page) prepend(i, at int) {
	r := &p.runs[at]
	letter := p.runText(&p.runs[i])
	from, shift := int32(len(p.pieces)), int32(len(p.text)+len(letter))-p.pieces[r.from].from
	p.text = append(append(p.text, letter...), p.runText(r)...)
	for k := r.from; k < r.to; k++ {
		piece := p.pieces[k]
		piece.from += shift
		piece.to += shift
		if k == r.from {
			piece.from -= int32(len(letter))
		}
		p.pieces = append(p.pieces, piece)
	}
	r.from, r.to = from, int32(len(p.pieces))
	r.chars++
	p.runs[i].of = int32(at + 1)
}
