package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Sign says whether a page, as it came over plain HTTP, is what a reader would see.
type Sign int

// The signs of a page. All but Complete say that a browser would show more.
const (
	Complete  Sign = iota // its content is there
	Shell                 // next to no text, and scripts that will put the page in its place
	Partial               // header and footer are there, the main part arrives by script
	Notice                // it says that it needs JavaScript, and has little else
	Challenge             // it checks whether the reader is a robot, whatever the status
)

// String returns the name of a sign in lower case.
func (s Sign) String() string {
	switch s {
	case Complete:
		return "complete"
	case Shell:
		return "shell"
	case Partial:
		return "partial"
	case Notice:
		return "notice"
	case Challenge:
		return "challenge"
	}
	return "unknown"
}

// How much there is to see, in bytes of text; pictures, forms and the like count
// as so many bytes, too. The limits are low: a page is taken for complete unless
// it shows where its content is missing.
const (
	enoughProse   = 1000 // running text of a page that is surely complete
	enoughLinks   = 6000 // the same for the text of links
	littleProse   = 250  // what stands around a main part that is missing
	littleLinks   = 3000
	littleAside   = 800  // what stands around a main element that is empty
	littleShort   = 60   // what stands around a sign that may be left from another time
	littleShell   = 60   // all there is to see of a shell
	littleNotice  = 100  // what stands around a notice
	littleBarred  = 1500 // all there is to see of a challenge
	maxSignNodes  = 20_000
	maxSignEmpty  = 300      // empty elements that are looked at closely
	maxSignScript = 64 << 10 // bytes of one script that are searched
	maxSignName   = 256      // the same for names and addresses
)

// Sign tells by the page alone what it is, given the status it came with. It errs
// on the side of Complete, however short the page: a page without scripts is
// Complete or Challenge, one of an error is Complete unless there is nothing to
// see on it, and all that is not HTML is Complete.
func (p *Page) Sign(status int) Sign {
	if !p.markup {
		return Complete
	}
	s := survey{told: p.told, nodes: maxSignNodes}
	for n := p.tree.Root.FirstChild; n != nil; n = n.NextSibling {
		s.visit(n, 0)
	}
	if s.full() {
		return Complete
	}
	failed := status >= 400
	switch {
	case s.isChallenge(p.found.title, failed):
		return Challenge
	case s.scripts == 0, failed && s.seen() > 0:
		return Complete
	case s.isShell():
		return Shell
	case failed:
		return Complete
	case s.isNotice():
		return Notice
	case s.isPartial():
		return Partial
	}
	return Complete
}

// seen is how much of a page there is to see.
func (s *survey) seen() int { return s.prose + s.labels + s.links + s.margin }

// isShell reports whether there is next to nothing to see, and something that
// scripts will fill. Without any place to fill, the scripts must be more than
// those that count readers.
func (s *survey) isShell() bool {
	seen := s.seen()
	switch {
	case seen < littleShell && s.mounts+s.skeletons > 0:
		return true
	case seen == 0:
		return s.waits > 0 || s.spinners > 0 || s.drawings == 0 && !s.onlyCounts()
	case seen < littleShell && s.writes():
		return true
	}
	return seen < littleNotice && !s.refreshes && s.movesOn()
}

// isNotice reports whether the page asks for JavaScript and has little else.
func (s *survey) isNotice() bool {
	if s.asks && s.prose+s.labels < littleShort && s.links < littleProse {
		return true
	}
	rest := s.prose + s.labels
	asks := false
	for _, text := range s.said[:s.saidLen] {
		if asksForScript(text) {
			rest, asks = rest-len(text), true
		} else if chars.ContainsFold(text, "javascript") {
			rest -= len(text)
		}
	}
	return asks && rest < littleNotice && s.links < littleProse
}

// isPartial reports whether the place of the main part is empty. What may be left
// from another time, like a spinner, counts only where nothing stands beside it.
func (s *survey) isPartial() bool {
	switch {
	case s.links >= littleLinks:
		return false
	case s.mains > 0 && s.prose+s.labels < littleAside:
		return true
	case s.prose+s.labels >= littleProse:
		return false
	case s.mounts > 0 || s.skeletons > 0:
		return true
	case s.waits > 0 && !s.refreshes:
		return s.prose < littleShort && s.links < littleProse
	case s.prose+s.labels+s.links == 0:
		return s.margin > 0 && s.spinners+s.gaps > 0
	}
	return false
}

// place is where in a page a node stands.
type place uint8

const (
	inLink   place = 1 << iota
	inMargin       // header, navigation, footer, sidebar
	inHeader       // a header: its headings and paragraphs are no margin
	inMain         // main or article: its header is no margin
	inCode
	inLabel  // a heading, or what stands on a button
	inHidden // not shown
	inNoscript
)

// survey is what one walk over a page counts.
type survey struct {
	told  *dom.Node // text from the linked data, which is not to be seen
	nodes int       // that may still be looked at

	prose, labels, links int // outside of the margins
	margin               int // inside of them
	hidden               int // not shown, or not yet

	scripts   int // that run
	code      [32]*dom.Node
	empty     int // elements with nothing to see
	mounts    int // known places for content that are empty
	mains     int // those of them that say to be the main part
	skeletons int // pictures of content to come
	waits     int // words like "Loading…"
	spinners  int
	gaps      int  // other empty places
	drawings  int  // that scripts may have nothing to add to
	captcha   int  // widgets that ask whether one is a robot
	fields    int  // that are filled in by hand
	asks      bool // for JavaScript, in a noscript element
	refreshes bool // leads on without a script, which readers need no browser for
	barrier   bool // an element that only challenges have

	said    [48]string // the first texts to be seen
	saidLen int
}

// full reports whether the page is surely complete, or too large to be a question.
func (s *survey) full() bool {
	return s.prose >= enoughProse || s.links >= enoughLinks || s.hidden >= enoughProse || s.nodes <= 0
}

func (s *survey) visit(n *dom.Node, at place) {
	if s.nodes--; s.full() {
		return
	}
	switch n.Type {
	case dom.TextNode:
		s.read(n, at)
	case dom.ElementNode:
		if n != s.told {
			s.enter(n, at)
		}
	}
}

// read counts a text.
func (s *survey) read(n *dom.Node, at place) {
	text := strings.TrimSpace(n.Data)
	switch {
	case text == "":
		return
	case at&inHidden != 0:
		s.hidden += len(text)
		return
	case at&inCode == 0 && (isWait(text) || isUnfilled(text)):
		if s.waits == 0 && at&inMargin == 0 && !isOverlay(n.Parent) {
			s.waits++
		}
		return
	}
	if s.saidLen < len(s.said) {
		s.said[s.saidLen] = text
		s.saidLen++
	}
	s.count(len(text), at)
}

// count adds what weighs as much as so many bytes of text.
func (s *survey) count(weight int, at place) {
	switch {
	case at&inHidden != 0:
	case at&inMargin != 0:
		s.margin += weight
	case at&inLink != 0:
		s.links += weight
	case at&inLabel != 0:
		s.labels += weight
	default:
		s.prose += weight
	}
}

// enter looks at an element and what is beneath it.
func (s *survey) enter(n *dom.Node, at place) {
	switch n.Atom {
	case atom.Script:
		if at&inNoscript == 0 {
			s.noteScript(n)
		}
		return
	case atom.Noscript:
		s.asks = s.asks || noscriptAsks(n)
		at |= inHidden | inNoscript // some pages have all of their content there
	case atom.Meta:
		s.refreshes = s.refreshes || at&inNoscript == 0 && isRefresh(n)
	case atom.Svg, atom.Canvas:
		s.drawings++
		return
	case atom.Template:
		if _, ok := n.Lookup("data-dgst"); ok { // where the server left rendering to the browser
			s.mounts++
		}
	}
	look := lookAt(n)
	at = look.place(n, at)
	s.noteBarrier(n, &look)
	before, places := s.seen()+s.hidden, s.mounts+s.skeletons
	if weight := mediaWeight(n, &look); weight > 0 {
		s.count(weight, at)
		if at&inHidden == 0 && (n.Is(atom.Input) || n.Is(atom.Textarea)) {
			s.fields++
		}
	}
	if dom.IsInvisible(n) && n.Atom != atom.Head {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.visit(c, at)
	}
	if s.seen()+s.hidden == before && s.mounts+s.skeletons == places && at&(inHidden|inMargin) == 0 {
		s.noteEmpty(n, &look)
	}
}

// noteEmpty looks at an element with nothing to see beneath it. What is not among
// the first of them is no picture of content to come.
func (s *survey) noteEmpty(n *dom.Node, look *look) {
	s.empty++
	switch {
	case look.isMount(n):
		s.mounts++
		if n.Is(atom.Main) || look.role == "main" {
			s.mains++
		}
	case s.empty > maxSignEmpty:
	case hasWord(look.class, "skeleton", "shimmer", "animate-pulse", "placeholder-glow", "placeholder-wave"):
		s.skeletons++
	case look.isSpinner():
		s.spinners++
	case isCustom(n), look.id != "" && (n.Is(atom.Div) || n.Is(atom.Section) || n.Is(atom.Ul) || n.Is(atom.Ol) || n.Is(atom.Tbody)):
		s.gaps++
	}
}

// look is what the attributes of an element say.
type look struct {
	id, class, role, style string
	hidden                 bool
}

func lookAt(n *dom.Node) look {
	var l look
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "id":
			l.id = a.Val
		case "class":
			l.class = a.Val
		case "role":
			l.role = a.Val
		case "style":
			l.style = a.Val
		case "hidden":
			l.hidden = true
		}
	}
	return l
}

// place returns where the children of an element stand.
func (l *look) place(n *dom.Node, at place) place {
	switch n.Atom {
	case atom.Body, atom.Html, atom.Head:
		return at // some pages hide themselves until they are styled
	case atom.A:
		at |= inLink
		if at&inHeader != 0 {
			at |= inMargin // the name of the site, not the title of the page
		}
	case atom.Main, atom.Article:
		at |= inMain
	case atom.Nav, atom.Aside:
		at = at&^inHeader | inMargin
	case atom.Header:
		if at&inMain == 0 {
			at |= inMargin | inHeader
		}
	case atom.Footer:
		if at&inMain == 0 {
			at |= inMargin
		}
	case atom.P:
		if at&inHeader != 0 {
			at &^= inMargin
		}
	case atom.Pre, atom.Code:
		at |= inCode
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if at |= inLabel; at&inHeader != 0 {
			at &^= inMargin
		}
	case atom.Button, atom.Label, atom.Legend:
		at |= inLabel
	case atom.Dialog:
		if _, open := n.Lookup("open"); !open {
			at |= inHidden
		}
	case atom.Div, atom.Section:
		at |= marginOf(l.id) | marginOf(firstWord(l.class)) | marginOf(l.role)
	}
	if l.isHidden() {
		at |= inHidden
	}
	return at
}

// isHidden reports whether an element is not shown. What React streams behind the
// page is hidden only until it is put in its place.
func (l *look) isHidden() bool {
	if l.hidden {
		return !strings.HasPrefix(l.id, "S:")
	}
	if l.style == "" {
		return false
	}
	for rule := range strings.SplitSeq(l.style, ";") {
		name, value, ok := strings.Cut(rule, ":")
		if ok && strings.TrimSpace(name) == "display" {
			return strings.HasPrefix(strings.TrimSpace(value), "none")
		}
	}
	return false
}

// isMount reports whether an element is where applications put their content.
func (l *look) isMount(n *dom.Node) bool {
	switch {
	case n.Is(atom.Main), l.role == "main":
		return true
	case isCustom(n):
		return strings.HasSuffix(n.Data, "-app") || strings.HasSuffix(n.Data, "-root") || strings.HasSuffix(n.Data, "-shell")
	case !dom.IsBlock(n.Atom) || n.Is(atom.Body):
		return false // an anchor of that name is where a link leads to
	}
	switch l.id {
	case "root", "app", "__next", "__nuxt", "___gatsby", "svelte", "application", "main", "mount", "app-mount", "app-root", "react-root",
		"react-app", "vue-app", "q-app", "app-container", "ember-app", "application_root":
		return true
	}
	for _, key := range []string{"ng-view", "ui-view", "ng-app", "data-reactroot"} {
		if _, ok := n.Lookup(key); ok {
			return true
		}
	}
	return false
}

// isCustom reports whether scripts say what an element is.
func isCustom(n *dom.Node) bool {
	return n.Atom == 0 && n.Space == dom.HTML && strings.IndexByte(n.Data, '-') > 0
}

// isOverlay reports whether an element belongs to what covers a page for a while,
// and is there from the beginning.
func isOverlay(n *dom.Node) bool {
	for range 3 {
		if n == nil || n.Is(atom.Body) {
			return false
		}
		if look := lookAt(n); hasWord(look.class, "overlay", "modal", "preload") || hasWord(look.id, "overlay", "modal", "preload") {
			return true
		}
		n = n.Parent
	}
	return false
}

// isSpinner reports whether an element turns round while something is loaded.
func (l *look) isSpinner() bool {
	return hasWord(l.class, "spinner", "loader", "loading", "splash") || hasWord(l.id, "spinner", "loader", "loading", "splash")
}

// hasWord reports whether a name contains one of some words. Only its start is
// searched: some names are asked for again and again.
func hasWord(name string, words ...string) bool {
	if name == "" {
		return false
	}
	name = name[:min(len(name), maxSignName)]
	for _, word := range words {
		if chars.ContainsFold(name, word) {
			return true
		}
	}
	return false
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, " \t\r\n\f")
	if i := strings.IndexAny(s, " \t\r\n\f"); i >= 0 {
		return s[:i]
	}
	return s
}

// marginOf returns what an id, class or role says of being around the main part.
func marginOf(name string) place {
	switch name {
	case "":
		return 0
	case "header", "site-header", "global-header", "masthead", "topbar", "banner":
		return inMargin | inHeader
	case "footer", "site-footer", "page-footer", "global-footer", "contentinfo", "nav", "navbar", "navigation", "menu":
		return inMargin
	}
	if hasWord(name, "cookie", "consent") {
		return inMargin
	}
	return 0
}

// mediaWeight is how much an element without text weighs.
func mediaWeight(n *dom.Node, l *look) int {
	switch n.Atom {
	case atom.Img:
		if isPixel(n) || l.isSpinner() || hasWord(n.Get("src"), "spinner", "loading", "loader", "logo") || hasWord(n.Get("alt"), "loading", "logo") {
			return 0
		}
		return 60
	case atom.Iframe, atom.Object, atom.Embed, atom.Video, atom.Audio:
		if isPixel(n) || l.isHidden() {
			return 0
		}
		return littleProse
	case atom.Input:
		switch strings.ToLower(n.Get("type")) {
		case "hidden":
			return 0
		case "password":
			return littleProse
		}
		return 20
	case atom.Textarea, atom.Select:
		return 20
	}
	switch {
	case strings.HasPrefix(n.Data, "amp-"):
		return 60
	case strings.Contains(l.style, "url("):
		return 60
	}
	return 0
}

// isPixel reports whether a picture or frame is there to be counted, not seen.
func isPixel(n *dom.Node) bool {
	w, h := n.Get("width"), n.Get("height")
	return (w == "0" || w == "1") && (h == "0" || h == "1")
}
