package docs

import (
	"bytes"
	"html"
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Heading is a heading within a page, and the name of its anchor.
type Heading struct{ Text, Anchor string }

// rendered is what is kept of a page that was read.
type rendered struct {
	html     string // with readerHTTP and readerWS in the place of addresses
	headings []Heading
}

// What stands for the reader's address until it is known.
const (
	readerHTTP = "http://reader.invalid"
	readerWS   = "ws://reader.invalid"
)

// HTML returns the page without a frame around it. Examples call address, which is
// escaped: a scheme and a host.
func (p *Page) HTML(address string) string {
	return strings.NewReplacer(
		readerHTTP, html.EscapeString(address),
		readerWS, html.EscapeString("ws"+strings.TrimPrefix(address, "http")),
	).Replace(p.render().html)
}

// Headings returns the headings of the second level, in their order.
func (p *Page) Headings() []Heading { return p.render().headings }

// renderPage makes HTML of a page. Raw HTML in it is left out.
func (b *Book) renderPage(p *Page) rendered {
	source := []byte(markAddress(p.text()))
	tree := b.parse(p, source)
	var out bytes.Buffer
	if err := markdown().Renderer().Render(&out, source, tree); err != nil {
		return rendered{html: "<p>This page cannot be shown.</p>"} // a buffer takes all
	}
	r := rendered{html: out.String()}
	for node := tree.FirstChild(); node != nil; node = node.NextSibling() {
		if heading, ok := node.(*ast.Heading); ok && heading.Level == 2 {
			r.headings = append(r.headings, Heading{plain(heading, source), anchor(heading)})
		}
	}
	return r
}

func markdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
}

// parse returns the tree of a page, with links as the server needs them. Pictures are
// links to them: a page loads nothing.
func (b *Book) parse(p *Page, source []byte) ast.Node {
	context := parser.NewContext(parser.WithIDs(&anchors{used: map[string]int{}}))
	tree := markdown().Parser().Parse(text.NewReader(source), parser.WithContext(context))
	var pictures []*ast.Image
	_ = ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Link:
			node.Destination = []byte(b.linkFrom(p, string(node.Destination)))
		case *ast.Image:
			pictures = append(pictures, node)
		}
		return ast.WalkContinue, nil
	})
	for _, picture := range pictures {
		link := ast.NewLink()
		link.Destination = []byte(b.linkFrom(p, string(picture.Destination)))
		picture.Parent().ReplaceChild(picture.Parent(), picture, link)
		for child := picture.FirstChild(); child != nil; child = picture.FirstChild() {
			link.AppendChild(link, child)
		}
	}
	return tree
}

// linkFrom returns where a link of a page leads: to another page, to a file of the
// repository, or where it says.
func (b *Book) linkFrom(p *Page, link string) string {
	if link == "" || link[0] == '#' || strings.Contains(link, ":") {
		return link
	}
	file, fragment, named := strings.Cut(link, "#")
	if named {
		fragment = "#" + fragment
	}
	target := path.Join("docs", path.Dir(p.file), file)
	if inside, ok := strings.CutPrefix(target, "docs/"); ok {
		if page := b.pages[pathOf(inside)]; page != nil && strings.HasSuffix(inside, ".md") {
			return b.root + "/" + page.Path + fragment
		}
	}
	return Repository + target + fragment
}

// markAddress puts a mark where examples call the service. The configuration of a
// proxy is none: the server that it talks to is its own.
func markAddress(source string) string {
	mark := strings.NewReplacer(Address, readerHTTP, "ws"+strings.TrimPrefix(Address, "http"), readerWS, `"$BASE_URL`, `"`+readerHTTP)
	var out strings.Builder
	proxy := false
	for line := range strings.Lines(source) {
		if language, fence := strings.CutPrefix(strings.TrimSpace(line), "```"); fence {
			proxy = language == "nginx"
		}
		if !proxy {
			line = mark.Replace(line)
		}
		out.WriteString(line)
	}
	return out.String()
}

// anchors names headings as the repository's host does, so that a link is right in
// both places.
type anchors struct{ used map[string]int }

// Generate returns the anchor of a heading, with a number if it is there already.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(string(value))))
	n := a.used[name]
	a.used[name]++
	if n > 0 {
		name += "-" + strconv.Itoa(n)
	}
	return []byte(name)
}

// Put notes an anchor that a page chose itself. None does.
func (a *anchors) Put(value []byte) { a.used[string(value)]++ }

func anchor(heading *ast.Heading) string {
	id, _ := heading.AttributeString("id")
	name, _ := id.([]byte)
	return string(name)
}

// plain returns the text of a node, code included, with single spaces.
func plain(node ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				out.Write(util.UnescapePunctuations(n.Segment.Value(source)))
			}
			if n.SoftLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.FencedCodeBlock:
			if entering {
				out.Write(n.Lines().Value(source))
			}
		}
		if n.Type() == ast.TypeBlock {
			out.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(out.String()), " ")
}
