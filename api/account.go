package api

import (
	"context"

	"github.com/trawlhq/trawl"
)

// Features says what a server can do beyond fetching pages.
type Features struct {
	Browser     bool `json:"browser" doc:"Pages are rendered; actions, screenshots and profiles work."`
	Sessions    bool `json:"sessions" doc:"Remote browsers can be started."`
	Model       bool `json:"model" doc:"A language model is configured."`
	Search      bool `json:"search" doc:"A search engine is configured."`
	Recognition bool `json:"recognition" doc:"The text of pictures is recognised."`
}

type (
	// Account is who a key belongs to.
	Account struct {
		Success
		Data AccountData `json:"data"`
	}
	// AccountData is a team, one of its keys, and what this server can do for it.
	AccountData struct {
		ID                string     `json:"id" doc:"Id of the team."`
		Name              string     `json:"name" doc:"Name of the team."`
		Operator          bool       `json:"operator" doc:"Whether the key may see the whole server."`
		Key               AccountKey `json:"key" doc:"The key of this request."`
		Concurrency       int        `json:"concurrency" doc:"Scrapes that may run at a time."`
		Credits           *int64     `json:"credits" doc:"Credits left; null when unlimited." nullable:"true"`
		ZeroDataRetention bool       `json:"zeroDataRetention" doc:"Whether the team may ask for zero data retention."`
		Version           string     `json:"version" doc:"Version of this server."`
		Features          Features   `json:"features" doc:"What this server can do."`
	}
	// AccountKey is a key as its holder may see it.
	AccountKey struct {
		ID        int64   `json:"id" doc:"Id of the key; 0 where none is needed."`
		Name      *string `json:"name" doc:"What it is for." nullable:"true"`
		Hint      string  `json:"hint" doc:"How it ends."`
		ExpiresAt *string `json:"expiresAt" doc:"When it becomes invalid." format:"date-time" nullable:"true"`
		KeyLimits
	}
)

// account answers GET /v2/team.
func (s *Server) account(ctx context.Context, _ *none) (*Account, error) {
	who := visitOf(ctx).caller
	return &Account{Success: yes, Data: AccountData{
		ID: who.Team.ID, Name: who.Team.Name, Operator: s.operates(who),
		Key: AccountKey{
			ID: who.Key.Number, Name: optional(who.Key.Name), Hint: who.Key.Hint, ExpiresAt: optionalTime(who.Key.ExpiresAt), KeyLimits: limitsOf(&who.Key),
		},
		Concurrency: s.concurrency(who.Team), Credits: who.Team.Credits, ZeroDataRetention: who.Team.ZeroDataRetention,
		Version: trawl.Version, Features: s.Features,
	}}, nil
}

// operates reports whether a caller may see the whole server. Where no keys are
// needed, whoever reaches it does.
func (s *Server) operates(who trawl.Caller) bool { return who.Key.Operator || s.AuthOff }
