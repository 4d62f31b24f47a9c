package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// listener is the other end of a follower's connection. An error of it means
// that there is nobody to talk to any more.
type listener interface {
	document(number int, doc job.Document) error // one more, counted from 1
	state(JobState) error                        // after every look at the job, changed or not
}

// Why following a job ends before the job does.
var (
	errGone     = errors.New("the follower is gone")
	errDraining = errors.New("the server is about to stop")
)

const (
	// pageOfFollower is how many documents a follower gets from the store at a time.
	pageOfFollower = 100
	// breath is how long a follower lets changes gather: a fast crawl changes
	// hundreds of times a second, and has any number of followers.
	breath = 50 * time.Millisecond
)

// follow tells a listener about a job until the job is over: the documents after
// the first sent ones, and its state after them. It looks at the job whenever it
// changes, and at least every so often.
func (s *Server) follow(ctx context.Context, j trawl.Job, sent int, often time.Duration, to listener) (trawl.Job, error) {
	for {
		var err error
		if sent, err = s.tell(ctx, &j, sent, to); err != nil {
			return j, err
		}
		if err := to.state(stateOf(&j)); err != nil {
			return j, fmt.Errorf("%w: %w", errGone, err)
		}
		if j.Done() {
			return j, nil
		}
		if j, err = s.change(ctx, j, often); err != nil {
			return j, err
		}
		if s.draining.Err() != nil && !j.Done() {
			return j, errDraining
		}
		select {
		case <-time.After(breath):
		case <-ctx.Done():
		}
	}
}

// tell passes on the documents that the job has after the first sent ones, and
// returns how many have been sent then.
func (s *Server) tell(ctx context.Context, j *trawl.Job, sent int, to listener) (int, error) {
	for sent < j.Completed {
		docs, err := s.documents(ctx, j, sent, pageOfFollower)
		if err != nil || len(docs) == 0 {
			return sent, err
		}
		for _, doc := range docs {
			sent++
			if err := to.document(sent, doc); err != nil {
				return sent, fmt.Errorf("%w: %w", errGone, err)
			}
		}
	}
	return sent, nil
}
