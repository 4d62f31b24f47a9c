package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/trawlhq/trawl/store/database"
)

// What a sweep leaves of the cache, and how long a blob may wait for its row.
const (
	cacheVersions = 3
	cacheAge      = 2 * 365 * 24 * time.Hour // the oldest page that a request can ask for
	orphanAge     = time.Hour
)

// SweepStats is what a sweep removed.
type SweepStats struct {
	Records  int   // expired records
	Jobs     int   // expired jobs
	Files    int   // expired files, uploaded ones too
	Sessions int   // sessions destroyed a day ago
	Checks   int   // checks of monitors that have expired
	Pages    int   // pages of the cache
	Bytes    int64 // the size of those pages
	Versions int   // versions of pages that were tracked
	Orphans  int   // blobs that no row named
}

// Sweep removes what is no longer wanted: records, jobs and files that have expired;
// feedback of a year ago; sessions a day after they were destroyed; versions of tracked pages that have expired
// or are beyond the number that a team may have; pages of the cache that are older than
// two years, or older than the newest three of their key, or the oldest ones as long
// as the cache exceeds cacheMaxBytes (0 means no limit); and blobs that lost their
// row, or are an hour old and no row names them. It works in small transactions, so
// that others need not wait. Blobs go before their rows: if it is cut short, the next
// sweep finds the rows again.
func (s *Store) Sweep(ctx context.Context, now time.Time, cacheMaxBytes int64) (stats SweepStats, err error) {
	s.sweep.Lock()
	defer s.sweep.Unlock()
	for _, step := range []func() error{
		func() error { return s.sweepRecords(ctx, now, &stats) },
		func() error { return s.sweepJobs(ctx, now, &stats) },
		func() error { return s.sweepMonitors(ctx, now, &stats) },
		func() error { return s.sweepFiles(ctx, now, &stats) },
		func() error { return s.sweepUploads(ctx, now, &stats) },
		func() error { return s.sweepFeedback(ctx, now) },
		func() error { return s.sweepSessions(ctx, now, &stats) },
		func() error { return s.sweepHistory(ctx, now, &stats) },
		func() error { return s.sweepVersions(ctx, &stats) },
		func() error { return s.sweepOld(ctx, now, &stats) },
		func() error { return s.sweepSize(ctx, cacheMaxBytes, &stats) },
		func() error { return s.sweepDropped(ctx, &stats) },
		func() error { return s.sweepOrphans(ctx, now, &stats) },
	} {
		if err := step(); err != nil {
			return stats, fmt.Errorf("sweep: %w", err)
		}
	}
	return stats, nil
}

// sweepRecords removes expired records in portions by their time of expiry.
func (s *Store) sweepRecords(ctx context.Context, now time.Time, stats *SweepStats) error {
	for {
		until := millis(now)
		err := s.db.Read().QueryRow(ctx, "SELECT expires_at FROM records WHERE expires_at <= $1 ORDER BY expires_at LIMIT 1 OFFSET $2",
			until, portion).Scan(&until)
		last := noRows(err)
		if err != nil && !last {
			return err
		}
		removed, err := s.removeRecords(ctx, until)
		stats.Records += int(removed)
		if err != nil || last {
			return err
		}
	}
}

func (s *Store) removeRecords(ctx context.Context, until int64) (removed int64, err error) {
	blobs, err := database.Collect(ctx, s.db.Read(), scanString,
		"SELECT blob_id FROM records WHERE expires_at <= $1 AND blob_id <> ''", until)
	if err != nil {
		return 0, err
	}
	if err := s.blobs.Delete(ctx, blobs...); err != nil {
		return 0, err
	}
	err = s.db.Tx(ctx, func(tx database.Tx) (err error) {
		removed, err = tx.Exec(ctx, "DELETE FROM records WHERE expires_at <= $1", until)
		return err
	})
	return removed, err
}

// victim is a page that is to leave the cache.
type victim struct {
	key, id string
	fetched int64
	blobID  string
	size    int64
}

const victimColumns = "key_hash, fetched_at, id, blob_id, size"

func scanVictim(r database.Row) (v victim, err error) {
	err = r.Scan(&v.key, &v.fetched, &v.id, &v.blobID, &v.size)
	return v, err
}

// sweepVersions removes all but the newest pages of every key.
func (s *Store) sweepVersions(ctx context.Context, stats *SweepStats) error {
	keys, err := database.Collect(ctx, s.db.Read(), scanString,
		"SELECT key_hash FROM cached_pages GROUP BY key_hash HAVING COUNT(*) > $1", cacheVersions)
	if err != nil {
		return err
	}
	var victims []victim
	for _, key := range keys {
		older, err := database.Collect(ctx, s.db.Read(), scanVictim, "SELECT "+victimColumns+` FROM cached_pages
			WHERE key_hash = $1 ORDER BY fetched_at DESC, id DESC LIMIT $2 OFFSET $3`, key, math.MaxInt32, cacheVersions)
		if err != nil {
			return err
		}
		if victims = append(victims, older...); len(victims) < portion {
			continue
		}
		if err := s.removePages(ctx, victims, stats); err != nil {
			return err
		}
		victims = nil
	}
	return s.removePages(ctx, victims, stats)
}

// sweepOld removes pages that nobody may be served any more.
func (s *Store) sweepOld(ctx context.Context, now time.Time, stats *SweepStats) error {
	for {
		victims, err := database.Collect(ctx, s.db.Read(), scanVictim, "SELECT "+victimColumns+` FROM cached_pages
			WHERE fetched_at < $1 ORDER BY fetched_at LIMIT $2`, millis(now.Add(-cacheAge)), portion)
		if err != nil || len(victims) == 0 {
			return err
		}
		if err := s.removePages(ctx, victims, stats); err != nil {
			return err
		}
	}
}

// sweepSize removes the oldest pages until the cache is small enough.
func (s *Store) sweepSize(ctx context.Context, most int64, stats *SweepStats) error {
	if most <= 0 {
		return nil
	}
	var total int64
	if err := s.db.Read().QueryRow(ctx, "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM cached_pages").Scan(&total); err != nil {
		return err
	}
	for total > most {
		victims, err := database.Collect(ctx, s.db.Read(), scanVictim,
			"SELECT "+victimColumns+" FROM cached_pages ORDER BY fetched_at LIMIT $1", portion)
		if err != nil || len(victims) == 0 {
			return err
		}
		n := 0
		for ; n < len(victims) && total > most; n++ {
			total -= victims[n].size
		}
		if err := s.removePages(ctx, victims[:n], stats); err != nil {
			return err
		}
	}
	return nil
}

// removePages removes pages with their blobs.
func (s *Store) removePages(ctx context.Context, victims []victim, stats *SweepStats) error {
	for some := range slices.Chunk(victims, portion) {
		var blobs []string
		for _, v := range some {
			if v.blobID != "" {
				blobs = append(blobs, v.blobID)
			}
		}
		if err := s.blobs.Delete(ctx, blobs...); err != nil {
			return err
		}
		if err := s.db.Tx(ctx, func(tx database.Tx) error { return deletePages(ctx, tx, some) }); err != nil {
			return err
		}
		for _, v := range some {
			stats.Pages++
			stats.Bytes += v.size
		}
	}
	return nil
}

func deletePages(ctx context.Context, tx database.Tx, victims []victim) error {
	for _, v := range victims {
		_, err := tx.Exec(ctx, "DELETE FROM cached_pages WHERE key_hash = $1 AND fetched_at = $2 AND id = $3", v.key, v.fetched, v.id)
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepOrphans removes blobs that no row names and that are too old for their
// row still to come. Every blob is looked at once: later its row goes only
// together with it. After a restart all are looked at again.
func (s *Store) sweepOrphans(ctx context.Context, now time.Time, stats *SweepStats) error {
	until := now.Add(-orphanAge)
	if until.Sub(s.orphansSeen) < orphanAge {
		return nil
	}
	err := s.blobs.List(ctx, s.orphansSeen, until, func(ids []string) error {
		orphans, err := s.orphans(ctx, ids)
		if err != nil {
			return err
		}
		stats.Orphans += len(orphans)
		return s.blobs.Delete(ctx, orphans...)
	})
	if err == nil {
		s.orphansSeen = until
	}
	return err
}

// orphans returns those ids that no row names.
func (s *Store) orphans(ctx context.Context, ids []string) ([]string, error) {
	in, args := database.List(1, ids)
	named, err := database.Collect(ctx, s.db.Read(), scanString,
		"SELECT blob_id FROM records WHERE blob_id <> '' AND blob_id IN "+in+
			" UNION ALL SELECT blob_id FROM results WHERE blob_id <> '' AND blob_id IN "+in+
			" UNION ALL SELECT blob_id FROM profiles WHERE blob_id <> '' AND blob_id IN "+in+
			" UNION ALL SELECT blob_id FROM uploads WHERE blob_id <> '' AND blob_id IN "+in+
			" UNION ALL SELECT blob_id FROM versions WHERE blob_id <> '' AND blob_id IN "+in+
			" UNION ALL SELECT blob_id FROM monitor_pages WHERE blob_id <> '' AND blob_id IN "+in+
			" UNION ALL SELECT id FROM files WHERE id IN "+in+
			" UNION ALL SELECT blob_id FROM cached_pages WHERE blob_id IN "+in, args...)
	if err != nil {
		return nil, err
	}
	slices.Sort(named)
	return slices.DeleteFunc(ids, func(id string) bool {
		_, found := slices.BinarySearch(named, id)
		return found
	}), nil
}
