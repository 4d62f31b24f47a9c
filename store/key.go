package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

const keyColumns = `api_keys.id, number, team_id, api_keys.name, operator, hint, api_keys.created_at, expires_at, revoked_at,
	allowed_endpoints, allowed_formats, spend_credits, spend_interval`

// keyRow receives the columns of a key.
type keyRow struct {
	trawl.Key
	created, expires, revoked int64
	endpoints, formats        string
	limit                     trawl.SpendLimit
}

func (k *keyRow) dest() []any {
	return []any{&k.ID, &k.Number, &k.TeamID, &k.Name, &k.Operator, &k.Hint, &k.created, &k.expires, &k.revoked,
		&k.endpoints, &k.formats, &k.limit.Credits, &k.limit.Interval}
}

func (k *keyRow) key() trawl.Key {
	k.CreatedAt, k.ExpiresAt, k.RevokedAt = moment(k.created), moment(k.expires), moment(k.revoked)
	k.AllowedEndpoints, k.AllowedFormats = names(k.endpoints), names(k.formats)
	if k.limit.Credits > 0 {
		k.SpendLimit = &k.limit
	}
	return k.Key
}

// names are the elements of a list as it is stored.
func names(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// limitColumns are the values of the last columns of a key.
func limitColumns(k *trawl.Key) []any {
	limit := trawl.SpendLimit{}
	if k.SpendLimit != nil {
		limit = *k.SpendLimit
	}
	return []any{strings.Join(k.AllowedEndpoints, ","), strings.Join(k.AllowedFormats, ","), limit.Credits, limit.Interval}
}

// CreateKey adds a key to the team key.TeamID and returns it with its id, hint
// and time of creation. Only a hash of the secret is stored. A secret that is
// in use already gives CodeConflict, a team that does not exist CodeNotFound.
func (s *Store) CreateKey(ctx context.Context, key trawl.Key, secret string) (trawl.Key, error) {
	id, err := newID()
	if err != nil {
		return trawl.Key{}, fmt.Errorf("create key: %w", err)
	}
	key.ID, key.Number, key.CreatedAt, key.Hint = id, keyNumber(), moment(millis(s.now())), hint(secret)
	var added int64
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		var team string
		if err := tx.QueryRow(ctx, "SELECT id FROM teams WHERE id = $1", key.TeamID).Scan(&team); err != nil {
			return err
		}
		added, err = tx.Exec(ctx, `INSERT INTO api_keys (id, number, team_id, name, operator, hash, hint, created_at, expires_at, revoked_at,
			allowed_endpoints, allowed_formats, spend_credits, spend_interval)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (hash) DO NOTHING`,
			append([]any{key.ID, key.Number, key.TeamID, key.Name, key.Operator, trawl.HashSecret(secret), key.Hint,
				millis(key.CreatedAt), millis(key.ExpiresAt), millis(key.RevokedAt)}, limitColumns(&key)...)...)
		return err
	})
	if err != nil {
		return trawl.Key{}, teamError("create key", err)
	}
	if added == 0 {
		return trawl.Key{}, trawl.Errorf(trawl.CodeConflict, "This API key exists already")
	}
	key.ExpiresAt, key.RevokedAt = moment(millis(key.ExpiresAt)), moment(millis(key.RevokedAt))
	return key, nil
}

// keyNumber returns a number that no other key of a team will have: clients want one
// that fits into 31 bits.
func keyNumber() int64 { return 1 + rand.Int64N(1<<31-1) }

// hint returns the end of a secret, as long as that does not tell most of it.
func hint(secret string) string {
	if len(secret) < 8 {
		return ""
	}
	return secret[len(secret)-4:]
}

// Keys returns the keys of a team, oldest first, revoked ones too.
func (s *Store) Keys(ctx context.Context, teamID string) ([]trawl.Key, error) {
	keys, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (trawl.Key, error) {
		var k keyRow
		err := r.Scan(k.dest()...)
		return k.key(), err
	}, "SELECT "+keyColumns+" FROM api_keys WHERE team_id = $1 ORDER BY created_at, id", teamID)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	for i := range keys {
		if keys[i].Spent, err = s.spent(ctx, &keys[i]); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// RevokeKey makes a key invalid from now on. To revoke it again changes
// nothing; a key that does not exist gives CodeNotFound.
func (s *Store) RevokeKey(ctx context.Context, id string) error {
	var found int64
	err := s.db.Tx(ctx, func(tx database.Tx) (err error) {
		found, err = tx.Exec(ctx, `UPDATE api_keys SET revoked_at = CASE WHEN revoked_at = 0 THEN $2 ELSE revoked_at END
			WHERE id = $1`, id, millis(s.now()))
		return err
	})
	if err != nil {
		return fmt.Errorf("revoke key: %w", err)
	}
	if found == 0 {
		return errNoKey()
	}
	return nil
}

func errNoKey() error { return trawl.Errorf(trawl.CodeNotFound, "API key not found") }

// ChangeKey lets change alter the name, expiry and limits of a key of a team, and
// returns the key. A number that is none of its keys gives CodeNotFound.
func (s *Store) ChangeKey(ctx context.Context, teamID string, number int64, change func(*trawl.Key)) (key trawl.Key, err error) {
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		var k keyRow
		err := tx.QueryRow(ctx, "SELECT "+keyColumns+" FROM api_keys WHERE team_id = $1 AND number = $2"+s.db.Dialect().ForUpdate, teamID, number).Scan(k.dest()...)
		if err != nil {
			return err
		}
		key = k.key()
		change(&key)
		_, err = tx.Exec(ctx, `UPDATE api_keys SET name = $2, expires_at = $3, allowed_endpoints = $4, allowed_formats = $5, spend_credits = $6, spend_interval = $7
			WHERE id = $1`, append([]any{key.ID, key.Name, millis(key.ExpiresAt)}, limitColumns(&key)...)...)
		return err
	})
	switch {
	case noRows(err):
		return trawl.Key{}, errNoKey()
	case err != nil:
		return trawl.Key{}, fmt.Errorf("change key: %w", err)
	}
	key.Spent, err = s.spent(ctx, &key)
	return key, err
}

// KeyUse is what a key was used for.
type KeyUse struct {
	Credits int64
	LastDay time.Time // in UTC; zero if it never was
}

// KeyUses returns what the keys of a team were used for, by their ids.
func (s *Store) KeyUses(ctx context.Context, teamID string) (map[string]KeyUse, error) {
	uses := map[string]KeyUse{}
	err := s.db.Read().Query(ctx, func(r database.Row) error {
		var id string
		var use KeyUse
		var day int64
		err := r.Scan(&id, &use.Credits, &day)
		use.LastDay = dateOf(day)
		uses[id] = use
		return err
	}, "SELECT key_id, CAST(SUM(credits) AS BIGINT), MAX(day) FROM daily_usage WHERE team_id = $1 GROUP BY key_id", teamID)
	if err != nil {
		return nil, fmt.Errorf("read the use of keys: %w", err)
	}
	return uses, nil
}

const callerQuery = "SELECT " + keyColumns + ", " + teamColumns + `
	FROM api_keys JOIN teams ON teams.id = team_id WHERE hash = $1`

// Caller returns the key with that hash and its team. An unknown key gives
// CodeUnauthorized; whether the key is still valid is for the caller to see.
func (s *Store) Caller(ctx context.Context, secretHash string) (trawl.Caller, error) {
	var k keyRow
	var t trawl.Team
	var created int64
	err := s.db.Read().QueryRow(ctx, callerQuery, secretHash).Scan(append(k.dest(),
		&t.ID, &t.Name, &t.Concurrency, &t.Credits, &t.Granted, &t.ZeroDataRetention, &t.RobotsExempt, &created)...)
	switch {
	case noRows(err):
		return trawl.Caller{}, trawl.Errorf(trawl.CodeUnauthorized, "Unauthorized: Invalid token")
	case err != nil:
		return trawl.Caller{}, fmt.Errorf("read caller: %w", err)
	}
	t.CreatedAt = moment(created)
	who := trawl.Caller{Team: t, Key: k.key()}
	who.Key.Spent, err = s.spent(ctx, &who.Key)
	return who, err
}
