package api

import (
	"context"
	"errors"
	"time"

	"github.com/trawlhq/trawl"
)

// inSlot makes a document within the time that it has, once its team has a slot
// free.
func (s *Server) inSlot(ctx context.Context, team trawl.Team, budget time.Duration, work func(ctx context.Context, waited time.Duration) (*trawl.Document, error)) (doc *trawl.Document, err error) {
	defer func() { s.metrics.scraped(err) }()
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	release, waited, err := s.slot(ctx, team, budget)
	if err != nil {
		return nil, err
	}
	defer release()
	return work(ctx, waited)
}

// slot waits for a slot of the team, at most two thirds of the time the request has.
func (s *Server) slot(ctx context.Context, team trawl.Team, budget time.Duration) (func(), time.Duration, error) {
	if release, ok := s.slots.Try(team.ID, s.concurrency(team)); ok {
		return release, 0, nil
	}
	ctx, cancel := context.WithTimeout(ctx, budget*2/3)
	defer cancel()
	release, waited, err := s.slots.Acquire(ctx, team.ID, s.concurrency(team))
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, 0, trawl.Errorf(trawl.CodeQueueTimeout,
			"All %d slots of your team stayed busy. Send fewer requests at the same time or raise timeout.", s.concurrency(team))
	}
	return release, waited, err
}

// concurrency returns how many scrapes of the team may run at a time.
func (s *Server) concurrency(team trawl.Team) int {
	if team.Concurrency > 0 {
		return team.Concurrency
	}
	return s.Concurrency
}
