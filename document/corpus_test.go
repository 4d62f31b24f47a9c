package document_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/document/pdfium/pdftest"
	"github.com/trawlhq/trawl/internal/testtime"
)

// TestCorpus reads all files of a folder, each in a worker of its own, and reports
// how long it took and how much memory. Whatever the files are, they are read or
// refused in words.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("TRAWL_DOCUMENTS")
	if folder == "" {
		t.Skip("TRAWL_DOCUMENTS names no folder of files")
	}
	var peaks []int
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		kind := document.Sniff(body, path, "")
		if kind == document.Unknown || kind == document.HTML {
			return nil
		}
		peak := measure(t, strings.TrimPrefix(path, folder), kind, body)
		peaks = append(peaks, peak)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(peaks)
	t.Logf("%d files; memory in MB: %d at the median, %d at 99 %%, %d at most", len(peaks), peaks[len(peaks)/2], peaks[len(peaks)*99/100], peaks[len(peaks)-1])
}

// measure reads a file and returns the most memory that its worker took, in MB. Of a
// worker that was killed it is known what it was killed for.
func measure(t *testing.T, name string, kind document.Kind, body []byte) (peak int) {
	t.Helper()
	pool := document.NewPool(document.Config{Workers: 1, Cache: pdftest.Cache()})
	defer pool.Close()
	ctx := testtime.Context(t)
	begin := time.Now()
	result, err := pool.Read(ctx, kind, body, document.Options{})
	took := time.Since(begin).Milliseconds()
	for _, pid := range pool.Workers() {
		peak = highest(pid)
	}
	switch e, ok := errors.AsType[*trawl.Error](err); {
	case err == nil:
		t.Logf("%-60s %5d ms %4d MB  %d of %d pages, %d bytes %q", name, took, peak, len(result.Pages), result.TotalPages, len(result.HTML), result.Warnings)
	case ok && (e.Code == trawl.CodeFileDamaged || e.Code == trawl.CodeFileEncrypted || e.Code == trawl.CodeFileTooComplex || e.Code == trawl.CodePDFTime):
		t.Logf("%-60s %5d ms %4d MB  %v", name, took, peak, err)
	default:
		t.Errorf("%-60s %5d ms %4d MB  %v", name, took, peak, err)
	}
	return peak
}

// highest returns the most memory that a process ever took, in MB.
func highest(pid int) int {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.Atoi(fields[0])
	return kilobytes >> 10
}
