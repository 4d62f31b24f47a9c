package api

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// KeyLimits is what a key may do.
type KeyLimits struct {
	AllowedEndpoints []string          `json:"allowedEndpoints" doc:"Groups of endpoints that it may use; none means all." nullable:"false"`
	AllowedFormats   []string          `json:"allowedFormats" doc:"Formats in which it may have pages; none means all." nullable:"false"`
	SpendLimit       *trawl.SpendLimit `json:"spendLimit" doc:"What it may spend; null for any number."`
}

func limitsOf(k *trawl.Key) KeyLimits {
	return KeyLimits{AllowedEndpoints: append([]string{}, k.AllowedEndpoints...), AllowedFormats: append([]string{}, k.AllowedFormats...), SpendLimit: k.SpendLimit}
}

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
		Credits    int64   `json:"creditsUsed" doc:"What was paid with it in all."`
		Spent      int64   `json:"spent" doc:"What was paid with it in the current interval of its spend limit; in all if it has none."`
		KeyLimits
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
		ExpiresAt: optionalTime(k.ExpiresAt), RevokedAt: optionalTime(k.RevokedAt), Credits: use.Credits, Spent: use.Credits, KeyLimits: limitsOf(&k),
	}
	if k.SpendLimit != nil {
		item.Spent = k.Spent
	}
	if !use.LastDay.IsZero() {
		item.LastUsedOn = optional(use.LastDay.Format(time.DateOnly))
	}
	return item
}

type (
	// KeyRequest says what a key is for, and what it may do.
	KeyRequest struct {
		Name             *string           `json:"name,omitempty" doc:"What the key is for." minLength:"1" maxLength:"255" nullable:"true"`
		SpendLimit       *trawl.SpendLimit `json:"spendLimit,omitempty" doc:"What it may spend; null for any number."`
		AllowedEndpoints []string          `json:"allowedEndpoints,omitempty" doc:"Groups of endpoints that it may use, such as scrape; none means all." maxItems:"50" nullable:"true"`
		AllowedFormats   []string          `json:"allowedFormats,omitempty" doc:"Formats in which it may have pages; none means all." maxItems:"50" nullable:"true"`
		ExpiresAt        *time.Time        `json:"expiresAt,omitempty" doc:"When it becomes invalid; null for never." nullable:"true"`
		Sender
	}
	// NewKeyRequest is the body of POST /v2/team/api-keys.
	NewKeyRequest struct {
		KeyRequest
		Operator bool `json:"operator,omitempty" doc:"Let it see the whole server, which only the key of an operator may do."`
	}
	// Sender says who sends a request, which is of no consequence.
	Sender struct {
		Origin      string `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
		Integration string `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
	}
)

// validate reports names that there are not.
func (req *KeyRequest) validate() []trawl.Issue {
	var issues []trawl.Issue
	for i, name := range req.AllowedEndpoints {
		if !slices.Contains(trawl.EndpointGroups(), name) {
			issues = append(issues, trawl.Issue{Code: "invalid_value", Message: "is none of " + strings.Join(trawl.EndpointGroups(), ", "), Path: []any{"allowedEndpoints", i}})
		}
	}
	for i, name := range req.AllowedFormats {
		if trawl.FormatName(name) == "" {
			issues = append(issues, trawl.Issue{Code: "invalid_value", Message: "is no format", Path: []any{"allowedFormats", i}})
		}
	}
	return issues
}

// expiry refuses a time that has passed.
func (s *Server) expiry(req *KeyRequest) error {
	if req.ExpiresAt == nil || req.ExpiresAt.After(s.Now()) {
		return nil
	}
	return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: "is not in the future", Path: []any{"expiresAt"}}})
}

// formats returns the formats by their names of today.
func (req *KeyRequest) formats() []string {
	var list []string
	for _, name := range req.AllowedFormats {
		list = append(list, trawl.FormatName(name))
	}
	return unique(list)
}

// unique returns the elements of a list in their order, each once.
func unique(list []string) []string {
	var kept []string
	for _, name := range list {
		if !slices.Contains(kept, name) {
			kept = append(kept, name)
		}
	}
	return kept
}

type newKeyInput struct{ Body NewKeyRequest }

// bodyless says that a key needs no name.
func (*newKeyInput) bodyless() {}

// Validate reports what the schema cannot.
func (in *newKeyInput) Validate() []trawl.Issue { return in.Body.validate() }

type (
	// KeyCreated is a key with its secret, which is not told again.
	KeyCreated struct {
		Success
		Key NewKey `json:"apiKey"`
	}
	// NewKey is a key that was just made.
	NewKey struct {
		ID        int64   `json:"id" doc:"Id of the key."`
		Token     string  `json:"token" doc:"The secret. It is not shown again."`
		Name      *string `json:"name" doc:"What it is for." nullable:"true"`
		TeamID    string  `json:"teamId" doc:"Id of the team."`
		OwnerID   *string `json:"ownerId" doc:"Always null: keys belong to teams." nullable:"true"`
		Operator  bool    `json:"operator" doc:"Whether it may see the whole server."`
		CreatedAt string  `json:"createdAt" doc:"When it was made." format:"date-time"`
		ExpiresAt *string `json:"expiresAt" doc:"When it becomes invalid." format:"date-time" nullable:"true"`
		KeyLimits
	}
)

// createKey answers POST /v2/team/api-keys.
func (s *Server) createKey(ctx context.Context, in *newKeyInput) (*KeyCreated, error) {
	req, who := &in.Body, visitOf(ctx).caller
	if req.Operator && !s.operates(who) {
		return nil, trawl.Errorf(trawl.CodeForbidden, "Only the key of an operator may make another one.")
	}
	if err := s.expiry(&req.KeyRequest); err != nil {
		return nil, err
	}
	key := trawl.Key{
		TeamID: who.Team.ID, Operator: req.Operator, SpendLimit: req.SpendLimit, AllowedEndpoints: unique(req.AllowedEndpoints), AllowedFormats: req.formats(),
	}
	if req.Name != nil {
		key.Name = *req.Name
	}
	if req.ExpiresAt != nil {
		key.ExpiresAt = *req.ExpiresAt
	}
	secret := trawl.NewSecret()
	key, err := s.Store.CreateKey(ctx, key, secret)
	if err != nil {
		return nil, err
	}
	return &KeyCreated{Success: yes, Key: NewKey{
		ID: key.Number, Token: secret, Name: optional(key.Name), TeamID: key.TeamID, Operator: key.Operator,
		CreatedAt: timestamp(key.CreatedAt), ExpiresAt: optionalTime(key.ExpiresAt), KeyLimits: limitsOf(&key),
	}}, nil
}

type changeKeyInput struct {
	ID   int64 `path:"id" doc:"Id of the key." minimum:"1"`
	Body KeyRequest
}

// Validate reports what the schema cannot.
func (in *changeKeyInput) Validate() []trawl.Issue { return in.Body.validate() }

// KeyChanged is a key after a change.
type KeyChanged struct {
	Success
	Key KeyItem `json:"apiKey"`
}

// changeKey answers PATCH /v2/team/api-keys/{id}. What is not in the body stays; null
// takes a limit away.
func (s *Server) changeKey(ctx context.Context, in *changeKeyInput) (*KeyChanged, error) {
	v, req := visitOf(ctx), &in.Body
	var given map[string]json.RawMessage
	if err := json.Unmarshal(v.body, &given); err != nil {
		return nil, err
	}
	has := func(name string) bool { _, ok := given[name]; return ok }
	if req.Name == nil && !has("spendLimit") && !has("allowedEndpoints") && !has("allowedFormats") && !has("expiresAt") {
		return nil, trawl.Errorf(trawl.CodeBadRequest, "Update body cannot be empty")
	}
	if err := s.expiry(req); err != nil {
		return nil, err
	}
	key, err := s.Store.ChangeKey(ctx, v.caller.Team.ID, in.ID, func(key *trawl.Key) {
		if req.Name != nil {
			key.Name = *req.Name
		}
		if has("spendLimit") {
			key.SpendLimit = req.SpendLimit
		}
		if has("allowedEndpoints") {
			key.AllowedEndpoints = unique(req.AllowedEndpoints)
		}
		if has("allowedFormats") {
			key.AllowedFormats = req.formats()
		}
		if has("expiresAt") {
			key.ExpiresAt = time.Time{}
			if req.ExpiresAt != nil {
				key.ExpiresAt = *req.ExpiresAt
			}
		}
	})
	if err != nil {
		return nil, err
	}
	uses, err := s.Store.KeyUses(ctx, key.TeamID)
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
