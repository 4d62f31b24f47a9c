package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// States of a page.
const (
	pageDone    = 2
	pageFailed  = 3
	pageDropped = 4
)

// Spec is what a worker has to know of a job.
type Spec struct {
	ID, TeamID, KeyID, Kind string
	PublicURL               string // what addresses of this service begin with; may be empty
	Request                 []byte
	ZeroDataRetention       bool
	Seal                    []byte
}

// Spec returns what does not change about a job; CodeNotFound if there is none.
func (s *Store) Spec(ctx context.Context, jobID string) (spec Spec, err error) {
	var request string
	err = s.db.Read().QueryRow(ctx, "SELECT id, team_id, key_id, kind, public_url, request, zero_data_retention, seal FROM jobs WHERE id = $1", jobID).
		Scan(&spec.ID, &spec.TeamID, &spec.KeyID, &spec.Kind, &spec.PublicURL, &request, &spec.ZeroDataRetention, &spec.Seal)
	if noRows(err) {
		return spec, errNoJob("")
	}
	if err != nil {
		return spec, fmt.Errorf("read job: %w", err)
	}
	spec.Request = []byte(request)
	return spec, nil
}

// PageOptions returns a set of options that pages of a job are scraped with.
func (s *Store) PageOptions(ctx context.Context, jobID string, n int64) ([]byte, error) {
	var body string
	if err := s.db.Read().QueryRow(ctx, "SELECT body FROM job_options WHERE job_id = $1 AND n = $2", jobID, n).Scan(&body); err != nil {
		return nil, fmt.Errorf("read options: %w", err)
	}
	return []byte(body), nil
}

// Page is a page of a job to be scraped.
type Page struct {
	Number  int64
	URL     string
	Depth   int
	Options int64 // number of its set of options
	StartAt time.Time
	Hidden  bool // no link or sitemap led to it: it is known from before
}

// RunningPages returns those of the pages that are to be scraped still, and
// where the crawl starts, after redirects.
func (s *Store) RunningPages(ctx context.Context, jobID string, numbers []int64) (base string, pages []Page, err error) {
	if len(numbers) == 0 {
		return "", nil, nil
	}
	in, args := database.List(2, numbers)
	pages, err = database.Collect(ctx, s.db.Read(), func(r database.Row) (p Page, err error) {
		var start int64
		err = r.Scan(&p.Number, &p.URL, &p.Depth, &p.Options, &start, &base, &p.Hidden)
		p.StartAt = moment(start)
		return p, err
	}, `SELECT p.n, p.url, p.depth, p.options, p.start_at, j.base, j.last_visible > 0 AND p.n > j.last_visible FROM pages p JOIN jobs j ON j.id = p.job_id
		WHERE p.job_id = $1 AND p.state = 1 AND p.n IN `+in, append([]any{jobID}, args...)...)
	if err != nil {
		return "", nil, fmt.Errorf("read pages: %w", err)
	}
	return base, pages, nil
}

// Base returns where a crawl starts, after redirects.
func (s *Store) Base(ctx context.Context, jobID string) (base string, err error) {
	if err := s.db.Read().QueryRow(ctx, "SELECT base FROM jobs WHERE id = $1", jobID).Scan(&base); err != nil {
		return "", fmt.Errorf("read base: %w", err)
	}
	return base, nil
}

// CountAttempt notes that a page is about to be scraped on its own, and returns
// how often that was noted.
func (s *Store) CountAttempt(ctx context.Context, jobID string, page int64) (attempts int, err error) {
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		return tx.QueryRow(ctx, "UPDATE pages SET attempts = attempts + 1 WHERE job_id = $1 AND n = $2 RETURNING attempts", jobID, page).Scan(&attempts)
	})
	if err != nil {
		return 0, fmt.Errorf("count attempt: %w", err)
	}
	return attempts, nil
}

// FinishedPage is what became of a page of a job.
type FinishedPage struct {
	TeamID, JobID string
	Number        int64
	ScrapeID      string

	// One of these says how it ended.
	Document *PageDocument
	Failure  *Failure
	Robots   bool   // its site's robots.txt forbids it
	Filtered string // rule of the crawl that keeps it out: only its links were wanted

	Identity string // that the page has by the address it ended at; empty if it is the same
	FinalURL string // that address
	Base     string // where the crawl starts, if this page says so
	Delay    time.Duration
	Links    []Link
	Cached   *CachedPage
	Version  *Version // nil unless the page is tracked
	Doubtful bool     // it may have more links another time
}

// PageDocument is the document of a page.
type PageDocument struct {
	Head    Packed
	Tail    []byte
	Size    int // of its JSON
	Credits int64
	Tokens  int64        // of a language model; in an extract they are what is paid, in place of the credits
	Files   []trawl.File // that it has addresses of

	blob string
}

// Link is an address that was found, and what the rules of the crawl say to it.
type Link struct {
	URL      string
	Identity string
	Depth    int
	Fate     string // empty if it is to be scraped
	Detail   string
	Again    bool  // a fate that a shorter way to it may change
	FoundOn  int64 // number of the page that has it; 0 if none does
}

var insertResults = database.NewInsert("results (job_id, seq, id, team_id, page, size, blob_id, head, tail)", "")

// FinishPages stores what became of pages, in one transaction: documents,
// charges, new links, events, the end of jobs, and the start of other pages. A
// page that is no longer running, because it was stored already or its job was
// cancelled, changes nothing: so the same call may be made again after a failure.
// It returns the jobs among those of the pages that are over.
func (s *Store) FinishPages(ctx context.Context, items []FinishedPage) (over []string, err error) {
	if err := s.storePageBlobs(ctx, items); err != nil {
		return nil, fmt.Errorf("finish pages: %w", err)
	}
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		over = nil
		teams := byTeam(slices.Clone(items))                   // which the transaction changes, and may have to begin again
		for _, team := range slices.Sorted(maps.Keys(teams)) { // always in the same order, or two nodes could block each other
			err := s.jobTx(ctx, tx, team, func(t *jobTx) error {
				for _, job := range slices.Sorted(maps.Keys(teams[team])) {
					if err := t.finish(ctx, job, teams[team][job]); err != nil {
						return err
					}
					if j := t.jobs[job]; j != nil && t.settle(j) {
						over = append(over, job)
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("finish pages: %w", err)
	}
	return over, nil
}

// byTeam sorts pages by team and job.
func byTeam(items []FinishedPage) map[string]map[string][]*FinishedPage {
	teams := map[string]map[string][]*FinishedPage{}
	for i := range items {
		item := &items[i]
		if teams[item.TeamID] == nil {
			teams[item.TeamID] = map[string][]*FinishedPage{}
		}
		teams[item.TeamID][item.JobID] = append(teams[item.TeamID][item.JobID], item)
	}
	return teams
}

func (s *Store) storePageBlobs(ctx context.Context, items []FinishedPage) error {
	var blobs []Blob
	for i := range items {
		if d := items[i].Document; d != nil {
			if len(d.Head) > maxInline {
				if d.blob == "" {
					id, err := newID()
					if err != nil {
						return err
					}
					d.blob = id
				}
				blobs = append(blobs, Blob{d.blob, d.Head}) // again, since the last call may have failed before
			}
			blobs = fileBlobs(blobs, d.Files)
		}
		if p := items[i].Cached; p != nil && p.Body != nil {
			blobs = append(blobs, Blob{p.BlobID, p.Body})
		}
		var err error
		if blobs, err = versionBlob(blobs, items[i].Version); err != nil {
			return err
		}
	}
	return s.putBlobs(ctx, blobs)
}

// finish stores the pages of one job.
func (t *jobTx) finish(ctx context.Context, jobID string, items []*FinishedPage) error {
	j, err := t.job(ctx, jobID)
	if err != nil || j == nil {
		return err
	}
	items, err = t.flip(ctx, j, items)
	if err != nil || len(items) == 0 {
		return err
	}
	kept := items[:0:0]
	var links []Link
	for _, item := range items {
		for i := range item.Links {
			item.Links[i].FoundOn = item.Number
		}
		if item.Filtered != "" {
			links = append(links, item.Links...)
		}
		ok, err := t.original(ctx, j, item)
		if err != nil {
			return err
		}
		if ok {
			kept = append(kept, item)
		}
	}
	unpaid, err := t.charge(ctx, j, kept)
	if err != nil {
		return err
	}
	if err := t.storeOutcomes(ctx, j, kept); err != nil {
		return err
	}
	if unpaid != nil {
		return t.fail(ctx, j, *unpaid)
	}
	return t.addLinks(ctx, j, append(links, linksOf(kept)...))
}

// flip marks pages as done and returns those that were running until now. It is
// the fence: only what is flipped here is stored and paid for.
func (t *jobTx) flip(ctx context.Context, j *jobRow, items []*FinishedPage) ([]*FinishedPage, error) {
	byNumber := make(map[int64]*FinishedPage, len(items))
	numbers := make([]int64, len(items))
	for i, item := range items {
		numbers[i] = item.Number
		byNumber[item.Number] = item
	}
	in, args := database.List(3, numbers)
	flipped, err := database.Collect(ctx, t.tx, scanInt,
		"UPDATE pages SET state = 2, finished_at = $2 WHERE job_id = $1 AND state = 1 AND n IN "+in+" RETURNING n",
		append([]any{j.id, t.now}, args...)...)
	if err != nil {
		return nil, err
	}
	slices.Sort(flipped)
	kept := make([]*FinishedPage, len(flipped))
	for i, n := range flipped {
		kept[i] = byNumber[n]
		if kept[i].Base != "" {
			j.base = kept[i].Base
		}
		if n == 1 && j.discovering && j.kind != trawl.KindExtract { // only now is it clear where the crawl starts
			t.tasks = append(t.tasks, newTask(QueueDefault, DiscoverTask{Job: j.id}))
		}
		if j.tracks && kept[i].Doubtful && j.lastVisible == 0 {
			j.lastVisible = doubtful
		}
		if j.delay = max(j.delay, kept[i].Delay.Milliseconds()); j.delay > 0 {
			j.nextStart = t.soon(j, t.now+j.delay) // however late the page began
		}
	}
	return kept, nil
}

// original reports whether a page is one of its own. One that robots.txt forbids,
// or that led to the address of another page, is not: it does not count.
func (t *jobTx) original(ctx context.Context, j *jobRow, item *FinishedPage) (bool, error) {
	if item.Robots {
		j.robots++
		return false, t.drop(ctx, j, item, trawl.FateRobots, "")
	}
	if item.Filtered != "" {
		return false, t.drop(ctx, j, item, trawl.FateFiltered, item.Filtered)
	}
	if item.Identity == "" {
		return true, nil
	}
	identity := digest(item.Identity)
	var claimed bool
	err := insertSeen.Returning(ctx, t.tx, []any{j.id, identity, digest(item.FinalURL), item.Number}, func(database.Row) error {
		claimed = true
		return nil
	})
	if err != nil || claimed {
		return claimed, err
	}
	var owner int64
	err = t.tx.QueryRow(ctx, "SELECT n FROM seen WHERE job_id = $1 AND identity = $2", j.id, identity).Scan(&owner)
	if err != nil || owner == item.Number {
		return err == nil, err
	}
	return false, t.drop(ctx, j, item, trawl.FateDuplicate, item.FinalURL)
}

func (t *jobTx) drop(ctx context.Context, j *jobRow, item *FinishedPage, fate, detail string) error {
	j.total--
	_, err := t.tx.Exec(ctx, "UPDATE pages SET state = $3, code = $4, error = $5 WHERE job_id = $1 AND n = $2",
		j.id, item.Number, pageDropped, fate, detail)
	return err
}

// charge takes the price of documents from the team's balance, in order as far as
// that and the limit of the key go. Documents that they do not cover become failures.
func (t *jobTx) charge(ctx context.Context, j *jobRow, items []*FinishedPage) (unpaid *Failure, err error) {
	var price int64
	for _, item := range items {
		if item.Document == nil {
			continue
		}
		cost, tokens := j.price(item.Document)
		var err error
		if j.checkID == "" { // else it is paid with the check
			err = t.unpaid(ctx, j.keyID, price+cost)
		}
		if err == nil {
			price += cost
			j.tokens += tokens
			continue
		}
		if trawl.ErrorCode(err) != trawl.CodePayment {
			return nil, err
		}
		unpaid = &Failure{Code: trawl.CodePayment, Text: err.Error()}
		item.Document, item.Links, item.Failure = nil, nil, unpaid
	}
	return unpaid, t.pay(ctx, j, price)
}

// storeOutcomes writes documents and failures, and the events about them.
func (t *jobTx) storeOutcomes(ctx context.Context, j *jobRow, items []*FinishedPage) error {
	var results, files []any
	var cached []*CachedPage
	var versions []*Version
	var events []event
	for _, item := range items {
		e := event{kind: trawl.EventPage, page: item.Number}
		if d := item.Document; d != nil {
			j.completed++
			e.seq = j.completed
			head := []byte(d.Head)
			if d.blob != "" {
				head = nil
			}
			results = append(results, j.id, j.completed, item.ScrapeID, t.team, item.Number, d.Size, d.blob, head, d.Tail)
			files = fileRows(files, d.Files, t.now)
			if item.Version != nil {
				versions = append(versions, item.Version)
			}
		} else {
			j.failed++
			if err := t.failPage(ctx, j, item); err != nil {
				return err
			}
		}
		if item.Cached != nil {
			cached = append(cached, item.Cached)
		}
		events = append(events, e)
	}
	if err := insertResults.Run(ctx, t.tx, results); err != nil {
		return err
	}
	if err := insertFiles.Run(ctx, t.tx, files); err != nil {
		return err
	}
	if err := cachePages(ctx, t.tx, cached); err != nil {
		return err
	}
	if err := keepVersions(ctx, t.tx, t.team, versions); err != nil {
		return err
	}
	return t.addEvents(ctx, j, events...)
}

func (t *jobTx) failPage(ctx context.Context, j *jobRow, item *FinishedPage) error {
	_, err := t.tx.Exec(ctx, "UPDATE pages SET state = $3, id = $4, code = $5, error = $6 WHERE job_id = $1 AND n = $2",
		j.id, item.Number, pageFailed, item.ScrapeID, string(item.Failure.Code), item.Failure.Text)
	return err
}

func linksOf(items []*FinishedPage) []Link {
	var links []Link
	for _, item := range items {
		links = append(links, item.Links...)
	}
	return links
}
