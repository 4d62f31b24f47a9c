package store

import "context"

// DropTasks loses the tasks of a queue.
func (s *Store) DropTasks(ctx context.Context, queue string) error {
	_, err := s.exec(ctx, "DELETE FROM river_job WHERE queue = $1", queue)
	return err
}
