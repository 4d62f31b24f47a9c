package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// What the test binary does instead of running tests when it is started as a
// helper: another process that uses the same database.
const (
	helperOpen   = "open"   // open the store once
	helperFinish = "finish" // finish scrapes of the team crew for ever, and print their ids
	helperFile   = "file"   // finish a scrape with a file, but never get beyond its blob

	helperTask = "TRAWL_TEST_HELPER"
	helperDir  = "TRAWL_TEST_HELPER_DIR"
	helperURL  = "TRAWL_TEST_HELPER_URL"
)

// runHelper does a task once its input ends.
func runHelper(task string) {
	_, _ = io.Copy(io.Discard, os.Stdin)
	s, err := store.Open(context.Background(), store.Config{DataDir: os.Getenv(helperDir), DatabaseURL: os.Getenv(helperURL)})
	if err != nil {
		fmt.Println("error", err)
		return
	}
	if task == helperOpen {
		fmt.Println("opened")
		return
	}
	crew, err := s.Team(context.Background(), "crew")
	if task == helperFile && err == nil {
		err = getStuck(s, crew.ID)
	}
	for err == nil {
		item := scrape(crew.ID, 1, time.Now())
		if _, err = s.Finish(context.Background(), []store.Finished{item}); err == nil {
			fmt.Println(item.Record.ID)
		}
	}
	fmt.Println("error", err)
}

// getStuck finishes a scrape with a file. Its blob store prints the ids of what it
// has stored, and never returns.
func getStuck(s *store.Store, teamID string) error {
	stuck, err := store.Open(context.Background(), store.Config{
		DataDir: os.Getenv(helperDir), DatabaseURL: os.Getenv(helperURL), Blobs: stuckBlobs{s.Blobs()},
	})
	if err == nil {
		item := scrape(teamID, 1, time.Now())
		item.Files = []trawl.File{picture(teamID, time.Now().AddDate(1, 0, 0))}
		_, err = stuck.Finish(context.Background(), []store.Finished{item})
	}
	return err
}

type stuckBlobs struct{ store.BlobStore }

func (b stuckBlobs) Put(ctx context.Context, id string, data []byte) error {
	err := b.BlobStore.Put(ctx, id, data)
	fmt.Println(id)
	if err == nil {
		select {}
	}
	return err
}

// helper is a running helper.
type helper struct {
	cmd   *exec.Cmd
	stdin io.Closer
	lines *bufio.Scanner
}

func startHelper(t *testing.T, task string, config store.Config) *helper {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperTask+"="+task, helperDir+"="+config.DataDir, helperURL+"="+config.DatabaseURL)
	cmd.Stderr = os.Stderr
	stdin := must[io.WriteCloser](t)(cmd.StdinPipe())
	stdout := must[io.ReadCloser](t)(cmd.StdoutPipe())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h := &helper{cmd, stdin, bufio.NewScanner(stdout)}
	t.Cleanup(h.kill)
	return h
}

// release lets the helper begin.
func (h *helper) release() { _ = h.stdin.Close() }

// next returns the next line that the helper prints.
func (h *helper) next() (string, bool) {
	ok := h.lines.Scan()
	return h.lines.Text(), ok
}

// kill ends the helper at once, wherever it is.
func (h *helper) kill() {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait() // reports the kill
}
