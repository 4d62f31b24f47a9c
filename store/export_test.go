package store

import "context"

// DropTasks loses the tasks of a queue.
func (s *Store) DropTasks(ctx context.Context, queue string) error {
	_, err := s.exec(ctx, "DELETE FROM river_job WHERE queue = $1", queue)
	return err
}

// FirstMail returns the id of the oldest mail.
func (s *Store) FirstMail(ctx context.Context) (string, error) {
	return scanString(s.db.Read().QueryRow(ctx, "SELECT id FROM mails ORDER BY id LIMIT 1"))
}
