package monitor

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// Told is who was told of a check; nil where nobody is to be.
type Told struct{ Webhook, Email *Way }

// Way is how telling by one way went.
type Way struct {
	store.Told
	Attempted bool
}

// Told returns who was told of a check.
func (s *Service) Told(ctx context.Context, c *trawl.Check) (*Told, error) {
	w, err := s.Store.CheckWork(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	told := &Told{}
	if w.Definition.Webhook != nil {
		way, err := s.Store.ToldByWebhook(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		told.Webhook = &Way{way, way.Total > 0}
	}
	if _, ok := w.Definition.Mail(); ok {
		way, err := s.Store.ToldByMail(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		told.Email = &Way{way, way.Total > 0 && s.Mail != nil}
	}
	return told, nil
}
