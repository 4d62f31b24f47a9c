package markdown

import (
	"bytes"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// pre writes a block of code between fences that are longer than any in it.
func (w *writer) pre(n *dom.Node) {
	if isGutter(n) {
		return
	}
	code := w.codeOf(n)
	if len(bytes.TrimSpace(code)) == 0 {
		return
	}
	if w.flat != flowing {
		w.block(2)
		w.span(chars.Collapse(string(code)))
		w.block(2)
		return
	}
	w.block(2)
	w.startLine()
	fence := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	w.out = append(w.out, fence...)
	w.out = append(w.out, languageOf(n)...)
	for line := range bytes.SplitSeq(code, []byte{'\n'}) {
		w.codeLine(bytes.TrimRight(line, " \t"))
	}
	w.codeLine([]byte(fence))
	w.block(2)
}

func (w *writer) codeLine(line []byte) {
	w.out = append(w.out, '\n')
	if len(line) == 0 {
		w.out = append(w.out, bytes.TrimRight(w.prefix, " ")...)
		return
	}
	w.out = append(w.out, w.prefix...)
	w.out = append(w.out, line...)
}

// codeOf returns the text of a block of code without empty lines around it. It
// is valid until the next call.
func (w *writer) codeOf(n *dom.Node) []byte {
	c := codeReader{part: &w.part, out: w.scratch[:0]}
	c.children(n, 0)
	w.scratch = c.out
	code := bytes.TrimRight(c.out, " \t\n")
	for {
		line, rest, found := bytes.Cut(code, []byte{'\n'})
		if !found || len(bytes.TrimSpace(line)) > 0 {
			return code
		}
		code = rest
	}
}

// codeReader collects the text of code. Its lines may be text, or elements
// with or without line ends between them.
type codeReader struct {
	part  *dom.Part
	out   []byte
	ended bool // an element that is a line has ended
}

func (c *codeReader) children(n *dom.Node, depth int) {
	if depth > maxNesting {
		return
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch child.Type {
		case dom.TextNode:
			c.text(child.Data)
		case dom.ElementNode:
			c.element(child, depth)
		}
	}
}

func (c *codeReader) element(n *dom.Node, depth int) {
	switch {
	case n.Atom == atom.Br:
		c.text("\n")
	case n.Atom == atom.Button || isGutter(n) || dom.IsInvisible(n) || c.part.Drop.Has(n):
	case isCodeLine(n):
		if c.ended || len(c.out) > 0 && c.out[len(c.out)-1] != '\n' {
			c.ended = false
			c.out = append(c.out, '\n')
		}
		from := len(c.out)
		c.children(n, depth+1)
		c.ended = c.ended || len(c.out) == from || c.out[len(c.out)-1] != '\n'
	default:
		c.children(n, depth+1)
	}
}

// text appends text. The line end that an element owes may be there already.
func (c *codeReader) text(s string) {
	if s == "" {
		return
	}
	if c.ended {
		c.ended = false
		if s[0] != '\n' {
			if strings.Trim(s, " \t\n") == "" && strings.Contains(s, "\n") {
				s = s[strings.IndexByte(s, '\n'):]
			} else {
				c.out = append(c.out, '\n')
			}
		}
	}
	if strings.IndexByte(s, '\r') >= 0 || strings.Contains(s, "\u00a0") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ").Replace(s)
	}
	c.out = append(c.out, s...)
}

// isCodeLine reports whether an element in code is a line of it.
func isCodeLine(n *dom.Node) bool {
	switch n.Atom {
	case atom.Tr, atom.Li, atom.Div, atom.P, atom.Pre:
		return true
	case atom.Span, atom.Code:
		return n.HasClass("line", "code-line", "token-line", "view-line", "react-code-line")
	}
	return false
}

// isGutter reports whether an element holds the numbers of lines or signs that
// are not part of the code.
func isGutter(n *dom.Node) bool {
	class, ok := n.Lookup("class")
	if !ok || class == "" {
		return false
	}
	for word := range strings.FieldsSeq(class) {
		switch word {
		case "lineno", "linenos", "linenumber", "linenumbers", "line-number", "line-numbers-rows", "line_number",
			"linenodiv", "gutter", "rouge-gutter", "gl", "hljs-ln-numbers", "hljs-ln-n", "blob-num", "lnt", "ln",
			"react-syntax-highlighter-line-number", "LineNumber", "code-line-number", "copy-button", "copybtn":
			return n.Atom != atom.Code
		}
	}
	return false
}

// languageOf returns the language that code says it is in, or "".
func languageOf(pre *dom.Node) string {
	for c := pre.FirstChild; c != nil; c = c.NextSibling {
		if c.Is(atom.Code) {
			if language := languageOn(c); language != "" {
				return language
			}
			break
		}
	}
	for n, up := pre, 0; n != nil && up <= 3 && n.Atom != atom.Body; n, up = n.Parent, up+1 {
		if language := languageOn(n); language != "" {
			return language
		}
	}
	return ""
}

func languageOn(n *dom.Node) string {
	for _, key := range []string{"data-lang", "data-language"} {
		if language := cleanLanguage(n.Get(key)); language != "" {
			return language
		}
	}
	next := "" // a word after which the language comes
	for word := range strings.FieldsSeq(n.Get("class")) {
		if next != "" {
			if language := cleanLanguage(strings.TrimSuffix(word, ";")); language != "" {
				return language
			}
		}
		next = ""
		for _, lead := range []string{"language-", "lang-", "highlight-source-", "brush:"} {
			if rest, ok := strings.CutPrefix(word, lead); ok {
				if rest == "" {
					next = lead
				} else if language := cleanLanguage(strings.TrimSuffix(rest, ";")); language != "" {
					return language
				}
			}
		}
		if word == "hljs" || word == "sourceCode" {
			next = word
		}
	}
	return ""
}

// cleanLanguage returns a name that can stand after a fence, or "".
func cleanLanguage(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "none", "default", "plaintext", "plain", "nohighlight", "no-highlight", "undefined", "auto", "unknown":
		return ""
	}
	if name == "" || len(name) > 30 {
		return ""
	}
	for i := range len(name) {
		if !chars.IsWord(name[i]) && strings.IndexByte("+#-._", name[i]) < 0 {
			return ""
		}
	}
	return name
}

// codeSpan writes inline code. A link that is all of it goes around it.
func (w *writer) codeSpan(n *dom.Node) {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Is(atom.A) && !w.inLink {
		if target := w.base.LinkTarget(c); target != "" {
			w.marks = append(w.marks, mark{kind: linked, url: target})
			w.span(w.spanText(c))
			w.closeMarks(len(w.marks) - 1)
			w.marks = w.marks[:len(w.marks)-1]
			return
		}
	}
	w.span(w.spanText(n))
}

// spanText returns the text of inline code.
func (w *writer) spanText(n *dom.Node) string {
	c := codeReader{part: &w.part, out: w.scratch[:0]}
	c.children(n, 0)
	w.scratch = c.out
	return string(c.out)
}

// span writes inline code with as many backticks as it takes.
func (w *writer) span(code string) {
	text := chars.Collapse(code)
	if text == "" {
		w.space = w.space || code != ""
		return
	}
	if chars.IsSpace(code[0]) {
		w.space = true
	}
	w.begin('`')
	if w.last() == '`' { // two spans in a row would share their backticks
		w.out = append(w.out, ' ')
	}
	fence := strings.Repeat("`", longestRun([]byte(text), '`')+1)
	pad := text[0] == '`' || text[len(text)-1] == '`'
	w.out = append(w.out, fence...)
	if pad {
		w.out = append(w.out, ' ')
	}
	for i := range len(text) {
		if text[i] == '|' && w.flat == flatCell {
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, text[i])
	}
	if pad {
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, fence...)
	w.space = chars.IsSpace(code[len(code)-1])
}

// longestRun returns the length of the longest run of b in s, counting only
// runs: code with one backtick needs two around it.
func longestRun(s []byte, b byte) int {
	longest, run := 0, 0
	for _, c := range s {
		if c == b {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}
