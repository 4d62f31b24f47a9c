package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape/source"
)

// sampleURL is the address of a small site that comes with the program. It is
// answered without a connection, so that a first scrape or crawl needs no network
// and no door in the guard.
const (
	sampleHost = "sample.localhost"
	sampleURL  = "http://" + sampleHost + "/"
)

//go:embed sample
var sampleSite embed.FS

// sampled answers for the sample site itself and leaves all others to the network.
type sampled struct{ source.Fetcher }

// Fetch returns a page of the sample site for an address there.
func (s sampled) Fetch(ctx context.Context, req fetch.Request) (*fetch.Response, error) {
	u, err := url.Parse(req.URL)
	if err != nil || u.Scheme != "http" || u.Host != sampleHost {
		return s.Fetcher.Fetch(ctx, req)
	}
	status, contentType, body := samplePage(u.Path)
	return &fetch.Response{URL: req.URL, Status: status, ContentType: contentType, Body: body}, nil
}

// sampleHandler answers for the sample site in a browser.
func sampleHandler(w http.ResponseWriter, r *http.Request) {
	status, contentType, body := samplePage(r.URL.Path)
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// samplePage returns what the sample site answers.
func samplePage(address string) (status int, contentType string, body []byte) {
	address = strings.TrimPrefix(address, "/")
	contentType = "text/html; charset=utf-8"
	body, err := sampleSite.ReadFile(sampleFile(address))
	if err != nil {
		return http.StatusNotFound, contentType, []byte("<title>Not found</title>There is no such page.")
	}
	switch path.Ext(address) {
	case ".txt":
		contentType = "text/plain; charset=utf-8"
	case ".xml":
		contentType = "application/xml"
	}
	return http.StatusOK, contentType, body
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

// demonstrate prints where the console is, scrapes the sample page over HTTP, as a
// client would, and prints the result and how to go on.
func (s *server) demonstrate(ctx context.Context, p *program) error {
	if address := s.consoleURL(); address != "" {
		fmt.Fprintf(p.stdout, "Console: %s\n", address)
	}
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

// consoleURL returns the address of the console, if there is one. If this start made
// the first key, the address logs in with it: what is behind the # stays in the browser.
func (s *server) consoleURL() string {
	if s.options.Console == "off" {
		return ""
	}
	address := s.localURL() + "/console"
	if s.key != "" {
		address += "#key=" + url.QueryEscape(s.key)
	}
	return address
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
