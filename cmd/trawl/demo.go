package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
)

// sampleURL is the address of a small site that comes with the program. It is
// answered without a connection, so that a first scrape or crawl needs no network
// and no door in the guard.
const sampleURL = "http://sample.localhost/"

//go:embed sample
var sampleSite embed.FS

// sampled answers for the sample site itself and leaves all others to the network.
type sampled struct{ scrape.Fetcher }

// Fetch returns a page of the sample site for an address there.
func (s sampled) Fetch(ctx context.Context, req fetch.Request) (*fetch.Response, error) {
	address, ok := strings.CutPrefix(req.URL, sampleURL)
	if !ok {
		return s.Fetcher.Fetch(ctx, req)
	}
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		address = address[:end]
	}
	response := &fetch.Response{URL: req.URL, Status: http.StatusOK, ContentType: "text/html; charset=utf-8"}
	var err error
	if response.Body, err = sampleSite.ReadFile(sampleFile(address)); err != nil {
		response.Status, response.Body = http.StatusNotFound, []byte("<title>Not found</title>There is no such page.")
		return response, nil
	}
	switch path.Ext(address) {
	case ".txt":
		response.ContentType = "text/plain; charset=utf-8"
	case ".xml":
		response.ContentType = "application/xml"
	}
	return response, nil
}

// sampledBrowser renders all sites but the sample, which no connection leads to.
// Its pages have no scripts, so that a plain request gets them just as well.
type sampledBrowser struct{ scrape.Browser }

// Render refuses what only a browser makes of a page of the sample site.
func (s sampledBrowser) Render(ctx context.Context, req browser.Request) (*browser.Result, error) {
	switch {
	case !strings.HasPrefix(req.URL, sampleURL):
		return s.Browser.Render(ctx, req)
	case req.Screenshot != nil || len(req.Actions) > 0:
		return nil, trawl.Errorf(trawl.CodeUnsupportedSite,
			"The sample site is part of the program and cannot be opened in a browser: there are no screenshots of it and no actions in it.")
	}
	return nil, browser.ErrNotPage
}

// sampleFile returns the file of a page by its path.
func sampleFile(address string) string {
	switch {
	case address == "":
		address = "index.html"
	case path.Ext(address) == "":
		address += ".html"
	}
	return "sample/" + address
}

// demonstrate scrapes the sample page over HTTP, as a client would, and prints
// the result and how to go on.
func (s *server) demonstrate(ctx context.Context, p *program) error {
	key, err := s.demoKey(ctx, p)
	if err != nil {
		return err
	}
	markdown, err := s.scrapeSample(ctx, key)
	if err != nil {
		return fmt.Errorf("scrape sample page: %w", err)
	}
	shown := s.key
	if shown == "" {
		shown = "YOUR_KEY"
	}
	fmt.Fprintf(p.stdout, `
Scraped %s:

%s

The same with any page:

  curl %s/v2/scrape -H 'Authorization: Bearer %s' --json '{"url": "https://example.com"}'

`, sampleURL, indent(markdown), s.localURL(), shown)
	if s.key == "" {
		fmt.Fprintln(p.stdout, "YOUR_KEY is the key printed at the first start; \"trawl keys create\" makes another.")
	}
	fmt.Fprintf(p.stdout, "The API is described at %s/docs. Stop the server with Ctrl-C.\n", s.localURL())
	return nil
}

// demoKey returns the first key, or after the first start one that soon expires.
func (s *server) demoKey(ctx context.Context, p *program) (string, error) {
	if s.key != "" {
		return s.key, nil
	}
	team, err := defaultTeam(ctx, s.store)
	if err != nil {
		return "", err
	}
	secret := trawl.NewSecret()
	key := trawl.Key{TeamID: team.ID, Name: "demo", ExpiresAt: p.now().Add(time.Minute)}
	_, err = s.store.CreateKey(ctx, key, secret)
	return secret, err
}

func (s *server) scrapeSample(ctx context.Context, key string) (string, error) {
	body := strings.NewReader(`{"url": "` + sampleURL + `"}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.localURL()+"/v2/scrape", body)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	transport := egress.Infrastructure()
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var answer struct {
		Error string
		Data  struct{ Markdown string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", errors.New(answer.Error)
	}
	return answer.Data.Markdown, nil
}

func indent(text string) string {
	indented := "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
	return strings.ReplaceAll(indented, "\n  \n", "\n\n")
}
