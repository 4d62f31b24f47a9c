package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// WatchedPage is what a monitor knows of a page of one of its targets.
type WatchedPage struct {
	URL      string
	ScrapeID string
	Removed  bool
	Known    []byte // JSON that is small
	Body     []byte // JSON of its text and data; nil keeps what is stored

	packed Packed
	blob   string
}

// hashOf is what the database knows a page of a target by.
func hashOf(target, url string) []byte { return digest(target + "\n" + url) }

// WatchedPages returns what a monitor knows of pages of a target, by address.
func (s *Store) WatchedPages(ctx context.Context, monitorID, target string, urls []string) (map[string]*WatchedPage, error) {
	pages := map[string]*WatchedPage{}
	for some := range slices.Chunk(urls, portion) {
		hashes := make([][]byte, len(some))
		for i, url := range some {
			hashes[i] = hashOf(target, url)
		}
		in, args := database.List(2, hashes)
		err := s.db.Read().Query(ctx, func(r database.Row) error {
			p := &WatchedPage{}
			var known string
			err := r.Scan(&p.URL, &p.ScrapeID, &p.Removed, &known, &p.blob, (*[]byte)(&p.packed))
			p.Known = []byte(known)
			pages[p.URL] = p
			return err
		}, "SELECT url, scrape_id, removed, known, blob_id, body FROM monitor_pages WHERE monitor_id = $1 AND hash IN "+in, append([]any{monitorID}, args...)...)
		if err != nil {
			return nil, fmt.Errorf("read known pages: %w", err)
		}
	}
	for _, p := range pages {
		if err := s.unpackKnown(ctx, p); err != nil {
			return nil, fmt.Errorf("read known page: %w", err)
		}
	}
	return pages, nil
}

func (s *Store) unpackKnown(ctx context.Context, p *WatchedPage) (err error) {
	packed := []byte(p.packed)
	if p.blob != "" {
		packed, err = s.blobs.Get(ctx, p.blob)
		if trawl.ErrorCode(err) == trawl.CodeNotFound {
			return nil // replaced meanwhile, by who looks at the same check
		}
	}
	if err == nil && len(packed) > 0 {
		p.Body, err = s.codec.Unpack(packed)
	}
	return err
}

// UnseenPages returns pages that a monitor knows of a target and that a check has not
// come across, in order of their hash, at most limit.
func (s *Store) UnseenPages(ctx context.Context, c *trawl.Check, target string, limit int) ([]WatchedPage, error) {
	list, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (p WatchedPage, err error) {
		var known string
		err = r.Scan(&p.URL, &p.ScrapeID, &known)
		p.Known = []byte(known)
		return p, err
	}, `SELECT url, scrape_id, known FROM monitor_pages WHERE monitor_id = $1 AND target_id = $2 AND NOT removed AND seen_in <> $3 ORDER BY hash LIMIT $4`,
		c.MonitorID, target, c.ID, limit)
	if err != nil {
		return nil, fmt.Errorf("list unseen pages: %w", err)
	}
	return list, nil
}

// CheckedPage is a page of a check, and what its monitor is to know of it: nil if that
// stays as it is.
type CheckedPage struct {
	trawl.CheckPage
	Known *WatchedPage
}

// AddPages stores pages of a check that were compared, what the monitor knows of them
// from now on, and the events about them, in one transaction that also moves the
// progress of the check. If that is not where the caller began, another was faster, and
// nothing is stored.
func (s *Store) AddPages(ctx context.Context, w *CheckWork, progress string, pages []CheckedPage, judged int, targets []trawl.CheckTarget) (stored bool, err error) {
	if err := s.packKnown(ctx, pages); err != nil {
		return false, fmt.Errorf("add pages of a check: %w", err)
	}
	rows, err := s.pageRows(pages)
	if err != nil {
		return false, fmt.Errorf("add pages of a check: %w", err)
	}
	err = s.teamJobs(ctx, w.TeamID, func(t *jobTx) error {
		stored, err = t.addPages(ctx, w, progress, pages, rows, judged, targets)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("add pages of a check: %w", err)
	}
	return stored, nil
}

// packKnown packs what is to be known of pages, and stores what is too big for a row.
func (s *Store) packKnown(ctx context.Context, pages []CheckedPage) (err error) {
	var blobs []Blob
	for i := range pages {
		k := pages[i].Known
		if k == nil || k.Body == nil {
			continue
		}
		k.blob = ""
		if k.packed, err = s.Pack(k.Body); err != nil {
			return err
		}
		if len(k.packed) > maxInline {
			if k.blob, err = newID(); err != nil {
				return err
			}
			blobs = append(blobs, Blob{k.blob, k.packed})
		}
	}
	return s.putBlobs(ctx, blobs)
}

var insertCheckPages = database.NewInsert(`check_pages (check_id, n, id, target_id, url, status, previous_scrape, current_scrape, status_code, error,
	metadata, judgment, diff, snapshot, created_at)`, "")

// pageRows are the columns of pages behind the first two.
func (s *Store) pageRows(pages []CheckedPage) ([][]any, error) {
	rows := make([][]any, len(pages))
	for i := range pages {
		p := &pages[i].CheckPage
		id, err := newID()
		if err != nil {
			return nil, err
		}
		judgment := []byte{}
		if p.Judgment != nil {
			if judgment, err = json.Marshal(p.Judgment); err != nil {
				return nil, err
			}
		}
		var packed [2]Packed
		for n, value := range []json.RawMessage{p.Diff, p.Snapshot} {
			if value == nil {
				continue
			}
			if packed[n], err = s.Pack(value); err != nil {
				return nil, err
			}
		}
		rows[i] = []any{id, p.TargetID, p.URL, p.Status, p.PreviousScrape, p.CurrentScrape, p.StatusCode, p.Error,
			string(p.Metadata), string(judgment), []byte(packed[0]), []byte(packed[1])}
	}
	return rows, nil
}

func (t *jobTx) addPages(ctx context.Context, w *CheckWork, progress string, pages []CheckedPage, rows [][]any, judged int, targets []trawl.CheckTarget) (bool, error) {
	var at, text string
	var last, finished int64
	err := t.tx.QueryRow(ctx, "SELECT progress, last_page, summary, finished_at FROM checks WHERE id = $1", w.ID).Scan(&at, &last, &text, &finished)
	if err != nil || at != w.Progress || finished != 0 {
		return false, err
	}
	var summary trawl.CheckSummary
	if err := json.Unmarshal([]byte(text), &summary); err != nil {
		return false, err
	}
	var args []any
	var events []event
	for i := range pages {
		last++
		args = append(append(append(args, w.ID, last), rows[i]...), t.now)
		summary.Count(pages[i].Status)
		if pages[i].Status != trawl.ChangeRemoved {
			events = append(events, event{kind: trawl.EventPage, page: last})
		}
		if err := t.know(ctx, w, &pages[i]); err != nil {
			return false, err
		}
	}
	if err := insertCheckPages.Run(ctx, t.tx, args); err != nil {
		return false, err
	}
	if err := t.checkEvents(ctx, w, events...); err != nil {
		return false, err
	}
	encoded, err := json.Marshal(summary)
	if err != nil {
		return false, err
	}
	described, err := json.Marshal(targets)
	if err != nil {
		return false, err
	}
	_, err = t.tx.Exec(ctx, "UPDATE checks SET progress = $2, last_page = $3, summary = $4, judged = judged + $5, targets = $6, updated_at = $7 WHERE id = $1",
		w.ID, progress, last, string(encoded), judged, string(described), t.now)
	return err == nil, err
}

// know stores what the monitor knows of a page from now on.
func (t *jobTx) know(ctx context.Context, w *CheckWork, p *CheckedPage) error {
	hash := hashOf(p.TargetID, p.URL)
	k := p.Known
	if k == nil {
		_, err := t.tx.Exec(ctx, "UPDATE monitor_pages SET seen_in = $3 WHERE monitor_id = $1 AND hash = $2", w.MonitorID, hash, w.ID)
		return err
	}
	if k.Body == nil {
		_, err := t.tx.Exec(ctx, `UPDATE monitor_pages SET scrape_id = $3, removed = $4, seen_in = $5, known = $6, updated_at = $7
			WHERE monitor_id = $1 AND hash = $2`, w.MonitorID, hash, k.ScrapeID, k.Removed, w.ID, string(k.Known), t.now)
		return err
	}
	old, err := scanString(t.tx.QueryRow(ctx, "SELECT blob_id FROM monitor_pages WHERE monitor_id = $1 AND hash = $2", w.MonitorID, hash))
	if err != nil && !noRows(err) {
		return err
	}
	if old != "" {
		if err := drop(ctx, t.tx, old); err != nil {
			return err
		}
	}
	body := []byte(k.packed)
	if k.blob != "" {
		body = nil
	}
	_, err = t.tx.Exec(ctx, `INSERT INTO monitor_pages (monitor_id, hash, target_id, url, scrape_id, removed, seen_in, known, blob_id, body, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (monitor_id, hash) DO UPDATE SET scrape_id = excluded.scrape_id,
		removed = excluded.removed, seen_in = excluded.seen_in, known = excluded.known, blob_id = excluded.blob_id, body = excluded.body, updated_at = excluded.updated_at`,
		w.MonitorID, hash, p.TargetID, p.URL, k.ScrapeID, k.Removed, w.ID, string(k.Known), k.blob, body, t.now)
	return err
}

const checkPageColumns = `id, target_id, url, status, previous_scrape, current_scrape, status_code, error, metadata, judgment, diff, snapshot, created_at`

func (s *Store) scanCheckPage(r database.Row) (p trawl.CheckPage, err error) {
	var metadata, judgment string
	var diff, snapshot []byte
	var created int64
	err = r.Scan(&p.ID, &p.TargetID, &p.URL, &p.Status, &p.PreviousScrape, &p.CurrentScrape, &p.StatusCode, &p.Error, &metadata, &judgment, &diff, &snapshot, &created)
	if err != nil {
		return p, err
	}
	p.CreatedAt = moment(created)
	if metadata != "" {
		p.Metadata = json.RawMessage(metadata)
	}
	if judgment != "" {
		if err := json.Unmarshal([]byte(judgment), &p.Judgment); err != nil {
			return p, err
		}
	}
	if len(diff) > 0 {
		if p.Diff, err = s.codec.Unpack(diff); err != nil {
			return p, err
		}
	}
	if len(snapshot) > 0 {
		p.Snapshot, err = s.codec.Unpack(snapshot)
	}
	return p, err
}

// CheckPages lists pages of a check, oldest first; of one status unless it is empty.
func (s *Store) CheckPages(ctx context.Context, checkID, status string, limit, skip int) ([]trawl.CheckPage, error) {
	list, err := database.Collect(ctx, s.db.Read(), s.scanCheckPage, "SELECT "+checkPageColumns+` FROM check_pages
		WHERE check_id = $1 AND ($2 = '' OR status = $2) ORDER BY n LIMIT $3 OFFSET $4`, checkID, status, limit, skip)
	if err != nil {
		return nil, fmt.Errorf("list pages of a check: %w", err)
	}
	return list, nil
}

// CheckPage returns a page of a check by its number; CodeNotFound if there is none.
func (s *Store) CheckPage(ctx context.Context, checkID string, n int64) (trawl.CheckPage, error) {
	p, err := s.scanCheckPage(s.db.Read().QueryRow(ctx, "SELECT "+checkPageColumns+" FROM check_pages WHERE check_id = $1 AND n = $2", checkID, n))
	if noRows(err) {
		return p, trawl.Errorf(trawl.CodeNotFound, "Page not found")
	}
	if err != nil {
		return p, fmt.Errorf("read page of a check: %w", err)
	}
	return p, nil
}

// CheckedURLs returns the addresses of a target that a check has pages of.
func (s *Store) CheckedURLs(ctx context.Context, checkID, target string) ([]string, error) {
	list, err := database.Collect(ctx, s.db.Read(), scanString, "SELECT url FROM check_pages WHERE check_id = $1 AND target_id = $2", checkID, target)
	if err != nil {
		return nil, fmt.Errorf("list checked pages: %w", err)
	}
	return list, nil
}

// FoundAny reports whether a check got any page of a target, and no error for the
// address that it starts at.
func (s *Store) FoundAny(ctx context.Context, checkID, target, start string) (bool, error) {
	var found, broken int
	err := s.db.Read().QueryRow(ctx, `SELECT COALESCE(SUM(CASE WHEN status <> 'error' THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN status = 'error' AND url = $3 THEN 1 ELSE 0 END), 0)
		FROM check_pages WHERE check_id = $1 AND target_id = $2 AND status <> 'removed'`, checkID, target, start).Scan(&found, &broken)
	if err != nil {
		return false, fmt.Errorf("count checked pages: %w", err)
	}
	return found > 0 && broken == 0, nil
}

// NewsOf lists the pages of a monitor's checks that are new, changed or gone, newest
// first, but for changes that do not matter.
func (s *Store) NewsOf(ctx context.Context, monitorID string, limit int) ([]trawl.CheckPage, error) {
	var list []trawl.CheckPage
	err := s.db.Read().Query(ctx, func(r database.Row) error {
		p, err := s.scanCheckPage(r)
		if err != nil {
			return err
		}
		if p.Judgment == nil || p.Judgment.Meaningful {
			list = append(list, p)
		}
		if len(list) == limit {
			return errEnough
		}
		return nil
	}, "SELECT "+checkPageColumns+` FROM check_pages WHERE status IN ('new', 'changed', 'removed')
		AND check_id IN (SELECT id FROM checks WHERE monitor_id = $1 ORDER BY id DESC LIMIT 1000) ORDER BY check_id DESC, n DESC LIMIT $2`, monitorID, 10*limit)
	if err != nil && !errors.Is(err, errEnough) {
		return nil, fmt.Errorf("list news: %w", err)
	}
	return list, nil
}
