package source

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/fetch"
)

// get gets the page by a plain request.
func (s *Source) get(ctx context.Context, req *Request, enhanced bool) (*Page, error) {
	var release func()
	resp, err := s.Client.Fetch(ctx, fetch.Request{
		Large: func(ctx context.Context) (err error) {
			release, err = s.Room(ctx)
			return err
		},
		URL:       req.URL,
		Headers:   req.Headers,
		Languages: req.Languages,
		Country:   req.Country,
		Mobile:    req.Mobile,
		SkipTLS:   req.SkipTLS,
		Enhanced:  enhanced,
	})
	if err != nil {
		if release != nil {
			release()
		}
		return nil, err
	}
	return newPage(Page{
		release: release, Body: resp.Body,
		Head: Head{
			Target: req.URL, URL: resp.URL, Status: resp.Status, ContentType: resp.ContentType,
			Language: resp.Header.Get("Content-Language"), RetryAfter: resp.Header.Get("Retry-After"),
			Proxy: proxyName(enhanced), FetchedAt: s.Now(),
		},
	}), nil
}

// proxyName is how metadata reports the proxy that was used.
func proxyName(enhanced bool) string {
	if enhanced {
		return trawl.ProxyStealth
	}
	return trawl.ProxyBasic
}

// judge says whether a page is what a reader would see, and notes the file that it
// shows. Large pages have their content; to keep their trees would take too much
// memory.
func (s *Source) judge(ctx context.Context, p *Page) content.Sign {
	if p.Kind != Text || len(p.Body) > fetch.LargeBytes {
		return content.Complete
	}
	done, err := s.Parse(ctx, len(p.Body))
	if err != nil {
		return content.Complete
	}
	defer done()
	_, tree := p.Tree()
	p.shows = tree.ShownFile()
	return tree.Sign(p.Status)
}
