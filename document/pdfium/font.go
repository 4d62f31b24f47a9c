package pdfium

import (
	"math"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/trawlhq/trawl/document/layout"
)

// fonts are the fonts of a page.
type fonts struct {
	index   map[uint64]int // by the library's handle
	list    []layout.Font
	metrics []metric
}

// metric is what of a font is needed to place its characters.
type metric struct {
	ascent, descent float32 // parts of the size above the baseline, and below as a negative number
	checks          int     // how many characters were checked for their meaning
	unmapped        bool    // one had none
}

// firstChecks is how many characters of each font are checked for whether the file
// says what they mean. If it says so for these, it does for all.
const firstChecks = 6

func (f *fonts) doubtful(i int) bool {
	return f.metrics[i].unmapped || f.metrics[i].checks < firstChecks
}

func (f *fonts) checked(i int, unmapped bool) {
	f.metrics[i].checks++
	f.metrics[i].unmapped = f.metrics[i].unmapped || unmapped
}

// find returns the index of a font.
func (f *fonts) find(m *module, handle uint64) int {
	i, ok := f.index[handle]
	if !ok {
		i = len(f.list)
		if i > math.MaxUint16 {
			return 0
		}
		f.list = append(f.list, m.font(handle))
		f.metrics = append(f.metrics, m.metric(handle))
		f.index[handle] = i
	}
	return i
}

// metric returns a font's parts above and below the baseline, which make 1 together.
func (m *module) metric(handle uint64) metric {
	one := api.EncodeF32(1)
	m.call(fontAscent, handle, one, uint64(m.scratch))
	m.call(fontDescent, handle, one, uint64(m.scratch)+4)
	var v [2]float32
	m.floats(m.scratch, v[:])
	height := v[0] - v[1]
	if !(v[0] > 0 && v[1] <= 0 && height > 0.3 && height < 4) {
		return metric{ascent: 0.8, descent: -0.2}
	}
	return metric{ascent: v[0] / height, descent: v[1] / height}
}

// Flags of a font.
const (
	flagFixed  = 1 << 0
	flagSerif  = 1 << 1
	flagItalic = 1 << 6
	flagBold   = 1 << 18
)

// font describes a font by its name, where that says something, else by its flags.
func (m *module) font(handle uint64) layout.Font {
	if handle == 0 {
		return layout.Font{}
	}
	name := m.ascii(fontName, handle)
	if prefix, rest, ok := strings.Cut(name, "+"); ok && len(prefix) == 6 {
		name = rest // the prefix says only that the font is a part of one
	}
	flags := m.number(fontFlags, handle)
	m.memory.WriteUint32Le(m.scratch, 0)
	m.call(fontAngle, handle, uint64(m.scratch))
	angle, _ := m.memory.ReadUint32Le(m.scratch)
	f := layout.Font{Name: strings.ToValidUTF8(name, "")}
	low := strings.ToLower(name)
	f.Serif = flags&flagSerif != 0
	f.Mono = contains(low, "courier", "mono", "consol", "menlo", "typewriter", "cmtt", "sftt", "lmtt") ||
		flags&flagFixed != 0 && !contains(low, "times", "arial", "helvetica", "calibri", "georgia", "verdana")
	f.Italic = flags&flagItalic != 0 || int32(angle) < 0 || contains(low, "italic", "oblique", "ital", "cmti", "sfti") || strings.HasSuffix(low, "-it")
	if contains(low, "cmmi", "cmsy", "cmex", "math") {
		f.Italic = false // it is how formulas are set, and no emphasis
	}
	f.Bold = flags&flagBold != 0 || contains(low, "bold", "black", "heavy", "demi", "cmbx", "sfbx", "cmb10", "-mediital", "bdit") ||
		strings.HasSuffix(low, "-medi") || strings.HasSuffix(low, "bd") || nameless(low) && m.number(fontWeight, handle) >= 700
	return f
}

// nameless reports whether a font has a name that some program made up, which says
// nothing. Only then its weight counts, as that is often wrong.
func nameless(name string) bool {
	return len(name) <= 4 || strings.ContainsAny(name, "0123456789") && !contains(name, "cm", "regular")
}

func contains(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}
