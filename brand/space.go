package brand

import (
	"math"

	"github.com/trawlhq/trawl"
)

// setSpace says how the page is spaced and laid out.
func (m *measurement) setSpace(b *trawl.Branding, buttons []widget) {
	b.Spacing = trawl.BrandSpacing{BaseUnit: m.baseUnit(), BorderRadius: m.radius(), Padding: map[string]float64{}, Margins: map[string]float64{}}
	for kind, name := range map[string]string{"card": "card", "section": "section"} {
		if value, ok := m.gap(kind); ok {
			b.Spacing.Padding[name] = value
		}
	}
	for kind, name := range map[string]string{"paragraph": "paragraph", "heading": "heading", "between": "section"} {
		if value, ok := m.gap(kind); ok {
			b.Spacing.Margins[name] = value
		}
	}
	if len(buttons) > 0 && buttons[0].Padding > 0 && buttons[0].Padding < 200 {
		b.Spacing.Padding["button"] = float64(buttons[0].Padding)
	}
	if len(m.Inputs) > 0 && m.Inputs[0].Padding > 0 && m.Inputs[0].Padding < 200 {
		b.Spacing.Padding["input"] = float64(m.Inputs[0].Padding)
	}
	m.setColumns(b)
	b.Layout.HeaderHeight = m.headerHeight()
	if n := len(m.Footers); n > 0 && m.Footers[n-1].Height > 0 && m.Footers[n-1].Height < 1e5 {
		b.Layout.FooterHeight = px(float64(m.Footers[n-1].Height))
	}
}

// headerHeight is the height of the header, or of what stands at the top of a page
// that calls nothing so.
func (m *measurement) headerHeight() string {
	for _, called := range []bool{true, false} {
		for _, h := range m.Headers {
			if (h.Tag != "top") == called && h.Top < 250 && h.Height > 10 && h.Height < 400 {
				return px(float64(h.Height))
			}
		}
	}
	return ""
}

func (m *measurement) gap(kind string) (float64, bool) {
	amounts := map[float64]float64{}
	for _, g := range m.Gaps {
		if g.Kind == kind && g.Value > 0 {
			amounts[float64(g.Value)] += float64(g.Amount)
		}
	}
	return most(amounts)
}

// baseUnit is the largest unit that most distances are multiples of; 0 if there
// is none.
func (m *measurement) baseUnit() float64 {
	total, count := 0.0, number(0)
	for _, d := range m.Distances {
		total += weightOf(d)
		count += d.Amount
	}
	if count < fewDistances {
		return 0
	}
	for _, unit := range []float64{10, 8, 6, 5, 4} {
		fit := 0.0
		for _, d := range m.Distances {
			if off := math.Abs(math.Remainder(float64(d.Value), unit)); off < 0.26 && d.Value > 1 {
				fit += weightOf(d)
			}
		}
		if fit >= total*0.7 {
			return unit
		}
	}
	return 0
}

// fewDistances tell nothing: every page has the margins of the browser.
const fewDistances = 6

// weightOf is how much a distance counts: those that are repeated a hundred times,
// as in a list, do not outweigh all others.
func weightOf(q quantity) float64 { return math.Sqrt(math.Max(float64(q.Amount), 0)) }

// radius is the usual radius of corners.
func (m *measurement) radius() string {
	amounts := map[float64]float64{}
	for _, r := range m.Radii {
		value := float64(r.Value)
		if r.Height > 0 && value*2 >= float64(r.Height)-1 {
			value = round
		}
		amounts[value] += float64(r.Amount)
	}
	value, ok := most(amounts)
	switch {
	case ok:
		return px(value)
	case len(m.Buttons)+len(m.Inputs) > 0:
		return "0px"
	}
	return ""
}

// setColumns says how many columns stand side by side, with what between them,
// and how wide the content gets.
func (m *measurement) setColumns(b *trawl.Branding) {
	gaps := map[float64]float64{}
	for _, c := range m.Columns {
		if c.Columns >= 2 && c.Columns <= 12 && !c.Footer {
			b.Layout.Grid.Columns = max(b.Layout.Grid.Columns, int(c.Columns))
			if c.Gap > 0 && c.Gap < 200 {
				gaps[float64(c.Gap)] += float64(c.Amount)
			}
		}
	}
	b.Spacing.GridGutter, _ = most(gaps)
	widths := map[float64]float64{}
	for _, c := range m.Containers {
		widths[float64(c.Value)] += float64(c.Amount)
	}
	if width, ok := most(widths); ok {
		b.Layout.Grid.MaxWidth = px(width)
	}
}
