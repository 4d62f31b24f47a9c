package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// Finished is what one finished scrape leaves behind.
type Finished struct {
	Charge  trawl.Charge // of no credits, perhaps; its id is what makes a repetition harmless. A failure has none
	Record  *Record      // nil under zero data retention
	Page    *CachedPage  // nil unless the page goes into the cache
	Files   []trawl.File // none under zero data retention
	Version *Version     // nil unless the page is tracked
}

var (
	insertLedger = database.NewInsert("ledger (team_id, id, key_id, kind, credits, created_at)", "ON CONFLICT DO NOTHING")
	insertUsage  = database.NewInsert("daily_usage (team_id, day, key_id, kind, credits, requests)",
		"ON CONFLICT (team_id, day, key_id, kind) DO UPDATE SET credits = daily_usage.credits + excluded.credits, requests = daily_usage.requests + excluded.requests")
)

// Finish keeps and charges what finished, all in one transaction. The list of
// errors has one entry for each item, in order: nil if it was kept, CodePayment
// if the balance of its team or the limit of its key does not cover it, in which
// case nothing of it is kept. Items are charged in order as far as the balance goes, and a balance
// never falls below zero. The second error means that nothing was kept; the same
// call may then be made again, and does no harm if the failure was only that the
// answer of the database got lost.
//
// An item whose charge exists already is not charged again; what the first one
// stored stays as it is, and what is missing is added.
func (s *Store) Finish(ctx context.Context, items []Finished) ([]error, error) {
	if len(items) == 0 {
		return nil, nil
	}
	blobs, err := s.storeBlobs(ctx, items)
	if err != nil {
		return nil, fmt.Errorf("finish: %w", err)
	}
	var batch *settlement
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		batch = s.newSettlement(items)
		return batch.run(ctx, s.db, tx, blobs)
	})
	if err != nil {
		return nil, fmt.Errorf("finish: %w", err)
	}
	return batch.errs, nil
}

// settlement is one transaction of Finish.
type settlement struct {
	items   []Finished
	teams   map[string][]int // indexes of the items of every team, in order
	errs    []error
	charged []bool
}

func (s *Store) newSettlement(items []Finished) *settlement {
	b := &settlement{
		items:   slices.Clone(items),
		teams:   make(map[string][]int),
		errs:    make([]error, len(items)),
		charged: make([]bool, len(items)),
	}
	for i := range b.items {
		charge := &b.items[i].Charge
		if charge.At.IsZero() {
			charge.At = s.now()
		}
		if b.errs[i] = b.items[i].check(); b.errs[i] == nil {
			b.teams[charge.TeamID] = append(b.teams[charge.TeamID], i)
		}
	}
	return b
}

// failed reports whether there is nothing but the record of a failure.
func (f *Finished) failed() bool { return f.Record != nil && f.Record.Code != "" }

func (f *Finished) check() error {
	switch team := f.Charge.TeamID; {
	case f.Charge.ID == "" && !f.failed():
		return errors.New("a charge without an id")
	case f.failed() && (f.Charge.ID != "" || f.Record.ID == ""):
		return errors.New("a charge for a failure")
	case f.Charge.Credits < 0:
		return errors.New("a charge of less than nothing")
	case f.Record != nil && f.Record.TeamID != team, f.Page != nil && f.Page.TeamID != team, f.Version != nil && f.Version.TeamID != team,
		slices.ContainsFunc(f.Files, func(file trawl.File) bool { return file.TeamID != team }):
		return errors.New("a charge for what belongs to another team")
	}
	return nil
}

func (b *settlement) run(ctx context.Context, db database.DB, tx database.Tx, blobs map[int]string) error {
	for _, team := range slices.Sorted(maps.Keys(b.teams)) { // always in the same order, or two batches could block each other
		if err := b.settle(ctx, db, tx, team); err != nil {
			return err
		}
	}
	if err := b.writeLedger(ctx, tx); err != nil {
		return err
	}
	if err := b.writeRecords(ctx, tx, blobs); err != nil {
		return err
	}
	if err := b.writePages(ctx, tx); err != nil {
		return err
	}
	if err := b.writeFiles(ctx, tx); err != nil {
		return err
	}
	return b.writeVersions(ctx, tx)
}

// settle locks a team, decides which of its items the balance and the limits of
// keys cover, and takes their price.
func (b *settlement) settle(ctx context.Context, db database.DB, tx database.Tx, team string) error {
	var balance *int64
	err := tx.QueryRow(ctx, "SELECT credits FROM teams WHERE id = $1"+db.Dialect().ForUpdate, team).Scan(&balance)
	if noRows(err) {
		for _, i := range b.teams[team] {
			b.errs[i] = errNoTeam()
		}
		return nil
	}
	if err != nil {
		return err
	}
	paid, err := b.paid(ctx, tx, team)
	if err != nil {
		return err
	}
	var price, last int64
	keys := newAllowances(tx, team)
	for _, i := range b.teams[team] {
		charge := &b.items[i].Charge
		switch {
		case b.items[i].failed():
			continue
		case paid[charge.ID]:
		case balance != nil && *balance-price < charge.Credits:
			b.errs[i] = trawl.InsufficientCredits()
			continue
		default:
			if err := keys.unpaid(ctx, charge.KeyID, charge.At, charge.Credits); trawl.ErrorCode(err) == trawl.CodePayment {
				b.errs[i] = err
				continue
			} else if err != nil {
				return err
			}
			keys.spend(charge.KeyID, charge.At, charge.Credits)
			paid[charge.ID], b.charged[i] = true, true
			price += charge.Credits
		}
		last = max(last, millis(charge.At))
	}
	return take(ctx, tx, team, price, last)
}

// paid returns the ids of those charges of a team that were made already.
func (b *settlement) paid(ctx context.Context, tx database.Tx, team string) (map[string]bool, error) {
	paid := make(map[string]bool)
	for indexes := range slices.Chunk(b.teams[team], portion) {
		ids := make([]string, len(indexes))
		for i, index := range indexes {
			ids[i] = b.items[index].Charge.ID
		}
		in, args := database.List(2, ids)
		err := tx.Query(ctx, func(r database.Row) error {
			id, err := scanString(r)
			paid[id] = true
			return err
		}, "SELECT id FROM ledger WHERE team_id = $1 AND id IN "+in, append([]any{team}, args...)...)
		if err != nil {
			return nil, err
		}
	}
	return paid, nil
}

// take subtracts a price from the balance, which must cover it.
func take(ctx context.Context, tx database.Tx, team string, price, last int64) error {
	if last == 0 {
		return nil // nothing succeeded
	}
	n, err := tx.Exec(ctx, `UPDATE teams SET credits = credits - $2,
		last_success_at = CASE WHEN last_success_at < $3 THEN $3 ELSE last_success_at END
		WHERE id = $1 AND (credits IS NULL OR credits >= $2)`, team, price, last)
	if err == nil && n != 1 {
		err = errors.New("the balance changed under a lock")
	}
	return err
}

// writeLedger writes the charges that were made and adds them to the sums.
func (b *settlement) writeLedger(ctx context.Context, tx database.Tx) error {
	type period struct {
		team, key, kind string
		day             int64
	}
	type sum struct{ credits, requests int64 }
	sums := make(map[period]*sum)
	var order []period
	var ledger, usage []any
	for i, item := range b.items {
		if !b.charged[i] {
			continue
		}
		c := &item.Charge
		ledger = append(ledger, c.TeamID, c.ID, c.KeyID, c.Kind, c.Credits, millis(c.At))
		p := period{c.TeamID, c.KeyID, c.Kind, dayOf(c.At)}
		if sums[p] == nil {
			order = append(order, p)
			sums[p] = &sum{}
		}
		sums[p].credits += c.Credits
		sums[p].requests++
	}
	for _, p := range order {
		usage = append(usage, p.team, p.day, p.key, p.kind, sums[p].credits, sums[p].requests)
	}
	if err := insertLedger.Run(ctx, tx, ledger); err != nil {
		return err
	}
	return insertUsage.Run(ctx, tx, usage)
}
