package store

import (
	"context"
	"time"

	"github.com/trawlhq/trawl/store/database"
)

// onceAge is how long a key for once keeps others from using it.
const onceAge = 48 * time.Hour

// sweepJobs removes what expired jobs have left. Their own rows stay as long
// again, so that callers learn why there is nothing, except under zero data
// retention.
func (s *Store) sweepJobs(ctx context.Context, now time.Time, stats *SweepStats) error {
	type expired struct {
		id   string
		zero bool
	}
	zero := false
	for {
		jobs, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (e expired, err error) {
			err = r.Scan(&e.id, &e.zero)
			return e, err
		}, `SELECT id, zero_data_retention FROM jobs WHERE expires_at <= $1 AND state <> 'scraping' AND request <> ''
			AND (check_id = '' OR check_id NOT IN (SELECT id FROM checks WHERE finished_at = 0)) ORDER BY expires_at LIMIT $2`, millis(now), portion)
		if err != nil {
			return err
		}
		for _, job := range jobs {
			if err := s.empty(ctx, job.id); err != nil {
				return err
			}
			query := "UPDATE jobs SET request = '', url = '', base = '', seal = NULL, error = '', warning = '' WHERE id = $1"
			if zero = zero || job.zero; job.zero {
				query = "DELETE FROM jobs WHERE id = $1"
			}
			if _, err := s.exec(ctx, query, job.id); err != nil {
				return err
			}
			stats.Jobs++
		}
		if len(jobs) < portion {
			break
		}
	}
	if _, err := s.exec(ctx, "DELETE FROM jobs WHERE expires_at <= $1 AND state <> 'scraping' AND request = ''", millis(now.Add(-s.retention))); err != nil {
		return err
	}
	_, err := s.exec(ctx, "DELETE FROM idempotency_keys WHERE created_at <= $1", millis(now.Add(-onceAge)))
	if err == nil && zero {
		err = s.db.Scrub(ctx)
	}
	return err
}

// exec runs one statement in a transaction of its own.
func (s *Store) exec(ctx context.Context, query string, args ...any) (n int64, err error) {
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		n, err = tx.Exec(ctx, query, args...)
		return err
	})
	return n, err
}

// empty removes everything that belongs to a job, in small portions.
func (s *Store) empty(ctx context.Context, jobID string) error {
	for after := int64(0); ; {
		blobs, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (id string, err error) {
			err = r.Scan(&id, &after)
			return id, err
		}, "SELECT blob_id, seq FROM results WHERE job_id = $1 AND seq > $2 AND blob_id <> '' ORDER BY seq LIMIT $3", jobID, after, portion)
		if err != nil {
			return err
		}
		if err := s.blobs.Delete(ctx, blobs...); err != nil {
			return err
		}
		if len(blobs) < portion {
			break
		}
	}
	for _, table := range []struct{ name, key string }{
		{"results", "seq"}, {"deliveries", "n"}, {"pages", "n"}, {"seen", "identity"}, {"sightings", "url_hash"}, {"job_options", "n"}, {"answers", "key"},
	} {
		for {
			n, err := s.exec(ctx, "DELETE FROM "+table.name+" WHERE job_id = $1 AND "+table.key+" IN (SELECT "+table.key+" FROM "+
				table.name+" WHERE job_id = $1 ORDER BY "+table.key+" LIMIT $2)", jobID, portion)
			if err != nil {
				return err
			}
			if n < portion {
				break
			}
		}
	}
	return nil
}

// jobDocument returns the document of a page of a job, by the id of its scrape.
func (s *Store) jobDocument(ctx context.Context, teamID, id string) (head, tail []byte, blobID string, err error) {
	err = s.db.Read().QueryRow(ctx, `SELECT r.blob_id, r.head, r.tail FROM results r JOIN jobs j ON j.id = r.job_id
		WHERE r.id = $1 AND r.team_id = $2 AND (j.state = 'scraping' OR j.expires_at > $3) AND NOT j.zero_data_retention`,
		id, teamID, millis(s.now())).Scan(&blobID, &head, &tail)
	return head, tail, blobID, err
}
