package scrape

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
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
	size        int64  // of a cached page
	body        []byte // of a cached page, only once it is needed
	release     func() // gives back the room that a large page takes; may be nil
}

// free gives back the room of a page that is done with.
func (p *page) free() {
	if p != nil && p.release != nil {
		p.release()
	}
}

// mostLarge is how many large pages there may be at a time, from the moment they
// turn out to be large until they are stored. Others wait for them: their trees
// and documents take many times their size.
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

// fetchPage gets the page from the network. With proxy auto, a page that the
// basic way fails to get is tried once more through the enhanced proxies, and
// the first attempt may only take half of the time.
func (s *Scraper) fetchPage(ctx context.Context, req *Request, target string) (*page, error) {
	enhanced := s.Fetch.HasEnhanced(req.Country())
	if req.UsesEnhanced() && enhanced {
		return s.fetchThrough(ctx, req, target, true)
	}
	if req.Proxy != trawl.ProxyAuto || !enhanced {
		return s.fetchThrough(ctx, req, target, false)
	}
	first, err := s.fetchFirst(ctx, req, target)
	if !blocked(first, err) || ctx.Err() != nil {
		return first, err
	}
	second, retryErr := s.fetchThrough(ctx, req, target, true)
	if !blocked(second, retryErr) {
		first.free()
		return second, retryErr
	}
	second.free()
	return first, err
}

func (s *Scraper) fetchFirst(ctx context.Context, req *Request, target string) (*page, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	return s.fetchThrough(ctx, req, target, false)
}

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

// blocked reports whether the site, or the way to it, turned the request away:
// what another proxy may mend. A name that does not exist or an address that is
// off limits stays so through any proxy.
func blocked(p *page, err error) bool {
	if err != nil {
		switch trawl.ErrorCode(err) {
		case trawl.CodeSite, trawl.CodeTLS, trawl.CodeProxy, trawl.CodeTimeout:
			return true
		}
		return false
	}
	switch p.status {
	case http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	}
	return false
}

// kind is what the bytes of a page are, judged by content before label.
type kind int

const (
	kindText kind = iota // HTML and everything else that is text
	kindPDF
	kindOther
)

func (p *page) kind() kind {
	if len(p.body) == 0 {
		return kindText
	}
	label, _, _ := mime.ParseMediaType(p.contentType)
	sniffed, _, _ := mime.ParseMediaType(http.DetectContentType(p.body))
	switch {
	case sniffed == "application/pdf":
		return kindPDF
	case textual(sniffed):
		return kindText
	case sniffed != "application/octet-stream": // which only means that it is not known
		return kindOther
	case textual(label):
		return kindText
	case bytes.Contains(p.body[:min(len(p.body), 1024)], []byte("%PDF-")):
		return kindPDF
	}
	return kindOther
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
