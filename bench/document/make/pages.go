package main

import (
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content"
)

// Bounds of the text of a page that is printed, in bytes: with less there is nothing
// to read, with more it takes long to compare.
const (
	leastText = 1500
	mostText  = 25_000
)

func htmlFiles(folder string) (paths []string, err error) {
	if folder == "" {
		return nil, nil
	}
	err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".html") {
			paths = append(paths, path)
		}
		return err
	})
	return paths, err
}

// mainContent returns the main content of a page without what is not text; nothing
// if the page is not worth printing.
func mainContent(body []byte) string {
	selection, err := content.Parse(content.Source{Body: body, ContentType: "text/html", URL: "https://example.org/"}).Select(content.Options{OnlyMain: true, RemoveBase64: true})
	if err != nil {
		return ""
	}
	nodes, err := html.ParseFragment(strings.NewReader(selection.HTML()), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return ""
	}
	var out strings.Builder
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	tidy(root)
	if err := html.Render(&out, root); err != nil {
		return ""
	}
	if n := len(text(root)); n < leastText || n > mostText {
		return ""
	}
	return out.String()
}

// tidy removes what is not text, and what says how it looks.
func tidy(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode {
			switch c.DataAtom {
			case atom.Img, atom.Svg, atom.Video, atom.Audio, atom.Iframe, atom.Object, atom.Form, atom.Input, atom.Button, atom.Select, atom.Textarea,
				atom.Style, atom.Script, atom.Canvas, atom.Picture, atom.Math, atom.Noscript, atom.Template, atom.Details, atom.Hr:
				n.RemoveChild(c)
				c = next
				continue
			}
		}
		tidy(c)
		var kept []html.Attribute
		for _, a := range c.Attr {
			if a.Key == "colspan" || a.Key == "rowspan" || a.Key == "href" && !strings.Contains(a.Val, "#") && strings.HasPrefix(a.Val, "http") || a.Key == "start" {
				kept = append(kept, a)
			}
		}
		if c.Attr = kept; c.DataAtom == atom.A && len(kept) == 0 {
			c.Data, c.DataAtom = "span", atom.Span
		}
		c = next
	}
}

func text(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.Join(strings.Fields(n.Data), " ") + " "
	}
	var out strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.WriteString(text(c))
	}
	return out.String()
}
