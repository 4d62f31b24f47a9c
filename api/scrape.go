package api

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape"
)

type scrapeInput struct {
	Body trawl.ScrapeRequest
}

// Validate reports what the schema cannot.
func (in *scrapeInput) Validate() []trawl.Issue { return in.Body.Validate() }

// ScrapeAnswer is the answer to POST /v2/scrape.
type ScrapeAnswer struct {
	Success
	Data *trawl.Document `json:"data" doc:"The document."`
}

// writeJSON writes the answer without encoding again what is sealed already.
func (a *ScrapeAnswer) writeJSON(w io.Writer) error {
	for _, part := range [][]byte{[]byte(`{"success":true,"data":`), a.Data.Seal(), a.Data.Own(), []byte("}\n")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// scraped finds the session whose page is to be read; there is none for an address.
func (s *Server) scraped(ctx context.Context, in *scrapeInput) (x trawl.Session, err error) {
	if in.Body.SessionID == "" {
		return x, nil
	}
	x, err = s.session(ctx, in.Body.SessionID)
	if err == nil && !x.Active() {
		err = trawl.ErrNoSession()
	}
	return x, err
}

// scrape answers POST /v2/scrape.
func (s *Server) scrape(ctx context.Context, in *scrapeInput, x trawl.Session) (*ScrapeAnswer, error) {
	ctx, err := discreetly(ctx, in.Body.ZeroDataRetention)
	if err != nil {
		return nil, err
	}
	if err := s.checkOptions(ctx, &in.Body.ScrapeOptions); err != nil {
		return nil, err
	}
	if x.ID != "" {
		doc, err := s.scrapeLive(ctx, in.Body, x.ID)
		if err != nil {
			return nil, err
		}
		return &ScrapeAnswer{Success: yes, Data: doc}, nil
	}
	doc, err := s.scrapePage(ctx, in.Body)
	if err != nil {
		return nil, err
	}
	return &ScrapeAnswer{Success: yes, Data: doc}, nil
}

// scrapePage scrapes a page for the caller once its team has a slot free.
func (s *Server) scrapePage(ctx context.Context, req trawl.ScrapeRequest) (*trawl.Document, error) {
	v := visitOf(ctx)
	return s.inSlot(ctx, v.caller.Team, req.Budget(), func(ctx context.Context, waited time.Duration) (*trawl.Document, error) {
		return s.Scraper.Scrape(ctx, scrape.Request{ScrapeRequest: req, Caller: v.caller, Waited: waited, Base: s.baseURL(v.request)})
	})
}

// scrapeLive makes a document of the page that is open in a session.
func (s *Server) scrapeLive(ctx context.Context, req trawl.ScrapeRequest, session string) (*trawl.Document, error) {
	v := visitOf(ctx)
	return s.inSlot(ctx, v.caller.Team, req.Budget(), func(ctx context.Context, waited time.Duration) (*trawl.Document, error) {
		return s.Scraper.Live(ctx, scrape.Request{ScrapeRequest: req, Caller: v.caller, Waited: waited, Base: s.baseURL(v.request)},
			func(ctx context.Context, want trawl.LiveOrder) (trawl.LivePage, error) {
				return s.Sessions.Live(ctx, session, want)
			})
	})
}

// discreetly returns the context of a request that asks for zero data retention,
// or does not.
func discreetly(ctx context.Context, asked bool) (context.Context, error) {
	if !asked {
		return ctx, nil
	}
	v := visitOf(ctx)
	if !v.caller.Team.ZeroDataRetention {
		return nil, trawl.Errorf(trawl.CodeForbidden, "Zero data retention is not enabled for your team.")
	}
	v.discreet = true
	return trawl.Discreetly(ctx), nil
}

// storedDocument is a document as it was stored; on the wire it is one.
type storedDocument json.RawMessage

// MarshalJSON returns the document as it is.
func (d storedDocument) MarshalJSON() ([]byte, error) { return d, nil }

// PastScrape is the answer to GET /v2/scrape/{id}.
type PastScrape struct {
	Success
	Data storedDocument `json:"data" doc:"The document as it was returned."`
}

// pastScrape answers GET /v2/scrape/{id}.
func (s *Server) pastScrape(ctx context.Context, in *IDInput) (*PastScrape, error) {
	doc, err := s.Store.Document(ctx, visitOf(ctx).caller.Team.ID, strings.ToLower(in.ID))
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		return nil, trawl.Errorf(trawl.CodeNotFound, "Job not found.")
	}
	if err != nil {
		return nil, err
	}
	return &PastScrape{Success: yes, Data: doc}, nil
}
