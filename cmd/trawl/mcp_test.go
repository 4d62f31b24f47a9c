package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/testtime"
)

// TestMCP speaks with the program on its standard input and output, which has a service
// of its own.
func TestMCP(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<main><h1>Nets</h1><p>Many words about nets.</p></main>")
	}))
	t.Cleanup(site.Close)
	dir := t.TempDir()
	file := filepath.Join(dir, "note.html")
	if err := os.WriteFile(file, []byte("<h1>From a file</h1><p>With words.</p>"), 0o600); err != nil {
		t.Fatal(err)
	}
	in, said := io.Pipe()
	heard, out := io.Pipe()
	var log bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(testtime.Context(t), []string{"mcp"}, []string{"HOME=" + dir, "TMPDIR=" + dir, "TRAWL_ALLOW_PRIVATE=127.0.0.1/32"}, in, out, &log)
		_ = out.Close()
	}()
	lines := bufio.NewReader(heard)
	ask := func(message string) string {
		if _, err := io.WriteString(said, message+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%v after %s; %s", err, message, log.String())
		}
		return line
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if _, err := io.WriteString(said, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]string{
		fmt.Sprintf(`"firecrawl_scrape","arguments":{"url":%q}`, site.URL):                                                   "# Nets",
		fmt.Sprintf(`"firecrawl_parse","arguments":{"filePath":%q}`, file):                                                   "# From a file",
		fmt.Sprintf(`"firecrawl_parse","arguments":{"filePath":%q}`, filepath.Join(dir, "nothing.pdf")):                      "cannot be read",
		fmt.Sprintf(`"firecrawl_parse","arguments":{"filePath":%q}`, dir):                                                    "is not a file",
		fmt.Sprintf(`"firecrawl_crawl","arguments":{"url":%q,"limit":1}`, site.URL):                                          `"status":"completed"`,
		fmt.Sprintf(`"firecrawl_scrape","arguments":{"url":%q,"headers":{"X-Fish":"cod"},"formats":["markdown"]}`, site.URL): "# Nets",
	} {
		if answer := ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":` + tool + `}}`); !strings.Contains(answer, want) {
			t.Errorf("%s: %.500s", tool, answer)
		}
	}
	_ = said.Close()
	if got := testtime.Receive(t, "end of the program", code); got != 0 {
		t.Errorf("ended with %d: %s", got, log.String())
	}
}

func TestMCPRefusesWhatIsNoServer(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]int{"nowhere": exitUsage, "ftp://127.0.0.1": exitUsage, "http://127.0.0.1:2": exitFailure} {
		var log bytes.Buffer
		if code := run(testtime.Context(t), []string{"mcp", "--server", address}, []string{"HOME=" + t.TempDir()}, strings.NewReader(""), io.Discard, &log); code != want || log.Len() == 0 {
			t.Errorf("%s: %d %s", address, code, log.String())
		}
	}
}
