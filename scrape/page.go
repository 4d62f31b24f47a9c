package scrape

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/fetch"
)

// page is a fetched page, fresh or from the cache: everything that documents
// are derived from.
type page struct {
	version     string // id in the cache; empty for a fresh page
	blob, key   string // where the body of a cached page is, and its key
	target      string // canonical address that was asked for
	finalURL    string
	status      int
	contentType string
	language    string // that the server declared
	proxy       string // as metadata reports it
	cacheState  string
	fetchedAt   time.Time
	retryAfter  string
	timeZone    string        // that was emulated
	waited      time.Duration // for a browser
	warning     string
	faulty      bool   // it is not what another request should get from the cache
	partial     bool   // it is not all that a reader would see
	size        int64  // of a cached page
	body        []byte // of a cached page, only once it is needed
	release     func() // gives back the room that a large page takes; may be nil

	sign content.Sign // whether it is what a reader would see
	text []byte       // see source
	tree *content.Page

	upload bool             // it came with the request
	format document.Kind    // of a document; see kind
	known  kind             // see kind
	file   *document.Result // what a document says, once it was read

	picture *trawl.File          // of the whole page, if it was asked for
	actions *trawl.ActionResults // of what was done in the page
	files   []trawl.File         // fresh pictures that are to be stored

	measured json.RawMessage // how it looks, if that was asked for
}

// free gives back the room of a page that is done with.
func (p *page) free() {
	if p != nil && p.release != nil {
		p.release()
	}
}

// fault takes down what is wrong with a page as it was fetched.
func (p *page) fault(warning string) { p.warning, p.faulty = warning, true }

// lack takes down why a page is not all that a reader would see.
func (p *page) lack(warning string) {
	p.fault(warning)
	p.partial = true
}

// warn takes down what its reader should know beside that.
func (p *page) warn(text string) { p.warning = strings.TrimSpace(p.warning + " " + text) }

// mostLarge is how many large pages there may be at a time, from the moment they
// turn out to be large until they are stored, or as many as there are cores. Others
// wait for them: their trees and documents take many times their size.
const mostLarge = 4

// room waits until there is room for one more large page.
func (s *Scraper) room(ctx context.Context) (release func(), err error) {
	select {
	case s.large <- struct{}{}:
		return sync.OnceFunc(func() { <-s.large }), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fetchThrough gets the page by a plain request.
func (s *Scraper) fetchThrough(ctx context.Context, req *Request, target string, enhanced bool) (*page, error) {
	var release func()
	resp, err := s.Fetch.Fetch(ctx, fetch.Request{
		Large: func(ctx context.Context) (err error) {
			release, err = s.room(ctx)
			return err
		},
		URL:       target,
		Headers:   req.Headers,
		Languages: req.Languages(),
		Country:   req.Country(),
		Mobile:    req.Mobile,
		SkipTLS:   req.SkipTLS(),
		Enhanced:  enhanced,
	})
	if err != nil {
		if release != nil {
			release()
		}
		return nil, err
	}
	p := &page{
		release: release, target: target, finalURL: resp.URL, status: resp.Status, contentType: resp.ContentType,
		language: resp.Header.Get("Content-Language"), retryAfter: resp.Header.Get("Retry-After"),
		proxy: trawl.ProxyBasic, fetchedAt: s.Now(), body: resp.Body,
	}
	if enhanced {
		p.proxy = trawl.ProxyStealth
	}
	return p, nil
}

// kind is what the bytes of a page are, judged by content before label.
type kind int

const (
	kindUnknown kind = iota
	kindText         // HTML and everything else that is text
	kindFile         // a document; which one is the page's format
	kindOther
)

// kind looks at the bytes of a page, once they are there.
func (p *page) kind() kind {
	if len(p.body) == 0 {
		return kindText
	}
	if p.known == kindUnknown {
		p.known = p.judgeKind()
	}
	return p.known
}

func (p *page) judgeKind() kind {
	label, _, _ := mime.ParseMediaType(p.contentType)
	sniffed, _, _ := mime.ParseMediaType(http.DetectContentType(p.body))
	p.format = document.Sniff(p.body, fileName(p.finalURL), p.contentType)
	switch {
	case p.format == document.PDF && textual(sniffed) && textual(label): // it only mentions how such files begin
		return kindText
	case p.format != document.Unknown && p.format != document.HTML:
		return kindFile
	case textual(sniffed):
		return kindText
	case sniffed != "application/octet-stream": // which only means that it is not known
		return kindOther
	case textual(label):
		return kindText
	}
	return kindOther
}

// fileName returns the last part of the path of an address.
func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

// textual reports whether a media type is made of characters.
func textual(mediaType string) bool {
	switch mediaType {
	case "application/json", "application/xml", "application/javascript", "application/x-javascript",
		"application/ecmascript", "application/yaml", "application/toml", "application/x-ndjson":
		return true
	}
	return strings.HasPrefix(mediaType, "text/") ||
		strings.HasSuffix(mediaType, "+json") || strings.HasSuffix(mediaType, "+xml")
}
