package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl"
)

// Conclusion is what an extract comes to once its pages are done.
type Conclusion struct {
	Head    Packed   // the answer
	Size    int      // of its JSON
	Tokens  int64    // that a language model took for it, beyond those of the pages
	Warning string   // is added to what the job warns of already
	Failure *Failure // why there is no answer; then nothing is stored or charged
}

// Conclude stores the answer of an extract, charges it and ends the job, in one
// transaction. If the balance of the team does not cover it, the job fails and
// nothing is stored. A job that is over stays as it is: so the same call may be
// made again after a failure.
func (s *Store) Conclude(ctx context.Context, teamID, jobID string, c Conclusion) error {
	blob, err := s.storeHead(ctx, c)
	if err == nil {
		err = s.whileRunning(ctx, teamID, jobID, func(t *jobTx, j *jobRow) error { return t.conclude(ctx, j, c, blob) })
	}
	if err != nil {
		return fmt.Errorf("conclude job: %w", err)
	}
	return nil
}

// FailJob ends a running job as failed and says why. A job that is over stays as
// it is.
func (s *Store) FailJob(ctx context.Context, teamID, jobID string, f Failure) error {
	err := s.whileRunning(ctx, teamID, jobID, func(t *jobTx, j *jobRow) error { return t.fail(ctx, j, f) })
	if err != nil {
		return fmt.Errorf("fail job: %w", err)
	}
	return nil
}

// whileRunning runs fn on a job if it is running.
func (s *Store) whileRunning(ctx context.Context, teamID, jobID string, fn func(*jobTx, *jobRow) error) error {
	return s.teamJobs(ctx, teamID, func(t *jobTx) error {
		j, err := t.job(ctx, jobID)
		if err != nil || j == nil || !j.running() {
			return err
		}
		return fn(t, j)
	})
}

// storeHead stores an answer that is too big for a row and returns its blob. If
// the row is not written after all, a sweep removes the blob.
func (s *Store) storeHead(ctx context.Context, c Conclusion) (blob string, err error) {
	if c.Failure != nil || len(c.Head) <= maxInline {
		return "", nil
	}
	if blob, err = newID(); err != nil {
		return "", err
	}
	return blob, s.putBlobs(ctx, []Blob{{blob, c.Head}})
}

func (t *jobTx) conclude(ctx context.Context, j *jobRow, c Conclusion, blob string) error {
	if c.Warning != "" {
		j.warning = strings.TrimSpace(j.warning + " " + c.Warning)
	}
	if c.Failure != nil {
		return t.fail(ctx, j, *c.Failure)
	}
	price := j.tokenPrice(c.Tokens)
	if err := t.unpaid(ctx, j.keyID, price); trawl.ErrorCode(err) == trawl.CodePayment {
		return t.fail(ctx, j, Failure{Code: trawl.CodePayment, Text: err.Error()})
	} else if err != nil {
		return err
	}
	j.tokens += c.Tokens
	if err := t.pay(ctx, j, price); err != nil {
		return err
	}
	id, err := newID()
	if err != nil {
		return err
	}
	head := []byte(c.Head)
	if blob != "" {
		head = nil
	}
	if err := insertResults.Run(ctx, t.tx, []any{j.id, j.completed + 1, id, t.team, 0, c.Size, blob, head, []byte{}}); err != nil {
		return err
	}
	return t.stop(ctx, j, trawl.StateCompleted)
}

// fail ends a job as failed. What the pages of an extract cost is given back:
// they are no results, and the answer that they were for does not come. Only a
// team or a key that ran out of credits pays for what was done until then.
func (t *jobTx) fail(ctx context.Context, j *jobRow, why Failure) error {
	j.err = why.Text
	if j.kind == trawl.KindExtract && why.Code != trawl.CodePayment {
		if err := t.refund(ctx, j); err != nil {
			return err
		}
	}
	return t.stop(ctx, j, trawl.StateFailed)
}

// Conclusion returns the answer of an extract; CodeNotFound if it has none.
func (s *Store) Conclusion(ctx context.Context, jobID string) (Result, error) {
	var r Result
	err := s.db.Read().QueryRow(ctx, `SELECT r.size, r.blob_id, r.head, r.tail FROM jobs j
		JOIN results r ON r.job_id = j.id AND r.seq = j.completed + 1 WHERE j.id = $1 AND r.page = 0`, jobID).Scan(&r.Size, &r.blobID, (*[]byte)(&r.Head), &r.Tail)
	if noRows(err) {
		return Result{}, trawl.Errorf(trawl.CodeNotFound, "The job has no conclusion")
	}
	if err == nil && r.blobID != "" {
		r.Head, err = s.blobs.Get(ctx, r.blobID)
	}
	if err != nil {
		return Result{}, fmt.Errorf("read conclusion: %w", err)
	}
	return r, nil
}

// Answer returns what was kept for a job under the key, and whether there is
// anything.
func (s *Store) Answer(ctx context.Context, jobID, key string) (body []byte, ok bool, err error) {
	err = s.db.Read().QueryRow(ctx, "SELECT body FROM answers WHERE job_id = $1 AND key = $2", jobID, key).Scan(&body)
	if noRows(err) {
		return nil, false, nil
	}
	if err == nil {
		body, err = s.codec.Unpack(body)
	}
	if err != nil {
		return nil, false, fmt.Errorf("read answer: %w", err)
	}
	return body, true, nil
}

// KeepAnswer keeps what a language model answered on behalf of a running job,
// until the job is removed. What was kept first under a key stays. For a job that
// is over nothing is kept, since nobody will ask.
func (s *Store) KeepAnswer(ctx context.Context, jobID, key string, body []byte) error {
	packed, err := s.codec.Pack(body)
	if err == nil {
		_, err = s.exec(ctx, `INSERT INTO answers (job_id, key, body) SELECT id, $2, $3 FROM jobs
			WHERE id = $1 AND state = 'scraping' ON CONFLICT DO NOTHING`, jobID, key, packed)
	}
	if err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	return nil
}
