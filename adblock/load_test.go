package adblock_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/adblock"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	e, err := adblock.Load("testdata/lists")
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]bool{
		"ads.test":      true,
		"tracker.test":  true,
		"ignored.test":  false, // in a file that is no list
		"allowed.test":  false, // blocked in one list, allowed in the other
		"unknown.test":  false,
		"metrics.local": true,
	} {
		if got := e.BlocksHost("site.example", host); got != want {
			t.Errorf("%s: blocked %v, want %v", host, got, want)
		}
	}
	want := adblock.Stats{Files: 2, Hosts: 5, Patterns: 2, Exceptions: 2, Cosmetic: 3, Skipped: 4}
	if got := e.Stats(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestLoadFailsOnlyWithoutAnyList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := adblock.Load(filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent folder: %v", err)
	}
	write(t, dir, "readme.md", "||ads.test^")
	if err := os.Mkdir(filepath.Join(dir, "folder.txt"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := adblock.Load(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder without lists: %v", err)
	}
	write(t, dir, "list.txt", "||ads.test^")
	if e, err := adblock.Load(dir); err != nil || !e.BlocksHost("x.example", "ads.test") {
		t.Errorf("a list beside what is none: %v", err)
	}
}

func TestLoadLeavesOutLargeFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "large.txt", "||large.test^\n")
	if err := os.Truncate(filepath.Join(dir, "large.txt"), 32<<20+1); err != nil {
		t.Fatal(err)
	}
	if _, err := adblock.Load(dir); err == nil {
		t.Error("a file that is too large is all there is, and no error")
	}
	write(t, dir, "small.txt", "||small.test^\n")
	e, err := adblock.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if e.BlocksHost("x.example", "large.test") || !e.BlocksHost("x.example", "small.test") {
		t.Error("the wrong file was left out")
	}
	if s := e.Stats(); s.Files != 1 || s.Oversized != 1 {
		t.Errorf("%+v", s)
	}
}

func TestLinesOverTheBoundsAreSkipped(t *testing.T) {
	t.Parallel()
	e := adblock.Parse(strings.Join([]string{
		"||ads.test^",
		"/" + strings.Repeat("x", 2000) + "/y",
		"/" + strings.Repeat("(x|y)", 200) + "/",
		"/x{1000}y{1000}z{1000}x{1000}y{1000}/",
		"/t.js$domain=" + strings.Repeat("abcdefgh.example|", 5000) + "z.example",
		"##" + strings.Repeat("a", 3000),
		"some words of prose",
	}, "\n"))
	if s := e.Stats(); s.Skipped != 6 || s.Hosts != 1 {
		t.Errorf("%+v", s)
	}
}
