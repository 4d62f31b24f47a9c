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

func TestServerThatIsStopped(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server := testpg.Start(t)
	conn, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "CREATE TABLE kept (id TEXT)"); err != nil {
		t.Fatal(err)
	}
	server.Stop()
	if err := conn.Ping(ctx); err == nil {
		t.Error("the connection outlives the server")
	}
	if _, err := pgx.Connect(ctx, server.URL()); err == nil {
		t.Error("a server that was stopped takes connections")
	}
	server.Restart()
	again, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close(ctx) }()
	if _, err := again.Exec(ctx, "DROP TABLE kept"); err != nil {
		t.Error(err)
	}
}
