// Package brand tells how a site looks: its colours by role, its fonts, its
// buttons, its logo.
//
// The work is divided. [Script] runs in the rendered page and measures: which
// colours cover how much of it, how its text is set, what its buttons look like.
// It knows nothing of brands. [Read] decides what that means, by scores that can
// be tested without a browser: the colour of the most prominent button is more
// likely the primary one than that of a border, and a picture that leads home
// from the header is more likely the logo than one in a row of many.
//
// Everything that was measured comes from a stranger's page. Strings are bounded,
// colours are read and written anew, addresses are of the web or are pictures
// themselves, and drawings that could act are left out.
package brand

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
)

// The parts of the script, which is one function.
var (
	//go:embed measure/tools.js
	toolsSource string
	//go:embed measure/place.js
	placeSource string
	//go:embed measure/element.js
	elementSource string
	//go:embed measure/widget.js
	widgetSource string
	//go:embed measure/picture.js
	pictureSource string
	//go:embed measure/page.js
	pageSource string
)

// maxMeasured bounds a measurement, in bytes. The script keeps below it.
const maxMeasured = 2 << 20

// usualTime is how long the elements of a page are looked at.
const usualTime = 800 * time.Millisecond

// Script returns an expression whose value is the measurement of the page that
// it is evaluated in. It is bounded in time and size, never throws and leaves
// the page as it was.
func Script() string { return ScriptWithin(usualTime) }

// ScriptWithin is [Script] with a time of its own for looking at the elements of a
// page. What is not seen by then is not measured, but for the footer, which has a
// quarter of that time beyond it.
func ScriptWithin(d time.Duration) string {
	body := strings.Join([]string{toolsSource, placeSource, elementSource, widgetSource, pictureSource, pageSource}, "\n")
	return fmt.Sprintf("(function (time) {\n'use strict';\n%s})(%d)", body, d.Milliseconds())
}

// Kit is what the measurement of a page says of its brand: the branding that the
// rules of this package find, and the candidates among which they chose, the
// best first.
type Kit struct {
	Branding trawl.Branding
	Names    []string
	Logos    []Logo
	Buttons  []Button
	Colors   []Color
	Late     bool // time ran out before all of the page was measured
}

// Logo is a picture that may be the logo.
type Logo struct {
	URL   string // of the web, or a data URI
	About string // what the page says of it, and where it is
}

// Button is a button of the page.
type Button struct {
	Label string
	Look  trawl.BrandButton
}

// Color is a colour that may stand for the brand.
type Color struct {
	Hex  string // #RRGGBB
	Uses string // what it is used for
}

// Read reads the measurement of the page at an address. It fails only if it is
// given something else.
func Read(measured []byte, pageURL string) (*Kit, error) {
	if len(measured) > maxMeasured {
		return nil, errors.New("read measurement: it is too large")
	}
	var m measurement
	if err := json.Unmarshal(measured, &m); err != nil {
		return nil, fmt.Errorf("read measurement: %w", err)
	}
	if m.Measurement != 1 {
		return nil, errors.New("read measurement: it is none")
	}
	m.bound()
	return m.kit(pageURL), nil
}

// kit decides what a measurement means.
func (m *measurement) kit(pageURL string) *Kit {
	kit := &Kit{Late: m.Late}
	b := &kit.Branding
	ground := m.background()
	b.ColorScheme = "light"
	if ground.luminance() < darkest {
		b.ColorScheme = "dark"
	}
	buttons := m.rankButtons()
	kit.Buttons = offered(buttons)
	b.Components = components(buttons, m.Inputs)
	b.Colors, kit.Colors = m.roles(ground, buttons)

	kit.Logos = m.rankLogos()
	if len(kit.Logos) > 0 {
		logo := kit.Logos[0].URL
		b.Logo, b.Images.Logo = logo, &logo
	}
	b.Images.Favicon, b.Images.OGImage = m.favicon(), m.preview()
	kit.Names = m.brandNames(pageURL)
	if len(kit.Names) > 0 {
		b.BrandName = kit.Names[0]
	}
	m.setType(b)
	m.setSpace(b, buttons)
	b.Icons, b.Animations = m.iconStyle(), m.movement()
	m.setManner(b, ground)
	return kit
}
