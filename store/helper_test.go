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

	// These save to the profile of that name, which the node of that name holds.
	helperSave    = "save"    // for ever, and print the number of every archive that is saved
	helperPut     = "put"     // but never get beyond the blob
	helperReplace = "replace" // but never get to delete the blob that was there before

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
	switch {
	case err != nil:
	case task == helperFile:
		err = getStuck(s, crew.ID)
	case task == helperSave, task == helperPut, task == helperReplace:
		err = keepSaving(s, crew.ID, task)
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

// keepSaving saves to a profile until it gets stuck, if it does.
func keepSaving(s *store.Store, teamID, task string) error {
	config := store.Config{DataDir: os.Getenv(helperDir), DatabaseURL: os.Getenv(helperURL)}
	switch task {
	case helperPut:
		config.Blobs = stuckBlobs{s.Blobs()}
	case helperReplace:
		config.Blobs = clingingBlobs{s.Blobs()}
	}
	saver, err := store.Open(context.Background(), config)
	if err == nil {
		err = saver.TakeProfile(context.Background(), teamID, task, "killed", task)
	}
	for i := 1; err == nil; i++ {
		if err = saver.SaveProfile(context.Background(), teamID, task, "killed", archive(i)); err == nil {
			fmt.Println(i)
		}
	}
	return err
}

// clingingBlobs prints the id of what it is to delete, and never returns.
type clingingBlobs struct{ store.BlobStore }

func (clingingBlobs) Delete(_ context.Context, ids ...string) error {
	fmt.Println(ids[0])
	select {}
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
