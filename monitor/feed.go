package monitor

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
)

// FeedKey is what the address of a monitor's feed ends with: its id, and a signature
// without which nobody can read it.
func FeedKey(secret []byte, id string) string {
	h := hmac.New(sha256.New, secret)
	_, _ = h.Write([]byte("feed " + id))
	return id + "." + base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}

// feedID returns the monitor of a key; nothing if the signature is wrong.
func feedID(secret []byte, key string) string {
	id, _, _ := strings.Cut(key, ".")
	if !hmac.Equal([]byte(FeedKey(secret, id)), []byte(key)) {
		return ""
	}
	return id
}

// What a feed has.
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Updated string      `xml:"updated"`
		Links   []atomLink  `xml:"link"`
		Author  atomAuthor  `xml:"author"`
		Entries []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	atomAuthor struct {
		Name string `xml:"name"`
	}
	atomEntry struct {
		ID      string     `xml:"id"`
		Title   string     `xml:"title"`
		Updated string     `xml:"updated"`
		Links   []atomLink `xml:"link"`
		Content struct {
			Type string `xml:"type,attr"`
			Text string `xml:",chardata"`
		} `xml:"content"`
	}
)

// mostEntries is how many pages a feed lists.
const mostEntries = 50

// Feed returns the feed of the monitor with a signed key, which stands at an address:
// the pages that are new, changed or gone, newest first. What is noise is left out.
func (s *Service) Feed(ctx context.Context, key, address string) ([]byte, error) {
	secret, err := s.Store.Secret(ctx, "feeds")
	if err != nil {
		return nil, err
	}
	id := feedID(secret, key)
	if id == "" {
		return nil, trawl.Errorf(trawl.CodeNotFound, "Feed not found")
	}
	m, err := s.Store.MonitorByID(ctx, id)
	if err != nil {
		return nil, err
	}
	pages, err := s.Store.NewsOf(ctx, m.ID, mostEntries)
	if err != nil {
		return nil, err
	}
	feed := atomFeed{ID: "urn:uuid:" + m.ID, Title: m.Name, Updated: m.CreatedAt.Format(time.RFC3339), Author: atomAuthor{"Trawl"}, Links: []atomLink{{"self", address}}}
	for i := range pages {
		feed.Entries = append(feed.Entries, entryOf(&pages[i]))
	}
	if len(feed.Entries) > 0 {
		feed.Updated = feed.Entries[0].Updated
	}
	body, err := xml.MarshalIndent(feed, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write feed: %w", err)
	}
	return append([]byte(xml.Header), body...), nil
}

// FeedURL is the address of a monitor's feed.
func (s *Service) FeedURL(ctx context.Context, base, id string) (string, error) {
	secret, err := s.Store.Secret(ctx, "feeds")
	return base + "/v2/feeds/" + FeedKey(secret, id), err
}

func entryOf(p *trawl.CheckPage) atomEntry {
	e := atomEntry{ID: "urn:uuid:" + p.ID, Title: p.Status + ": " + p.URL, Updated: p.CreatedAt.Format(time.RFC3339), Links: []atomLink{{"", p.URL}}}
	var b strings.Builder
	if p.Judgment != nil {
		b.WriteString(p.Judgment.Reason + "\n\n")
	}
	for _, line := range linesOf(p.Diff) {
		b.WriteString(line.Text + "\n")
	}
	e.Content.Type, e.Content.Text = "text", b.String()
	return e
}
