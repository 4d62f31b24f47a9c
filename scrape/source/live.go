package source

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
)

// Open returns a page that is open in a session, as if it had been fetched.
func (s *Source) Open(ctx context.Context, req *Request, live trawl.LivePage) (*Page, error) {
	p := newPage(Page{
		Body: []byte(live.HTML), Measured: live.Measured,
		Head: Head{Target: req.URL, URL: live.URL, Status: live.Status, ContentType: "text/html; charset=utf-8", Language: live.Language, Proxy: trawl.ProxyBasic, FetchedAt: s.Now()},
	})
	p.Shareable = false
	if len(p.Body) > fetch.LargeBytes {
		var err error
		if p.release, err = s.Room(ctx); err != nil {
			return nil, err
		}
	}
	return p, nil
}
