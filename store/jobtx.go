package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// jobRow is a row of jobs as a transaction changes it.
type jobRow struct {
	id, teamID, keyID, kind, state, base, err, warning, checkID    string
	zeroRetention, discovering, held, concluding, tracks           bool
	webhook, limit, concurrency, delay, nextStart                  int64
	lastPage, lastVisible, lastEvent, courier                      int64
	queued, total, completed, failed, over, sighted, robots, spent int64
	tokens, finished, expires                                      int64
}

// What lastVisible is for a crawl that may have missed links, before and after the
// pages that are known from before are added: no page of it is called hidden.
const (
	doubtful   = -1
	allVisible = math.MaxInt64
)

const jobRowColumns = `id, team_id, key_id, kind, state, base, error, warning, zero_data_retention, discovering, held, webhook, courier,
	page_limit, concurrency, delay, next_start, last_page, last_event, queued, total, completed, failed, over_limit, sighted,
	robots_blocked, credits, tokens, concluding, tracks, last_visible, finished_at, expires_at, check_id`

func scanJobRow(r database.Row) (*jobRow, error) {
	j := &jobRow{}
	err := r.Scan(&j.id, &j.teamID, &j.keyID, &j.kind, &j.state, &j.base, &j.err, &j.warning, &j.zeroRetention, &j.discovering, &j.held, &j.webhook, &j.courier,
		&j.limit, &j.concurrency, &j.delay, &j.nextStart, &j.lastPage, &j.lastEvent, &j.queued, &j.total, &j.completed, &j.failed, &j.over, &j.sighted,
		&j.robots, &j.spent, &j.tokens, &j.concluding, &j.tracks, &j.lastVisible, &j.finished, &j.expires, &j.checkID)
	return j, err
}

func (j *jobRow) running() bool { return j.state == trawl.StateScraping }

// jobTx is a transaction on the jobs of one team, whose row it holds: nothing of
// the team's jobs changes beside it.
type jobTx struct {
	s           *Store
	tx          database.Tx
	team        string
	credits     *int64 // nil means unlimited
	concurrency int64
	lastSuccess int64 // of the team
	keys        *allowances
	now         int64
	jobs        map[string]*jobRow // that were loaded; saved at the end
	loaded      map[string]jobRow  // as they were
	tasks       []river.InsertManyParams
}

// jobTx runs fn on the jobs of a team, within a transaction that may hold other
// teams already; the teams of one transaction must come in the order of their ids.
func (s *Store) jobTx(ctx context.Context, tx database.Tx, team string, fn func(*jobTx) error) error {
	t := &jobTx{s: s, tx: tx, team: team, keys: newAllowances(tx, team), now: millis(s.now()), jobs: map[string]*jobRow{}, loaded: map[string]jobRow{}}
	err := tx.QueryRow(ctx, "SELECT credits, concurrency, last_success_at FROM teams WHERE id = $1"+s.db.Dialect().ForUpdate, team).Scan(&t.credits, &t.concurrency, &t.lastSuccess)
	if noRows(err) {
		return errNoTeam()
	}
	if err != nil {
		return err
	}
	if t.concurrency == 0 {
		t.concurrency = int64(s.concurrency)
	}
	if err := fn(t); err != nil {
		return err
	}
	for _, j := range t.jobs {
		t.settle(j)
	}
	if err := t.admit(ctx); err != nil {
		return err
	}
	return t.save(ctx)
}

// teamJobs is jobTx in a transaction of its own.
func (s *Store) teamJobs(ctx context.Context, team string, fn func(*jobTx) error) error {
	return s.db.Tx(ctx, func(tx database.Tx) error { return s.jobTx(ctx, tx, team, fn) })
}

// job loads a job of the team; nil if there is none.
func (t *jobTx) job(ctx context.Context, id string) (*jobRow, error) {
	if j, ok := t.jobs[id]; ok {
		return j, nil
	}
	j, err := scanJobRow(t.tx.QueryRow(ctx, "SELECT "+jobRowColumns+" FROM jobs WHERE id = $1 AND team_id = $2", id, t.team))
	if noRows(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t.jobs[id], t.loaded[id] = j, *j
	return j, nil
}

// settle ends a job that has nothing left to do, and reports whether it is over.
// An extract is not: its pages are still to become one answer. Nor is a crawl that
// tracks changes before it has looked at pages that are known from before; one that
// got nothing does not, since its site may be down.
func (t *jobTx) settle(j *jobRow) bool {
	if !j.running() || j.discovering || j.concluding || j.total > j.completed+j.failed {
		return !j.running()
	}
	if j.kind == trawl.KindExtract {
		j.concluding = true
		t.tasks = append(t.tasks, newTask(QueueExtract, ConcludeTask{Job: j.id}))
		return false
	}
	if j.tracks && j.lastVisible <= 0 && j.completed > 0 && j.total < j.limit {
		j.concluding = true
		if j.lastVisible == doubtful {
			j.lastVisible = allVisible
		} else {
			j.lastVisible = j.lastPage
		}
		t.tasks = append(t.tasks, newTask(QueueDefault, ConcludeTask{Job: j.id}))
		return false
	}
	t.end(j, trawl.StateCompleted)
	return true
}

// end gives a job its final state.
func (t *jobTx) end(j *jobRow, state string) {
	j.state, j.finished, j.discovering, j.concluding, j.queued = state, t.now, false, false, 0
	j.expires = t.now + t.s.retention.Milliseconds()
}

// explainEmpty says in the warning of a crawl that ended without any page what left
// its pages out.
func (t *jobTx) explainEmpty(ctx context.Context, j *jobRow) error {
	if j.kind != trawl.KindCrawl || j.state != trawl.StateCompleted || t.loaded[j.id].state == j.state || j.completed+j.failed > 0 {
		return nil
	}
	reasons, err := database.Collect(ctx, t.tx, func(r database.Row) (string, error) {
		var fate, rule string
		var count int
		err := r.Scan(&fate, &rule, &count)
		if fate == trawl.FateRobots {
			rule = "robots.txt"
		}
		return fmt.Sprintf("%d by %s", count, cmp.Or(rule, fate)), err
	}, `SELECT fate, detail, COUNT(*) FROM (SELECT code AS fate, error AS detail FROM pages WHERE job_id = $1
		UNION ALL SELECT fate, detail FROM sightings WHERE job_id = $1) AS seen WHERE fate <> '' GROUP BY fate, detail ORDER BY 3 DESC, 1, 2 LIMIT 5`, j.id)
	if err != nil || len(reasons) == 0 {
		return err
	}
	j.warning = strings.TrimSpace(j.warning + " No page was scraped. The rules of the crawl left URLs out: " + strings.Join(reasons, ", ") + ".")
	return nil
}

// save writes the jobs that were loaded, the event of their end, and the tasks.
func (t *jobTx) save(ctx context.Context) error {
	for _, j := range t.jobs {
		if err := t.explainEmpty(ctx, j); err != nil {
			return err
		}
		if err := t.announceEnd(ctx, j); err != nil {
			return err
		}
		if *j == t.loaded[j.id] {
			continue
		}
		if before := t.loaded[j.id]; j.checkID != "" && !j.running() && before.running() {
			t.tasks = append(t.tasks, newTask(QueueExtract, CheckTask{Check: j.checkID}))
		}
		_, err := t.tx.Exec(ctx, `UPDATE jobs SET state = $2, base = $3, error = $4, warning = $5, discovering = $6, courier = $7,
			delay = $8, next_start = $9, last_page = $10, last_event = $11, queued = $12, total = $13, completed = $14, failed = $15,
			over_limit = $16, sighted = $17, robots_blocked = $18, credits = $19, tokens = $20, concluding = $21,
			finished_at = $22, expires_at = $23, last_visible = $24 WHERE id = $1`,
			j.id, j.state, j.base, j.err, j.warning, j.discovering, j.courier,
			j.delay, j.nextStart, j.lastPage, j.lastEvent, j.queued, j.total, j.completed, j.failed,
			j.over, j.sighted, j.robots, j.spent, j.tokens, j.concluding, j.finished, j.expires, j.lastVisible)
		if err != nil {
			return err
		}
	}
	if len(t.tasks) == 0 {
		return nil
	}
	return t.tx.Enqueue(ctx, t.tasks)
}

// slot is a job in want of pages to run.
type slot struct {
	job     *jobRow
	running int64
	most    int64
	granted int64
}

// admit hands out the free slots of the team, and is the only place that does:
// one by one, to the job with the fewest pages running. Pages that may run
// become a task in this transaction.
func (t *jobTx) admit(ctx context.Context) error {
	waiting, err := t.waiting(ctx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	free := t.concurrency
	running := map[string]int64{}
	err = t.tx.Query(ctx, func(r database.Row) error {
		var id string
		var n int64
		err := r.Scan(&id, &n)
		running[id] = n
		free -= n
		return err
	}, "SELECT job_id, COUNT(*) FROM pages WHERE team_id = $1 AND state = 1 GROUP BY job_id", t.team)
	if err != nil {
		return err
	}
	slots := make([]*slot, len(waiting))
	for i, j := range waiting {
		slots[i] = &slot{job: j, running: running[j.id], most: t.most(j)}
	}
	for ; free > 0; free-- {
		s := fewestRunning(slots)
		if s == nil {
			break
		}
		s.granted++
	}
	for _, s := range slots {
		if err := t.start(ctx, s.job, s.granted); err != nil {
			return err
		}
	}
	return nil
}

// waiting returns the running jobs of the team that have queued pages.
func (t *jobTx) waiting(ctx context.Context) ([]*jobRow, error) {
	others, err := database.Collect(ctx, t.tx, scanJobRow,
		"SELECT "+jobRowColumns+" FROM jobs WHERE team_id = $1 AND state = 'scraping' ORDER BY id", t.team)
	if err != nil {
		return nil, err
	}
	for _, j := range others {
		if _, ok := t.jobs[j.id]; !ok && j.queued > 0 {
			t.jobs[j.id], t.loaded[j.id] = j, *j
		}
	}
	var list []*jobRow
	for _, j := range t.jobs {
		if j.running() && j.queued > 0 && !(j.held && j.discovering && j.completed+j.failed > 0) {
			list = append(list, j)
		}
	}
	slices.SortFunc(list, func(a, b *jobRow) int { return strings.Compare(a.id, b.id) })
	return list, nil
}

// most is how many pages of a job may run at a time.
func (t *jobTx) most(j *jobRow) int64 {
	switch {
	case j.delay > 0:
		return 1
	case j.concurrency > 0:
		return j.concurrency
	}
	return t.concurrency
}

// fewestRunning returns the job that has the fewest pages running of those that may
// have one more; nil if none may.
func fewestRunning(slots []*slot) *slot {
	var best *slot
	for _, s := range slots {
		has := s.running + s.granted
		if has < s.most && s.granted < s.job.queued && (best == nil || has < best.running+best.granted) {
			best = s
		}
	}
	return best
}

// How many pages one task carries. A task costs several times what a page in it
// does, but pages of one task run on one node, so that nodes which share the work
// get it in small portions.
const (
	mostPerTask      = 64
	mostPerNodesTask = 8
)

// start makes queued pages running and puts them into tasks.
func (t *jobTx) start(ctx context.Context, j *jobRow, count int64) error {
	if count == 0 {
		return nil
	}
	queue, startAt := QueuePage, int64(0)
	if j.kind == trawl.KindExtract {
		queue = QueueExtract
	}
	if j.delay > 0 {
		queue, startAt = QueueDelayed, t.soon(j, t.now)
		j.nextStart = startAt + j.delay
	}
	pages, err := database.Collect(ctx, t.tx, scanInt, `UPDATE pages SET state = 1, start_at = $2 WHERE job_id = $1 AND n IN
		(SELECT n FROM pages WHERE job_id = $1 AND state = 0 ORDER BY n LIMIT $3) RETURNING n`, j.id, startAt, count)
	if err != nil {
		return err
	}
	j.queued -= int64(len(pages))
	slices.Sort(pages)
	size := mostPerNodesTask
	if t.s.Embedded() {
		size = mostPerTask
	}
	for some := range slices.Chunk(pages, size) {
		t.tasks = append(t.tasks, newTask(queue, PageTask{Job: j.id, Pages: some}))
	}
	return nil
}

// soon returns when the next page of a job with a delay may start, which is not before the
// given time. What is further off than a few delays is from before the clock went back.
func (t *jobTx) soon(j *jobRow, earliest int64) int64 {
	return min(max(j.nextStart, earliest), t.now+4*j.delay)
}

func scanInt(r database.Row) (n int64, err error) {
	err = r.Scan(&n)
	return n, err
}

// digest is the short name of a text in an index.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:16]
}

// textDigest is a digest as text.
func textDigest(text string) string { return base64.RawURLEncoding.EncodeToString(digest(text)) }
