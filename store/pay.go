package store

import (
	"context"
	"time"

	"github.com/trawlhq/trawl"
)

// price is what a document of a job costs, and the tokens that this pays for. In
// an extract, tokens are what is paid for a page that took any.
func (j *jobRow) price(d *PageDocument) (credits, tokens int64) {
	if j.kind == trawl.KindExtract && d.Tokens > 0 {
		return j.tokenPrice(d.Tokens), d.Tokens
	}
	return d.Credits, 0
}

// tokenPrice is what further tokens of a job cost. They are rounded up once for
// all that the job took, and not for every page.
func (j *jobRow) tokenPrice(more int64) int64 {
	return tokenCredits(j.tokens+more) - tokenCredits(j.tokens)
}

func tokenCredits(tokens int64) int64 {
	return (tokens + trawl.TokensPerCredit - 1) / trawl.TokensPerCredit
}

// unpaid is the error of a team or a key that cannot pay a price, which has
// CodePayment; nil if they can.
func (t *jobTx) unpaid(ctx context.Context, key string, price int64) error {
	if t.credits != nil && price > *t.credits {
		return trawl.InsufficientCredits()
	}
	return t.keys.unpaid(ctx, key, moment(t.now), price)
}

// affordable returns how much of a price team and key can pay.
func (t *jobTx) affordable(ctx context.Context, key string, price int64) (int64, error) {
	if t.credits != nil {
		price = min(price, max(*t.credits, 0))
	}
	return t.keys.affordable(ctx, key, moment(t.now), price)
}

// reserve turns an extract away unless balance and limit have room for it beside
// those that run already: what they cost is known only later.
func (t *jobTx) reserve(ctx context.Context, kind, key string) error {
	if kind != trawl.KindExtract {
		return nil
	}
	var running, own int64
	err := t.tx.QueryRow(ctx, `SELECT COUNT(*), COUNT(CASE WHEN key_id = $3 THEN 1 END) FROM jobs
		WHERE team_id = $1 AND state = 'scraping' AND kind = $2`, t.team, kind, key).Scan(&running, &own)
	if err != nil {
		return err
	}
	if t.credits != nil && (running+1)*trawl.ExtractReserve > *t.credits {
		return trawl.InsufficientCredits()
	}
	return t.keys.unpaid(ctx, key, moment(t.now), (own+1)*trawl.ExtractReserve)
}

// refund gives back what a job has cost so far.
func (t *jobTx) refund(ctx context.Context, j *jobRow) error {
	price := -j.spent
	if price == 0 {
		return nil
	}
	if _, err := t.tx.Exec(ctx, "UPDATE teams SET credits = credits - $2 WHERE id = $1", t.team, price); err != nil {
		return err
	}
	if t.credits != nil {
		left := *t.credits - price
		t.credits = &left
	}
	j.spent, j.tokens = 0, 0
	t.keys.spend(j.keyID, moment(t.now), price)
	return t.book(ctx, j, price)
}

// pay takes a price that the balance covers from it, and notes what it was for. What is
// a part of a check is paid with the check.
func (t *jobTx) pay(ctx context.Context, j *jobRow, price int64) error {
	if price == 0 {
		return nil
	}
	j.spent += price
	if j.checkID != "" {
		return nil
	}
	t.keys.spend(j.keyID, moment(t.now), price)
	if t.credits != nil {
		left := *t.credits - price
		t.credits = &left
	}
	if t.credits != nil || t.now-t.lastSuccess >= time.Second.Milliseconds() { // else there is nothing to take and little to note
		if err := take(ctx, t.tx, t.team, price, t.now); err != nil {
			return err
		}
		t.lastSuccess = t.now
	}
	return t.book(ctx, j, price)
}

// book writes a price into the ledger and the sums of it.
func (t *jobTx) book(ctx context.Context, j *jobRow, price int64) error {
	id, err := newID()
	if err != nil {
		return err
	}
	if err := insertLedger.Run(ctx, t.tx, []any{t.team, id, j.keyID, j.kind, price, t.now}); err != nil {
		return err
	}
	return insertUsage.Run(ctx, t.tx, []any{t.team, dayOf(moment(t.now)), j.keyID, j.kind, price, 0})
}
