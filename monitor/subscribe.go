package monitor

import (
	"context"

	"github.com/trawlhq/trawl"
)

// Subscription is what became of a recipient's wish.
type Subscription struct {
	Result  string
	Email   string
	Monitor string // its name; empty if it is gone
}

// Confirm notes that a recipient wants the mail of a monitor.
func (s *Service) Confirm(ctx context.Context, token string) (Subscription, error) {
	return s.subscribe(ctx, token, trawl.RecipientConfirmed)
}

// Unsubscribe notes that a recipient wants no more mail of a monitor.
func (s *Service) Unsubscribe(ctx context.Context, token string) (Subscription, error) {
	return s.subscribe(ctx, token, trawl.RecipientUnsubscribed)
}

func (s *Service) subscribe(ctx context.Context, token, status string) (Subscription, error) {
	before, email, name, err := s.Store.Subscribe(ctx, token, status)
	result := status
	if before == status {
		result = "already_" + status
	}
	return Subscription{result, email, name}, err
}
