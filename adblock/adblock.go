// Package adblock decides which requests of a page fetch advertising or
// tracking, and which of its elements show it.
//
// It reads the filter lists that browsers' content blockers share: lines of a
// little language in which "||ads.example^$third-party" blocks a host,
// "/banner/*$image" blocks addresses, "@@" in front makes an exception, and
// "example.com##.ad" hides elements. Hosts files are read as well. A line the
// package does not understand, or whose effect it cannot have (rewriting
// responses, running scripts), is skipped and counted: half an effect could
// break a page that the whole rule would not.
//
// There are three questions, each answered where it is cheap to ask:
//
//   - [Engine.BlocksHost], for a proxy that sees only host names. Five rules in
//     six name a whole host, so this alone does most of the work.
//   - [Engine.Match], for someone who sees addresses and what they are for.
//   - [Engine.Cosmetic], a style sheet for a page of which a picture is taken.
//
// The first two agree: whatever BlocksHost refuses, Match refuses too, so
// asking only the proxy blocks less but breaks nothing more. The one thing it
// cannot see is an exception that names neither a host nor a page.
//
// Top-level documents are never blocked. Whoever asked for a page shall get it.
package adblock

import _ "embed"

//go:embed builtin.txt
var builtin string

// Engine is a set of rules. It does not change after it has been made and may
// be used by many goroutines at once. It keeps the text of its lists.
type Engine struct {
	important table // blocks whatever the exceptions say
	block     table
	allow     table
	spared    spared
	pages     map[string]types // what page-wide exceptions switch off
	cosmetic  cosmetic
	partial   bool
	stats     Stats
}

// Stats says what became of the lines of the lists.
type Stats struct {
	Files      int // files read; lists given as text count too
	Oversized  int // files left out since they, or all together, are too large
	Hosts      int // rules that block whole hosts
	Patterns   int // rules that block some addresses
	Exceptions int // rules that allow
	Cosmetic   int // rules that hide elements, or keep them visible
	Skipped    int // lines not understood, not supported or over a bound
}

// Request is one request of a page.
type Request struct {
	URL  string // what is asked for
	Page string // the address of the document that asks; every site is another to an unknown one
	// Type is what the answer is for: document, script, image, stylesheet,
	// font, xhr, websocket, media, subdocument, ping or other. A type not
	// known counts as other.
	Type string
}

// Builtin returns an engine of a small list that comes with the program: the
// best-known hosts of advertising, tracking and analytics, and a few elements
// that carry advertising. It stands in where no lists are configured.
func Builtin() *Engine { return Parse(builtin) }

// Parse makes an engine of the text of lists. It takes whatever it is given:
// what cannot be used is counted in [Stats].
func Parse(lists ...string) *Engine {
	p := newParser()
	for _, text := range lists {
		p.list(text)
	}
	return p.engine()
}

// BlocksHost reports whether the rules block everything that a page on the host
// page may ask of host, both without a port. An exception for a part of a host
// spares all of it, on the pages that the exception is for. The page's own host
// is never blocked. The answer takes less than a microsecond.
func (e *Engine) BlocksHost(page, host string) bool {
	r := request{host: hostName{name: foldHost(host)}, page: hostName{name: foldHost(page)}}
	if r.host.name == r.page.name {
		return false
	}
	if e.important.coversHost(&r) {
		return !e.off(&r.page, documentType)
	}
	return e.block.coversHost(&r) && !e.spared.has(&r) && !e.off(&r.page, documentType)
}

// Match reports whether the rules block a request. Only http, https, ws and wss
// addresses can be blocked, and of a very long one only the beginning counts.
func (e *Engine) Match(q Request) bool {
	r, ok := newRequest(q)
	if !ok || e.off(&r.page, documentType) {
		return false
	}
	return e.important.match(&r) || e.block.match(&r) && !e.allow.match(&r)
}

// HasPathRules reports whether Match can block more than BlocksHost does, and
// so whether asking it is worth the trouble.
func (e *Engine) HasPathRules() bool { return e.partial }

// Stats says what the engine was made of.
func (e *Engine) Stats() Stats { return e.stats }

// off reports whether an exception for the whole page switches off what is
// named by any of the bits.
func (e *Engine) off(page *hostName, bits types) bool {
	if len(e.pages) == 0 {
		return false
	}
	for s := page.name; s != ""; s = parent(s) {
		if e.pages[s]&bits != 0 {
			return true
		}
	}
	return false
}
