package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// TakeProfile makes holder, who runs on the node, the one who saves to a profile
// until it lets go or its node is gone. If somebody else is, the error has
// CodeConflict. After any other error it may be so or not; to let go does no harm.
func (s *Store) TakeProfile(ctx context.Context, teamID, name, holder, node string) error {
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		if err := s.beat(ctx, tx, node); err != nil {
			return err
		}
		return s.hold(ctx, tx, teamID, name, holder, node)
	})
	if err != nil {
		return fmt.Errorf("take profile: %w", err)
	}
	return nil
}

// hold takes a profile that nobody holds. The transaction must have given a sign
// of life of the node, or nobody would notice its death.
func (s *Store) hold(ctx context.Context, tx database.Tx, teamID, name, holder, node string) error {
	n, err := tx.Exec(ctx, `INSERT INTO profiles (team_id, name, created_at, holder, node) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (team_id, name) DO UPDATE SET holder = excluded.holder, node = excluded.node WHERE profiles.holder = ''`,
		teamID, name, millis(s.now()), holder, node)
	if err != nil {
		return err
	}
	if n == 0 {
		return trawl.ErrProfileTaken()
	}
	others, err := scanInt(tx.QueryRow(ctx, "SELECT COUNT(*) FROM profiles WHERE team_id = $1 AND name <> $2 AND blob_id <> ''", teamID, name))
	if err == nil && others >= int64(s.profiles) {
		return trawl.Errorf(trawl.CodeForbidden, "Your team has as many browser profiles as it may (%d). Delete one that is not needed.", s.profiles)
	}
	return err
}

// letGo frees the profiles that are held and meet a condition. Those that were
// never saved disappear.
func letGo(ctx context.Context, tx database.Tx, condition string, args ...any) error {
	_, err := tx.Exec(ctx, "DELETE FROM profiles WHERE holder <> '' AND blob_id = '' AND "+condition, args...)
	if err == nil {
		_, err = tx.Exec(ctx, "UPDATE profiles SET holder = '', node = '' WHERE holder <> '' AND "+condition, args...)
	}
	return err
}

// FreeProfile lets go of a profile, if holder holds it.
func (s *Store) FreeProfile(ctx context.Context, teamID, name, holder string) error {
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		return letGo(ctx, tx, "team_id = $1 AND name = $2 AND holder = $3", teamID, name, holder)
	})
	if err != nil {
		return fmt.Errorf("free profile: %w", err)
	}
	return nil
}

// LoadProfile returns what was last saved to a profile; nil if nothing was yet.
func (s *Store) LoadProfile(ctx context.Context, teamID, name string) ([]byte, error) {
	for missing := ""; ; {
		id, err := scanString(s.db.Read().QueryRow(ctx,
			"SELECT blob_id FROM profiles WHERE team_id = $1 AND name = $2 AND blob_id <> ''", teamID, name))
		if noRows(err) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("load profile: %w", err)
		}
		data, err := s.blobs.Get(ctx, id)
		switch {
		case trawl.ErrorCode(err) == trawl.CodeNotFound && id != missing:
			missing = id // the profile was saved meanwhile
		case trawl.ErrorCode(err) == trawl.CodeNotFound:
			return nil, fmt.Errorf("load profile: its blob %s is gone", id)
		case err != nil:
			return nil, fmt.Errorf("load profile: %w", err)
		default:
			return data, nil
		}
	}
}

// SaveProfile replaces what is saved in a profile, which holder must hold; if it
// does not, or no longer, the error has CodeConflict and nothing changes. A process
// that ends on the way leaves what was there before, or the archive.
func (s *Store) SaveProfile(ctx context.Context, teamID, name, holder string, archive []byte) error {
	id, err := newID()
	if err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	if err := s.blobs.Put(ctx, id, archive); err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	var old string
	err = s.db.Tx(ctx, func(tx database.Tx) (err error) {
		old, err = s.replaceArchive(ctx, tx, teamID, name, holder, id, len(archive))
		return err
	})
	switch {
	case noRows(err):
		_ = s.blobs.Delete(ctx, id) // or a sweep finds it
		return trawl.Errorf(trawl.CodeConflict, "The profile was not saved: whoever held it has lost it to another.")
	case err != nil: // it may be saved or not, so the blob stays; if nothing names it, a sweep finds it
		return fmt.Errorf("save profile: %w", err)
	case old != "":
		_ = s.discard(ctx, old) // or a sweep does
	}
	return nil
}

// replaceArchive puts an archive into a profile and drops the old one, whose id it
// returns. If holder does not hold the profile the error is that of a missing row.
func (s *Store) replaceArchive(ctx context.Context, tx database.Tx, teamID, name, holder, id string, size int) (old string, err error) {
	old, err = scanString(tx.QueryRow(ctx, "SELECT blob_id FROM profiles WHERE team_id = $1 AND name = $2 AND holder <> '' AND holder = $3"+
		s.db.Dialect().ForUpdate, teamID, name, holder))
	if err != nil {
		return "", err
	}
	_, err = tx.Exec(ctx, "UPDATE profiles SET blob_id = $3, size = $4, saved_at = $5 WHERE team_id = $1 AND name = $2",
		teamID, name, id, size, millis(s.now()))
	if err == nil && old != "" {
		err = drop(ctx, tx, old)
	}
	return old, err
}

var insertDropped = database.NewInsert("dropped_blobs (id)", "")

// drop notes that blobs have lost their rows, so that they are deleted sooner or
// later.
func drop(ctx context.Context, tx database.Tx, blobIDs ...string) error {
	args := make([]any, len(blobIDs))
	for i, id := range blobIDs {
		args[i] = id
	}
	return insertDropped.Run(ctx, tx, args)
}

// discard deletes blobs that were dropped.
func (s *Store) discard(ctx context.Context, ids ...string) error {
	if err := s.blobs.Delete(ctx, ids...); err != nil {
		return err
	}
	in, args := database.List(1, ids)
	_, err := s.exec(ctx, "DELETE FROM dropped_blobs WHERE id IN "+in, args...)
	return err
}

// sweepDropped deletes dropped blobs that are still there.
func (s *Store) sweepDropped(ctx context.Context, stats *SweepStats) error {
	for {
		ids, err := database.Collect(ctx, s.db.Read(), scanString, "SELECT id FROM dropped_blobs LIMIT $1", portion)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := s.discard(ctx, ids...); err != nil {
			return err
		}
		stats.Orphans += len(ids)
	}
}

// Profiles returns the profiles of a team that were saved, by name.
func (s *Store) Profiles(ctx context.Context, teamID string) ([]trawl.SavedProfile, error) {
	list, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (p trawl.SavedProfile, err error) {
		var created, saved int64
		err = r.Scan(&p.Name, &p.Size, &created, &saved, &p.Saving)
		p.CreatedAt, p.SavedAt = moment(created), moment(saved)
		return p, err
	}, "SELECT name, size, created_at, saved_at, holder <> '' FROM profiles WHERE team_id = $1 AND blob_id <> ''", teamID)
	if err != nil {
		return nil, fmt.Errorf("list profiles: %w", err)
	}
	slices.SortFunc(list, func(a, b trawl.SavedProfile) int { return strings.Compare(a.Name, b.Name) }) // databases differ in their order of texts
	return list, nil
}

// DeleteProfile removes a profile and what is saved in it. If there is none of that
// name the error has CodeNotFound; while somebody holds it, CodeConflict.
func (s *Store) DeleteProfile(ctx context.Context, teamID, name string) error {
	var blobID, holder string
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		err := tx.QueryRow(ctx, "SELECT blob_id, holder FROM profiles WHERE team_id = $1 AND name = $2"+s.db.Dialect().ForUpdate,
			teamID, name).Scan(&blobID, &holder)
		switch {
		case noRows(err):
			return trawl.Errorf(trawl.CodeNotFound, "Profile not found.")
		case err != nil:
			return err
		case holder != "":
			return trawl.Errorf(trawl.CodeConflict, "Somebody saves to this profile. Wait until the session has ended.")
		}
		if _, err := tx.Exec(ctx, "DELETE FROM profiles WHERE team_id = $1 AND name = $2", teamID, name); err != nil {
			return err
		}
		return drop(ctx, tx, blobID)
	})
	if err != nil {
		return fmt.Errorf("delete profile: %w", err)
	}
	_ = s.discard(ctx, blobID) // or a sweep does
	return nil
}
