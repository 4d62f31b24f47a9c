package job

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestWarningsAreNotRepeated(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := time.Unix(0, 0)
	log := slog.New(&warnings{Handler: slog.NewTextHandler(&out, nil), now: func() time.Time { return now }, said: map[string]time.Time{}})
	log.Info("of no interest")
	for range 100 {
		log.Error("the database is away", "err", now)
		log.Warn("another thing")
		now = now.Add(time.Second / 4)
	}
	if got := strings.Count(out.String(), "away"); got != 3 {
		t.Errorf("said %d times in 25 s", got)
	}
	if strings.Contains(out.String(), "of no interest") || !strings.Contains(out.String(), "another thing") {
		t.Error(out.String())
	}
}
