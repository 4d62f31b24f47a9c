package docx

import (
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// codeLine is a paragraph that may be a line of code.
type codeLine struct {
	text   string
	styled bool         // its style says so
	blocks []tree.Block // what it is if it is none
}

// isCode tells whether a line may be one of code: by its style, or because it is
// all in a font of equal widths that other text is not in.
func (l *line) isCode(st *style, usual bool) bool {
	if l.margin || l.display || len(l.boxed)+len(l.floats) > 0 {
		return false
	}
	for i := range l.spans {
		if l.spans[i].Image != nil || l.spans[i].TeX != "" || l.spans[i].Note != "" {
			return false
		}
	}
	return st.Code || l.mono && !usual
}

func (f *flow) codeLine(l *line, styled bool) {
	f.lists, f.quote = nil, nil
	if len(f.lines) > 0 && f.lines[0].styled != styled {
		f.endCode()
	}
	var b strings.Builder
	for i := range l.spans {
		b.WriteString(l.spans[i].Text)
	}
	f.lines = append(f.lines, codeLine{text: b.String(), styled: styled, blocks: blocksOf(l.pieces())})
}

// endCode adds the lines that were gathered, as code if they look like it.
func (f *flow) endCode() {
	lines := f.lines
	f.lines = nil
	if len(lines) == 0 {
		return
	}
	if !lines[0].styled && !looksLikeCode(lines) {
		for i := range lines {
			f.out = append(f.out, lines[i].blocks...)
		}
		return
	}
	text := make([]string, len(lines))
	for i := range lines {
		text[i] = strings.TrimRight(lines[i].text, " \t")
	}
	if all := strings.Trim(strings.Join(text, "\n"), "\n"); strings.TrimSpace(all) != "" {
		f.out = append(f.out, &tree.Code{Text: all})
	}
}

// looksLikeCode tells code from prose in a typewriter's font: every third line has
// signs that prose does not have.
func looksLikeCode(lines []codeLine) bool {
	signs := 0
	for i := range lines {
		s := lines[i].text
		if strings.ContainsAny(s, "={}<>[]_$\\|;#`") || strings.Contains(s, "()") || strings.HasPrefix(s, "    ") || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "//") {
			signs++
		}
	}
	return signs*3 >= len(lines)
}
