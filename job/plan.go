package job

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/schema"
	"github.com/trawlhq/trawl/search"
	"github.com/trawlhq/trawl/store"
)

const (
	planKey      = "plan" // among the answers of a job; others are hashes
	mostSearched = 5      // pages of a web search
	mostQuery    = 400    // characters of it
	searchTime   = 30 * time.Second
	huntsAtOnce  = 2
	askingAtOnce = 8 // for robots.txt
)

// plan is which pages an extract reads, and what is to be known of that. It is
// kept before the first page is read: so every node has the same one, and a node
// that dies leaves none behind that is half done.
type plan struct {
	Pages   []string        `json:"pages"`
	Schema  json.RawMessage `json:"schema,omitempty"` // that makes pages answer alike, if the caller gave none
	Tokens  int64           `json:"tokens,omitempty"` // that this took
	Warning string          `json:"warning,omitempty"`
}

// schema returns the schema of the plan, if it has one.
func (p *plan) schema() (*schema.Schema, error) {
	if len(p.Schema) == 0 {
		return nil, nil
	}
	var raw any
	if err := json.Unmarshal(p.Schema, &raw); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	compiled, err := schema.Compile(raw)
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return compiled, nil
}

// planOf reads the plan of an extract. It has no pages if there is none yet.
func (e *Engine) planOf(ctx context.Context, s *spec) (*plan, error) {
	p := &plan{}
	body, ok, err := e.Store.Answer(ctx, s.ID, planKey)
	if err != nil || !ok {
		return p, err
	}
	if err := json.Unmarshal(body, p); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return p, nil
}

// plan chooses the pages of an extract and queues them. One that is made is only
// queued, however often its task is handed out again.
func (e *Engine) plan(ctx context.Context, s *spec, attempt int) error {
	p, err := e.planOf(ctx, s)
	if err != nil {
		return err
	}
	if len(p.Pages) > 0 {
		return e.queuePlan(ctx, s, p)
	}
	return e.step(ctx, s, attempt, func(ctx context.Context, s *spec) error {
		p, err := e.draft(ctx, s)
		if err != nil {
			return err
		}
		body, err := json.Marshal(p)
		if err != nil {
			return fmt.Errorf("keep plan: %w", err)
		}
		if err := persist(ctx, func() error { return e.Store.KeepAnswer(ctx, s.ID, planKey, body) }); err != nil {
			return err
		}
		return e.queuePlan(ctx, s, p)
	})
}

// queuePlan queues the pages of a plan, unless they are.
func (e *Engine) queuePlan(ctx context.Context, s *spec, p *plan) error {
	links := make([]store.Link, len(p.Pages))
	for i, page := range p.Pages {
		links[i] = store.Link{URL: page, Identity: page} // each is one of its own
	}
	return e.addLinks(ctx, s, links, true, nil)
}

// draft makes a plan.
func (e *Engine) draft(ctx context.Context, s *spec) (*plan, error) {
	options, err := e.optionsOf(ctx, s, 1)
	if err != nil {
		return nil, err
	}
	c, err := newChoice(s.extract)
	if err != nil {
		return nil, err
	}
	globs, _ := s.extract.Split()
	c.name(singlesOf(globs))
	hunts, err := e.huntAll(ctx, s, options, globs)
	if err != nil {
		return nil, err
	}
	searched, warning := e.searched(ctx, s)
	c.warnings = append(c.warnings, warning)
	c.hunted(hunts)
	if searched, err = e.permitted(ctx, c.fresh(searched)); err != nil {
		return nil, err
	}
	if err := e.pick(ctx, c, searched); err != nil {
		return nil, err
	}
	if len(c.pages) == 0 {
		return nil, nothingFound(hunts)
	}
	p := &plan{Pages: c.pages, Warning: join(append(c.warnings, complaints(hunts)...)...)}
	return p, e.design(ctx, s, p)
}

// design has a schema made for a plan of several pages, if the caller gave none.
func (e *Engine) design(ctx context.Context, s *spec, p *plan) error {
	if s.extract.Schema != nil || len(p.Pages) < 2 {
		return nil
	}
	ctx, cancel := s.asking(ctx)
	defer cancel()
	made, tokens, err := s.extract.extractor.Plan(ctx, s.extract.want)
	if err != nil {
		return unanswered(ctx, err)
	}
	p.Tokens = int64(tokens)
	if made != nil {
		p.Schema = made.JSON()
	}
	return nil
}

// huntAll looks for the pages of all globs.
func (e *Engine) huntAll(ctx context.Context, s *spec, options *trawl.ScrapeOptions, globs []trawl.Glob) ([]*hunt, error) {
	var hunts []*hunt
	group := errgroup.Group{}
	group.SetLimit(huntsAtOnce)
	words := crawl.WordsOf(extract.Terms(s.extract.want))
	for _, glob := range globs {
		if glob.Single() {
			continue
		}
		h := &hunt{engine: e, spec: s, options: options, glob: glob, words: words, limit: s.extract.Limit, enough: max(enoughFor*s.extract.Limit, enoughAnyway)}
		hunts = append(hunts, h)
		group.Go(func() error { return h.run(ctx) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return hunts, ctx.Err()
}

// searched returns what a web search finds, if one is wanted.
func (e *Engine) searched(ctx context.Context, s *spec) (pages []string, warning string) {
	x := s.extract
	if !x.EnableWebSearch || e.Config.Search == nil {
		return nil, ""
	}
	text := []rune(strings.Join(strings.Fields(x.Prompt), " "))
	if len(text) == 0 {
		text = []rune(extract.Terms(x.want))
	}
	if len(text) == 0 {
		return nil, "No web search was made: neither the prompt nor the schema has a word to search for."
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	results, err := e.Config.Search.Search(ctx, search.Query{Text: string(text[:min(len(text), mostQuery)]), Limit: mostSearched})
	if err != nil {
		return nil, "The web search failed: " + failureOf(err).Text
	}
	for _, result := range results[:min(len(results), mostSearched)] {
		if page, err := trawl.ParseTarget(result.URL); err == nil {
			pages = append(pages, page)
		}
	}
	return pages, ""
}

// nothingFound says why an extract has no page. A site that is down says it best.
func nothingFound(hunts []*hunt) error {
	for _, h := range hunts {
		if unreachable(h.err) {
			return h.err
		}
	}
	why := cmp.Or(join(complaints(hunts)...), "The robots.txt of the site forbids every page that matches.")
	return trawl.Errorf(trawl.CodeCrawlDenial, "%s", why)
}

// complaints say which globs gave no page, or perhaps not all.
func complaints(hunts []*hunt) []string {
	var list []string
	for _, h := range hunts {
		name := trawl.WithoutPassword(h.glob.Text)
		switch {
		case len(h.found) > 0:
		case h.err != nil:
			list = append(list, fmt.Sprintf("No page was found for %s: %s", name, failureOf(h.err).Text))
		case h.forbidden:
			list = append(list, fmt.Sprintf("The robots.txt of the site forbids every page that matches %s.", name))
		default:
			list = append(list, fmt.Sprintf("No page matches %s.", name))
		}
		if h.cut {
			list = append(list, fmt.Sprintf("There may be more pages that match %s: the links of %d pages were followed, and not of all.", name, h.walked))
		}
	}
	return list
}

// choice is a list of pages in the making, each of which is there once.
type choice struct {
	rules    *crawl.Rules // for the identity of addresses
	words    crawl.Words
	most     int
	seen     map[string]bool
	pages    []string
	found    []trawl.MapLink // that may become pages
	matched  int
	warnings []string
}

func newChoice(x *extracting) (*choice, error) {
	rules, err := crawl.NewRules(&trawl.CrawlRequest{DeduplicateSimilarURLs: true}, "http://localhost/")
	if err != nil {
		return nil, err
	}
	return &choice{rules: rules, words: crawl.WordsOf(extract.Terms(x.want)), most: x.Limit, seen: map[string]bool{}}, nil
}

// fresh returns those pages that were not there before.
func (c *choice) fresh(pages []string) []string {
	return slices.DeleteFunc(slices.Clone(pages), func(page string) bool {
		identity := c.rules.Identity(page)
		known := c.seen[identity]
		c.seen[identity] = true
		return known
	})
}

// name adds the pages that the caller named.
func (c *choice) name(pages []string) {
	pages = c.fresh(pages)
	c.matched += len(pages)
	c.pages = append(c.pages, pages[:min(len(pages), c.most)]...)
}

// hunted takes up what was found.
func (c *choice) hunted(hunts []*hunt) {
	for _, h := range hunts {
		for _, link := range h.found {
			if len(c.fresh([]string{link.URL})) > 0 {
				c.found = append(c.found, link)
			}
		}
	}
	c.found = c.found[:min(len(c.found), mostCandidates)]
	c.matched += len(c.found)
}

// pick fills the list with the best of what was found, as far as robots.txt
// allows, and leaves up to half of the room to the pages of a web search.
func (e *Engine) pick(ctx context.Context, c *choice, searched []string) error {
	room := c.most - len(c.pages)
	searched = searched[:min(len(searched), max(room/2, room-len(c.found)))]
	room -= len(searched)
	c.found = c.words.Best(c.found, room)
	var likely []string
	for _, link := range c.found[:min(len(c.found), 2*room)] {
		likely = append(likely, link.URL)
	}
	e.askRobots(ctx, likely)
	for _, link := range c.found {
		if room == 0 {
			break
		}
		robots, err := e.robots.get(ctx, link.URL)
		if err != nil {
			return err
		}
		if !robots.Allowed(robotsName, link.URL) {
			c.matched--
			continue
		}
		c.pages = append(c.pages, link.URL)
		room--
	}
	if c.matched > len(c.pages) {
		c.warnings = append(c.warnings, fmt.Sprintf("%d pages matched; the %d that fit best were read.", c.matched, len(c.pages)))
	}
	c.pages = append(c.pages, searched...)
	return nil
}

// permitted returns those pages that robots.txt does not forbid.
func (e *Engine) permitted(ctx context.Context, pages []string) ([]string, error) {
	e.askRobots(ctx, pages)
	var list []string
	for _, page := range pages {
		robots, err := e.robots.get(ctx, page)
		if err != nil {
			return nil, err
		}
		if robots.Allowed(robotsName, page) {
			list = append(list, page)
		}
	}
	return list, nil
}

// askRobots asks the sites of some pages for their robots.txt, several at a time.
func (e *Engine) askRobots(ctx context.Context, pages []string) {
	group := errgroup.Group{}
	group.SetLimit(askingAtOnce)
	asked := map[string]bool{}
	for _, page := range pages {
		if site := siteOf(page); !asked[site] {
			asked[site] = true
			group.Go(func() error {
				_, _ = e.robots.get(ctx, page) // it is remembered
				return nil
			})
		}
	}
	_ = group.Wait()
}
