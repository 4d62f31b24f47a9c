package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Main content is found by leaving out what is not: landmarks such as header,
// navigation and footer, what is hidden, and elements whose class or id says
// that they are beside the point. One walk lists the candidates together with
// how much of the page's text they hold; then the list is thinned out until it
// leaves something to read.

// reason is why an element may be left out, the most certain first.
type reason int

const (
	notBoilerplate reason = iota
	landmark              // its tag or role says so
	hidden                // it is not shown
	named                 // its class or id suggests so
)

// candidate is an element that may be left out.
type candidate struct {
	node    *dom.Node
	reason  reason
	text    int  // bytes of text beneath it
	heading bool // holds a first-level heading or the main element
	next    int  // the first candidate that is not beneath this one
}

// dropBoilerplate adds the elements beneath root that are not main content to drop.
func dropBoilerplate(root *dom.Node, drop dom.Set) {
	s := surveyor{root: root, words: map[string]bool{}, drop: drop}
	s.survey()
	for most := named; most > notBoilerplate; most-- {
		chosen, left := s.thin(most)
		if left >= enoughText || left*20 >= s.text && left > 0 || s.text == 0 {
			for _, n := range chosen {
				drop.Add(n)
			}
			return
		}
	}
}

// enoughText is how many bytes of text are something to read, however much
// was left out.
const enoughText = 500

// surveyor walks a subtree once and lists its candidates.
type surveyor struct {
	root       *dom.Node
	drop       dom.Set
	words      map[string]bool // what a class or id attribute was found to say
	candidates []candidate
	open       []openCandidate
	text       int // bytes of text so far
	headings   int
}

// openCandidate is a candidate whose end the walk has not reached, with the
// counts at its start.
type openCandidate struct {
	index, text, headings int
}

func (s *surveyor) survey() {
	for n := s.root; n != nil; {
		if s.enter(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for n != nil {
			s.leave(n)
			if n == s.root {
				return
			}
			if n.NextSibling != nil {
				n = n.NextSibling
				break
			}
			n = n.Parent
		}
	}
}

// enter notes a node and reports whether to look beneath it.
func (s *surveyor) enter(n *dom.Node) bool {
	if n.Type == dom.TextNode {
		s.text += len(strings.Trim(n.Data, " \t\r\n\f"))
		return false
	}
	if n.Type != dom.ElementNode {
		return n.Type == dom.DocumentNode
	}
	if s.drop.Has(n) || dom.IsInvisible(n) {
		return false
	}
	if n.Atom == atom.H1 || n.Atom == atom.Main {
		s.headings++
	}
	if n == s.root {
		return true
	}
	if why := s.classify(n); why != notBoilerplate {
		s.open = append(s.open, openCandidate{len(s.candidates), s.text, s.headings})
		s.candidates = append(s.candidates, candidate{node: n, reason: why})
	}
	return true
}

func (s *surveyor) leave(n *dom.Node) {
	if len(s.open) == 0 {
		return
	}
	top := s.open[len(s.open)-1]
	c := &s.candidates[top.index]
	if c.node != n {
		return
	}
	s.open = s.open[:len(s.open)-1]
	c.text = s.text - top.text
	c.heading = s.headings > top.headings
	c.next = len(s.candidates)
}

// thin returns the candidates to leave out for reasons up to most, and how much
// text that leaves.
func (s *surveyor) thin(most reason) (chosen []*dom.Node, left int) {
	left = s.text
	for i := 0; i < len(s.candidates); {
		c := &s.candidates[i]
		if c.reason > most || s.spared(c) {
			i++
			continue
		}
		chosen = append(chosen, c.node)
		left -= c.text
		i = c.next
	}
	return chosen, left
}

// spared reports whether a candidate holds too much to be left out.
func (s *surveyor) spared(c *candidate) bool {
	switch {
	case c.reason == named:
		return c.heading || c.text*5 > s.text*2
	case c.reason == hidden:
		return c.text*2 > s.text
	case c.node.Atom == atom.Header:
		return c.heading && c.node.Inside(atom.Article, atom.Main) != nil
	}
	return false
}

// isBoilerplate reports whether an element by itself would be left out.
func isBoilerplate(n *dom.Node) bool {
	s := surveyor{words: map[string]bool{}}
	return s.classify(n) != notBoilerplate
}

func (s *surveyor) classify(n *dom.Node) reason {
	switch n.Atom {
	case atom.Nav, atom.Dialog, atom.Menu:
		return landmark
	case atom.Header:
		return landmark
	case atom.Footer:
		if n.Inside(atom.Blockquote, atom.Figure) == nil {
			return landmark
		}
	case atom.Aside:
		if !isNote(n) {
			return landmark
		}
	}
	why := notBoilerplate
	for i := range n.Attr {
		if found := s.classifyAttribute(n, &n.Attr[i]); found != notBoilerplate && (why == notBoilerplate || found < why) {
			why = found
		}
	}
	return why
}

func (s *surveyor) classifyAttribute(n *dom.Node, a *dom.Attribute) reason {
	switch a.Key {
	case "role":
		switch a.Val {
		case "navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu", "menubar":
			return landmark
		}
	case "hidden":
		if !strings.EqualFold(a.Val, "until-found") {
			return hidden
		}
	case "aria-hidden":
		if a.Val == "true" && !isPicture(n) {
			return hidden
		}
	case "style":
		if hidesItself(a.Val) {
			return hidden
		}
	case "class", "id":
		if mayBeNamed(n) && s.namesBoilerplate(a.Val) {
			return named
		}
	}
	return notBoilerplate
}

func isPicture(n *dom.Node) bool {
	switch n.Atom {
	case atom.Img, atom.Picture, atom.Figure:
		return true
	}
	return false
}

// hidesItself reports whether a style attribute takes its element off the page.
func hidesItself(style string) bool {
	i := strings.Index(style, "display")
	if i < 0 {
		return false
	}
	value := strings.TrimLeft(style[i+len("display"):], " \t\r\n:")
	return strings.HasPrefix(value, "none")
}

// isNote reports whether an aside belongs to the text: documentation sets its
// notes and warnings in asides.
func isNote(n *dom.Node) bool {
	class := n.Get("class") + " " + n.Get("role")
	for _, word := range []string{"note", "tip", "caution", "warning", "danger", "callout", "admonition", "important", "footnote"} {
		if chars.ContainsFold(class, word) {
			return true
		}
	}
	return false
}

// mayBeNamed reports whether the class and id of such an element say something
// of its part in the page.
func mayBeNamed(n *dom.Node) bool {
	switch n.Atom {
	case atom.Html, atom.Body, atom.Main, atom.Article, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Pre, atom.Code, atom.Table, atom.Thead, atom.Tbody, atom.Tr, atom.Td, atom.Th, atom.Img, atom.Picture,
		atom.Dt, atom.Dd, atom.Input, atom.Em, atom.Strong:
		return false
	}
	return true
}

// namesBoilerplate reports whether a class or id contains a word for something
// beside the point. Words end at hyphens, underscores and capitals.
func (s *surveyor) namesBoilerplate(value string) bool {
	if known, ok := s.words[value]; ok {
		return known
	}
	found := false
	var word [24]byte
	n := 0
	for i := 0; i <= len(value) && !found; i++ {
		var c byte
		if i < len(value) {
			c = value[i]
		}
		upper := 'A' <= c && c <= 'Z'
		if !chars.IsLetter(c) || upper && i > 0 && 'a' <= value[i-1] && value[i-1] <= 'z' {
			found = isBoilerplateWord(word[:n])
			n = 0
		}
		if chars.IsLetter(c) && n < len(word) {
			word[n] = c | 0x20
			n++
		}
	}
	s.words[value] = found
	return found
}

func isBoilerplateWord(word []byte) bool {
	switch string(word) {
	case "cookie", "cookies", "consent", "gdpr", "onetrust", "cookiebar", "cookiebanner",
		"nav", "navbar", "navigation", "topnav", "sidenav", "subnav", "menu", "megamenu", "submenu", "hamburger",
		"breadcrumb", "breadcrumbs", "crumbs", "pagination", "pager", "skip", "skiplink", "toolbar",
		"footer", "masthead", "topbar", "sidebar", "offcanvas",
		"share", "sharing", "sharedaddy", "addtoany", "addthis", "social", "socials",
		"newsletter", "subscribe", "subscription", "signup", "paywall", "popup", "modal", "lightbox", "overlay", "tooltip",
		"ad", "ads", "advert", "advertisement", "adverts", "advertising", "adsense", "adsbygoogle", "sponsor", "sponsored",
		"promo", "promos", "promotion", "banner", "outbrain", "taboola",
		"related", "recommended", "recommendations", "recirculation", "trending", "yarpp",
		"editsection", "noprint", "login", "logout", "printfriendly":
		return true
	}
	return false
}
