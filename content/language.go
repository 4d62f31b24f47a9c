package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/language"
)

// language returns the language of the page: what its elements say, then its meta
// tags, then the server, and else what its text looks like.
func (p *Page) language(m *metadata) string {
	for _, declared := range []string{p.found.lang, m.language, p.header} {
		if declared != "" {
			return declared
		}
	}
	if p.tree == nil {
		return language.Detect(p.text)
	}
	return language.Detect(sampleText(p.body))
}

// languageTag returns the first language of a list as it stands there, or "" if
// that is no language: templates that were not filled in, and names in words.
func languageTag(list string) string {
	tag, _, _ := strings.Cut(list, ",")
	tag = strings.TrimSpace(tag)
	primary := tag
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		primary = tag[:i]
	}
	if len(primary) < 2 || len(primary) > 3 || len(tag) > 35 {
		return ""
	}
	for i := range len(tag) {
		if c := tag[i]; !chars.IsLetter(c) && (i < len(primary) || !chars.IsDigit(c) && c != '-' && c != '_') {
			return ""
		}
	}
	return tag
}

// How much text is enough to tell its language, and how long a text is that is
// likely to be a sentence and not a label.
const (
	enoughSample = 3 << 10
	sentence     = 60
)

// sampleText returns some text of a page: sentences if it has any.
func sampleText(body *dom.Node) string {
	var long, short strings.Builder
	for n := body; n != nil && long.Len() < enoughSample; {
		if n.Type == dom.TextNode {
			text := strings.TrimSpace(n.Data)
			if b := &long; len(text) >= sentence {
				b.WriteString(chars.Truncate(text, enoughSample))
				b.WriteByte('\n')
			} else if b = &short; text != "" && b.Len() < enoughSample {
				b.WriteString(text)
				b.WriteByte('\n')
			}
		}
		n = dom.Following(n, body, n.Type != dom.ElementNode || !dom.IsInvisible(n) && n.Atom != atom.Code)
	}
	if long.Len() >= 10*sentence {
		return long.String()
	}
	return long.String() + short.String()
}
