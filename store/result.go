package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// Result is a document of a job as it is stored: JSON in two parts, of which
// the first is packed.
type Result struct {
	Head Packed
	Tail []byte
	Size int   // of the JSON
	Page int64 // number of the page in its job, in the order in which they were found

	blobID string
}

// Results returns documents of a job's pages behind the given number of them, in the
// order in which they were stored: at most limit, and no more than fit into
// maxBytes of JSON, but at least one if there is one.
func (s *Store) Results(ctx context.Context, jobID string, skip, limit int, maxBytes int64) ([]Result, error) {
	var list []Result
	err := s.db.Read().Query(ctx, func(r database.Row) error {
		var d Result
		if err := r.Scan(&d.Page, &d.Size, &d.blobID, (*[]byte)(&d.Head), &d.Tail); err != nil {
			return err
		}
		if maxBytes -= int64(d.Size) + 1; maxBytes < 0 && len(list) > 0 {
			return errEnough
		}
		list = append(list, d)
		return nil
	}, "SELECT page, size, blob_id, head, tail FROM results WHERE job_id = $1 AND seq > $2 AND page > 0 ORDER BY seq LIMIT $3", jobID, skip, limit)
	if err != nil && !errors.Is(err, errEnough) {
		return nil, fmt.Errorf("read results: %w", err)
	}
	for i := range list {
		if list[i].blobID == "" {
			continue
		}
		head, err := s.blobs.Get(ctx, list[i].blobID)
		if err != nil {
			return nil, fmt.Errorf("read result: %w", err)
		}
		list[i].Head = head
	}
	return list, nil
}

// errEnough ends a query of which no more rows are wanted.
var errEnough = errors.New("enough")

// Result returns one document of a job by its number.
func (s *Store) Result(ctx context.Context, jobID string, seq int64) (Result, error) {
	list, err := s.Results(ctx, jobID, int(seq-1), 1, 0)
	if err == nil && len(list) == 0 {
		err = trawl.Errorf(trawl.CodeNotFound, "Document not found")
	}
	if err != nil {
		return Result{}, err
	}
	return list[0], nil
}

// JSON returns the document of a result that is not sealed.
func (s *Store) JSON(r Result) (doc []byte, err error) {
	doc = make([]byte, 0, r.Size+64)
	if len(r.Head) > 0 {
		if doc, err = s.codec.Append(doc, r.Head); err != nil {
			return nil, fmt.Errorf("unpack: %w", err)
		}
	}
	return append(doc, r.Tail...), nil
}

// ExpireSoon lets a job that is over expire at the given time, if it would later.
func (s *Store) ExpireSoon(ctx context.Context, jobID string, at int64) error {
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE jobs SET expires_at = $2 WHERE id = $1 AND expires_at > $2 AND state <> 'scraping'", jobID, at)
		return err
	})
	if err != nil {
		return fmt.Errorf("let job expire: %w", err)
	}
	return nil
}

// PageErrors returns the pages of a job that failed, in the order in which they
// were found, and the addresses that robots.txt forbids.
func (s *Store) PageErrors(ctx context.Context, jobID string) (failed []trawl.PageError, robots []string, err error) {
	failed, err = database.Collect(ctx, s.db.Read(), func(r database.Row) (e trawl.PageError, err error) {
		var at int64
		err = r.Scan(&e.ID, &e.URL, &e.Code, &e.Text, &at)
		e.At = moment(at)
		return e, err
	}, "SELECT id, url, code, error, finished_at FROM pages WHERE job_id = $1 AND state = 3 ORDER BY n LIMIT $2", jobID, mostListed)
	if err == nil {
		robots, err = database.Collect(ctx, s.db.Read(), scanString, `SELECT url FROM pages WHERE job_id = $1 AND state = 4 AND code = 'robots'
			UNION ALL SELECT url FROM sightings WHERE job_id = $1 AND fate = 'robots' LIMIT $2`, jobID, mostListed)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("list errors: %w", err)
	}
	return failed, robots, nil
}

// mostListed bounds lists that have no pages of their own.
const mostListed = 100_000

// fateOfPage tells the fate of a page in SQL.
const fateOfPage = `CASE p.state WHEN 2 THEN 'scraped' WHEN 3 THEN 'failed' WHEN 4 THEN p.code WHEN 5 THEN 'cancelled'
	WHEN 1 THEN 'running' ELSE CASE j.state WHEN 'scraping' THEN 'queued' ELSE 'cancelled' END END`

// Fates counts the addresses that a job has seen by their fate.
func (s *Store) Fates(ctx context.Context, jobID string) (map[string]int, error) {
	counts := map[string]int{}
	err := s.db.Read().Query(ctx, func(r database.Row) error {
		var fate string
		var n int
		err := r.Scan(&fate, &n)
		counts[fate] += n
		return err
	}, "SELECT "+fateOfPage+` AS fate, COUNT(*) FROM pages p JOIN jobs j ON j.id = p.job_id WHERE p.job_id = $1 GROUP BY 1
		UNION ALL SELECT fate, COUNT(*) FROM sightings WHERE job_id = $1 GROUP BY 1`, jobID)
	if err != nil {
		return nil, fmt.Errorf("count fates: %w", err)
	}
	return counts, nil
}

// Sightings lists the addresses that a job has seen, with their fates: first its
// pages in the order in which they were found, then the others. The cursor, given
// to the next call, continues the list; it is empty at the end.
func (s *Store) Sightings(ctx context.Context, jobID, fate, cursor string, limit int) (list []trawl.Sighting, next string, err error) {
	if !strings.HasPrefix(cursor, "x") {
		after := int64(0)
		if cursor != "" {
			if after, err = strconv.ParseInt(cursor, 10, 64); err != nil {
				return nil, "", errCursor()
			}
		}
		list, next, err = s.seenPages(ctx, jobID, fate, after, limit)
		if err != nil || next != "" {
			return list, next, err
		}
		cursor = "x"
	}
	after, err := hex.DecodeString(cursor[1:])
	if err != nil {
		return nil, "", errCursor()
	}
	rest, next, err := s.leftOut(ctx, jobID, fate, after, limit-len(list))
	return append(list, rest...), next, err
}

func errCursor() error { return trawl.Errorf(trawl.CodeBadRequest, "Invalid cursor") }

func (s *Store) seenPages(ctx context.Context, jobID, fate string, after int64, limit int) (list []trawl.Sighting, next string, err error) {
	var last int64
	list, err = database.Collect(ctx, s.db.Read(), func(r database.Row) (v trawl.Sighting, err error) {
		var code string
		var failed bool
		err = r.Scan(&last, &v.URL, &v.Fate, &code, &v.Detail, &v.Depth, &failed, &v.From)
		if failed {
			v.Detail = code
		}
		return v, err
	}, `SELECT * FROM (SELECT p.n, p.url, `+fateOfPage+` AS fate, p.code, p.error, p.depth, p.state = 3 AS failed, COALESCE(f.url, '') AS found_on
		FROM pages p JOIN jobs j ON j.id = p.job_id LEFT JOIN pages f ON f.job_id = p.job_id AND f.n = p.found_on WHERE p.job_id = $1 AND p.n > $2) AS v
		WHERE $3 = '' OR fate = $3 ORDER BY n LIMIT $4`, jobID, after, fate, limit)
	if err != nil {
		return nil, "", fmt.Errorf("list pages: %w", err)
	}
	if len(list) == limit {
		next = strconv.FormatInt(last, 10)
	}
	return list, next, nil
}

func (s *Store) leftOut(ctx context.Context, jobID, fate string, after []byte, limit int) (list []trawl.Sighting, next string, err error) {
	if limit <= 0 {
		return nil, "x" + hex.EncodeToString(after), nil
	}
	var last []byte
	list, err = database.Collect(ctx, s.db.Read(), func(r database.Row) (v trawl.Sighting, err error) {
		var owner string
		err = r.Scan(&last, &v.URL, &v.Fate, &v.Detail, &v.Depth, &owner, &v.From)
		if v.Fate == trawl.FateDuplicate {
			v.Detail = owner
		}
		return v, err
	}, `SELECT s.url_hash, s.url, s.fate, s.detail, s.depth, COALESCE(p.url, ''), COALESCE(f.url, '') FROM sightings s
		LEFT JOIN seen e ON s.fate = 'duplicate' AND e.job_id = s.job_id AND e.identity = s.identity
		LEFT JOIN pages p ON p.job_id = e.job_id AND p.n = e.n LEFT JOIN pages f ON f.job_id = s.job_id AND f.n = s.found_on
		WHERE s.job_id = $1 AND s.url_hash > $2 AND ($3 = '' OR s.fate = $3) ORDER BY s.url_hash LIMIT $4`, jobID, after, fate, limit)
	if err != nil {
		return nil, "", fmt.Errorf("list sightings: %w", err)
	}
	if len(list) == limit {
		next = "x" + hex.EncodeToString(last)
	}
	return list, next, nil
}
