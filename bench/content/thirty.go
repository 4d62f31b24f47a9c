package main

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

var (
	// What is never content, by the name of its element.
	furniture = regexp.MustCompile(`^(head|nav|header|footer|aside|script|style|noscript|template|button|input|select|textarea)$`)
	// What is rarely content, by a word of its class, id or role.
	named = regexp.MustCompile(`(?i)(^|[^a-z])(sidebar|navigation|navbar|menu|breadcrumbs?|toc|footer|header)($|[^a-z])`)
	// What does not end a line.
	inline = regexp.MustCompile(`^(a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|tt|u|var|wbr)$`)
)

// thirtyLines is what anyone writes first: the text of the main element, else of
// the body, without what is called a menu or the like. An extractor that knows
// more about pages has to find more than this one.
func thirtyLines(p page) string {
	document, err := html.ParseWithOptions(bytes.NewReader(p.body), html.ParseOptionEnableScripting(false))
	if err != nil {
		return ""
	}
	root := document
	for n := range document.Descendants() {
		if n.Data == "main" || attribute(n, "role") == "main" {
			root = n
			break
		}
	}
	var b strings.Builder
	writeText(&b, root)
	return b.String()
}

func writeText(b *strings.Builder, n *html.Node) {
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode:
			b.WriteString(child.Data)
		case child.Type != html.ElementNode || isFurniture(child):
		case inline.MatchString(child.Data):
			writeText(b, child)
		default:
			b.WriteString("\n")
			writeText(b, child)
			b.WriteString("\n")
		}
	}
}

func isFurniture(n *html.Node) bool {
	if n.Data == "html" || n.Data == "body" { // whose classes speak of the whole page
		return false
	}
	return furniture.MatchString(n.Data) || named.MatchString(attribute(n, "class")+" "+attribute(n, "id")+" "+attribute(n, "role"))
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
