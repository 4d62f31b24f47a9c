package monitor

import (
	"context"
	"time"

	"github.com/trawlhq/trawl/store"
)

// Start works on a task of the clock.
func (s *Service) Start(ctx context.Context, task store.DueTask) error {
	return s.Store.StartDue(ctx, task, s.plan)
}

// Advance takes a check as far as it goes.
func (s *Service) Advance(ctx context.Context, id string) error {
	_, err := s.advance(ctx, id)
	return err
}

// Deliver makes one attempt to send a mail.
func (s *Service) Deliver(ctx context.Context, id string) (time.Duration, error) {
	return s.deliver(ctx, id)
}
