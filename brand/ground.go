package brand

// Weights of what makes a colour the page's ground, beside the share of the page
// that it covers.
const (
	textWeight     = 0.5  // of the share of the text that stands on it
	declaredWeight = 0.2  // if the page says that it is its canvas
	unreadable     = 1.6  // contrast below which text can hardly be read
	distrust       = 0.25 // of a ground on which most text could not be read
	alikeGrounds   = 0.05 // how far apart the shades of one ground are
)

// maxGrounds bounds the grounds that are compared with each other.
const maxGrounds = 100

// shade is a colour of grounds, and what stands on it.
type shade struct {
	color             colour
	point             point
	area, chars, lost float64 // lost are characters that can hardly be read
}

// background is the colour of the page's ground. Shades of it are one: a page of
// white sections and light grey ones is a light one. The most of it counts, but a
// page that is short between a dark header and a dark footer is not dark.
func (m *measurement) background() colour {
	list, total := m.shades()
	best, most := m.Canvas, 0.0
	for _, s := range list {
		if s.area <= 0 {
			continue
		}
		all := pool(list, s)
		score := all.area/total.area + textWeight*all.chars/max(total.chars, 1)
		if m.Declared && s.color.distance(m.Canvas) < alikeGrounds {
			score += declaredWeight
		}
		if all.lost > all.chars/2 { // something else must be between them
			score *= distrust
		}
		// Of the shades of a ground, the one that the page declares, else the one that covers most.
		share := s.area / total.area
		if m.Declared && s.color == m.Canvas && share > 0.05 {
			share = 1
		}
		if score += share / 10; score > most {
			best, most = s.color, score
		}
	}
	return best
}

// shades returns the grounds of the page with what stands on them, and the sum.
func (m *measurement) shades() (list []*shade, total shade) {
	known := map[colour]*shade{}
	for _, a := range m.Grounds {
		if !a.Color.known() || known[a.Color] != nil || len(list) == maxGrounds {
			continue
		}
		s := &shade{color: a.Color, point: a.Color.point(), area: max(float64(a.Amount), 0)}
		known[a.Color], list = s, append(list, s)
		total.area += s.area
	}
	for i := range m.Texts {
		t := &m.Texts[i]
		s := known[t.Ground]
		if s == nil || t.Amount <= 0 || t.Kind == "button" || !t.Color.known() {
			continue
		}
		s.chars += float64(t.Amount)
		total.chars += float64(t.Amount)
		if t.Color.contrast(t.Ground) < unreadable {
			s.lost += float64(t.Amount)
		}
	}
	return list, total
}

// pool is the sum of the shades that are like one.
func pool(list []*shade, one *shade) (sum shade) {
	for _, s := range list {
		if s.point.distance(one.point) < alikeGrounds {
			sum.area += s.area
			sum.chars += s.chars
			sum.lost += s.lost
		}
	}
	return sum
}
