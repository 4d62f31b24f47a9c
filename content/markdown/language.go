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

// languageOn returns the language that an element names in an attribute or in
// its class.
func languageOn(n *dom.Node) string {
	if len(n.Attr) == 0 {
		return ""
	}
	if language := languageAttribute(n); language != "" {
		return language
	}
	next := false // the word after this is the language
	for word := range chars.Words(n.Get("class")) {
		word = strings.TrimSuffix(word, ";")
		language, ok := cutLead(n, word)
		if !ok && (next || isCode(n) && isLanguage(word)) {
			language = word
		}
		if name := cleanLanguage(language); name != "" && (isCode(n) || !isSpoken(name)) {
			return name
		}
		if language != "" { // none, or not that of code
			return ""
		}
		next = ok || word == "hljs" || word == "sourceCode" || word == "syntaxhighlighter" || word == "highlight" && n.Atom == atom.Figure
	}
	return ""
}

// languageAttribute returns the language of code that an attribute names.
func languageAttribute(n *dom.Node) string {
	for i := range n.Attr {
		value := n.Attr[i].Val
		switch n.Attr[i].Key {
		case "data-lang", "data-language", "data-code-language", "data-code-block-lang", "data-enlighter-language":
		case "data-syntaxhighlighter-params":
			_, value, _ = strings.Cut(value, "brush:")
			value, _, _ = strings.Cut(value, ";")
		case "lang":
			if !isCode(n) || !isLanguage(value) {
				continue
			}
		default:
			continue
		}
		if language := cleanLanguage(value); language != "" {
			return strings.ToLower(language)
		}
	}
	return ""
}

// isCode reports whether an element is for code and nothing else.
func isCode(n *dom.Node) bool { return n.Atom == atom.Pre || n.Atom == atom.Code }

// cutLead takes away what highlighters put before the name of a language.
func cutLead(n *dom.Node, word string) (language string, ok bool) {
	for _, lead := range []string{"language-", "lang-", "highlight-source-", "brush:", "lang:", "mw-highlight-lang-"} {
		if rest, ok := strings.CutPrefix(word, lead); ok {
			rest, _, _ = strings.Cut(rest, ";")
			return rest, true
		}
	}
	switch rest, ok := strings.CutPrefix(word, "highlight-text-"); {
	case ok: // as in highlight-text-html-basic
		rest, _, _ = strings.Cut(rest, "-")
		return rest, true
	case strings.HasPrefix(word, "highlight-") && holdsHighlight(n):
		return word[len("highlight-"):], true
	case strings.HasPrefix(word, "src-") && n.Atom == atom.Pre:
		return word[len("src-"):], true
	}
	return "", false
}

// holdsHighlight reports whether an element is the one that Sphinx puts around
// highlighted code. Others use such names for what they like.
func holdsHighlight(n *dom.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == dom.ElementNode && (c.HasClass("highlight", "highlighttable") || c.Atom == atom.Pre && n.HasClass("notranslate")) {
			return true
		}
	}
	return false
}

// isLanguage reports whether a name is one that people write in the class of code
// as it is.
func isLanguage(name string) bool {
	switch strings.ToLower(name) {
	case "bash", "c", "c++", "clojure", "cmake", "console", "cpp", "csharp", "css", "dart", "diff", "dockerfile", "elixir", "erlang",
		"fortran", "fsharp", "go", "golang", "graphql", "groovy", "haskell", "html", "ini", "java", "javascript", "js", "json", "jsx",
		"julia", "kotlin", "latex", "less", "lisp", "lua", "makefile", "matlab", "nginx", "objectivec", "ocaml", "pascal", "perl",
		"php", "powershell", "protobuf", "python", "python3", "ruby", "rust", "scala", "scheme", "scss", "sh", "shell", "sql", "swift",
		"toml", "ts", "tsx", "typescript", "vim", "xml", "yaml", "yml", "zsh":
		return true
	}
	return false
}

// isSpoken reports whether the name of a language is that of one which people
// speak: elements around code may be named after theirs.
func isSpoken(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), "-")
	switch name {
	case "ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pt", "ru", "sv", "tr", "uk", "zh", "switcher", "toggle":
		return true
	}
	return false
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
