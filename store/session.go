package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

const (
	mostSessions = 1000           // of a list
	sessionAge   = 24 * time.Hour // how long a destroyed session is listed
)

const sessionColumns = `id, team_id, key_id, stream, activity_ttl, profile, save_changes, node, node_url,
	created_at, last_activity, expires_at, destroyed_at, reason, credits, scrape_id, prompted`

func scanSession(r database.Row) (x trawl.Session, err error) {
	var ttl, created, active, expires, destroyed int64
	err = r.Scan(&x.ID, &x.TeamID, &x.KeyID, &x.Stream, &ttl, &x.Profile, &x.SaveChanges, &x.Node, &x.NodeURL,
		&created, &active, &expires, &destroyed, &x.Reason, &x.Credits, &x.ScrapeID, &x.Prompted)
	x.ActivityTTL = time.Duration(ttl) * time.Millisecond
	x.CreatedAt, x.LastActivity, x.ExpiresAt, x.DestroyedAt = moment(created), moment(active), moment(expires), moment(destroyed)
	if x.State = trawl.SessionActive; destroyed != 0 {
		x.State = trawl.SessionDestroyed
	}
	return x, err
}

// Whoever changes sessions and profiles takes locks in one order: the team, the
// node, the session, the profile.

// StartSession notes a session that is about to start, as an active one. If its
// team has as many active ones as it may, the error has CodeRateLimited. If it is
// to save to a profile, it holds that from now on; if somebody else does, the error
// has CodeConflict. Nothing is charged.
func (s *Store) StartSession(ctx context.Context, x trawl.Session, most int) error {
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		if err := s.admitSession(ctx, tx, x.TeamID, most); err != nil {
			return err
		}
		if err := s.beat(ctx, tx, x.Node); err != nil {
			return err
		}
		if x.Profile != "" && x.SaveChanges {
			if err := s.hold(ctx, tx, x.TeamID, x.Profile, x.ID, x.Node); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `INSERT INTO sessions (id, team_id, key_id, stream, activity_ttl, profile, save_changes, node, node_url,
			created_at, last_activity, expires_at, scrape_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
			x.ID, x.TeamID, x.KeyID, x.Stream, x.ActivityTTL.Milliseconds(), x.Profile, x.SaveChanges, x.Node, x.NodeURL,
			millis(x.CreatedAt), millis(x.LastActivity), millis(x.ExpiresAt), x.ScrapeID)
		return err
	})
	if err != nil {
		return fmt.Errorf("start session: %w", err)
	}
	return nil
}

// admitSession locks the team, and reports whether it may have another session.
func (s *Store) admitSession(ctx context.Context, tx database.Tx, teamID string, most int) error {
	_, err := scanString(tx.QueryRow(ctx, "SELECT id FROM teams WHERE id = $1"+s.db.Dialect().ForUpdate, teamID))
	if noRows(err) {
		return errNoTeam()
	}
	if err != nil {
		return err
	}
	active, err := scanInt(tx.QueryRow(ctx, "SELECT COUNT(*) FROM sessions WHERE team_id = $1 AND destroyed_at = 0", teamID))
	if err == nil && active >= int64(most) {
		return trawl.Errorf(trawl.CodeRateLimited,
			"Too many browser sessions: your team may have %d active at a time. Destroy one, or wait until one has ended.", most)
	}
	return err
}

// CancelSession forgets a session that never came up, and lets go of its profile.
// One that is not there is no error.
func (s *Store) CancelSession(ctx context.Context, id string) error {
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		if _, err := tx.Exec(ctx, "DELETE FROM sessions WHERE id = $1", id); err != nil {
			return err
		}
		return letGo(ctx, tx, "holder = $1", id)
	})
	if err != nil {
		return fmt.Errorf("cancel session: %w", err)
	}
	return nil
}

// BillSession charges a minute of an active session, counted from 0, and notes
// when it was last used. The same minute is charged once, however often it is
// billed. If the balance does not cover it the error has CodePayment, if the
// session is not active any more CodeGone; nothing is charged then.
func (s *Store) BillSession(ctx context.Context, id string, minute int, lastActivity time.Time) error {
	x, err := s.Session(ctx, id)
	if trawl.ErrorCode(err) == trawl.CodeNotFound || err == nil && !x.Active() {
		return trawl.ErrSessionOver()
	}
	if err != nil {
		return fmt.Errorf("bill session: %w", err)
	}
	price := x.Minute()
	bill := []Finished{{Charge: trawl.Charge{
		ID: fmt.Sprintf("%s-%d", id, minute), TeamID: x.TeamID, KeyID: x.KeyID, Kind: "browser", Credits: price,
	}}}
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		batch := s.newSettlement(bill)
		if err := batch.run(ctx, s.db, tx, nil); err != nil {
			return err
		}
		if batch.errs[0] != nil {
			return batch.errs[0]
		}
		var credits int64
		if batch.charged[0] {
			credits = price
		}
		n, err := tx.Exec(ctx, "UPDATE sessions SET credits = credits + $2, "+usedAt3+" WHERE id = $1 AND destroyed_at = 0",
			id, credits, millis(lastActivity))
		if err == nil && n == 0 {
			return trawl.ErrSessionOver() // and takes the charge back
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("bill session: %w", err)
	}
	return nil
}

// usedAt3 notes that a session was used at $3; what is known of later stays.
const usedAt3 = "last_activity = CASE WHEN last_activity < $3 THEN $3 ELSE last_activity END"

// EndSession destroys a session, lets go of its profile, and returns what has
// become of it. Of several ends the first one counts. If there is no such session
// the error has CodeNotFound.
func (s *Store) EndSession(ctx context.Context, id, reason string, lastActivity time.Time) (x trawl.Session, err error) {
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE sessions SET destroyed_at = $4, reason = $2, "+usedAt3+" WHERE id = $1 AND destroyed_at = 0",
			id, reason, millis(lastActivity), millis(s.now()))
		if err != nil {
			return err
		}
		if err := letGo(ctx, tx, "holder = $1", id); err != nil {
			return err
		}
		x, err = scanSession(tx.QueryRow(ctx, "SELECT "+sessionColumns+" FROM sessions WHERE id = $1", id))
		return err
	})
	return x, sessionError("end session", err)
}

// Session returns a session of any team; if there is none with that id, the error
// has CodeNotFound.
func (s *Store) Session(ctx context.Context, id string) (trawl.Session, error) {
	x, err := scanSession(s.db.Read().QueryRow(ctx, "SELECT "+sessionColumns+" FROM sessions WHERE id = $1", id))
	return x, sessionError("read session", err)
}

// sessionError says that a session is missing, or what else went wrong.
func sessionError(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case noRows(err):
		return trawl.ErrNoSession()
	default:
		return fmt.Errorf("%s: %w", op, err)
	}
}

// Sessions returns the newest sessions of a team, newest first and at most a
// thousand, in one state unless that is empty.
func (s *Store) Sessions(ctx context.Context, teamID, state string) ([]trawl.Session, error) {
	only := ""
	switch state {
	case trawl.SessionActive:
		only = " AND destroyed_at = 0"
	case trawl.SessionDestroyed:
		only = " AND destroyed_at > 0"
	}
	list, err := database.Collect(ctx, s.db.Read(), scanSession,
		"SELECT "+sessionColumns+" FROM sessions WHERE team_id = $1"+only+" ORDER BY created_at DESC, id DESC LIMIT $2", teamID, mostSessions)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return list, nil
}

// abandon destroys the sessions of a node that was last seen at the given time, and
// lets go of what its sessions and scrapes hold. No session lasts longer than it
// may, even if that is noticed late.
func abandon(ctx context.Context, tx database.Tx, node string, seen int64) error {
	_, err := tx.Exec(ctx, `UPDATE sessions SET reason = $2,
		destroyed_at = CASE WHEN expires_at > created_at AND expires_at < $3 THEN expires_at ELSE $3 END
		WHERE destroyed_at = 0 AND node = $1`, node, trawl.EndStopped, seen)
	if err != nil {
		return err
	}
	return letGo(ctx, tx, "node = $1", node)
}

// sweepSessions removes sessions that were destroyed long enough ago.
func (s *Store) sweepSessions(ctx context.Context, now time.Time, stats *SweepStats) error {
	for {
		n, err := s.exec(ctx, `DELETE FROM sessions WHERE id IN
			(SELECT id FROM sessions WHERE destroyed_at > 0 AND destroyed_at <= $1 ORDER BY destroyed_at LIMIT $2)`,
			millis(now.Add(-sessionAge)), portion)
		stats.Sessions += int(n)
		if err != nil || n < portion {
			return err
		}
	}
}
