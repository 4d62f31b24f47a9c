package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// spent returns what a key has spent in the current interval of its limit; 0 if it
// has none.
func (s *Store) spent(ctx context.Context, key *trawl.Key) (int64, error) {
	if key.SpendLimit == nil {
		return 0, nil
	}
	sum, err := spentIn(ctx, s.db.Read(), key.TeamID, key.ID, *key.SpendLimit, s.now())
	if err != nil {
		return 0, fmt.Errorf("read what a key has spent: %w", err)
	}
	return sum, nil
}

// spentIn returns what a key has spent in the interval that a time is in. What was
// given back in it counts against that.
func spentIn(ctx context.Context, q database.Reader, team, key string, limit trawl.SpendLimit, at time.Time) (int64, error) {
	start, end := limit.Window(at)
	sum, err := scanInt(q.QueryRow(ctx, `SELECT CAST(COALESCE(SUM(credits), 0) AS BIGINT) FROM daily_usage
		WHERE team_id = $1 AND day >= $2 AND day < $3 AND key_id = $4`, team, dayOf(start), dayOf(end), key))
	return max(sum, 0), err
}

// allowances are what keys may still spend. They are good for a transaction that
// holds the row of the team: whoever charges one of its keys holds it, on any node.
type allowances struct {
	tx     database.Tx
	team   string
	limits map[string]trawl.SpendLimit // by key; of no credits if it has none
	left   map[interval]int64
}

// interval is one of those of a key's limit, by its first day.
type interval struct {
	key string
	day int64
}

func newAllowances(tx database.Tx, team string) *allowances {
	return &allowances{tx: tx, team: team, limits: map[string]trawl.SpendLimit{}, left: map[interval]int64{}}
}

// unpaid is the error of a key whose limit does not cover a price, which has
// CodePayment; nil if it does, or if the key has none.
func (a *allowances) unpaid(ctx context.Context, key string, at time.Time, price int64) error {
	part, err := a.affordable(ctx, key, at, price)
	if err == nil && part < price {
		err = a.limits[key].Reached()
	}
	return err
}

// affordable returns how much of a price the limit of a key covers.
func (a *allowances) affordable(ctx context.Context, key string, at time.Time, price int64) (int64, error) {
	if key == "" || price <= 0 {
		return price, nil
	}
	limit, err := a.limit(ctx, key)
	if err != nil || limit.Credits == 0 {
		return price, err
	}
	now := intervalOf(key, limit, at)
	if _, ok := a.left[now]; !ok {
		spent, err := spentIn(ctx, a.tx, a.team, key, limit, at)
		if err != nil {
			return 0, err
		}
		a.left[now] = limit.Credits - spent
	}
	return min(price, max(a.left[now], 0)), nil
}

// spend takes a price from what a key may spend; one below zero gives back.
func (a *allowances) spend(key string, at time.Time, price int64) {
	now := intervalOf(key, a.limits[key], at)
	if left, ok := a.left[now]; ok {
		a.left[now] = left - price
	}
}

func intervalOf(key string, limit trawl.SpendLimit, at time.Time) interval {
	start, _ := limit.Window(at)
	return interval{key, dayOf(start)}
}

// limit returns the limit of a key; of no credits if it has none.
func (a *allowances) limit(ctx context.Context, key string) (limit trawl.SpendLimit, err error) {
	limit, ok := a.limits[key]
	if ok {
		return limit, nil
	}
	err = a.tx.QueryRow(ctx, "SELECT spend_credits, spend_interval FROM api_keys WHERE id = $1", key).Scan(&limit.Credits, &limit.Interval)
	if err != nil && !noRows(err) {
		return limit, err
	}
	a.limits[key] = limit
	return limit, nil
}
