package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// Bounds of what is remembered of the addresses that a job left out: of all, and
// of those beyond its limit.
const (
	mostSightings = 100_000
	mostBeyond    = 10_000
)

var insertSightings = database.NewInsert("sightings (job_id, url_hash, identity, url, fate, detail, depth, found_on)", "ON CONFLICT DO NOTHING RETURNING fate")

// AddLinks adds addresses that were found beside the pages of a crawl. The last
// call says so, and may say why nothing was found: then the job fails.
func (s *Store) AddLinks(ctx context.Context, teamID, jobID string, links []Link, last bool, failure *Failure) error {
	err := s.teamJobs(ctx, teamID, func(t *jobTx) error {
		j, err := t.job(ctx, jobID)
		if err != nil || j == nil || !j.running() || j.lastVisible > 0 || j.kind == trawl.KindExtract && !j.discovering { // it has its pages
			return err
		}
		if err := t.addLinks(ctx, j, links); err != nil {
			return err
		}
		j.discovering = j.discovering && !last
		if failure == nil {
			return nil
		}
		if err := t.deny(ctx, j, j.base, failure); err != nil {
			return err
		}
		return t.fail(ctx, j, *failure)
	})
	if err != nil {
		return fmt.Errorf("add links: %w", err)
	}
	return nil
}

// Recall adds addresses that a crawl which tracks changes knows from before to its
// pages, once those that it found are done, and returns for how many more there is
// room. What the crawl saw on the way is no news and stays as it is. The last call
// says so; later ones change nothing.
func (s *Store) Recall(ctx context.Context, teamID, jobID string, links []Link, last bool) (room int, err error) {
	err = s.whileRunning(ctx, teamID, jobID, func(t *jobTx, j *jobRow) error {
		if !j.concluding {
			room = 0
			return nil
		}
		unseen, err := t.unseen(ctx, j, links)
		if err != nil {
			return err
		}
		if err := t.addLinks(ctx, j, unseen); err != nil {
			return err
		}
		j.concluding = !last
		room = int(max(j.limit-j.total, 0))
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("recall pages: %w", err)
	}
	return room, nil
}

// unseen returns those links that the job did not leave out when it found them.
func (t *jobTx) unseen(ctx context.Context, j *jobRow, links []Link) ([]Link, error) {
	if j.sighted == 0 {
		return links, nil
	}
	var list []Link
	for some := range slices.Chunk(links, portion) {
		hashes := make([][]byte, len(some))
		for i, link := range some {
			hashes[i] = digest(link.URL)
		}
		in, args := database.List(2, hashes)
		sighted := map[string]bool{}
		err := t.tx.Query(ctx, func(r database.Row) error {
			var hash []byte
			err := r.Scan(&hash)
			sighted[string(hash)] = true
			return err
		}, "SELECT url_hash FROM sightings WHERE job_id = $1 AND url_hash IN "+in, append([]any{j.id}, args...)...)
		if err != nil {
			return nil, err
		}
		for i, link := range some {
			if !sighted[string(hashes[i])] {
				list = append(list, link)
			}
		}
	}
	return list, nil
}

// addLinks queues addresses that are new as pages, up to the limit of the job,
// and remembers what it does not queue.
func (t *jobTx) addLinks(ctx context.Context, j *jobRow, links []Link) error {
	if !j.running() {
		return nil
	}
	if err := t.promote(ctx, j); err != nil {
		return err
	}
	candidates, others, distant := sortLinks(links)
	if j.total >= j.limit {
		candidates = candidates[:min(len(candidates), int(max(mostBeyond-j.over, 0)))]
	}
	if j.sighted >= mostSightings {
		others, distant = nil, nil
	}
	fresh, known, err := t.claim(ctx, j, candidates)
	if err != nil {
		return err
	}
	over, err := t.queueLinks(ctx, j, fresh)
	if err != nil {
		return err
	}
	others = append(others, over...)
	if err := t.compare(ctx, j, known, func(link Link, sameURL, seen bool) {
		if !sameURL {
			link.Fate = trawl.FateDuplicate
			others = append(others, link)
		}
	}); err != nil {
		return err
	}
	if err := t.compare(ctx, j, distant, func(link Link, sameURL, seen bool) {
		if !seen {
			others = append(others, link)
		}
	}); err != nil {
		return err
	}
	if err := t.approach(ctx, j, known); err != nil {
		return err
	}
	return t.sight(ctx, j, others)
}

// approach notes that queued pages are nearer than it seemed when they were found.
func (t *jobTx) approach(ctx context.Context, j *jobRow, known []Link) error {
	if !j.held {
		return nil
	}
	for _, link := range known {
		_, err := t.tx.Exec(ctx, `UPDATE pages SET depth = $3 WHERE job_id = $1 AND state = 0 AND depth > $3
			AND n = (SELECT n FROM seen WHERE job_id = $1 AND identity = $2)`, j.id, digest(link.Identity), link.Depth)
		if err != nil {
			return err
		}
	}
	return nil
}

// sortLinks tells links that may become pages from others, and from those that
// are too far away by this way but may be pages by another.
func sortLinks(links []Link) (candidates, others, distant []Link) {
	first := map[string]string{} // address by identity
	for _, link := range links {
		url, again := first[link.Identity]
		switch {
		case link.Again:
			distant = append(distant, link)
		case link.Fate != "":
			others = append(others, link)
		case !again:
			first[link.Identity] = link.URL
			candidates = append(candidates, link)
		case url != link.URL:
			link.Fate = trawl.FateDuplicate
			others = append(others, link)
		}
	}
	return candidates, others, distant
}

// claimed is a link that is a page of its own, and the page's number.
type claimed struct {
	Link
	n int64
}

// claim finds out which links are new to the job.
func (t *jobTx) claim(ctx context.Context, j *jobRow, links []Link) (fresh []claimed, known []Link, err error) {
	if len(links) == 0 {
		return nil, nil, nil
	}
	var args []any
	first := j.lastPage
	for _, link := range links {
		j.lastPage++
		args = append(args, j.id, digest(link.Identity), digest(link.URL), j.lastPage)
	}
	isNew := map[string]bool{}
	err = insertSeen.Returning(ctx, t.tx, args, func(r database.Row) error {
		var identity []byte
		err := r.Scan(&identity)
		isNew[string(identity)] = true
		return err
	})
	for i, link := range links {
		if isNew[string(args[4*i+1].([]byte))] {
			fresh = append(fresh, claimed{link, first + int64(i) + 1})
		} else {
			known = append(known, link)
		}
	}
	return fresh, known, err
}

// queueLinks makes pages of new links and returns those beyond the limit.
func (t *jobTx) queueLinks(ctx context.Context, j *jobRow, fresh []claimed) (over []Link, err error) {
	if err := t.forgetAll(ctx, j, fresh); err != nil {
		return nil, err
	}
	var pages []any
	for i, link := range fresh {
		if j.total >= j.limit {
			for _, rest := range fresh[i:] {
				rest.Fate = trawl.FateOverLimit
				over = append(over, rest.Link)
			}
			break
		}
		j.total++
		j.queued++
		pages = append(pages, j.id, link.n, t.team, 0, link.URL, link.Depth, 1, link.FoundOn)
	}
	return over, insertFrontier.Run(ctx, t.tx, pages)
}

// forgetAll forgets that links were left out, as they may have been when they
// seemed further away.
func (t *jobTx) forgetAll(ctx context.Context, j *jobRow, links []claimed) error {
	if j.sighted == 0 {
		return nil
	}
	hashes := make([][]byte, len(links))
	for i, link := range links {
		hashes[i] = digest(link.URL)
	}
	return t.forget(ctx, j, hashes)
}

func (t *jobTx) forget(ctx context.Context, j *jobRow, hashes [][]byte) error {
	for some := range slices.Chunk(hashes, portion) {
		in, args := database.List(2, some)
		n, err := t.tx.Exec(ctx, "DELETE FROM sightings WHERE job_id = $1 AND url_hash IN "+in, append([]any{j.id}, args...)...)
		if err != nil {
			return err
		}
		j.sighted -= n
	}
	return nil
}

// compare looks up who has the identity of links, and says whether anybody has and
// by the same address.
func (t *jobTx) compare(ctx context.Context, j *jobRow, links []Link, visit func(link Link, sameURL, seen bool)) error {
	for some := range slices.Chunk(links, portion) {
		hashes := make([][]byte, len(some))
		for i, link := range some {
			hashes[i] = digest(link.Identity)
		}
		in, args := database.List(2, hashes)
		owners := map[string]string{}
		err := t.tx.Query(ctx, func(r database.Row) error {
			var identity, url []byte
			err := r.Scan(&identity, &url)
			owners[string(identity)] = string(url)
			return err
		}, "SELECT identity, url_hash FROM seen WHERE job_id = $1 AND identity IN "+in, append([]any{j.id}, args...)...)
		if err != nil {
			return err
		}
		for i, link := range some {
			owner, seen := owners[string(hashes[i])]
			visit(link, owner == string(digest(link.URL)), seen)
		}
	}
	return nil
}

// sight remembers addresses that did not become pages.
func (t *jobTx) sight(ctx context.Context, j *jobRow, links []Link) error {
	var args []any
	for _, link := range links {
		if j.sighted+int64(len(args)/8) >= mostSightings {
			break
		}
		args = append(args, j.id, digest(link.URL), digest(link.Identity), link.URL, link.Fate, link.Detail, link.Depth, link.FoundOn)
	}
	return insertSightings.Returning(ctx, t.tx, args, func(r database.Row) error {
		var fate string
		err := r.Scan(&fate)
		j.sighted++
		switch fate {
		case trawl.FateOverLimit:
			j.over++
		case trawl.FateRobots:
			j.robots++
		}
		return err
	})
}

// promote queues addresses that the limit kept out, as far as pages that turned
// out not to count made room.
func (t *jobTx) promote(ctx context.Context, j *jobRow) error {
	room := min(j.limit-j.total, j.over)
	if room <= 0 {
		return nil
	}
	type late struct {
		hash  []byte
		url   string
		depth int64
		n     int64
		found int64
	}
	lates, err := database.Collect(ctx, t.tx, func(r database.Row) (l late, err error) {
		err = r.Scan(&l.hash, &l.url, &l.depth, &l.n, &l.found)
		return l, err
	}, `SELECT s.url_hash, s.url, s.depth, e.n, s.found_on FROM sightings s JOIN seen e ON e.job_id = s.job_id AND e.identity = s.identity
		WHERE s.job_id = $1 AND s.fate = 'limit' ORDER BY e.n LIMIT $2`, j.id, room)
	if err != nil {
		return err
	}
	var pages []any
	var hashes [][]byte
	for _, l := range lates {
		pages = append(pages, j.id, l.n, t.team, 0, l.url, l.depth, 1, l.found)
		hashes = append(hashes, l.hash)
		j.total++
		j.queued++
		j.over--
	}
	if len(lates) == 0 {
		j.over = 0
	}
	if err := t.forget(ctx, j, hashes); err != nil {
		return err
	}
	return insertFrontier.Run(ctx, t.tx, pages)
}
