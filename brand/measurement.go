package brand

import (
	"math"
	"strings"
	"unicode"
)

// measurement is what the script returns.
type measurement struct {
	Measurement int               `json:"measurement"`
	Late        bool              `json:"late"` // time ran out before all was seen
	Title       string            `json:"title"`
	View        size              `json:"view"`
	Page        size              `json:"page"`
	Canvas      colour            `json:"canvas"`
	Declared    bool              `json:"declared"` // the page says what its canvas is
	Metas       map[string]string `json:"metas"`
	Names       []typedName       `json:"names"`
	Icons       []iconLink        `json:"icons"`
	Faces       []face            `json:"faces"`
	Properties  []property        `json:"properties"`
	Stacks      []string          `json:"stacks"`
	Texts       []textRun         `json:"texts"`
	Grounds     []area            `json:"grounds"`
	Buttons     []widget          `json:"buttons"`
	Inputs      []widget          `json:"inputs"`
	States      []state           `json:"states"`
	Logos       []picture         `json:"logos"`
	Drawings    []drawn           `json:"drawings"`
	Distances   []quantity        `json:"distances"`
	Radii       []quantity        `json:"radii"`
	Gaps        []quantity        `json:"gaps"`
	Columns     []columns         `json:"columns"`
	Containers  []quantity        `json:"containers"`
	Moves       []move            `json:"moves"`
	Headers     []bar             `json:"headers"`
	Footers     []bar             `json:"footers"`
	Chars       number            `json:"chars"`
	Emoji       number            `json:"emoji"`
}

type size struct{ Width, Height number }

type typedName struct{ Type, Name string }

type iconLink struct{ Rel, Src, Sizes, Type string }

// face is a font that the page brings along.
type face struct{ Family, Status string }

// property is a custom property that is a colour.
type property struct {
	Name  string
	Color colour
}

// textRun is all text that looks the same.
type textRun struct {
	Kind   string // h1 to h6, body, code or button
	Stack  int
	Size   number
	Line   number // as a multiple of the size; 0 if the font decides
	Weight number
	Color  colour
	Ground colour
	Link   string // prose, nav or other
	Amount number // characters
}

// ink is about how much of the page the text covers.
func (t *textRun) ink() float64 { return float64(t.Amount * t.Size * t.Size) }

func (t *textRun) heading() bool {
	return len(t.Kind) == 2 && t.Kind[0] == 'h'
}

// area is how much of the page a colour covers, in square pixels.
type area struct {
	Color  colour
	Amount number
}

// widget is a button or a field.
type widget struct {
	Label, Tag, Names                         string
	Ground, Background, Border, Text, Focus   colour
	Gradient, Submit, Disabled                bool
	Header, Nav, Footer, Cookie, Fixed        bool
	Radius, Padding, Left, Top, Width, Height number
}

// state is an element that tells by its names how something went.
type state struct {
	Kind                     string
	Text, Background, Border colour
}

// picture is what may be a logo.
type picture struct {
	Kind, Src, Alt, SVG                                                 string
	Logo, Around, Home, Header, Nav, Footer, Cookie, Wall, Button, Link bool
	Away                                                                bool // links to another site
	Crowd, Left, Top, Width, Height                                     number
}

// drawn is icons that are drawn in the same way.
type drawn struct {
	Style  string
	Color  colour
	Amount number
}

// quantity is a number of pixels and how often it occurs.
type quantity struct {
	Kind                  string
	Value, Height, Amount number
}

type columns struct {
	Columns, Gap, Amount number
	Footer               bool
}

type move struct {
	Duration, Easing string
	Amount           number
}

type bar struct {
	Top, Height number
	Tag         string
}

// number is a finite number of a size that pages have.
type number float64

func (n *number) clamp() {
	if f := float64(*n); math.IsNaN(f) || math.Abs(f) > 1e12 {
		*n = 0
	}
}

// maxList bounds every list. The script keeps below it.
const maxList = 1000

// bound cuts what is longer than the script would have made it.
func (m *measurement) bound() {
	m.Names, m.Icons, m.Faces = atMost(m.Names), atMost(m.Icons), atMost(m.Faces)
	m.Properties, m.Stacks, m.Texts = atMost(m.Properties), atMost(m.Stacks), atMost(m.Texts)
	m.Grounds, m.Buttons, m.Inputs = atMost(m.Grounds), atMost(m.Buttons), atMost(m.Inputs)
	m.States, m.Logos, m.Drawings = atMost(m.States), atMost(m.Logos), atMost(m.Drawings)
	m.Distances, m.Radii, m.Gaps = atMost(m.Distances), atMost(m.Radii), atMost(m.Gaps)
	m.Columns, m.Containers, m.Moves = atMost(m.Columns), atMost(m.Containers), atMost(m.Moves)
	for i := range m.Texts {
		t := &m.Texts[i]
		t.Size.clamp()
		t.Line.clamp()
		t.Weight.clamp()
		t.Amount.clamp()
	}
	for _, list := range [][]quantity{m.Distances, m.Radii, m.Gaps, m.Containers} {
		for i := range list {
			list[i].Value.clamp()
			list[i].Amount.clamp()
		}
	}
	if !m.Canvas.known() {
		m.Canvas = colour{255, 255, 255, true}
	}
}

func atMost[T any](list []T) []T { return list[:min(len(list), maxList)] }

// clean makes a text of the page fit to be shown: one line, without control
// characters, of at most so many characters.
func clean(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}

// most returns the key with the largest value; of equal ones, the least.
func most[K interface{ ~string | ~float64 }](amounts map[K]float64) (best K, found bool) {
	for key, amount := range amounts {
		if !found || amount > amounts[best] || amount == amounts[best] && key < best {
			best, found = key, true
		}
	}
	return best, found
}
