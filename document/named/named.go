// Package named tells what the names of styles and fonts say of their text. Word
// keeps the names of its own styles in English whatever its language is; other
// programs translate them, or know nothing but names.
package named

import (
	"strconv"
	"strings"
)

// Role is what the text of a style is. The zero value says nothing.
type Role struct {
	Level     int  // of a heading, 0 for none
	Contents  bool // the heading is that of the table of contents, which is not in it
	Title     bool
	Subtitle  bool
	Quote     bool
	Code      bool
	Rule      bool // a line below the text
	TableHead bool
}

// Style returns the role of a style by its name.
func Style(name string) Role {
	key := strings.Map(joined, strings.ToLower(name))
	switch key {
	case "title", "titel", "titre", "título", "titolo", "otsikko", "название", "заголовок", "标题", "標題", "表題", "제목":
		return Role{Title: true}
	case "subtitle", "untertitel":
		return Role{Subtitle: true}
	case "tocheading", "contentsheading", "inhaltsverzeichnisüberschrift":
		return Role{Level: 1, Contents: true}
	case "quote", "intensequote", "blocktext", "blockquote", "quotations", "quotation", "zitat", "intensiveszitat", "citation",
		"citationintense", "cita", "citadestacada", "citazione", "citazioneintensa", "citat", "citação", "citaat", "цитата", "引用":
		return Role{Quote: true}
	case "code", "sourcecode", "codeblock", "htmlpreformatted", "preformatted", "preformattedtext", "verbatim", "macrotext", "macro",
		"programlisting", "codelisting", "quellcode", "quelltext", "quelltextblock", "codesource", "códigofuente", "htmlvorformatiert",
		"préformatéhtml", "htmlcode", "htmlkeyboard", "htmlsample", "htmltypewriter", "verbatimchar", "sourcetext", "inlinecode", "codechar",
		"sourcecodechar", "htmlpreformattedchar":
		return Role{Code: true}
	case "horizontalline":
		return Role{Rule: true}
	case "tableheading":
		return Role{TableHead: true}
	}
	for _, word := range headings {
		rest, ok := strings.CutPrefix(key, word)
		level, err := strconv.Atoi(rest)
		switch {
		case !ok || err != nil || level < 0 || level > 9:
		case level == 0: // above all others
			return Role{Title: true}
		default:
			return Role{Level: level}
		}
	}
	return Role{}
}

// joined leaves out what programs write between the words of a name, each in its way.
func joined(r rune) rune {
	if r == ' ' || r == '-' || r == '_' {
		return -1
	}
	return r
}

// headings are the words for a heading in names of styles, before its number.
var headings = [...]string{
	"heading", "überschrift", "titre", "título", "titolo", "rubrik", "kop", "overskrift", "otsikko", "nagłówek", "nadpis", "címsor",
	"titlu", "başlık", "заголовок", "επικεφαλίδα", "标题", "標題", "見出し", "제목",
}

// Description returns what is said of a picture, "" if that is but the name of a file,
// which programs put there by themselves.
func Description(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 2 && text[1:3] == `:\` || strings.HasPrefix(text, `\\`) || strings.HasPrefix(text, "file:") {
		return ""
	}
	return text
}

// IsMono tells whether all characters of a font are of one width.
func IsMono(font string) bool {
	font = strings.ToLower(font)
	for _, part := range [...]string{
		"courier", "consol", "mono", "menlo", "monaco", "lucida con", "source code", "fira code", "typewriter", "cascadia", "fixedsys", "terminal",
		"andale",
	} {
		if strings.Contains(font, part) && !strings.Contains(font, "monotype") {
			return true
		}
	}
	return false
}
