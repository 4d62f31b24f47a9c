package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// ScrapeReplay returns what a scrape of a team did in its page, also if that is a page of a
// job. One that cannot be opened again has no address. If there is no such scrape the
// error has CodeNotFound.
func (s *Store) ScrapeReplay(ctx context.Context, teamID, id string) (r trawl.Replay, err error) {
	var text string
	err = s.db.Read().QueryRow(ctx, "SELECT replay FROM records WHERE team_id = $1 AND id = $2 AND expires_at > $3 AND endpoint IN ('scrape', 'parse') AND code = ''",
		teamID, id, millis(s.now())).Scan(&text)
	if noRows(err) {
		return s.jobReplay(ctx, teamID, id)
	}
	if err == nil && text != "" {
		err = json.Unmarshal([]byte(text), &r)
	}
	if err != nil {
		return r, fmt.Errorf("read replay: %w", err)
	}
	return r, nil
}

// jobReplay is ScrapeReplay for a page of a job.
func (s *Store) jobReplay(ctx context.Context, teamID, id string) (r trawl.Replay, err error) {
	var address, body string
	err = s.db.Read().QueryRow(ctx, `SELECT p.url, o.body FROM results r JOIN jobs j ON j.id = r.job_id
		JOIN pages p ON p.job_id = r.job_id AND p.n = r.page JOIN job_options o ON o.job_id = r.job_id AND o.n = p.options
		WHERE r.id = $1 AND r.team_id = $2 AND (j.state = 'scraping' OR j.expires_at > $3) AND NOT j.zero_data_retention`,
		id, teamID, millis(s.now())).Scan(&address, &body)
	if noRows(err) {
		return r, trawl.Errorf(trawl.CodeNotFound, "Scrape not found")
	}
	options := trawl.DefaultScrapeOptions()
	if err == nil {
		err = json.Unmarshal([]byte(body), &options)
	}
	if err != nil {
		return r, fmt.Errorf("read replay: %w", err)
	}
	return trawl.ReplayOf(address, &options), nil
}

// SessionOfScrape returns the newest session that goes on from a scrape of a team. If
// there is none the error has CodeNotFound.
func (s *Store) SessionOfScrape(ctx context.Context, teamID, scrapeID string) (trawl.Session, error) {
	x, err := scanSession(s.db.Read().QueryRow(ctx, "SELECT "+sessionColumns+
		" FROM sessions WHERE scrape_id = $1 AND team_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1", scrapeID, teamID))
	return x, sessionError("read session of scrape", err)
}

// PromptSession notes that words tell an active session what to do, which costs more for
// the whole of it, and charges the difference for the minutes that were charged already.
// That happens once. If the balance does not cover it the error has CodePayment, if the
// session is not active any more CodeGone; nothing is charged then.
func (s *Store) PromptSession(ctx context.Context, id string) error {
	x, err := s.Session(ctx, id)
	if trawl.ErrorCode(err) == trawl.CodeNotFound || err == nil && !x.Active() {
		return trawl.ErrSessionOver()
	}
	if err != nil || x.Prompted {
		return err
	}
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		_, err := scanString(tx.QueryRow(ctx, "SELECT id FROM teams WHERE id = $1"+s.db.Dialect().ForUpdate, x.TeamID))
		if err != nil {
			return err
		}
		if x, err = scanSession(tx.QueryRow(ctx, "SELECT "+sessionColumns+" FROM sessions WHERE id = $1 AND destroyed_at = 0", id)); noRows(err) {
			return trawl.ErrSessionOver()
		}
		if err != nil || x.Prompted {
			return err
		}
		more := x.Credits / trawl.SessionMinute * (trawl.SessionPromptMinute - trawl.SessionMinute)
		batch := s.newSettlement([]Finished{{Charge: trawl.Charge{ID: id + "-prompt", TeamID: x.TeamID, KeyID: x.KeyID, Kind: "browser", Credits: more}}})
		if err := batch.run(ctx, s.db, tx, nil); err != nil {
			return err
		}
		if batch.errs[0] != nil {
			return batch.errs[0]
		}
		_, err = tx.Exec(ctx, "UPDATE sessions SET prompted = TRUE, credits = credits + $2 WHERE id = $1", id, more)
		return err
	})
	if err != nil {
		return fmt.Errorf("prompt session: %w", err)
	}
	return nil
}

// KeepFile keeps a file that no scrape made.
func (s *Store) KeepFile(ctx context.Context, file trawl.File) error {
	if err := s.putBlobs(ctx, fileBlobs(nil, []trawl.File{file})); err != nil {
		return fmt.Errorf("keep file: %w", err)
	}
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		return insertFiles.Run(ctx, tx, fileRows(nil, []trawl.File{file}, millis(s.now())))
	})
	if err != nil {
		return fmt.Errorf("keep file: %w", err)
	}
	return nil
}
