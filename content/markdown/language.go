package markdown

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// languageOf returns the language that code says it is in, or "". It may say so
// on the code element in it, or on one of the elements around it.
func languageOf(pre *dom.Node) string {
	for c := pre.FirstChild; c != nil; c = c.NextSibling {
		if c.Is(atom.Code) {
			if language := languageOn(c); language != "" {
				return language
			}
			break
		}
	}
	for n, up := pre, 0; n != nil && up <= 3 && n.Atom != atom.Body; n = n.Parent {
		if language := languageOn(n); language != "" {
			return language
		}
		switch n.Atom {
		case atom.Td, atom.Tr, atom.Tbody, atom.Table, atom.Code: // lines beside their numbers
		default:
			up++
		}
	}
	return ""
}

func languageOn(n *dom.Node) string {
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "data-lang", "data-language", "data-code-language":
			if language := cleanLanguage(n.Attr[i].Val); language != "" {
				return strings.ToLower(language)
			}
		}
	}
	next := false // the word after this is the language
	for word := range strings.FieldsSeq(n.Get("class")) {
		word = strings.TrimSuffix(word, ";")
		language, ok := cutLead(word)
		if !ok && next {
			language = word
		}
		if language = cleanLanguage(language); language != "" {
			return language
		}
		next = ok || word == "hljs" || word == "sourceCode" || word == "syntaxhighlighter" || word == "highlight" && n.Atom == atom.Figure
	}
	return ""
}

// cutLead takes away what highlighters put before the name of a language.
func cutLead(word string) (language string, ok bool) {
	for _, lead := range []string{"language-", "lang-", "highlight-source-", "brush:"} {
		if rest, ok := strings.CutPrefix(word, lead); ok {
			return rest, true
		}
	}
	return "", false
}

// cleanLanguage returns a name that can stand after a fence, or "".
func cleanLanguage(name string) string {
	name = strings.TrimSpace(name)
	switch name {
	case "none", "default", "plaintext", "plain", "nohighlight", "no-highlight", "undefined", "auto", "unknown":
		return ""
	}
	if name == "" || len(name) > 30 {
		return ""
	}
	for i := range len(name) {
		if c := name[i]; c < 0x80 && !chars.IsWord(c) && strings.IndexByte("+#-._", c) < 0 {
			return ""
		}
	}
	return name
}
