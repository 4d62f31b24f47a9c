package api

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/webhook"
)

// SecretStore keeps what the events of a team are signed with.
type SecretStore interface {
	SetWebhookSecret(ctx context.Context, teamID, secret string) (string, error)
	RotateWebhookSecret(ctx context.Context, teamID, secret string) error
}

type (
	// WebhookSecret is what the events of a team are signed with.
	WebhookSecret struct {
		Success
		Data WebhookSecretData `json:"data"`
	}
	// WebhookSecretData holds it.
	WebhookSecretData struct {
		Secret string `json:"secret" doc:"What the events of the team are signed with."`
	}
)

// webhookSecret answers GET /v2/team/webhook-secret.
func (s *Server) webhookSecret(ctx context.Context, _ *none) (*WebhookSecret, error) {
	if err := s.ownSecret(); err != nil {
		return nil, err
	}
	secret, err := s.Store.SetWebhookSecret(ctx, visitOf(ctx).caller.Team.ID, webhook.NewSecret())
	if err != nil {
		return nil, err
	}
	return &WebhookSecret{Success: yes, Data: WebhookSecretData{secret}}, nil
}

type rotateInput struct{ Body Sender }

// bodyless says that there is nothing to choose.
func (*rotateInput) bodyless() {}

// rotateWebhookSecret answers POST /v2/team/webhook-secret.
func (s *Server) rotateWebhookSecret(ctx context.Context, _ *rotateInput) (*WebhookSecret, error) {
	if err := s.ownSecret(); err != nil {
		return nil, err
	}
	secret := webhook.NewSecret()
	if err := s.Store.RotateWebhookSecret(ctx, visitOf(ctx).caller.Team.ID, secret); err != nil {
		return nil, err
	}
	return &WebhookSecret{Success: yes, Data: WebhookSecretData{secret}}, nil
}

// ownSecret refuses where one secret signs for all teams: it is the operator's.
func (s *Server) ownSecret() error {
	if s.SharedSecret {
		return trawl.Errorf(trawl.CodeForbidden, "The operator of this server has chosen one secret for all teams. Ask there for it.")
	}
	return nil
}
