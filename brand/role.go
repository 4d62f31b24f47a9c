package brand

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// candidate is a colour on its way to a role.
type candidate struct {
	color                      colour
	point                      point
	primary, secondary, accent float64 // how much speaks for each role
	uses                       []string
}

// palette is candidates; colours that nobody could tell apart are one.
type palette struct{ list []*candidate }

// maxPalette bounds the candidates: what comes later is rare in the page.
const maxPalette = 200

// at returns the candidate for a colour, and notes what it is used for.
func (p *palette) at(c colour, use string) *candidate {
	known := p.find(c)
	if known == nil {
		known = &candidate{color: c, point: c.point()}
		if len(p.list) < maxPalette {
			p.list = append(p.list, known)
		}
	}
	if !slices.Contains(known.uses, use) && len(known.uses) < 8 {
		known.uses = append(known.uses, use)
	}
	return known
}

// find returns the candidate for a colour if it is there already.
func (p *palette) find(c colour) *candidate {
	at := c.point()
	for _, known := range p.list {
		if known.point.distance(at) < hardly {
			return known
		}
	}
	return nil
}

// roles gives the colours of the page their roles, and returns the candidates.
func (m *measurement) roles(ground colour, buttons []widget) (map[string]string, []Color) {
	p := &palette{}
	m.weighButtons(p, buttons)
	m.weighGrounds(p, ground)
	m.weighTexts(p, ground)
	m.weighNamed(p)

	colors := map[string]string{"background": ground.hex()}
	put := func(role string, c colour) {
		if c.known() {
			colors[role] = c.hex()
		}
	}
	primary := p.best(ground, nil, 0.15, func(c *candidate) float64 { return c.primary })
	secondary := p.best(ground, []colour{primary}, 0.15, func(c *candidate) float64 { return c.secondary })
	accent := p.best(ground, []colour{primary, secondary}, 0.05, func(c *candidate) float64 { return c.accent })
	link := m.linkColour(ground)
	if !accent.known() {
		accent = primary
	}
	put("primary", primary)
	put("secondary", secondary)
	put("accent", accent)
	put("link", link)
	first, second := m.textColours(ground, link)
	put("textPrimary", first)
	put("textSecondary", second)
	for _, kind := range []string{"success", "warning", "error"} {
		put(kind, m.stateColour(kind, ground))
	}
	return colors, p.offered(ground)
}

// weighButtons counts what buttons are painted with.
func (m *measurement) weighButtons(p *palette, buttons []widget) {
	for i, b := range buttons {
		if !b.Background.known() || b.Cookie || b.Fixed || b.destroys() || i >= 12 {
			continue
		}
		c := p.at(b.Background, "button “"+clean(b.Label, 30)+"”")
		tint := 0.6
		if b.Background.colourful() {
			tint = 1
		}
		if i == 0 {
			c.primary += 5 * tint
		} else {
			c.primary += 0.6 * tint / float64(i)
			c.secondary += 2.5 * tint / float64(i)
			c.accent += tint / float64(i)
		}
	}
}

// weighGrounds counts what areas are painted with.
func (m *measurement) weighGrounds(p *palette, ground colour) {
	total := float64(max(m.Page.Width*m.Page.Height, 1))
	for _, a := range m.Grounds {
		share := min(float64(a.Amount)/total, 1)
		if !a.Color.known() || a.Color.near(ground) || share <= 0.0001 {
			continue
		}
		weight := 3 * math.Sqrt(share)
		if !a.Color.colourful() {
			c := p.at(a.Color, "ground")
			c.secondary += weight * 0.4
			continue
		}
		c := p.at(a.Color, "ground")
		c.primary += weight * min(1, a.Color.chroma()/0.1)
		c.secondary += weight
		c.accent += weight * 0.5
	}
}

// weighTexts counts what text is written in, as far as it is colourful.
func (m *measurement) weighTexts(p *palette, ground colour) {
	total := 1.0
	for i := range m.Texts {
		total += m.Texts[i].ink()
	}
	for i := range m.Texts {
		t := &m.Texts[i]
		if !t.Color.colourful() || t.Kind == "button" || t.Kind == "code" || t.Color.near(ground) {
			continue
		}
		tint := min(t.Color.chroma()/0.12, 1) // a dark blue is nearly black
		weight := 2 * math.Sqrt(min(t.ink()/total, 1)) * tint * tint
		use := "text"
		if t.heading() {
			use = "headings"
		}
		if t.Link != "" {
			use, weight = "links", weight*1.5
			if t.Color == defaultLink || t.Color == defaultVisited {
				weight = 0 // nobody chose them
			}
		}
		c := p.at(t.Color, use)
		c.primary += weight
		c.secondary += weight * 0.7
		c.accent += weight * 1.2
	}
}

// What browsers show links in, unless they are told otherwise.
var (
	defaultLink    = colour{0x00, 0x00, 0xee, true}
	defaultVisited = colour{0x55, 0x1a, 0x8b, true}
)

// Custom properties that name a role. Those of parts and states of components do
// not: what is written on the primary colour is not the primary colour.
var (
	namedPart  = regexp.MustCompile(`(?i)hover|active|focus|disabled|text|foreground|contrast|border|shadow|subtle|soft|light|dark|muted|emphasis|-on-|^on-|(^|-)bg|background|inverse|ring|-(50|100|200|300|800|900|950)$`)
	namedFirst = regexp.MustCompile(`(?i)(^|-)(primary|brand|theme)(-color|-colour|-main|-base|-default|-500|-600)?$|(^|-)(brand|color|colour)-primary$`)
	namedNext  = regexp.MustCompile(`(?i)(^|-)secondary(-color|-colour|-main|-base|-default|-500|-600)?$`)
	namedThird = regexp.MustCompile(`(?i)(^|-)accent(-color|-colour|-main|-base|-default|-500|-600)?$`)
	namedLink  = regexp.MustCompile(`(?i)^--([a-z]+-)?(link(-color|-colour)?|(color|colour)-link)$`)
	namedState = map[string]*regexp.Regexp{
		"success": regexp.MustCompile(`(?i)(^|-)(success|positive)(-color|-colour|-main|-base|-default|-500|-600)?$`),
		"warning": regexp.MustCompile(`(?i)(^|-)(warning|caution)(-color|-colour|-main|-base|-default|-500|-600)?$`),
		"error":   regexp.MustCompile(`(?i)(^|-)(error|danger|destructive|negative)(-color|-colour|-main|-base|-default|-500|-600)?$`),
	}
)

// weighNamed counts what the page's author calls primary, secondary, accent. A
// colour that is nowhere to be seen counts little: frameworks define many.
func (m *measurement) weighNamed(p *palette) {
	for _, v := range m.Properties {
		name := strings.TrimLeft(v.Name, "-")
		if !v.Color.known() || namedPart.MatchString(name) {
			continue
		}
		weight := 0.4
		if p.find(v.Color) != nil || m.shows(v.Color) {
			weight = 3
		}
		use := "custom property --" + clean(name, 40)
		switch {
		case namedFirst.MatchString(name):
			p.at(v.Color, use).primary += weight
		case namedNext.MatchString(name):
			p.at(v.Color, use).secondary += weight
		case namedThird.MatchString(name):
			p.at(v.Color, use).accent += weight
		}
	}
	for _, c := range m.logoColours() {
		p.at(c, "logo").primary++
	}
	if c := parseColour(m.Metas["theme-color"]); c.colourful() {
		p.at(c, "theme-color").primary += 1.5
	}
}

// shows reports whether text or the border of a button has a colour.
func (m *measurement) shows(c colour) bool {
	return slices.ContainsFunc(m.Buttons, func(b widget) bool { return b.Border.known() && b.Border == c }) ||
		slices.ContainsFunc(m.Texts, func(t textRun) bool { return t.Color == c })
}

// best returns the candidate with the highest score above the least one. It differs from the ground
// and from what is taken already.
func (p *palette) best(ground colour, taken []colour, least float64, score func(*candidate) float64) (best colour) {
	most := least
	for _, c := range p.list {
		differs := !slices.ContainsFunc(taken, func(t colour) bool { return t.known() && c.color.distance(t) < 0.06 })
		if s := score(c); s > most && differs && !c.color.near(ground) {
			best, most = c.color, s
		}
	}
	return best
}

// offered returns the candidates, the best first.
func (p *palette) offered(ground colour) []Color {
	sum := func(c *candidate) float64 { return c.primary + c.secondary + c.accent }
	list := slices.SortedStableFunc(slices.Values(p.list), func(a, b *candidate) int { return cmp.Compare(sum(b), sum(a)) })
	var colors []Color
	for _, c := range list[:min(len(list), 16)] {
		if !c.color.near(ground) {
			colors = append(colors, Color{Hex: c.color.hex(), Uses: strings.Join(c.uses, ", ")})
		}
	}
	return colors
}

// linkColour is what links within text are written in, else other links, else what the page's
// author calls so.
func (m *measurement) linkColour(ground colour) colour {
	byHex := map[string]float64{}
	for i := range m.Texts {
		t := &m.Texts[i]
		if t.Link == "" || t.Kind == "button" || !t.Color.known() || t.Ground.distance(ground) >= alikeGrounds && t.Link != "prose" {
			continue
		}
		weight := map[string]float64{"prose": 30, "other": 3, "nav": 1}[t.Link]
		if t.Color.colourful() {
			weight *= 4
		}
		byHex[t.Color.hex()] += weight * float64(t.Amount)
	}
	if best, ok := most(byHex); ok {
		return parseColour(best)
	}
	for _, v := range m.Properties {
		if namedLink.MatchString(v.Name) {
			return v.Color
		}
	}
	return colour{}
}

// textColours are the two colours that text on the page's ground is written in.
// The usual one is the primary one, unless another has clearly more contrast and
// is not rare.
func (m *measurement) textColours(ground, link colour) (first, second colour) {
	ink, total := m.plainInk(ground, link, vivid)
	if total == 0 { // all of it is colourful
		ink, total = m.plainInk(ground, link, 1)
	}
	hex, _ := most(ink)
	first = parseColour(hex)
	for _, hex := range slices.Sorted(maps.Keys(ink)) {
		c := parseColour(hex)
		if ink[hex] >= total*0.08 && c.contrast(ground) > clearly*first.contrastOr(ground) {
			first = c
		}
	}
	rest := map[string]float64{}
	for hex, amount := range ink {
		c := parseColour(hex)
		if c.contrast(ground)*clearly < first.contrastOr(ground) && c.chroma() < vivid && amount > total*0.01 {
			rest[hex] = amount
		}
	}
	if hex, ok := most(rest); ok {
		second = parseColour(hex)
	}
	return first, second
}

// vivid is the chroma from which text is there to be noticed, not to be read.
const vivid = 0.09

// alike is how far the ground of a card may be from that of the page.
const alike = 0.12

// plainInk is how much text there is in each colour of less than some chroma on
// the page's ground, and in all of them.
func (m *measurement) plainInk(ground, link colour, most float64) (ink map[string]float64, total float64) {
	ink = map[string]float64{}
	for i := range m.Texts {
		t := &m.Texts[i]
		if t.Ground.distance(ground) > alike || t.Kind == "button" || t.Kind == "code" || t.Link != "" || !t.Color.known() || t.Color.near(ground) || t.Color.chroma() >= most {
			continue
		}
		if t.Color.near(link) && link.colourful() {
			continue
		}
		ink[t.Color.hex()] += t.ink()
		total += t.ink()
	}
	return ink, total
}

// clearly is how much more contrast one colour has than another if it is to be
// noticed.
const clearly = 1.25

// contrastOr is the contrast, or 0 of no colour.
func (c colour) contrastOr(ground colour) float64 {
	if !c.known() {
		return 0
	}
	return c.contrast(ground)
}

// stateColour is the colour of success, warning or error: as a custom property
// names it, else as elements with such names show it.
func (m *measurement) stateColour(kind string, ground colour) (best colour) {
	shortest := 1000
	for _, v := range m.Properties {
		name := strings.TrimLeft(v.Name, "-")
		if v.Color.colourful() && namedState[kind].MatchString(name) && !namedPart.MatchString(name) && len(name) < shortest {
			best, shortest = v.Color, len(name)
		}
	}
	if best.known() {
		return best
	}
	for _, s := range m.States {
		if s.Kind != kind && (kind != "error" || s.Kind != "danger") {
			continue
		}
		for _, c := range []colour{s.Background, s.Border, s.Text} {
			if c.colourful() && c.chroma() > best.chroma() && !c.near(ground) {
				best = c
			}
		}
	}
	return best
}
