package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/trawlhq/trawl/blob"
	"github.com/trawlhq/trawl/internal/disk"
	"github.com/trawlhq/trawl/llm"
)

// leastSpace is how much room the data folder must have left.
const leastSpace size = 100 << 20

// checkDataDir writes into the data folder, or into the folder in which the
// first start will create it.
func (c *doctorCmd) checkDataDir(_ context.Context, p *program) finding {
	f := finding{Part: "data folder", Vital: true, Disables: "the service"}
	dir, created, err := existing(c.DataDir)
	if err != nil {
		return f.failed(err)
	}
	probe, err := os.MkdirTemp(dir, ".trawl-doctor-*")
	if err != nil {
		return f.failed(fmt.Errorf("not writable: %w", err))
	}
	if err := os.Remove(probe); err != nil {
		return f.failed(fmt.Errorf("not writable: %w", err))
	}
	detail := c.DataDir
	switch free, err := p.machine.free(dir); {
	case errors.Is(err, errors.ErrUnsupported): // not known on this system
	case err != nil:
		return f.failed(fmt.Errorf("measure free space: %w", err))
	case free < leastSpace:
		return f.failed(fmt.Errorf("%s has only %s free", c.DataDir, free.rounded()))
	default:
		detail += ", " + free.rounded() + " free"
	}
	if !created {
		detail += ", will be created"
	}
	return f.ok(detail)
}

// existing returns the folder, or the closest one above it that exists.
func existing(dir string) (found string, created bool, err error) {
	for found = dir; ; found = filepath.Dir(found) {
		info, err := os.Stat(found)
		switch {
		case err == nil && !info.IsDir():
			return "", false, fmt.Errorf("%s is not a folder", found)
		case err == nil:
			return found, found == dir, nil
		case !errors.Is(err, fs.ErrNotExist) || found == filepath.Dir(found):
			return "", false, err
		}
	}
}

// checkDatabase opens the database and writes to it, without leaving a trace. An
// SQLite database that does not exist yet is left to the first start.
func (c *doctorCmd) checkDatabase(ctx context.Context, p *program) finding {
	f := finding{Part: "database", Vital: true, Disables: "the service"}
	kind := "PostgreSQL"
	if c.DatabaseURL == "" {
		kind = "SQLite"
		if _, err := os.Stat(filepath.Join(c.DataDir, "trawl.db")); errors.Is(err, fs.ErrNotExist) {
			return f.ok(kind + ", will be created")
		}
	}
	db, err := c.open(ctx, p)
	if err != nil {
		return f.failed(err)
	}
	defer db.Close()
	if err := db.Ping(ctx); err != nil {
		return f.failed(err)
	}
	return f.ok(kind + ", writable, schema up to date")
}

// checkBlobs stores an object, reads it and deletes it again.
func (c *doctorCmd) checkBlobs(ctx context.Context, p *program) finding {
	f := finding{Part: "blob store", Disables: "the page cache and large results"}
	if c.BlobURL == "" {
		return f.ok("in the database")
	}
	bucket, err := blob.Open(ctx, c.BlobURL, p.machine.transport)
	if err != nil {
		return f.failed(err)
	}
	defer bucket.Close()
	const id = "trawl-doctor"
	if err := bucket.Put(ctx, id, []byte("probe")); err != nil {
		return f.failed(err)
	}
	if _, err := bucket.Get(ctx, id); err != nil {
		return f.failed(err)
	}
	if err := bucket.Delete(ctx, id); err != nil {
		return f.failed(err)
	}
	return f.ok("readable and writable")
}

// checkNames looks up a name that is reserved for examples.
func (c *doctorCmd) checkNames(ctx context.Context, p *program) finding {
	f := finding{Part: "names (DNS)", Disables: "scraping by host name"}
	if _, err := p.machine.resolver.LookupNetIP(ctx, "ip", "example.com"); err != nil {
		return f.failed(err)
	}
	return f.ok("resolved example.com")
}

func (c *doctorCmd) checkModel(ctx context.Context, p *program) finding {
	f := finding{Part: "language model", Disables: "formats and endpoints that ask a model"}
	if c.LLMBaseURL == "" {
		return f.missing("TRAWL_LLM_BASE_URL is not set")
	}
	address, err := llm.ModelsURL(c.LLMBaseURL)
	if err != nil {
		return f.failed(err)
	}
	status, err := get(ctx, p, address, c.LLMAPIKey)
	switch {
	case err != nil:
		return f.failed(err)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return f.failed(fmt.Errorf("refuses TRAWL_LLM_API_KEY with status %d", status))
	case status >= http.StatusInternalServerError:
		return f.failed(fmt.Errorf("answers with status %d", status))
	}
	return f.ok(c.LLMModel + " at " + redacted(c.LLMBaseURL))
}

func (c *doctorCmd) checkSearch(ctx context.Context, p *program) finding {
	f := finding{Part: "search", Disables: "web search"}
	if c.SearchURL == "" {
		return f.missing("TRAWL_SEARCH_URL is not set")
	}
	status, err := get(ctx, p, c.SearchURL, "")
	if err != nil {
		return f.failed(err)
	}
	if status >= http.StatusBadRequest {
		return f.failed(fmt.Errorf("answers with status %d", status))
	}
	return f.ok(redacted(c.SearchURL))
}

// get asks an endpoint that the operator configured for its status, and goes
// nowhere else.
func get(ctx context.Context, p *program, address, key string) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	client := &http.Client{
		Transport:     p.machine.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// freeSpace returns how much can still be written into a folder.
func freeSpace(dir string) (size, error) {
	free, err := disk.Free(dir)
	return size(free), err
}
