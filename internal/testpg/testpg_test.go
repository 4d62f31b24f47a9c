package testpg_test

import (
	"context"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/trawlhq/trawl/internal/testpg"
)

func TestMain(m *testing.M) { os.Exit(testpg.Main(m)) }

func TestEveryTestGetsAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	for range 2 {
		conn, err := pgx.Connect(context.Background(), testpg.URL(t))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(context.Background()) }()
		if _, err := conn.Exec(context.Background(), "CREATE TABLE only_once (id TEXT)"); err != nil {
			t.Error(err)
		}
	}
}
