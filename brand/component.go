package brand

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/trawlhq/trawl"
)

var (
	firstNames = regexp.MustCompile(`(?i)primary|cta|brand|solid|filled`)
	lastNames  = regexp.MustCompile(`(?i)secondary|outline|ghost|link|tertiary|light|close|dismiss|toggle|icon|tab`)
)

var (
	destroyNames  = regexp.MustCompile(`(?i)(^|[-_ ])(danger|destructive|delete|error)([-_ ]|$)`)
	destroyLabels = regexp.MustCompile(`(?i)^(delete|remove|discard|löschen|entfernen|supprimer|eliminar|borrar|excluir|verwijderen|elimina)\b`)
)

// destroys reports whether a button does something that is not to be undone. It
// warns; it does not show the colours of the brand.
func (w *widget) destroys() bool {
	return destroyNames.MatchString(w.Names) || destroyLabels.MatchString(w.Label)
}

// prominence is how much a button is meant to be pressed.
func (w *widget) prominence(view size) float64 {
	score := 0.0
	if w.Background.known() && !w.Background.near(w.Ground) {
		score += 2 + min(w.Background.contrast(w.Ground), 6)/2
		if w.Background.colourful() {
			score += 3
		}
	} else if w.Border.known() {
		score += 1
	}
	if firstNames.MatchString(w.Names) {
		score += 2
	}
	if lastNames.MatchString(w.Names) {
		score -= 2
	}
	switch {
	case w.Top < view.Height && !w.Header:
		score += 1.5
	case w.Header:
		score += 1
	case w.Footer:
		score--
	}
	if w.Submit {
		score += 0.5
	}
	if w.Disabled {
		score -= 3
	}
	if w.Cookie {
		score -= 6
	}
	if w.Fixed || w.destroys() {
		score -= 8
	}
	if w.Nav && !w.Background.known() {
		score -= 2
	}
	return score + min(float64(w.Width*w.Height), 20000)/20000
}

// rankButtons returns the buttons of the page, the most prominent first. What
// neither has a ground nor a border is text.
func (m *measurement) rankButtons() []widget {
	var list []widget
	for _, b := range m.Buttons {
		painted := b.Background.known() && !b.Background.near(b.Ground)
		if (painted || b.Border.known()) && b.Width >= 30 && b.Height >= 16 && b.Height <= 120 && b.Text.known() {
			if !painted && b.Background.known() {
				b.Background = b.Ground
			}
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b widget) int {
		return cmp.Compare(b.prominence(m.View), a.prominence(m.View))
	})
	return list
}

func (w *widget) look() trawl.BrandButton {
	b := trawl.BrandButton{Background: w.Background.hex(), TextColor: w.Text.hex(), BorderRadius: w.corner()}
	if b.Background == "" {
		b.Background = "transparent"
	}
	if w.Border.known() && !w.Border.near(w.Background) {
		b.BorderColor = w.Border.hex()
	}
	return b
}

// round is the radius of what is as round as can be.
const round = 9999

func (w *widget) corner() string {
	if w.Height > 0 && w.Radius*2 >= w.Height-1 && w.Radius > 0 {
		return px(round)
	}
	return px(float64(w.Radius))
}

// px writes pixels as style sheets do.
func px(n float64) string {
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64) + "px"
}

// differ reports whether two buttons are of different kinds.
func differ(a, b *widget) bool {
	ground := a.Background.known() != b.Background.known() || a.Background.known() && !a.Background.near(b.Background)
	border := a.Border.known() && b.Border.known() && !a.Border.near(b.Border)
	return ground || border && !a.Background.known()
}

// components are the most prominent button, the one beside it that is of another
// kind, and a field.
func components(buttons, inputs []widget) (c trawl.BrandComponents) {
	if len(buttons) > 0 && !buttons[0].Cookie {
		first := &buttons[0]
		look := first.look()
		c.ButtonPrimary = &look
		if second := beside(first, buttons[1:]); second != nil {
			look := second.look()
			c.ButtonSecondary = &look
		}
	}
	if i := slices.IndexFunc(inputs, func(w widget) bool { return w.Tag != "select" }); i >= 0 {
		c.Input = inputs[i].field()
	} else if len(inputs) > 0 {
		c.Input = inputs[0].field()
	}
	return c
}

// beside returns the next button of another kind. One in the same row comes
// before all others.
func beside(first *widget, rest []widget) *widget {
	var best *widget
	for i := range rest {
		b := &rest[i]
		if !differ(first, b) || b.Cookie || b.Fixed || b.destroys() {
			continue
		}
		row := math.Abs(float64(b.Top-first.Top)) < 30 && math.Abs(float64(b.Left-first.Left)) < 500
		if row {
			return b
		}
		if best == nil {
			best = b
		}
	}
	return best
}

func (w *widget) field() *trawl.BrandInput {
	in := &trawl.BrandInput{Background: w.Background.hex(), TextColor: w.Text.hex(), BorderColor: w.Border.hex(), FocusBorderColor: w.Focus.hex(), BorderRadius: w.corner()}
	if in.Background == "" {
		in.Background = "transparent"
	}
	return in
}

// offered returns the buttons that differ, for somebody else to choose from.
func offered(buttons []widget) []Button {
	var list []Button
	for i := range buttons {
		look := buttons[i].look()
		if len(list) < 10 && !buttons[i].Cookie && !slices.ContainsFunc(list, func(b Button) bool { return b.Look == look }) {
			list = append(list, Button{Label: clean(buttons[i].Label, 60), Look: look})
		}
	}
	return list
}
