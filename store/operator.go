package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl/store/database"
)

// Node is a process that has the database open.
type Node struct {
	ID     string
	SeenAt time.Time // its last sign of life
}

// Nodes returns the nodes that are alive, by their names.
func (s *Store) Nodes(ctx context.Context) ([]Node, error) {
	nodes, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (n Node, err error) {
		var seen int64
		err = r.Scan(&n.ID, &seen)
		n.SeenAt = moment(seen)
		return n, err
	}, "SELECT id, seen_at FROM nodes ORDER BY id")
	if err != nil {
		return nil, fmt.Errorf("list nodes: %w", err)
	}
	return nodes, nil
}

// Backlog is what all jobs of the server have to do.
type Backlog struct {
	Jobs    int       // that run
	Queued  int       // pages that wait
	Running int       // pages that are scraped now
	Oldest  time.Time // when the oldest job that runs was started; zero if there is none
}

// Backlog returns what all jobs have to do.
func (s *Store) Backlog(ctx context.Context) (b Backlog, err error) {
	var oldest int64
	err = s.db.Read().QueryRow(ctx, "SELECT COUNT(*), CAST(COALESCE(SUM(queued), 0) AS BIGINT), COALESCE(MIN(created_at), 0) FROM jobs WHERE state = 'scraping'").
		Scan(&b.Jobs, &b.Queued, &oldest)
	if err == nil {
		err = s.db.Read().QueryRow(ctx, "SELECT COUNT(*) FROM pages WHERE state = 1").Scan(&b.Running)
	}
	if err != nil {
		return Backlog{}, fmt.Errorf("count the backlog: %w", err)
	}
	b.Oldest = moment(oldest)
	return b, nil
}
