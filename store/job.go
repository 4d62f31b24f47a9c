package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// NewJob is what starts a job.
type NewJob struct {
	trawl.Job               // its ids, kind, URL, request, retention and warning
	Base      string        // canonical address that a crawl starts at
	Options   []byte        // JSON of the options that pages are scraped with
	Pages     []Target      // the first ones
	Limit     int           // most pages
	Most      int           // most pages at a time; 0 means those of the team
	Delay     time.Duration // between two pages
	Seal      []byte        // key for the documents, under zero data retention
	Discover  bool          // a task looks for more pages: for those of an extract at once, for others when the first one is done
	Hold      bool          // other pages wait for the end of that
	Tracks    bool          // a task adds pages that are known from before, once the others are done
	PublicURL string        // what addresses of this service begin with; may be empty
	Webhook   *trawl.Webhook
	Denied    *Failure // why the job has no page at all
	Once      string   // key that makes a repeated request fail
	Check     string   // id of the check of a monitor that it is a part of, and that pays for it
}

// Target is an address to be scraped.
type Target struct {
	URL       string
	Canonical string // as links to it are written, if that differs
	Identity  string // empty in a batch, where every address counts
}

// Failure is why a page has no document.
type Failure struct {
	Code trawl.Code
	Text string
}

var (
	insertFrontier = database.NewInsert("pages (job_id, n, team_id, state, url, depth, options, found_on)", "")
	insertSeen     = database.NewInsert("seen (job_id, identity, url_hash, n)", "ON CONFLICT DO NOTHING RETURNING identity")
)

// CreateJob stores a job with its first pages and lets it begin, all or nothing.
// A key for once that was used already gives CodeConflict.
func (s *Store) CreateJob(ctx context.Context, n NewJob) error {
	err := s.teamJobs(ctx, n.TeamID, func(t *jobTx) error { return t.create(ctx, &n) })
	if err != nil {
		return fmt.Errorf("create job: %w", err)
	}
	return nil
}

func (t *jobTx) create(ctx context.Context, n *NewJob) error {
	if err := t.once(ctx, n.Once); err != nil {
		return err
	}
	if err := t.reserve(ctx, n.Kind, n.KeyID); err != nil {
		return err
	}
	j := &jobRow{
		id: n.ID, teamID: n.TeamID, keyID: n.KeyID, kind: n.Kind, state: trawl.StateScraping, base: n.Base, warning: n.Warning,
		zeroRetention: n.ZeroDataRetention, discovering: n.Discover, held: n.Hold, tracks: n.Tracks, webhook: wanted(n.Kind, n.Webhook),
		limit: int64(n.Limit), concurrency: int64(n.Most), delay: n.Delay.Milliseconds(),
		expires: t.now + t.s.retention.Milliseconds(), checkID: n.Check,
	}
	_, err := t.tx.Exec(ctx, `INSERT INTO jobs (id, team_id, key_id, kind, state, url, request, zero_data_retention, seal, base, public_url,
		page_limit, concurrency, delay, next_start, discovering, held, webhook, courier, last_page, last_event, queued, total, completed, failed,
		over_limit, sighted, robots_blocked, credits, error, warning, created_at, finished_at, expires_at, tracks, check_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, $15, $16, $17, $18, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', $19, $20, 0, $21, $22, $23)`,
		n.ID, n.TeamID, n.KeyID, n.Kind, j.state, n.URL, string(n.Request), n.ZeroDataRetention, n.Seal, j.base, n.PublicURL,
		j.limit, j.concurrency, j.delay, n.Discover, n.Hold, j.webhook, 0, n.Warning, t.now, j.expires, n.Tracks, n.Check)
	if err != nil {
		return err
	}
	t.jobs[j.id] = j
	if err := t.addOptions(ctx, j.id, 1, n.Options); err != nil {
		return err
	}
	if err := t.addFirst(ctx, j, n.Pages, 1); err != nil {
		return err
	}
	if n.Discover && n.Kind == trawl.KindExtract {
		t.tasks = append(t.tasks, newTask(QueueExtract, DiscoverTask{Job: j.id}))
	}
	if n.Denied != nil {
		if err := t.deny(ctx, j, n.URL, n.Denied); err != nil {
			return err
		}
	}
	if err := t.addEvents(ctx, j, event{kind: trawl.EventStarted}); err != nil {
		return err
	}
	return t.noteActivity(ctx, n)
}

// once marks a key as used.
func (t *jobTx) once(ctx context.Context, key string) error {
	if key == "" {
		return nil
	}
	added, err := t.tx.Exec(ctx, "INSERT INTO idempotency_keys (team_id, hash, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
		t.team, textDigest(key), t.now)
	if err == nil && added == 0 {
		return trawl.Errorf(trawl.CodeConflict, "Idempotency key already used")
	}
	return err
}

func (t *jobTx) addOptions(ctx context.Context, job string, n int64, body []byte) error {
	_, err := t.tx.Exec(ctx, "INSERT INTO job_options (job_id, n, body) VALUES ($1, $2, $3)", job, n, string(body))
	return err
}

// addFirst queues pages that a request named, some at a time as there may be many.
func (t *jobTx) addFirst(ctx context.Context, j *jobRow, targets []Target, options int64) error {
	for some := range slices.Chunk(targets, portion) {
		var pages, seen []any
		for _, target := range some {
			j.lastPage++
			pages = append(pages, j.id, j.lastPage, t.team, 0, target.URL, 0, options, 0)
			if target.Identity != "" {
				seen = append(seen, j.id, digest(target.Identity), digest(cmp.Or(target.Canonical, target.URL)), j.lastPage)
			}
		}
		if err := insertFrontier.Run(ctx, t.tx, pages); err != nil {
			return err
		}
		if err := insertSeen.Run(ctx, t.tx, seen); err != nil {
			return err
		}
	}
	j.queued += int64(len(targets))
	j.total += int64(len(targets))
	return nil
}

// deny lists an address among the failures of a job, though it does not count as
// a page that was attempted.
func (t *jobTx) deny(ctx context.Context, j *jobRow, url string, why *Failure) error {
	j.lastPage++
	id, err := newID()
	if err != nil {
		return err
	}
	_, err = t.tx.Exec(ctx, `INSERT INTO pages (job_id, n, team_id, state, url, depth, options, id, code, error, finished_at)
		VALUES ($1, $2, $3, 3, $4, 0, 1, $5, $6, $7, $8)`, j.id, j.lastPage, t.team, url, id, string(why.Code), why.Text, t.now)
	return err
}

// noteActivity puts the job on the list of what the team did.
func (t *jobTx) noteActivity(ctx context.Context, n *NewJob) error {
	if n.ZeroDataRetention {
		return nil
	}
	target := n.URL
	if target == "" && len(n.Pages) > 0 {
		target = n.Pages[0].URL
	}
	return insertRecords.Run(ctx, t.tx, []any{t.team, n.ID, n.KeyID, n.Kind, trawl.WithoutPassword(target), t.now,
		t.now + t.s.retention.Milliseconds(), "", []byte(nil), []byte(nil), 0, 0, "", ""})
}

// AppendPages adds pages to a running batch. If the team has no such batch the
// error has CodeNotFound; if it is over, CodeConflict.
func (s *Store) AppendPages(ctx context.Context, teamID, id string, options []byte, targets []Target, once string) error {
	err := s.teamJobs(ctx, teamID, func(t *jobTx) error {
		j, err := t.job(ctx, id)
		if err != nil {
			return err
		}
		if j == nil || j.kind != trawl.KindBatch {
			return errNoJob(trawl.KindBatch)
		}
		if !j.running() {
			return trawl.Errorf(trawl.CodeConflict, "The batch is over: it is %s.", j.state)
		}
		if err := t.once(ctx, once); err != nil {
			return err
		}
		var last int64
		if err := t.tx.QueryRow(ctx, "SELECT MAX(n) FROM job_options WHERE job_id = $1", id).Scan(&last); err != nil {
			return err
		}
		if err := t.addOptions(ctx, id, last+1, options); err != nil {
			return err
		}
		return t.addFirst(ctx, j, targets, last+1)
	})
	if err != nil {
		return fmt.Errorf("append to batch: %w", err)
	}
	return nil
}

// CancelJob ends a job before its time. Cancelling a cancelled job changes
// nothing; one that is over otherwise gives CodeConflict.
func (s *Store) CancelJob(ctx context.Context, teamID, kind, id string) error {
	err := s.teamJobs(ctx, teamID, func(t *jobTx) error {
		j, err := t.job(ctx, id)
		switch {
		case err != nil:
			return err
		case j == nil || j.kind != kind:
			return errNoJob(kind)
		case j.state == trawl.StateCancelled:
			return nil
		case !j.running():
			return trawl.Errorf(trawl.CodeConflict, "%s is already %s", kindName(kind), j.state)
		}
		return t.stop(ctx, j, trawl.StateCancelled)
	})
	if err != nil {
		return fmt.Errorf("cancel job: %w", err)
	}
	return nil
}

func kindName(kind string) string {
	switch kind {
	case trawl.KindCrawl:
		return "Crawl"
	case trawl.KindExtract:
		return "Extract"
	}
	return "Batch scrape"
}

// stop ends a job while pages of it are queued or running; those do not count as
// attempted any more, and what becomes of them is not stored.
func (t *jobTx) stop(ctx context.Context, j *jobRow, state string) error {
	if _, err := t.tx.Exec(ctx, "UPDATE pages SET state = 5 WHERE job_id = $1 AND team_id = $2 AND state = 1", j.id, t.team); err != nil {
		return err
	}
	j.total = j.completed + j.failed
	t.end(j, state)
	return nil
}

func errNoJob(kind string) error {
	if kind == trawl.KindExtract {
		return trawl.Errorf(trawl.CodeNotFound, "Extract job not found")
	}
	return trawl.Errorf(trawl.CodeNotFound, "Job not found")
}

const jobColumns = `id, team_id, key_id, kind, state, url, request, zero_data_retention, total, completed, failed, credits, tokens, error, warning,
	robots_blocked, created_at, finished_at, expires_at`

func scanJob(r database.Row) (j trawl.Job, err error) {
	var request string
	var created, finished, expires int64
	err = r.Scan(&j.ID, &j.TeamID, &j.KeyID, &j.Kind, &j.State, &j.URL, &request, &j.ZeroDataRetention, &j.Total, &j.Completed, &j.Failed,
		&j.Credits, &j.Tokens, &j.Error, &j.Warning, &j.RobotsBlocked, &created, &finished, &expires)
	j.Request, j.CreatedAt, j.FinishedAt, j.ExpiresAt = []byte(request), moment(created), moment(finished), moment(expires)
	return j, err
}

// Job returns a job of the team. If the team has none with that id and kind, or
// it has expired, the error has CodeNotFound. What runs never expires.
func (s *Store) Job(ctx context.Context, teamID, kind, id string) (trawl.Job, error) {
	j, err := scanJob(s.db.Read().QueryRow(ctx, "SELECT "+jobColumns+" FROM jobs WHERE id = $1 AND team_id = $2 AND kind = $3", id, teamID, kind))
	switch now := s.now(); {
	case noRows(err):
		return trawl.Job{}, errNoJob(kind)
	case err != nil:
		return trawl.Job{}, fmt.Errorf("read job: %w", err)
	case !j.Done():
		j.ExpiresAt = now.Add(s.retention)
	case !now.Before(j.ExpiresAt):
		return trawl.Job{}, trawl.Errorf(trawl.CodeNotFound, "Job expired")
	}
	return j, nil
}

// Jobs lists the jobs of a team that have not expired, newest first, at most limit of
// them; of one kind and in one state, unless these are empty. The cursor works as that
// of [Store.Activity].
func (s *Store) Jobs(ctx context.Context, teamID, kind, state string, limit int, cursor string) (list []trawl.Job, next string, err error) {
	before, err := startAt(cursor)
	if err != nil {
		return nil, "", err
	}
	now := s.now()
	list, err = database.Collect(ctx, s.db.Read(), scanJob, "SELECT "+jobColumns+` FROM jobs
		WHERE team_id = $1 AND id < $2 AND kind <> 'monitor' AND (state = 'scraping' OR expires_at > $3) AND ($4 = '' OR kind = $4) AND ($5 = '' OR state = $5)
		ORDER BY id DESC LIMIT $6`, teamID, before, millis(now), kind, state, limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list jobs: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	for i := range list {
		if !list[i].Done() {
			list[i].ExpiresAt = now.Add(s.retention)
		}
	}
	return list, next, nil
}

// mostOrdered is how many of the addresses of a batch are told again.
const mostOrdered = 1000

// JobOrder returns a job of a team and the first addresses that a batch was made with,
// or CodeNotFound.
func (s *Store) JobOrder(ctx context.Context, teamID, id string) (j trawl.Job, addresses []string, err error) {
	kind, err := scanString(s.db.Read().QueryRow(ctx, "SELECT kind FROM jobs WHERE id = $1 AND team_id = $2", id, teamID))
	if noRows(err) {
		return j, nil, errNoJob("")
	}
	if err == nil {
		j, err = s.Job(ctx, teamID, kind, id)
	}
	if err == nil && kind == trawl.KindBatch {
		addresses, err = database.Collect(ctx, s.db.Read(), scanString, "SELECT url FROM pages WHERE job_id = $1 ORDER BY n LIMIT $2", id, mostOrdered)
	}
	if err != nil {
		return j, nil, fmt.Errorf("read job: %w", err)
	}
	return j, addresses, nil
}

// ActiveJobs returns the running jobs of a kind, oldest first.
func (s *Store) ActiveJobs(ctx context.Context, teamID, kind string) ([]trawl.Job, error) {
	jobs, err := database.Collect(ctx, s.db.Read(), scanJob,
		"SELECT "+jobColumns+" FROM jobs WHERE team_id = $1 AND state = 'scraping' AND kind = $2 ORDER BY id", teamID, kind)
	if err != nil {
		return nil, fmt.Errorf("list active jobs: %w", err)
	}
	return jobs, nil
}

// JobUsage returns how many pages of a team's jobs run and how many wait.
func (s *Store) JobUsage(ctx context.Context, teamID string) (running, queued int, err error) {
	err = s.db.Read().QueryRow(ctx, "SELECT COUNT(*) FROM pages WHERE team_id = $1 AND state = 1", teamID).Scan(&running)
	if err == nil {
		err = s.db.Read().QueryRow(ctx, "SELECT CAST(COALESCE(SUM(queued), 0) AS BIGINT) FROM jobs WHERE team_id = $1 AND state = 'scraping'", teamID).Scan(&queued)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("count pages: %w", err)
	}
	return running, queued, nil
}
