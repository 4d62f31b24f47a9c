package search

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/chars"
)

// Longest texts of a result, in bytes.
const (
	maxTitle = 1000
	maxText  = 4000
)

// collector gathers the results that a query wants, each once.
type collector struct {
	query   *Query
	seen    map[string]bool
	results []trawl.SearchResult
}

// take adds the results of a page, and reports whether any of them was new.
func (c *collector) take(raw []json.RawMessage) (fresh bool) {
	for _, one := range raw {
		var f finding
		if json.Unmarshal(one, &f) != nil {
			continue
		}
		result, key := f.result(c.query.Source)
		if key == "" || c.seen[key] {
			continue
		}
		c.seen[key] = true
		fresh = true
		page, err := url.Parse(result.URL)
		if err != nil || len(c.results) >= c.query.Limit {
			continue
		}
		category, ok := c.query.takes(page)
		if !ok {
			continue
		}
		result.Category = category
		result.Position = len(c.results) + 1
		c.results = append(c.results, result)
	}
	return fresh
}

// finding is a result as SearXNG writes it.
type finding struct {
	URL       text `json:"url"`
	Title     text `json:"title"`
	Content   text `json:"content"`
	Published text `json:"publishedDate"`
	Image     text `json:"img_src"`
	Thumbnail text `json:"thumbnail_src"`
	Small     text `json:"thumbnail"`
	Size      text `json:"resolution"`
}

// text is a string; anything else counts as none.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
	}
	return nil
}

// line is the text on one line, and not endless.
func (t text) line(most int) string {
	return chars.Truncate(strings.Join(strings.Fields(string(t)), " "), most)
}

// result returns the finding in our words, and what it is recognized by; nothing
// if it is of no use.
func (f *finding) result(source string) (trawl.SearchResult, string) {
	address, err := trawl.ParseTarget(string(f.URL))
	if err != nil || f.URL == "" {
		return trawl.SearchResult{}, ""
	}
	result := trawl.SearchResult{URL: address, Title: f.Title.line(maxTitle)}
	switch source {
	case trawl.SourceNews:
		result.Snippet = f.Content.line(maxText)
		result.Date = f.Published.line(100)
		result.ImageURL = picture(f.Image, f.Thumbnail, f.Small)
	case trawl.SourceImages:
		result.ImageURL = picture(f.Image)
		result.ImageWidth, result.ImageHeight = size(string(f.Size))
		if result.ImageURL == "" {
			return trawl.SearchResult{}, ""
		}
		return result, result.ImageURL
	default:
		result.Description = f.Content.line(maxText)
	}
	return result, address
}

// picture is the first address that a picture can be fetched from.
func picture(addresses ...text) string {
	for _, address := range addresses {
		plain := string(address)
		if strings.HasPrefix(plain, "//") {
			plain = "https:" + plain
		}
		if !strings.HasPrefix(plain, "http://") && !strings.HasPrefix(plain, "https://") {
			continue
		}
		if usable, err := trawl.ParseTarget(plain); err == nil {
			return usable
		}
	}
	return ""
}

var resolution = regexp.MustCompile(`(\d{1,6})\s*[xX×*]\s*(\d{1,6})`)

// size reads "800 x 600".
func size(s string) (width, height int) {
	if match := resolution.FindStringSubmatch(s); match != nil {
		width, _ = strconv.Atoi(match[1])
		height, _ = strconv.Atoi(match[2])
	}
	return width, height
}
