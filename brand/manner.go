package brand

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// setManner says what the page is like, as far as looks tell. A page without
// text is like nothing.
func (m *measurement) setManner(b *trawl.Branding, ground colour) {
	if m.Chars < 20 {
		return
	}
	b.Tone = &trawl.BrandTone{EmojiUsage: m.emojiUsage()}
	b.Personality = &trawl.BrandPersonality{Tone: m.character(b, ground), Energy: m.energy(b)}
}

func (m *measurement) emojiUsage() string {
	switch share := float64(m.Emoji / max(m.Chars, 1)); {
	case m.Emoji == 0:
		return "none"
	case share < 0.002:
		return "low"
	case share < 0.01:
		return "medium"
	}
	return "high"
}

// hues counts the colours of a page that are told apart by their hue.
func hues(b *trawl.Branding) int {
	var angles []float64
	for _, role := range []string{"primary", "secondary", "accent", "link"} {
		c := parseColour(b.Colors[role])
		if !c.colourful() {
			continue
		}
		_, x, y := c.lab()
		angle := math.Atan2(y, x)
		if !slices.ContainsFunc(angles, func(a float64) bool { return math.Cos(a-angle) > 0.85 }) {
			angles = append(angles, angle)
		}
	}
	return len(angles)
}

func pixels(text string) float64 {
	n, _ := strconv.ParseFloat(strings.TrimSuffix(text, "px"), 64)
	return n
}

// character is the kind of page that it looks most like.
func (m *measurement) character(b *trawl.Branding, ground colour) string {
	primary := parseColour(b.Colors["primary"])
	vivid := primary.known() && primary.chroma() > 0.15
	radius, title := pixels(b.Spacing.BorderRadius), pixels(b.Typography.FontSizes["h1"])
	heaviest := b.Typography.FontWeights["bold"]
	serif := isSerif(b.Typography.FontStacks["heading"]) || isSerif(b.Typography.FontStacks["primary"])
	emoji := b.Tone.EmojiUsage
	switch {
	case emoji == "high" || radius >= 16 && vivid && !serif && (hues(b) > 1 || emoji != "none"):
		return "playful"
	case title >= 64 && heaviest >= 800 || vivid && primary.near(ground):
		return "bold"
	case serif:
		return "traditional"
	case !primary.colourful() && hues(b) == 0:
		return "minimalist"
	case radius >= 6 && (len(b.Animations) > 0 || b.ColorScheme == "dark" || slices.ContainsFunc(b.Fonts, func(f trawl.BrandFont) bool { return f.Source == "web" })):
		return "modern"
	}
	return "professional"
}

func isSerif(families []string) bool {
	return len(families) > 0 && slices.ContainsFunc(families, func(f string) bool {
		return strings.EqualFold(f, "serif") || strings.EqualFold(f, "ui-serif")
	})
}

// energy is how lively the page looks.
func (m *measurement) energy(b *trawl.Branding) string {
	score := 0
	add := func(when bool) {
		if when {
			score++
		}
	}
	c := parseColour(b.Colors["primary"]).chroma()
	add(b.Colors["primary"] != "" && c > 0.1)
	add(b.Colors["primary"] != "" && c > 0.2)
	add(hues(b) > 1)
	add(len(b.Animations) > 0)
	add(pixels(b.Typography.FontSizes["h1"]) >= 56)
	add(b.Tone.EmojiUsage == "medium" || b.Tone.EmojiUsage == "high")
	switch {
	case score >= 4:
		return "high"
	case score >= 2:
		return "medium"
	}
	return "low"
}
