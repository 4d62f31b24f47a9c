package doc

import (
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// takeMono is for a paragraph that is all in a font of one width: it may be code, and
// its words are not marked as such one by one.
func (p *paragraph) takeMono() {
	for i := range p.spans {
		if p.spans[i].Image != nil || p.spans[i].Note != "" {
			return
		}
	}
	p.mono = true
	for i := range p.spans {
		p.spans[i].Style &^= tree.Mono
	}
}

// mayBeCode tells whether a paragraph may be a line of code.
func (p *paragraph) mayBeCode() bool {
	return (p.role.Code || p.mono) && p.heading == 0 && !p.isItem && len(p.boxes) == 0
}

// code returns the block of lines that are code, nil if they do not look like it.
func code(list []paragraph) tree.Block {
	lines := make([]string, len(list))
	styled, signs := 0, 0
	for i := range list {
		lines[i] = strings.TrimRight(shown(list[i:i+1]), " \t")
		if list[i].role.Code {
			styled++
		}
		if strings.ContainsAny(lines[i], "={}<>[]_$\\|;#`") || strings.Contains(lines[i], "()") {
			signs++
		}
	}
	if 2*styled < len(list) && 3*signs < len(list) {
		return nil
	}
	return &tree.Code{Text: strings.Join(lines, "\n")}
}
