package content

import (
	"errors"
	"fmt"
	"html"

	"github.com/trawlhq/trawl/content/blocks"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/markdown"
)

// SelectorError says which of a list of selectors is not one.
type SelectorError struct {
	Index    int    // place in the list
	Selector string // as the caller wrote it
	Err      error  // what is wrong with it
}

// Error names the selector and what is wrong with it.
func (e *SelectorError) Error() string {
	return fmt.Sprintf("invalid selector %q: %v", chars.Truncate(e.Selector, 100), e.Err)
}

// Unwrap returns what is wrong with the selector.
func (e *SelectorError) Unwrap() error { return e.Err }

// CheckSelectors returns a *SelectorError for the first entry of the list that
// is not a CSS selector, or nil.
func CheckSelectors(list []string) error {
	for i, selector := range list {
		if _, err := parseChains(selector); err != nil {
			return &SelectorError{Index: i, Selector: selector, Err: err}
		}
	}
	return nil
}

// Selection is the part of a page that a caller wants to see, from which
// [Selection.Markdown] and [Selection.HTML] are written.
type Selection struct {
	page         *Page
	main, whole  dom.Part // with and without looking for the main content
	onlyMain     bool
	uncertain    bool // what the main content is
	removeBase64 bool
	document     bool
	loss         markdown.Loss // of what was written so far
}

// ErrTooCostly says that selectors would take too long on a page: those that
// count siblings or look at descendants, on pages of very many elements.
var ErrTooCostly = errors.New("the selectors are too costly for a page of this size")

// Select applies the options in their order. The only error is [ErrTooCostly].
func (p *Page) Select(o Options) (*Selection, error) {
	s := &Selection{page: p, onlyMain: o.OnlyMain, removeBase64: o.RemoveBase64, document: o.Document}
	if p.tree == nil {
		return s, nil
	}
	s.whole = dom.Part{Roots: []*dom.Node{p.body}, Drop: p.tree.NewSet()}
	exclude, include := newMatcher(o.Exclude), newMatcher(o.Include)
	if !exclude.prepare(p.tree) || !include.prepare(p.tree) {
		return nil, ErrTooCostly
	}
	if len(o.Exclude) > 0 {
		for _, n := range find(&s.whole, exclude) {
			s.whole.Drop.Add(n)
		}
	}
	if len(o.Include) > 0 {
		s.whole.Roots = find(&s.whole, include)
	}
	if o.OnlyMain {
		s.main.Roots = s.whole.Roots
		var sure bool
		s.main.Drop, sure = blocks.Main(p.tree, s.whole, p.url)
		s.uncertain = !sure
	}
	return s, nil
}

// Uncertain reports that the main content was asked for, but that it is in doubt
// which part of the page that is: the selection is the whole page.
func (s *Selection) Uncertain() bool { return s.uncertain }

// Markdown returns the selection as GitHub-flavoured markdown. Blocks are
// separated by one blank line, no line ends in a space, and there is no line
// break at the end. Text of the page is escaped where it would be taken for
// markup. The markdown of a plain text is the text.
func (s *Selection) Markdown() string {
	if s.page.tree == nil {
		return s.page.text
	}
	return s.write(func(p dom.Part) string {
		var loss markdown.Loss
		text := markdown.Write(p, markdown.Options{Base: s.page.base, RemoveBase64: s.removeBase64, Document: s.document, Loss: &loss})
		s.loss.Add(loss)
		return text
	})
}

// Loss returns what limits left out of the selection as it was written so far.
func (s *Selection) Loss() markdown.Loss { return s.loss }

// HTML returns the selection as a fragment of HTML without scripts, styles,
// comments and event handlers, all its addresses absolute. It is tidy, but it is
// not safe to show on a site of one's own unless it is sanitised there.
func (s *Selection) HTML() string {
	if s.page.tree == nil {
		if s.page.text == "" {
			return ""
		}
		return "<pre>" + html.EscapeString(s.page.text) + "</pre>"
	}
	return s.write(func(p dom.Part) string {
		w := htmlWriter{base: s.page.base, part: p, removeBase64: s.removeBase64}
		w.out.Grow(s.page.size / 4)
		text := w.write()
		s.loss.Rest = s.loss.Rest || w.cut
		return text
	})
}

// write writes the main content or, if nothing is left of it, the whole.
func (s *Selection) write(writer func(dom.Part) string) string {
	if s.onlyMain {
		if out := writer(s.main); out != "" {
			return out
		}
	}
	return writer(s.whole)
}

// find returns the outermost elements of the part that match.
func find(p *dom.Part, m *matcher) []*dom.Node {
	var found []*dom.Node
	for _, root := range p.Roots {
		p.Walk(root, func(n *dom.Node) bool {
			if m.match(n) {
				found = append(found, n)
				return false
			}
			return true
		})
	}
	return found
}
