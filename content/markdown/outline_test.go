package markdown_test

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	unsafe "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/markdown"
)

const pageURL = "https://example.com/docs/page?x=y"

// write returns the whole of a page as markdown.
func write(page string) string {
	tree := dom.Parse(page)
	return writeTree(tree, nil)
}

func writeTree(tree *dom.Tree, drop dom.Set) string {
	part := dom.Part{Roots: []*dom.Node{tree.Body()}, Drop: drop}
	return markdown.Write(part, markdown.Options{Base: address.NewBase(pageURL, baseOf(tree)), RemoveBase64: true})
}

func baseOf(tree *dom.Tree) string {
	for n := tree.Root; n != nil; n = dom.Following(n, tree.Root, true) {
		if n.Is(atom.Base) {
			return n.Get("href")
		}
	}
	return ""
}

// render returns what readers of the markdown see, as HTML.
func render(t testing.TB, source string) string {
	t.Helper()
	renderer := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(formulas{}, 50))),
		goldmark.WithRendererOptions(unsafe.WithUnsafe()))
	var out bytes.Buffer
	if err := renderer.Convert([]byte(source), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// formulas reads TeX between dollar signs as GitHub does, as a span of the class
// math.
type formulas struct{}

func (formulas) Trigger() []byte { return []byte{'$'} }

func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	sign := line[:len(line)-len(bytes.TrimLeft(line, "$"))]
	rest := line[len(sign):]
	end := bytes.Index(rest, sign)
	if len(sign) > 2 || end < 1 || isSpace(rune(rest[0])) || isSpace(rune(rest[end-1])) || end+len(sign) < len(rest) && chars.IsDigit(rest[end+len(sign)]) {
		return nil
	}
	block.Advance(len(sign) + end + len(sign))
	span := ast.NewString([]byte(`<span class="math">` + html.EscapeString(string(rest[:end])) + `</span>`))
	span.SetCode(true) // as it is
	return span
}

// outline returns a page as a list of words and tags that is the same for pages
// that say the same: tags of structure in one spelling, addresses absolute,
// white space collapsed and moved out of emphasis. Paragraphs are only
// boundaries, so that loose and tight lists are alike. Elements with nothing to
// read in them and emphasis within the same emphasis do not count.
func outline(page string) []string {
	o := outliner{base: address.NewBase(pageURL, "")}
	o.children(dom.Parse(page).Body())
	o.trim()
	return o.tokens
}

// Tokens that are neither words nor tags.
const (
	blank    = " "
	boundary = "¶"
)

type outliner struct {
	base   *address.Base
	tokens []string
	within []string // inline tags that are open
}

func (o *outliner) children(n *dom.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == dom.TextNode:
			o.text(c.Data)
		case c.Type == dom.ElementNode && !dom.IsInvisible(c):
			o.element(c)
		}
	}
}

// text appends words. White space counts between them, not at boundaries.
func (o *outliner) text(s string) {
	s = strings.NewReplacer("\u00a0", " ", "\u00ad", "", "\u200b", "").Replace(s)
	for i, word := range strings.Split(s, " ") {
		for j, word := range strings.FieldsFunc(word, isSpace) {
			if i+j > 0 || isSpace(rune(s[0])) {
				o.blank()
			}
			o.word(word)
		}
	}
	if s != "" && isSpace(rune(s[len(s)-1])) {
		o.blank()
	}
}

// word appends a word, or the rest of one that began in the text before.
func (o *outliner) word(word string) {
	if last := o.last(); last == blank || isBoundary(last) || last[0] == '<' {
		o.tokens = append(o.tokens, word)
	} else {
		o.tokens[len(o.tokens)-1] += word
	}
}

func isSpace(r rune) bool { return strings.ContainsRune(" \t\r\n\f", r) }

func (o *outliner) blank() {
	if last := o.last(); last != blank && !isBoundary(last) {
		o.tokens = append(o.tokens, blank)
	}
}

func (o *outliner) last() string {
	if len(o.tokens) == 0 {
		return boundary
	}
	return o.tokens[len(o.tokens)-1]
}

// isBoundary reports whether a token begins or ends a line.
func isBoundary(token string) bool {
	return token == boundary || strings.HasPrefix(token, "<:") || strings.HasPrefix(token, "</:")
}

// trim takes back white space and boundaries at the end.
func (o *outliner) trim() {
	for len(o.tokens) > 0 && (o.last() == blank || o.last() == boundary) {
		o.tokens = o.tokens[:len(o.tokens)-1]
	}
}

// block appends an element that has lines of its own.
func (o *outliner) block(name string, n *dom.Node) {
	at := o.open("<:" + name + ">")
	o.children(n)
	o.close(at, "</:"+name+">")
}

func (o *outliner) open(tag string) int {
	o.trim()
	o.tokens = append(o.tokens, tag)
	return len(o.tokens) - 1
}

// close ends what was opened at a place, or takes it back if nothing followed.
// Cells stay, for they hold their columns apart.
func (o *outliner) close(at int, tag string) {
	o.trim()
	if len(o.tokens) == at+1 && tag != "</:cell>" {
		o.tokens = o.tokens[:at]
		o.boundary()
		return
	}
	o.tokens = append(o.tokens, tag)
}

// inline appends an element that stands in a line.
func (o *outliner) inline(open string, n *dom.Node) {
	if slices.Contains(o.within, open) {
		o.children(n)
		return
	}
	at := len(o.tokens)
	o.tokens = append(o.tokens, open)
	o.within = append(o.within, open)
	o.children(n)
	o.within = o.within[:len(o.within)-1]
	o.closeInline(at)
}

// closeInline ends an inline element, or takes it back if nothing is in it.
func (o *outliner) closeInline(at int) {
	spaced := o.last() == blank
	if spaced {
		o.tokens = o.tokens[:len(o.tokens)-1]
	}
	switch {
	case len(o.tokens) == at+1:
		o.tokens = o.tokens[:at]
	case o.tokens[at+1] == blank: // white space goes before the tag
		o.tokens[at], o.tokens[at+1] = blank, o.tokens[at]
		if at == 0 || o.tokens[at-1] == blank || isBoundary(o.tokens[at-1]) {
			o.tokens = slices.Delete(o.tokens, at, at+1)
		}
		fallthrough
	default:
		o.tokens = append(o.tokens, "</>")
	}
	if spaced {
		o.blank()
	}
}

func (o *outliner) element(n *dom.Node) {
	switch n.Atom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Li, atom.Blockquote, atom.Tr:
		o.block(n.Data, n)
	case atom.Ol:
		at := o.open("<:ol " + strconv.Itoa(firstNumber(n)) + ">")
		o.children(n)
		o.close(at, "</:ol>")
	case atom.Td, atom.Th:
		at := o.open("<:cell " + strings.TrimPrefix(n.Get("style"), "text-align:") + n.Get("align") + ">")
		o.children(n)
		o.close(at, "</:cell>")
	case atom.Hr:
		o.open("<:hr>")
	case atom.Br:
		o.open("<:br>")
	case atom.Pre:
		o.pre(n)
	case atom.Em, atom.I:
		o.inline("<em>", n)
	case atom.Strong, atom.B:
		o.inline("<strong>", n)
	case atom.Del, atom.S:
		o.inline("<del>", n)
	case atom.Code:
		o.code(n)
	case atom.A:
		o.link(n)
	case atom.Img:
		o.tokens = append(o.tokens, "<img "+o.base.Join(n.Get("src"))+" "+chars.Collapse(n.Get("alt"))+titleOf(n)+">")
	case atom.Input:
		_, checked := n.Lookup("checked")
		o.tokens = append(o.tokens, fmt.Sprint("<input ", checked, ">"))
	default:
		if dom.IsBlock(n.Atom) {
			o.boundary()
			o.children(n)
			o.boundary()
		} else {
			o.children(n)
		}
	}
}

// firstNumber returns the number of the first item of a list that says something.
func firstNumber(list *dom.Node) int {
	first, err := strconv.Atoi(list.Get("start"))
	if err != nil {
		first = 1
	}
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		if c.Is(atom.Li) {
			if strings.TrimSpace(c.InnerText(100)) != "" {
				break
			}
			first++
		}
	}
	return first
}

// link appends a link. One without anything to read has its address as its text,
// unless it goes on after a link to the same place, as one that is never closed.
func (o *outliner) link(n *dom.Node) {
	target := string(o.base.AppendTarget(nil, n))
	if target == "" {
		o.children(n)
		return
	}
	before, open := len(o.tokens), "<a "+target+titleOf(n)+">"
	o.inline(open, n)
	if len(o.tokens) == before && n.Get("href")[0] != '#' && !slices.Contains(o.tokens, open) {
		o.blank()
		o.tokens = append(o.tokens, open, target, "</>")
		o.blank()
	}
}

// code appends inline code as it stands; line breaks are spaces, and none at the
// ends. Without anything to read it is white space.
func (o *outliner) code(n *dom.Node) {
	text := strings.Trim(n.InnerText(1<<20), "\n")
	text = strings.NewReplacer("\n", " ", "\u00a0", " ", "\u00ad", "", "\u200b", "").Replace(text)
	if strings.TrimSpace(text) == "" {
		o.text(text)
		return
	}
	o.tokens = append(o.tokens, "<code "+text+">")
}

// titleOf returns the title of a link or an image.
func titleOf(n *dom.Node) string {
	if title := chars.Collapse(n.Get("title")); title != "" {
		return fmt.Sprintf(" %q", title)
	}
	return ""
}

func (o *outliner) boundary() {
	o.trim()
	if !isBoundary(o.last()) {
		o.tokens = append(o.tokens, boundary)
	}
}

// pre appends code line by line, without the empty ones around it.
func (o *outliner) pre(n *dom.Node) {
	language := ""
	if c := n.FirstChild; c != nil && c.Is(atom.Code) {
		language = strings.TrimPrefix(c.Get("class"), "language-")
	}
	at := o.open("<:pre " + language + ">")
	text := strings.TrimRight(n.InnerText(1<<20), " \n")
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" || len(o.tokens) > at+1 {
			o.tokens = append(o.tokens, strings.TrimRight(line, " \t")+"\n")
		}
	}
	o.close(at, "</:pre>")
}

// likeness is how much of two outlines is the same, from 0 to 1: twice their
// longest common subsequence by the length of both.
func likeness(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				row[j+1] = before[j] + 1
			} else {
				row[j+1] = max(before[j+1], row[j])
			}
		}
		before, row = row, before
	}
	return 2 * float64(before[len(b)]) / float64(len(a)+len(b))
}
