package api

import (
	"context"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
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
	}
)

// account answers GET /v2/team.
func (s *Server) account(ctx context.Context, _ *none) (*Account, error) {
	who := visitOf(ctx).caller
	return &Account{Success: yes, Data: AccountData{
		ID: who.Team.ID, Name: who.Team.Name, Operator: s.operates(who),
		Key:         AccountKey{ID: who.Key.Number, Name: optional(who.Key.Name), Hint: who.Key.Hint, ExpiresAt: optionalTime(who.Key.ExpiresAt)},
		Concurrency: s.concurrency(who.Team), Credits: who.Team.Credits, ZeroDataRetention: who.Team.ZeroDataRetention,
		Version: trawl.Version, Features: s.Features,
	}}, nil
}

// operates reports whether a caller may see the whole server. Where no keys are
// needed, whoever reaches it does.
func (s *Server) operates(who trawl.Caller) bool { return who.Key.Operator || s.AuthOff }

type (
	// KeyList lists the keys of a team.
	KeyList struct {
		Success
		Data []KeyItem `json:"data" doc:"Keys, oldest first, revoked ones too."`
	}
	// KeyItem is a key without its secret.
	KeyItem struct {
		ID         int64   `json:"id" doc:"Id of the key."`
		Name       *string `json:"name" doc:"What it is for." nullable:"true"`
		Hint       string  `json:"hint" doc:"How it ends."`
		Operator   bool    `json:"operator" doc:"Whether it may see the whole server."`
		CreatedAt  string  `json:"createdAt" doc:"When it was made." format:"date-time"`
		ExpiresAt  *string `json:"expiresAt" doc:"When it becomes invalid." format:"date-time" nullable:"true"`
		RevokedAt  *string `json:"revokedAt" doc:"When it was revoked." format:"date-time" nullable:"true"`
		LastUsedOn *string `json:"lastUsedOn" doc:"The last day on which something was paid with it." format:"date" nullable:"true"`
		Credits    int64   `json:"creditsUsed" doc:"What was paid with it."`
	}
)

// keys answers GET /v2/team/api-keys.
func (s *Server) keys(ctx context.Context, _ *none) (*KeyList, error) {
	team := visitOf(ctx).caller.Team.ID
	keys, err := s.Store.Keys(ctx, team)
	if err != nil {
		return nil, err
	}
	uses, err := s.Store.KeyUses(ctx, team)
	if err != nil {
		return nil, err
	}
	list := &KeyList{Success: yes, Data: make([]KeyItem, len(keys))}
	for i, k := range keys {
		list.Data[i] = keyItem(k, uses[k.ID])
	}
	return list, nil
}

func keyItem(k trawl.Key, use store.KeyUse) KeyItem {
	item := KeyItem{
		ID: k.Number, Name: optional(k.Name), Hint: k.Hint, Operator: k.Operator, CreatedAt: timestamp(k.CreatedAt),
		ExpiresAt: optionalTime(k.ExpiresAt), RevokedAt: optionalTime(k.RevokedAt), Credits: use.Credits,
	}
	if !use.LastDay.IsZero() {
		item.LastUsedOn = optional(use.LastDay.Format(time.DateOnly))
	}
	return item
}

// KeyRequest says what a key is for.
type KeyRequest struct {
	Name *string `json:"name,omitempty" doc:"What the key is for." minLength:"1" maxLength:"255" nullable:"true"`
}

type newKeyInput struct{ Body KeyRequest }

// bodyless says that a key needs no name.
func (*newKeyInput) bodyless() {}

type (
	// KeyCreated is a key with its secret, which is not told again.
	KeyCreated struct {
		Success
		Key NewKey `json:"apiKey"`
	}
	// NewKey is a key that was just made.
	NewKey struct {
		ID         int64   `json:"id" doc:"Id of the key."`
		Token      string  `json:"token" doc:"The secret. It is not shown again."`
		Name       *string `json:"name" doc:"What it is for." nullable:"true"`
		TeamID     string  `json:"teamId" doc:"Id of the team."`
		OwnerID    *string `json:"ownerId" doc:"Always null: keys belong to teams." nullable:"true"`
		SpendLimit *string `json:"spendLimit" doc:"Always null: keys have no limit of their own." nullable:"true"`
		CreatedAt  string  `json:"createdAt" doc:"When it was made." format:"date-time"`
	}
)

// createKey answers POST /v2/team/api-keys. A key made so is no operator's, whoever
// makes it.
func (s *Server) createKey(ctx context.Context, in *newKeyInput) (*KeyCreated, error) {
	key := trawl.Key{TeamID: visitOf(ctx).caller.Team.ID}
	if in.Body.Name != nil {
		key.Name = *in.Body.Name
	}
	secret := trawl.NewSecret()
	key, err := s.Store.CreateKey(ctx, key, secret)
	if err != nil {
		return nil, err
	}
	return &KeyCreated{Success: yes, Key: NewKey{ID: key.Number, Token: secret, Name: optional(key.Name), TeamID: key.TeamID, CreatedAt: timestamp(key.CreatedAt)}}, nil
}

type renameKeyInput struct {
	ID   int64 `path:"id" doc:"Id of the key." minimum:"1"`
	Body KeyRequest
}

// Validate asks for the name, which a new key may do without.
func (in *renameKeyInput) Validate() []trawl.Issue {
	if in.Body.Name == nil {
		return []trawl.Issue{{Code: "invalid_type", Message: "is required", Path: []any{"name"}}}
	}
	return nil
}

// KeyChanged is a key after a change.
type KeyChanged struct {
	Success
	Key KeyItem `json:"apiKey"`
}

// renameKey answers PATCH /v2/team/api-keys/{id}.
func (s *Server) renameKey(ctx context.Context, in *renameKeyInput) (*KeyChanged, error) {
	team := visitOf(ctx).caller.Team.ID
	key, err := s.Store.RenameKey(ctx, team, in.ID, *in.Body.Name)
	if err != nil {
		return nil, err
	}
	uses, err := s.Store.KeyUses(ctx, team)
	if err != nil {
		return nil, err
	}
	return &KeyChanged{Success: yes, Key: keyItem(key, uses[key.ID])}, nil
}

type keyInput struct {
	ID int64 `path:"id" doc:"Id of the key." minimum:"1"`
}

// revokeKey answers DELETE /v2/team/api-keys/{id}.
func (s *Server) revokeKey(ctx context.Context, in *keyInput) (*Success, error) {
	keys, err := s.Store.Keys(ctx, visitOf(ctx).caller.Team.ID)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if k.Number == in.ID {
			return &Success{true}, s.Store.RevokeKey(ctx, k.ID)
		}
	}
	return nil, trawl.Errorf(trawl.CodeNotFound, "API key not found")
}
