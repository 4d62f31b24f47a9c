package brand

import (
	"cmp"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Longest addresses that are kept, in bytes.
const (
	maxAddress = 2048
	maxPicture = 100_000
	maxDrawing = 60_000
)

// score is how likely a picture is the logo.
func (p *picture) score(view size) float64 {
	score := 0.0
	add := func(when bool, points float64) {
		if when {
			score += points
		}
	}
	add(p.Header, 3)
	add(p.Home, 4)
	add(p.Logo, 3)
	add(p.Around, 2.5)
	add(p.Top < 150, 1)
	add(p.Left < view.Width/2 && p.Top < 200, 0.5)
	add(p.Footer, -1)
	add(p.Nav && !p.Home, -1)
	add(p.Cookie, -8)
	add(p.Wall, -5)
	add(p.Crowd >= 4 && !p.Home || p.Crowd == 3 && !p.Home && !p.Header, -3)
	add(p.Away, -6)
	add(p.Button && !p.Home, -4)
	add(p.Width < 20 && p.Height < 20, -2)
	add(p.Width > 500 || p.Height > 220, -3)
	add(p.Width > 40 && p.Width < 320 && p.Height >= 16 && p.Height < 120, 1)
	add(p.Link && !p.Home, -1)
	return score
}

// likely is the score below which a picture is no logo.
const likely = 4.5

// rankLogos returns what may be the logo, the best first.
func (m *measurement) rankLogos() []Logo {
	list := slices.Clone(m.Logos)
	slices.SortStableFunc(list, func(a, b picture) int { return cmp.Compare(b.score(m.View), a.score(m.View)) })
	var logos []Logo
	for i := range list {
		p := &list[i]
		address := p.address()
		if p.score(m.View) < likely || len(logos) == 8 {
			break
		}
		if address != "" && !slices.ContainsFunc(logos, func(l Logo) bool { return l.URL == address }) {
			logos = append(logos, Logo{URL: address, About: p.about()})
		}
	}
	return logos
}

var inks = regexp.MustCompile(`(?:fill|stroke)="(#[0-9a-f]{6})"`)

// logoColours are the colours that the most likely logo is drawn in.
func (m *measurement) logoColours() (colors []colour) {
	var best *picture
	for i := range m.Logos {
		if p := &m.Logos[i]; p.score(m.View) >= likely && (best == nil || p.score(m.View) > best.score(m.View)) {
			best = p
		}
	}
	if best == nil || len(best.SVG) > maxDrawing {
		return nil
	}
	for _, ink := range inks.FindAllStringSubmatch(best.SVG, 100) {
		if c := parseColour(ink[1]); c.colourful() && !slices.Contains(colors, c) {
			colors = append(colors, c)
		}
	}
	return colors[:min(len(colors), 4)]
}

func (p *picture) address() string {
	if p.Kind != "drawing" {
		return pictureAddress(p.Src)
	}
	return drawingAddress(p.SVG)
}

// about describes a picture.
func (p *picture) about() string {
	parts := []string{clean(p.Kind, 20)}
	add := func(when bool, text string) {
		if when {
			parts = append(parts, text)
		}
	}
	add(p.Alt != "", "text “"+clean(p.Alt, 80)+"”")
	add(p.Header, "in the header")
	add(p.Footer, "in the footer")
	add(p.Home, "links to the home page")
	add(p.Logo || p.Around, "is called logo or brand")
	add(p.Wall || p.Crowd >= 4, "one of several beside each other")
	parts = append(parts, fmt.Sprintf("%.0f by %.0f pixels", float64(p.Width), float64(p.Height)))
	if p.Kind != "drawing" && !strings.HasPrefix(p.Src, "data:") {
		parts = append(parts, clean(p.Src, 200))
	}
	return strings.Join(parts, ", ")
}

// pictureAddress returns an address of the web or a picture within the address
// itself, and nothing for all else.
func pictureAddress(address string) string {
	if strings.HasPrefix(address, "data:") {
		return pictureWithin(address)
	}
	u, err := url.Parse(address)
	if err != nil || len(address) > maxAddress || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return ""
	}
	return u.String()
}

// pixelKinds are pictures that are nothing but pixels.
var pixelKinds = regexp.MustCompile(`^data:image/(png|jpe?g|gif|webp|avif|bmp|apng|x-icon|vnd\.microsoft\.icon)(;[a-z0-9=-]+)*,[!-~]*$`)

// pictureWithin returns the address of a picture that is in the address itself.
// Drawings are read and written anew, as those of the page.
func pictureWithin(address string) string {
	if len(address) > maxPicture {
		return ""
	}
	kind, data, _ := strings.Cut(address, ",")
	if !strings.HasPrefix(strings.ToLower(kind), "data:image/svg+xml") {
		if pixelKinds.MatchString(address) {
			return address
		}
		return ""
	}
	svg, err := url.PathUnescape(data)
	if err != nil {
		return ""
	}
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(kind)), ";base64") {
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(svg), ""))
		if err != nil {
			return ""
		}
		svg = string(decoded)
	}
	return drawingAddress(svg)
}

// drawingAddress returns the address of a drawing that cannot act.
func drawingAddress(svg string) string {
	if len(svg) > maxDrawing || harmless(svg) != nil {
		return ""
	}
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))
}

var errActs = errors.New("the drawing could act or load something")

// harmless reports why a drawing is not: it must be well-formed, be nothing but
// shapes, and refer to nothing outside of itself.
func harmless(svg string) error {
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for depth := 0; ; {
		token, err := decoder.RawToken()
		if err == io.EOF && depth == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read drawing: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > 100 || !harmlessElement(t) {
				return errActs
			}
		case xml.EndElement:
			depth--
		case xml.ProcInst:
			if t.Target != "xml" {
				return errActs
			}
		case xml.Directive:
			return errActs
		}
	}
}

var acting = regexp.MustCompile(`(?i)^(script|style|foreignobject|iframe|embed|object|audio|video|image|animate.*|set|handler|a)$`)
var outside = regexp.MustCompile(`(?i)javascript:|data:|url\(\s*["']?\s*[^#"'\s]`)

func harmlessElement(e xml.StartElement) bool {
	if acting.MatchString(e.Name.Local) {
		return false
	}
	return !slices.ContainsFunc(e.Attr, func(a xml.Attr) bool {
		name := strings.ToLower(a.Name.Local)
		return strings.HasPrefix(name, "on") || strings.HasSuffix(name, "href") && !strings.HasPrefix(strings.TrimSpace(a.Value), "#") ||
			a.Name.Space != "xmlns" && name != "xmlns" && outside.MatchString(a.Value)
	})
}

// favicon returns the best icon that the page names: one that scales, else the
// one nearest to what fits a list of sites.
func (m *measurement) favicon() *string {
	best, most := "", -1.0
	for _, icon := range m.Icons {
		address := pictureAddress(icon.Src)
		if score := icon.score(); address != "" && score > most {
			best, most = address, score
		}
	}
	if best == "" {
		return nil
	}
	return &best
}

func (i *iconLink) score() float64 {
	if strings.Contains(i.Rel, "mask-icon") {
		return 0
	}
	width, _, _ := strings.Cut(strings.ToLower(i.Sizes), "x")
	pixels, err := strconv.Atoi(width)
	switch {
	case strings.Contains(i.Rel, "apple"):
		return 30
	case strings.Contains(i.Type, "svg") || strings.HasSuffix(i.Src, ".svg") || i.Sizes == "any" && !strings.HasSuffix(i.Src, ".ico"):
		return 100
	case err != nil:
		return 20
	}
	return 20 + min(float64(pixels), 192)/192*50
}

// preview returns the picture for previews.
func (m *measurement) preview() *string {
	for _, name := range []string{"og:image", "og:image:url", "twitter:image"} {
		if address := pictureAddress(m.Metas[name]); address != "" {
			return &address
		}
	}
	return nil
}
