package brand

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// setType says how text is set.
func (m *measurement) setType(b *trawl.Branding) {
	b.Typography = trawl.BrandTypography{
		FontFamilies: map[string]string{}, FontStacks: map[string][]string{}, FontSizes: m.fontSizes(),
		FontWeights: m.fontWeights(), LineHeights: m.lineHeights(),
	}
	b.Fonts = []trawl.BrandFont{}
	body, bodyFound := m.mainStack(func(t *textRun) bool { return t.Kind == "body" })
	if !bodyFound {
		body, bodyFound = m.mainStack(func(t *textRun) bool { return t.Kind != "code" })
	}
	heading, headingFound := m.mainStack(func(t *textRun) bool { return t.Kind == "h1" || t.Kind == "h2" || t.Kind == "h3" })
	code, codeFound := m.mainStack(func(t *textRun) bool { return t.Kind == "code" })
	set := func(found bool, families []string, role string, names ...string) {
		if !found || len(families) == 0 {
			return
		}
		family := m.used(families)
		for _, name := range names {
			b.Typography.FontStacks[name] = families
			if name != "body" {
				b.Typography.FontFamilies[name] = family
			}
		}
		if !slices.ContainsFunc(b.Fonts, func(f trawl.BrandFont) bool { return f.Family == family }) {
			b.Fonts = append(b.Fonts, trawl.BrandFont{Family: family, Role: role, Source: m.source(family)})
		}
	}
	set(bodyFound, body, "body", "primary", "body")
	set(headingFound, heading, "heading", "heading")
	set(codeFound, code, "code", "code")
	for i := range m.Texts { // what else there is, as it comes
		if t := &m.Texts[i]; len(b.Fonts) < 6 && t.Amount >= 10 && t.Kind != "button" {
			set(true, m.stack(t.Stack), "display")
		}
	}
}

// mainStack returns the families in which most of some text is set.
func (m *measurement) mainStack(of func(*textRun) bool) ([]string, bool) {
	amounts := map[float64]float64{}
	for i := range m.Texts {
		if t := &m.Texts[i]; of(t) {
			amounts[float64(t.Stack)] += float64(t.Amount)
		}
	}
	index, found := most(amounts)
	return m.stack(int(index)), found
}

var built = regexp.MustCompile(`^__(.+?)(_Fallback)?_[0-9a-f]{4,}$`)

// stack returns the families of a list in a style sheet, without the names that
// tools invent and without those that only stand in.
func (m *measurement) stack(index int) []string {
	if index < 0 || index >= len(m.Stacks) {
		return nil
	}
	var families []string
	for name := range strings.SplitSeq(m.Stacks[index], ",") {
		name = clean(strings.Trim(strings.TrimSpace(name), `"'`), 80)
		if parts := built.FindStringSubmatch(name); parts != nil {
			if parts[2] != "" {
				continue
			}
			name = strings.ReplaceAll(parts[1], "_", " ")
		}
		if name != "" && !slices.Contains(families, name) && len(families) < 12 {
			families = append(families, name)
		}
	}
	return families
}

var systemNames = []string{"-apple-system", "blinkmacsystemfont", "system-ui", "ui-sans-serif", "ui-serif", "ui-monospace", "ui-rounded"}

// used returns the family that readers see: the first, unless the page brings it
// along and it did not load. The many names of the system's own font are one.
func (m *measurement) used(families []string) string {
	for i, family := range families {
		if i+1 < len(families) && m.failed(family) {
			continue
		}
		if slices.Contains(systemNames[:4], strings.ToLower(family)) {
			return "system-ui"
		}
		return family
	}
	return families[0]
}

// statuses says how the faces of a family fared.
func (m *measurement) statuses(family string) (list []string) {
	for _, f := range m.Faces {
		name := f.Family
		if parts := built.FindStringSubmatch(name); parts != nil {
			name = strings.ReplaceAll(parts[1], "_", " ")
		}
		if strings.EqualFold(name, family) {
			list = append(list, f.Status)
		}
	}
	return list
}

// failed reports whether the page brings the family along in vain.
func (m *measurement) failed(family string) bool {
	list := m.statuses(family)
	return slices.Contains(list, "error") && !slices.Contains(list, "loaded")
}

func (m *measurement) source(family string) string {
	if list := m.statuses(family); len(list) > 0 && !m.failed(family) {
		return "web"
	}
	return "system"
}

// fontSizes are the usual sizes of headings and text.
func (m *measurement) fontSizes() map[string]string {
	byKind := map[string]map[float64]float64{"h1": {}, "h2": {}, "h3": {}, "body": {}}
	for i := range m.Texts {
		t := &m.Texts[i]
		if sizes := byKind[t.Kind]; sizes != nil && t.Size > 0 {
			sizes[float64(t.Size)] += float64(t.Amount)
		}
	}
	sizes := map[string]string{}
	for kind, amounts := range byKind {
		if size, ok := most(amounts); ok {
			sizes[kind] = px(size)
		}
	}
	body, _ := most(byKind["body"])
	small := map[float64]float64{}
	for size, amount := range byKind["body"] {
		if size < body-0.5 && size >= 8 {
			small[size] = amount
		}
	}
	if size, ok := most(small); ok {
		sizes["small"] = px(size)
	}
	return sizes
}

// fontWeights are the weights that text has.
func (m *measurement) fontWeights() map[string]int {
	byName := map[string]map[float64]float64{"light": {}, "regular": {}, "medium": {}, "bold": {}}
	for i := range m.Texts {
		weight := float64(m.Texts[i].Weight)
		name := "regular"
		switch {
		case weight < 1 || weight > 1000:
			continue
		case weight < 350:
			name = "light"
		case weight >= 650:
			name = "bold"
		case weight >= 450:
			name = "medium"
		}
		byName[name][weight] += float64(m.Texts[i].Amount)
	}
	weights := map[string]int{}
	for name, amounts := range byName {
		if weight, ok := most(amounts); ok {
			weights[name] = int(weight)
		}
	}
	return weights
}

// lineHeights are the heights of lines where the page sets them.
func (m *measurement) lineHeights() map[string]string {
	byRole := map[string]map[float64]float64{"heading": {}, "body": {}}
	for i := range m.Texts {
		t := &m.Texts[i]
		role := "body"
		if t.heading() {
			role = "heading"
		}
		if t.Kind != "code" && t.Kind != "button" {
			byRole[role][math.Round(float64(t.Line)*100)/100] += float64(t.Amount)
		}
	}
	heights := map[string]string{}
	for role, amounts := range byRole {
		if line, ok := most(amounts); ok && line > 0 && line < 10 {
			heights[role] = strconv.FormatFloat(line, 'f', -1, 64)
		}
	}
	return heights
}

// iconStyle is how most icons are drawn, and in which colour.
func (m *measurement) iconStyle() map[string]string {
	styles, colors := map[string]float64{}, map[string]float64{}
	for _, d := range m.Drawings {
		if d.Style == "outline" || d.Style == "filled" {
			styles[d.Style] += float64(d.Amount)
		}
		if d.Color.known() {
			colors[d.Color.hex()] += float64(d.Amount)
		}
	}
	icons := map[string]string{}
	if style, ok := most(styles); ok {
		icons["style"] = style
	}
	if color, ok := most(colors); ok {
		icons["primaryColor"] = color
	}
	return icons
}

var (
	duration = regexp.MustCompile(`^[0-9.]{1,10}m?s$`)
	easing   = regexp.MustCompile(`^[a-z-]{2,20}(\([0-9a-z., %-]{0,80}\))?$`)
)

// movement is how most transitions go.
func (m *measurement) movement() map[string]string {
	amounts := map[string]float64{}
	for _, v := range m.Moves {
		if duration.MatchString(v.Duration) && easing.MatchString(v.Easing) {
			amounts[fmt.Sprint(v.Duration, "|", v.Easing)] += float64(v.Amount)
		}
	}
	moves := map[string]string{}
	if both, ok := most(amounts); ok {
		moves["transitionDuration"], moves["easing"], _ = strings.Cut(both, "|")
	}
	return moves
}
