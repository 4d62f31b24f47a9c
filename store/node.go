package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl/store/database"
)

// Beat notes that a node is alive.
func (s *Store) Beat(ctx context.Context, node string) error {
	err := s.db.Tx(ctx, func(tx database.Tx) error { return s.beat(ctx, tx, node) })
	if err != nil {
		return fmt.Errorf("beat: %w", err)
	}
	return nil
}

// beat is Beat in a transaction that notes what the node holds: a node that holds
// something is known, and can be buried.
func (s *Store) beat(ctx context.Context, tx database.Tx, node string) error {
	_, err := tx.Exec(ctx, "INSERT INTO nodes (id, seen_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
		node, millis(s.now()))
	return err
}

// Sign is the last sign of life of a node, by the clock of that node.
type Sign struct {
	Node   string
	SeenAt time.Time
}

// Bury takes leave of the nodes that are dead by their last sign of life, as they
// would have by [Store.Leave], and returns them.
func (s *Store) Bury(ctx context.Context, dead func(Sign) bool) (buried []string, err error) {
	signs, err := database.Collect(ctx, s.db.Read(), scanSign, "SELECT id, seen_at FROM nodes")
	if err != nil {
		return nil, fmt.Errorf("bury nodes: %w", err)
	}
	for _, sign := range signs {
		if !dead(sign) {
			continue
		}
		gone, err := s.leave(ctx, sign.Node, millis(sign.SeenAt))
		if err != nil {
			return buried, err
		}
		if gone {
			buried = append(buried, sign.Node)
		}
	}
	return buried, nil
}

func scanSign(r database.Row) (sign Sign, err error) {
	var seen int64
	err = r.Scan(&sign.Node, &seen)
	sign.SeenAt = moment(seen)
	return sign, err
}

// Leave hands the tasks of a node that ends back to the queue, destroys its
// sessions and lets go of the profiles that it holds.
func (s *Store) Leave(ctx context.Context, node string) error {
	_, err := s.leave(ctx, node, 0)
	return err
}

// leave removes a node whose last sign of life is the one at the given time; 0 is any.
// Its row is the lock: of those who come to bury a node, one does.
func (s *Store) leave(ctx context.Context, node string, at int64) (gone bool, err error) {
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		seen, err := scanInt(tx.QueryRow(ctx, "DELETE FROM nodes WHERE id = $1 AND (CAST($2 AS BIGINT) = 0 OR seen_at = $2) RETURNING seen_at", node, at))
		if noRows(err) {
			return nil
		}
		if err != nil {
			return err
		}
		gone = true
		if _, err := tx.Exec(ctx, "UPDATE river_job SET state = 'available' WHERE state = 'running' AND "+s.db.Dialect().TaskNode+" = $1", node); err != nil {
			return err
		}
		return abandon(ctx, tx, node, seen)
	})
	if err != nil {
		return false, fmt.Errorf("take leave of a node: %w", err)
	}
	return gone, nil
}

// Reclaim takes leave of all nodes. Only a process that has the database to itself
// may do so, before it starts its queue and its sessions.
func (s *Store) Reclaim(ctx context.Context) error {
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		nodes, err := database.Collect(ctx, tx, scanString, "DELETE FROM nodes RETURNING id")
		if err != nil {
			return err
		}
		for _, node := range nodes {
			if err := abandon(ctx, tx, node, millis(s.now())); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "UPDATE river_job SET state = 'available' WHERE state = 'running'")
		return err
	})
	if err != nil {
		return fmt.Errorf("reclaim: %w", err)
	}
	return nil
}

// Embedded reports whether the database belongs to one process alone.
func (s *Store) Embedded() bool { return s.db.Dialect().Embedded }
