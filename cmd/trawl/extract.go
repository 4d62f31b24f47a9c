package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

type extractCmd struct {
	options
	URLs []string `arg:"" name:"url" help:"Addresses to extract from. A star stands for anything: 'https://example.com/blog/*' are all pages below /blog."`
	wanted
	System        string `placeholder:"TEXT" help:"How to go about it, in words."`
	Limit         int    `default:"100" placeholder:"N" help:"Most pages to read (${default})."`
	WebSearch     bool   `help:"Look for further pages with a web search."`
	Sources       bool   `help:"Print beside the data which page each value comes from."`
	IgnoreSitemap bool   `help:"Do not read sitemaps when pages are looked for."`
	NoSubdomains  bool   `help:"Leave out subdomains when pages are looked for."`
	Out           string `type:"path" placeholder:"FILE" help:"Write the result to this file instead of standard output."`
}

// Run extracts without a server. What the job has to remember is in a temporary
// folder that is gone afterwards: the operator's own data is not touched.
func (c *extractCmd) Run(ctx context.Context, p *program) error {
	req, err := c.request(p.stdin)
	if err != nil {
		return usageError{err}
	}
	shown := newProgress(p.stderr, p.now)
	defer shown.clear()
	s, err := c.temporary(ctx, p, shown)
	if err != nil {
		return err
	}
	defer s.close()
	team, err := defaultTeam(ctx, s.store)
	if err != nil {
		return err
	}
	receipt, err := s.jobs.Extract(ctx, job.Order{Caller: trawl.Caller{Team: team}}, req)
	if err != nil {
		return explained(err)
	}
	work := trawl.Job{ID: receipt.ID, TeamID: team.ID, Kind: trawl.KindExtract}
	if work, err = follow(ctx, s.jobs, work, nil, shown); err != nil {
		return err
	}
	shown.clear()
	if work.Warning != "" {
		fmt.Fprintf(p.stderr, "trawl: %s\n", work.Warning)
	}
	return c.finish(context.WithoutCancel(ctx), p, s.jobs, &work)
}

// request returns the extract that the flags describe. Pages are seen once, so
// the cache is left out.
func (c *extractCmd) request(stdin io.Reader) (trawl.ExtractRequest, error) {
	req := trawl.DefaultExtractRequest()
	if c.Limit < 1 || c.Limit > trawl.MaxExtractPages {
		return req, fmt.Errorf("--limit: must be from 1 to %d but is %d", trawl.MaxExtractPages, c.Limit)
	}
	for name, text := range map[string]string{"--prompt": c.Prompt, "--system": c.System} {
		if len([]rune(text)) > trawl.MaxPrompt {
			return req, fmt.Errorf("%s: is longer than %d characters", name, trawl.MaxPrompt)
		}
	}
	if c.Prompt == "" && c.Schema == "" {
		return req, errors.New("say what to extract: with --prompt, --schema or both")
	}
	for _, address := range c.URLs {
		if _, err := trawl.ParseGlob(address); err != nil {
			return req, fmt.Errorf("%s: %w", address, err)
		}
	}
	if err := c.wanted.read(stdin); err != nil {
		return req, err
	}
	req.URLs, req.Prompt, req.SystemPrompt, req.Schema = c.URLs, c.Prompt, c.System, c.schema
	req.Limit, req.EnableWebSearch, req.ShowSources = c.Limit, c.WebSearch, c.Sources
	req.IgnoreSitemap, req.IncludeSubdomains, req.IgnoreInvalidURLs = c.IgnoreSitemap, !c.NoSubdomains, false
	req.ScrapeOptions.MaxAge, req.ScrapeOptions.StoreInCache = new(int64), false
	return req, trawl.Invalid(req.Validate())
}

// finish writes what was extracted, or says why nothing was.
func (c *extractCmd) finish(ctx context.Context, p *program, jobs *job.Engine, work *trawl.Job) error {
	switch {
	case work.State == trawl.StateCancelled:
		return errors.New("the extract was cancelled")
	case work.State != trawl.StateCompleted:
		return errors.New("the extract failed: " + work.Error)
	}
	found, err := jobs.Extracted(ctx, work)
	if err != nil {
		return err
	}
	text, err := c.render(found)
	if err != nil {
		return err
	}
	if c.Out == "" {
		_, err = p.stdout.Write(text)
		return err
	}
	if err := os.WriteFile(c.Out, text, 0o644); err != nil {
		_, _ = p.stdout.Write(text) // it was paid for
		return err
	}
	return nil
}

// render returns the data as JSON for people; with their sources if those are
// wanted.
func (c *extractCmd) render(found *job.Extraction) ([]byte, error) {
	if !c.Sources {
		return append([]byte(indented(found.Data)), '\n'), nil
	}
	var b bytes.Buffer
	err := output{JSON: true}.print(&b, struct {
		Data     json.RawMessage     `json:"data"`
		Sources  map[string][]string `json:"sources"`
		Evidence []trawl.Evidence    `json:"evidence"`
	}{found.Data, found.Sources, found.Evidence}, nil)
	return b.Bytes(), err
}
