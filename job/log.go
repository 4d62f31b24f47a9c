package job

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sayAgain is how long a warning of River is not repeated.
const sayAgain = 10 * time.Second

// warnings lets only what is worth an operator's attention through: River tells a
// lot about itself, and while the database is away it says the same many times a
// second.
type warnings struct {
	slog.Handler
	now func() time.Time

	mu   sync.Mutex
	said map[string]time.Time // by message; there are few
}

// Enabled implements slog.Handler.
func (w *warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (w *warnings) Handle(ctx context.Context, record slog.Record) error {
	w.mu.Lock()
	now := w.now()
	last, ok := w.said[record.Message]
	again := !ok || now.Sub(last) >= sayAgain
	if again {
		w.said[record.Message] = now
	}
	w.mu.Unlock()
	if !again {
		return nil
	}
	return w.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (w *warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &warnings{Handler: w.Handler.WithAttrs(attrs), now: w.now, said: map[string]time.Time{}}
}

// WithGroup implements slog.Handler.
func (w *warnings) WithGroup(name string) slog.Handler {
	return &warnings{Handler: w.Handler.WithGroup(name), now: w.now, said: map[string]time.Time{}}
}
