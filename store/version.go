package store

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// Version is a page as it was when its team tracked it last. Its history is that of
// a tag: under each the page has one version.
type Version struct {
	TeamID    string
	URL       string // what was asked for, without what does not make another page
	Tag       string
	ScrapedAt time.Time
	Gone      bool     // the site said that there is no such page
	Hidden    bool     // no link or sitemap led to it
	Digest    [32]byte // of its text
	Text      Packed   // its Markdown, to be stored; nil if it is gone
	Size      int      // of the Markdown
	Markdown  string   // as it was stored

	blob string
}

// hash is what the database knows the page under its tag by.
func (v *Version) hash() []byte { return digest(v.Tag + "\n" + v.URL) }

// scope is what the pages of a site under a tag have in common.
func scope(tag, address string) []byte { return digest(tag + "\n" + siteOf(address)) }

// siteOf returns the domain that the host of an address belongs to, with its port:
// crawls may span the hosts of a domain.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	site := strings.TrimSuffix(u.Hostname(), ".")
	if domain, err := publicsuffix.EffectiveTLDPlusOne(site); err == nil {
		site = domain
	}
	return site + ":" + u.Port() // which the default of a scheme is not
}

var insertVersions = database.NewInsert("versions (team_id, hash, scope, url, scraped_at, gone, hidden, digest, size, blob_id, body)",
	`ON CONFLICT (team_id, hash) DO UPDATE SET scraped_at = excluded.scraped_at, gone = excluded.gone, hidden = excluded.hidden,
	digest = excluded.digest, size = excluded.size, blob_id = excluded.blob_id, body = excluded.body`)

// versionBlob appends the text of a version if it is too big for a row.
func versionBlob(blobs []Blob, v *Version) (_ []Blob, err error) {
	if v == nil || len(v.Text) <= maxInline {
		return blobs, nil
	}
	if v.blob == "" {
		v.blob, err = newID()
	}
	return append(blobs, Blob{v.blob, v.Text}), err
}

// writeVersions writes the versions of the items that were kept.
func (b *settlement) writeVersions(ctx context.Context, tx database.Tx) error {
	teams := map[string][]*Version{}
	for i, item := range b.items {
		if v := item.Version; v != nil && b.errs[i] == nil {
			teams[v.TeamID] = append(teams[v.TeamID], v)
		}
	}
	for team, versions := range teams {
		if err := keepVersions(ctx, tx, team, versions); err != nil {
			return err
		}
	}
	return nil
}

// keepVersions puts versions in place of older ones. The transaction holds the row
// of their team, so that nobody else does.
func keepVersions(ctx context.Context, tx database.Tx, team string, versions []*Version) error {
	newest := map[string]*Version{}
	var hashes [][]byte
	for _, v := range versions {
		hash := v.hash()
		other := newest[string(hash)]
		if other == nil {
			hashes = append(hashes, hash)
		}
		if other == nil || other.ScrapedAt.Before(v.ScrapedAt) {
			newest[string(hash)] = v
		}
	}
	for some := range slices.Chunk(hashes, portion) {
		if err := dropOlder(ctx, tx, team, some, newest); err != nil {
			return err
		}
	}
	var rows []any
	for _, hash := range hashes {
		v := newest[string(hash)]
		if v == nil {
			continue
		}
		body := []byte(v.Text)
		if v.blob != "" {
			body = nil
		}
		rows = append(rows, team, hash, scope(v.Tag, v.URL), v.URL, millis(v.ScrapedAt), v.Gone, v.Hidden, v.Digest[:], v.Size, v.blob, body)
	}
	return insertVersions.Run(ctx, tx, rows)
}

// dropOlder drops the blobs of versions that newer ones replace, and takes from
// those what is not newer than the version that is there.
func dropOlder(ctx context.Context, tx database.Tx, team string, hashes [][]byte, newest map[string]*Version) error {
	in, args := database.List(2, hashes)
	var blobs []string
	err := tx.Query(ctx, func(r database.Row) error {
		var hash []byte
		var scraped int64
		var blob string
		if err := r.Scan(&hash, &scraped, &blob); err != nil {
			return err
		}
		if millis(newest[string(hash)].ScrapedAt) <= scraped {
			delete(newest, string(hash))
		} else if blob != "" {
			blobs = append(blobs, blob)
		}
		return nil
	}, "SELECT hash, scraped_at, blob_id FROM versions WHERE team_id = $1 AND hash IN "+in, append([]any{team}, args...)...)
	if err != nil {
		return err
	}
	return drop(ctx, tx, blobs...)
}

// LastVersion returns the version of a page that the team tracked last under the
// tag; the error has CodeNotFound if there is none, or it has expired.
func (s *Store) LastVersion(ctx context.Context, teamID, address, tag string) (Version, error) {
	for missing := ""; ; {
		v, body, err := s.lastVersion(ctx, teamID, address, tag)
		if err == nil && v.blob != "" {
			body, err = s.blobs.Get(ctx, v.blob)
			if trawl.ErrorCode(err) == trawl.CodeNotFound && v.blob != missing {
				missing = v.blob // the page was tracked again meanwhile
				continue
			}
		}
		if err == nil && len(body) > 0 {
			body, err = s.codec.Unpack(body)
		}
		if noRows(err) || trawl.ErrorCode(err) == trawl.CodeNotFound {
			return Version{}, trawl.Errorf(trawl.CodeNotFound, "The page was not tracked before")
		}
		if err != nil {
			return Version{}, fmt.Errorf("read version: %w", err)
		}
		v.Markdown = string(body)
		return v, nil
	}
}

func (s *Store) lastVersion(ctx context.Context, teamID, address, tag string) (v Version, body []byte, err error) {
	v = Version{TeamID: teamID, URL: address, Tag: tag}
	var scraped int64
	var sum []byte
	err = s.db.Read().QueryRow(ctx, `SELECT scraped_at, gone, hidden, digest, size, blob_id, body FROM versions
		WHERE team_id = $1 AND hash = $2 AND scraped_at > $3`, teamID, v.hash(), millis(s.now().Add(-s.historyAge))).
		Scan(&scraped, &v.Gone, &v.Hidden, &sum, &v.Size, &v.blob, &body)
	v.ScrapedAt = moment(scraped)
	copy(v.Digest[:], sum)
	return v, body, err
}

// KnownPages passes the addresses of pages that the team tracked before under the
// tag, and that were there, to visit: those of the site of an address, or of other
// hosts of its domain. They come in portions, those first that were not looked at
// for longest, as long as visit wants more.
func (s *Store) KnownPages(ctx context.Context, teamID, tag, address string, visit func(pages []string) (more bool, err error)) error {
	now := s.now()
	scraped, hash := millis(now.Add(-s.historyAge))+1, []byte{}
	for {
		pages, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (page string, err error) {
			err = r.Scan(&page, &scraped, &hash)
			return page, err
		}, `SELECT url, scraped_at, hash FROM versions WHERE team_id = $1 AND scope = $2 AND NOT gone
			AND (scraped_at, hash) > ($3, $4) AND scraped_at <= $5 ORDER BY scraped_at, hash LIMIT $6`,
			teamID, scope(tag, address), scraped, hash, millis(now), portion)
		if err != nil {
			return fmt.Errorf("list known pages: %w", err)
		}
		if len(pages) == 0 {
			return nil
		}
		if more, err := visit(pages); err != nil || !more {
			return err
		}
	}
}

// sweepHistory removes versions that have expired, and the oldest ones of teams
// that have more than they may.
func (s *Store) sweepHistory(ctx context.Context, now time.Time, stats *SweepStats) error {
	for {
		n, err := s.forgetVersions(ctx, "SELECT team_id, hash FROM versions WHERE scraped_at <= $1 ORDER BY scraped_at LIMIT $2",
			millis(now.Add(-s.historyAge)), portion)
		stats.Versions += n
		if err != nil {
			return err
		}
		if n < portion {
			break
		}
	}
	type excess struct {
		team  string
		count int
	}
	teams, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (e excess, err error) {
		err = r.Scan(&e.team, &e.count)
		return e, err
	}, "SELECT team_id, COUNT(*) - $1 FROM versions GROUP BY team_id HAVING COUNT(*) > $1", s.historyPages)
	if err != nil {
		return err
	}
	for _, team := range teams {
		for left := team.count; left > 0; left -= portion {
			n, err := s.forgetVersions(ctx, "SELECT team_id, hash FROM versions WHERE team_id = $1 ORDER BY scraped_at LIMIT $2",
				team.team, min(left, portion))
			stats.Versions += n
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetVersions removes the versions that a query names, and drops their blobs.
func (s *Store) forgetVersions(ctx context.Context, query string, args ...any) (count int, err error) {
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		count = 0
		var blobs []string
		err := tx.Query(ctx, func(r database.Row) error {
			blob, err := scanString(r)
			count++
			if blob != "" {
				blobs = append(blobs, blob)
			}
			return err
		}, "DELETE FROM versions WHERE (team_id, hash) IN ("+query+") RETURNING blob_id", args...)
		if err != nil {
			return err
		}
		return drop(ctx, tx, blobs...)
	})
	return count, err
}
