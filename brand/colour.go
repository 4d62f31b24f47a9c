package brand

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// colour is an opaque colour of the screen, or none.
type colour struct {
	r, g, b uint8
	set     bool
}

// UnmarshalJSON reads #rrggbbaa, whose last part does not count. Anything else is
// no colour.
func (c *colour) UnmarshalJSON(data []byte) error {
	*c = colour{}
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = parseColour(text)
	}
	return nil
}

func parseColour(text string) colour {
	if len(text) != 9 && len(text) != 7 || text[0] != '#' {
		return colour{}
	}
	n, err := strconv.ParseUint(text[1:7], 16, 32)
	if err != nil {
		return colour{}
	}
	return colour{uint8(n >> 16), uint8(n >> 8), uint8(n), true}
}

func (c colour) known() bool { return c.set }

// hex writes the colour as #RRGGBB; none is empty.
func (c colour) hex() string {
	if !c.set {
		return ""
	}
	return fmt.Sprintf("#%02X%02X%02X", c.r, c.g, c.b)
}

// linear takes the curve of screens out of a channel.
func linear(channel uint8) float64 {
	v := float64(channel) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// luminance is how bright the colour is, from 0 to 1.
func (c colour) luminance() float64 {
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// darkest is the luminance below which a ground is dark: white text is easier to
// read on it than black text.
const darkest = 0.18

// contrast is how well one colour can be told from another, from 1 to 21.
func (c colour) contrast(other colour) float64 {
	a, b := c.luminance(), other.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// lab returns the colour in OKLab, where distances are as people see them.
func (c colour) lab() (l, a, b float64) {
	red, green, blue := linear(c.r), linear(c.g), linear(c.b)
	x := math.Cbrt(0.4122214708*red + 0.5363325363*green + 0.0514459929*blue)
	y := math.Cbrt(0.2119034982*red + 0.6806995451*green + 0.1073969566*blue)
	z := math.Cbrt(0.0883024619*red + 0.2817188376*green + 0.6299787005*blue)
	return 0.2104542553*x + 0.7936177850*y - 0.0040720468*z,
		1.9779984951*x - 2.4285922050*y + 0.4505937099*z,
		0.0259040371*x + 0.7827717662*y - 0.8086757660*z
}

// chroma is how colourful the colour is: 0 for grey, about 0.3 at most.
func (c colour) chroma() float64 {
	_, a, b := c.lab()
	return math.Hypot(a, b)
}

// colourful tells a colour from black, white and grey. Very dark and very light
// tints are grey to the eye.
func (c colour) colourful() bool {
	l, _, _ := c.lab()
	return c.set && c.chroma() > 0.05 && l > 0.2 && l < 0.97
}

// near reports whether hardly anybody could tell two colours apart.
func (c colour) near(other colour) bool { return c.distance(other) < hardly }

// hardly is a distance that few people see.
const hardly = 0.025

// distance is how far two colours are from each other, as people see them: 1 from
// black to white.
func (c colour) distance(other colour) float64 {
	if c.set != other.set {
		return 1
	}
	return c.point().distance(other.point())
}

// point is a colour in OKLab. It is kept where many colours are compared.
type point struct{ l, a, b float64 }

func (c colour) point() point {
	l, a, b := c.lab()
	return point{l, a, b}
}

func (p point) distance(q point) float64 {
	return math.Sqrt((p.l-q.l)*(p.l-q.l) + (p.a-q.a)*(p.a-q.a) + (p.b-q.b)*(p.b-q.b))
}
