package mail

import (
	"net/url"
	"strings"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/markup"
	"github.com/trawlhq/trawl/document/tree"
)

// html reads the body of a message that is HTML.
func (w *writer) html(text string) []tree.Block {
	r := markup.Reader{Layout: true, Picture: w.picture, Link: strings.TrimSpace}
	blocks := r.Read(dom.Parse(text).Body())
	w.formula = max(w.formula, r.LongestFormula())
	return blocks
}

// picture returns a picture that comes with the message, or its address.
func (w *writer) picture(source string) string {
	source = strings.TrimSpace(source)
	scheme, rest, _ := strings.Cut(source, ":")
	switch strings.ToLower(scheme) {
	case "http", "https":
		if a := w.message.pictures[source]; a != nil {
			return w.embed(a)
		}
		return source
	case "data":
		if len(source) > 2*tree.MaxPicture || !w.pictures.Take(len(source)*3/4) {
			w.pictures.Leave()
			return ""
		}
		return source
	case "cid":
		source = rest
		if plain, err := url.PathUnescape(rest); err == nil && w.message.pictures[rest] == nil {
			source = plain
		}
	}
	return w.embed(w.message.pictures[source])
}

// embed embeds a picture that comes with the message.
func (w *writer) embed(a *attachment) string {
	if a == nil || a.content == nil {
		return ""
	}
	if a.size > tree.MaxPicture {
		w.pictures.Leave()
		return ""
	}
	uri := w.pictures.Embed(a.content())
	a.used = a.used || uri != ""
	return uri
}
