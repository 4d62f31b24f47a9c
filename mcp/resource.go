package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// What was too long for the result of a tool can be read as resources, in parts of
// so many characters. Their addresses:
//
//	trawl://scrape/{id}/{format}/{part}        a text of a scrape
//	trawl://crawl/{id}/pages?skip=100          which pages a crawl has read, 100 at a time
//	trawl://crawl/{id}/pages/{page}/{part}     the markdown of one of them
const partSize = 50_000

// indexSize is how many pages a crawl's list has at a time.
const indexSize = 100

func (s *Server) addResources() {
	for _, t := range []sdk.ResourceTemplate{
		{Name: "scrape", Title: "Text of a scrape", URITemplate: "trawl://scrape/{id}/{format}/{part}", Description: "A text of a past scrape, such as its markdown, in parts of 50,000 characters from 1 on."},
		{Name: "crawl", Title: "Pages of a crawl", URITemplate: "trawl://crawl/{id}/pages{?skip}", MIMEType: "application/json", Description: "Which pages a crawl has read, 100 at a time, and the resources that have their texts."},
		{Name: "crawl_page", Title: "Page of a crawl", URITemplate: "trawl://crawl/{id}/pages/{page}/{part}", MIMEType: "text/markdown", Description: "The markdown of a page that a crawl has read, by its number from 1 on, in parts of 50,000 characters from 1 on."},
	} {
		s.sdk.AddResourceTemplate(&t, s.readResource)
	}
}

// readResource answers with a resource. Whatever is wrong with its address, there is
// no such resource.
func (s *Server) readResource(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	c := &call{server: s, visitor: s.visitor(r.Extra)}
	found, err := c.resource(ctx, r.Params.URI)
	if err != nil {
		s.Log.Debug("resource", "err", err)
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{found}}, nil
}

func (c *call) resource(ctx context.Context, uri string) (*sdk.ResourceContents, error) {
	address, err := url.Parse(uri)
	if err != nil {
		return nil, err
	}
	steps := strings.Split(strings.Trim(address.Path, "/"), "/")
	switch {
	case address.Host == "scrape" && len(steps) == 3:
		return c.scrapeResource(ctx, uri, steps[0], steps[1], steps[2])
	case address.Host == "crawl" && len(steps) == 2 && steps[1] == "pages":
		return c.crawlIndex(ctx, uri, steps[0], address.Query().Get("skip"))
	case address.Host == "crawl" && len(steps) == 4 && steps[1] == "pages":
		return c.crawlPage(ctx, uri, steps[0], steps[2], steps[3])
	}
	return nil, fmt.Errorf("no resource has the address %s", uri)
}

func (c *call) scrapeResource(ctx context.Context, uri, id, format, part string) (*sdk.ResourceContents, error) {
	body, err := c.get(ctx, "/v2/scrape/"+escaped(id))
	if err != nil {
		return nil, err
	}
	var scraped struct{ Data object }
	if err := json.Unmarshal(body, &scraped); err != nil {
		return nil, err
	}
	text, ok := scraped.Data[format].(string)
	if !ok {
		return nil, fmt.Errorf("the scrape has no text of the format %s", format)
	}
	kind := "text/plain"
	switch format {
	case "markdown", "summary":
		kind = "text/markdown"
	case "html", "rawHtml":
		kind = "text/html"
	}
	return partOf(text, uri, kind, part)
}

// listed is a page in the list of a crawl.
type listed struct {
	URI        string `json:"uri"`
	URL        string `json:"url"`
	Title      string `json:"title,omitempty"`
	Status     int    `json:"statusCode,omitempty"`
	Characters int    `json:"characters"`
	Parts      int    `json:"parts"`
}

// read is what the list and its pages need of a document.
type readPage struct {
	Markdown string
	Metadata struct {
		Title      any
		SourceURL  string `json:"sourceURL"`
		StatusCode int    `json:"statusCode"`
	}
}

type crawlAnswer struct {
	Status           string
	Completed, Total int
	Data             []readPage
}

func (c *call) pages(ctx context.Context, id string, skip, limit int) (crawlAnswer, error) {
	body, err := c.get(ctx, fmt.Sprintf("/v2/crawl/%s?skip=%d&limit=%d", escaped(id), skip, limit))
	if err != nil {
		return crawlAnswer{}, err
	}
	var found crawlAnswer
	return found, json.Unmarshal(body, &found)
}

func (c *call) crawlIndex(ctx context.Context, uri, id, from string) (*sdk.ResourceContents, error) {
	skip := 0
	if from != "" {
		var err error
		if skip, err = strconv.Atoi(from); err != nil || skip < 0 {
			return nil, fmt.Errorf("%q is no number of pages", from)
		}
	}
	found, err := c.pages(ctx, id, skip, indexSize)
	if err != nil {
		return nil, err
	}
	list := []listed{}
	for i, page := range found.Data {
		length := utf8.RuneCountInString(page.Markdown)
		title, _ := page.Metadata.Title.(string)
		list = append(list, listed{
			URI: fmt.Sprintf("trawl://crawl/%s/pages/%d/1", id, skip+i+1), URL: page.Metadata.SourceURL, Title: title,
			Status: page.Metadata.StatusCode, Characters: length, Parts: partsOf(length),
		})
	}
	index := object{"status": found.Status, "completed": found.Completed, "total": found.Total, "pages": list}
	if skip+len(list) < found.Completed && len(list) > 0 {
		index["next"] = fmt.Sprintf("trawl://crawl/%s/pages?skip=%d", id, skip+len(list))
	}
	encoded, err := json.MarshalIndent(index, "", "  ")
	return &sdk.ResourceContents{URI: uri, MIMEType: "application/json", Text: string(encoded)}, err
}

func (c *call) crawlPage(ctx context.Context, uri, id, page, part string) (*sdk.ResourceContents, error) {
	number, err := strconv.Atoi(page)
	if err != nil || number < 1 {
		return nil, fmt.Errorf("%q is no number of a page", page)
	}
	found, err := c.pages(ctx, id, number-1, 1)
	if err != nil {
		return nil, err
	}
	if len(found.Data) == 0 {
		return nil, fmt.Errorf("the crawl has no page %d", number)
	}
	return partOf(found.Data[0].Markdown, uri, "text/markdown", part)
}

func partsOf(characters int) int { return max(1, (characters+partSize-1)/partSize) }

// partOf returns a part of a text, which says at its end where the next one is.
func partOf(text, uri, kind, part string) (*sdk.ResourceContents, error) {
	parts := partsOf(utf8.RuneCountInString(text))
	number, err := strconv.Atoi(part)
	if err != nil || number < 1 || number > parts {
		return nil, fmt.Errorf("the text has %d parts, and no part %s", parts, part)
	}
	start := len(prefix(text, (number-1)*partSize))
	text = prefix(text[start:], partSize)
	if number < parts {
		text += fmt.Sprintf("\n\n[Part %d of %d. Goes on at %s/%d]", number, parts, uri[:strings.LastIndexByte(uri, '/')], number+1)
	}
	return &sdk.ResourceContents{URI: uri, MIMEType: kind, Text: text}, nil
}

// mostParts is how many resources a result names for one text.
const mostParts = 20

// restOfScrape names the texts of a document that are long, in parts. What is not
// kept cannot be read again.
func restOfScrape(c *call, result []byte) []string {
	var doc object
	if json.Unmarshal(result, &doc) != nil || string(c.args["zeroDataRetention"]) == "true" {
		return nil
	}
	metadata, _ := doc["metadata"].(object)
	id, _ := metadata["scrapeId"].(string)
	if id == "" {
		return nil
	}
	var uris []string
	for _, format := range []string{"markdown", "summary", "answer", "highlights", "html", "rawHtml"} {
		text, _ := doc[format].(string)
		length := utf8.RuneCountInString(text)
		for part := 1; length > c.limit/8 && part <= min(partsOf(length), mostParts); part++ {
			uris = append(uris, fmt.Sprintf("trawl://scrape/%s/%s/%d", id, format, part))
		}
	}
	return uris
}

// restOfCrawl names the list of a crawl's pages.
func restOfCrawl(_ *call, result []byte) []string {
	var job struct{ ID string }
	if json.Unmarshal(result, &job) != nil || job.ID == "" {
		return nil
	}
	return []string{"trawl://crawl/" + job.ID + "/pages"}
}
