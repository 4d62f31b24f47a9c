package content

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// parseFeed makes a tree of an RSS or Atom feed: its title and description,
// then every entry with its link, date and summary. XML that is no feed after
// all, or breaks off before its first entry, is shown as code.
func parseFeed(text string) *dom.Tree {
	f := readFeed(text)
	if f.isEmpty() {
		return codeTree(text, "xml")
	}
	return f.tree()
}

// isEmpty reports whether nothing was read that could be shown.
func (f *feed) isEmpty() bool {
	return f.channel.title == "" && !slices.ContainsFunc(f.entries, func(e feedEntry) bool { return e != feedEntry{} })
}

// tree makes a page of a feed.
func (f *feed) tree() *dom.Tree {
	t, body := dom.NewDocument()
	if f.language != "" {
		body.Parent.Attr = []dom.Attribute{{Key: "lang", Val: f.language}}
	}
	if f.channel.title != "" {
		body.Parent.InsertBefore(t.Element(atom.Head, t.Element(atom.Title, t.Text(f.channel.title))), body)
		body.AppendChild(t.Element(atom.H1, t.Text(f.channel.title)))
	}
	appendProse(t, body, f.channel.prose())
	for _, e := range f.entries {
		appendEntry(t, body, e)
	}
	return t
}

// feedEntry is an entry of a feed, or the feed's own description.
type feedEntry struct {
	title, link, date, summary, content string
}

// prose returns what the entry says, the full text before a summary.
func (e *feedEntry) prose() string {
	if e.content != "" {
		return e.content
	}
	return e.summary
}

type feed struct {
	channel  feedEntry
	entries  []feedEntry
	language string
}

// maxFeedDepth bounds the open elements that are remembered.
const maxFeedDepth = 256

// feedReader reads a feed by the local names of its elements, which RSS in all
// its versions and Atom can share.
type feedReader struct {
	feed
	decoder *xml.Decoder
	path    []string // names of the open elements
	text    strings.Builder
}

func readFeed(text string) feed {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	r := &feedReader{decoder: d}
	for r.next() {
	}
	return r.feed
}

// next handles one token; it returns false at the end or where the XML breaks.
func (r *feedReader) next() bool {
	token, err := r.decoder.RawToken()
	if err != nil {
		return false
	}
	switch t := token.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		r.end(strings.ToLower(t.Name.Local))
	case xml.CharData:
		r.text.Write(t)
	}
	return true
}

func (r *feedReader) start(t xml.StartElement) {
	name := strings.ToLower(t.Name.Local)
	if name == "item" || name == "entry" {
		r.entries = append(r.entries, feedEntry{})
	}
	switch name {
	case "link":
		r.atomLink(t)
	case "feed", "rss":
		r.noteLanguage(t)
	}
	if len(r.path) < maxFeedDepth {
		r.path = append(r.path, name)
	}
	r.text.Reset()
}

// noteLanguage takes the language of the feed as a whole.
func (r *feedReader) noteLanguage(t xml.StartElement) {
	for _, a := range t.Attr {
		if a.Name.Local == "lang" {
			r.language = a.Value
		}
	}
}

// atomLink takes the address of an Atom link, which is in its attributes.
func (r *feedReader) atomLink(t xml.StartElement) {
	href, rel := "", "alternate"
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "href":
			href = a.Value
		case "rel":
			rel = a.Value
		}
	}
	if e := r.entry(); href != "" && rel == "alternate" && e.link == "" {
		e.link = href
	}
}

// entry returns what the elements read now belong to.
func (r *feedReader) entry() *feedEntry {
	for _, name := range r.path {
		if (name == "item" || name == "entry") && len(r.entries) > 0 {
			return &r.entries[len(r.entries)-1]
		}
	}
	return &r.channel
}

func (r *feedReader) end(name string) {
	text := strings.TrimSpace(r.text.String())
	r.text.Reset()
	parent := ""
	if len(r.path) > 1 {
		parent = r.path[len(r.path)-2]
	}
	if isEntryElement(parent) {
		r.entry().note(name, text)
		if parent == "channel" && name == "language" {
			r.language = text
		}
	}
	for i := len(r.path) - 1; i >= 0; i-- {
		if r.path[i] == name {
			r.path = r.path[:i]
			return
		}
	}
}

func isEntryElement(name string) bool {
	switch name {
	case "channel", "feed", "item", "entry":
		return true
	}
	return false
}

func (e *feedEntry) note(name, text string) {
	field := (*string)(nil)
	switch name {
	case "title":
		field = &e.title
	case "link":
		field = &e.link
	case "pubdate", "published", "updated", "date":
		field = &e.date
	case "description", "summary", "subtitle":
		field = &e.summary
	case "encoded", "content":
		field = &e.content
	}
	if field != nil && *field == "" {
		*field = text
	}
}

func appendEntry(t *dom.Tree, body *dom.Node, e feedEntry) {
	title := e.title
	if title == "" {
		title = e.link
	}
	if title != "" {
		heading := t.Element(atom.H2)
		if e.link != "" {
			a := t.Element(atom.A, t.Text(title))
			a.Attr = []dom.Attribute{{Key: "href", Val: e.link}}
			heading.AppendChild(a)
		} else {
			heading.AppendChild(t.Text(title))
		}
		body.AppendChild(heading)
	}
	if e.date != "" {
		body.AppendChild(t.Element(atom.P, t.Text(e.date)))
	}
	appendProse(t, body, e.prose())
}

// appendProse appends a text that may be HTML.
func appendProse(t *dom.Tree, body *dom.Node, prose string) {
	if prose == "" {
		return
	}
	div := t.Element(atom.Div)
	body.AppendChild(div)
	if !strings.ContainsAny(prose, "<&") {
		div.AppendChild(t.Text(prose))
		return
	}
	t.Graft(div, dom.Parse(prose).Body())
}

// jsonFeed is a feed in JSON, by jsonfeed.org.
type jsonFeed struct {
	Version     string `json:"version"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Language    string `json:"language"`
	Items       []struct {
		URL         string `json:"url"`
		ExternalURL string `json:"external_url"`
		Title       string `json:"title"`
		Summary     string `json:"summary"`
		HTML        string `json:"content_html"`
		Text        string `json:"content_text"`
		Date        string `json:"date_published"`
	} `json:"items"`
}

// parseJSON makes a tree of JSON: that of a feed if it is one, and else code.
func parseJSON(text string) *dom.Tree {
	if !strings.Contains(text, "jsonfeed.org/version") {
		return codeTree(text, "json")
	}
	var in jsonFeed
	if json.Unmarshal([]byte(text), &in) != nil || !strings.Contains(in.Version, "jsonfeed.org/version") {
		return codeTree(text, "json")
	}
	f := feed{channel: feedEntry{title: in.Title, summary: html.EscapeString(in.Description)}, language: in.Language}
	for _, item := range in.Items {
		e := feedEntry{title: item.Title, link: item.URL, date: item.Date, summary: item.Summary, content: item.HTML}
		if e.link == "" {
			e.link = item.ExternalURL
		}
		if e.content == "" {
			e.content = html.EscapeString(item.Text)
		}
		f.entries = append(f.entries, e)
	}
	return f.tree()
}

// codeTree is the tree of a text that is shown as code.
func codeTree(text, language string) *dom.Tree {
	t, body := dom.NewDocument()
	if text == "" {
		return t
	}
	code := t.Element(atom.Code, t.Text(text))
	code.Attr = []dom.Attribute{{Key: "class", Val: "language-" + language}}
	body.AppendChild(t.Element(atom.Pre, code))
	return t
}
