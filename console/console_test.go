package console_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/console"
)

// mostBytes is how large all of the console may be, as it is served.
const mostBytes = 250_000

func get(handler http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer
}

func TestPage(t *testing.T) {
	t.Parallel()
	answer := get(console.Handler(), "/console/")
	if answer.Code != http.StatusOK {
		t.Fatalf("status %d", answer.Code)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; " +
			"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	} {
		if got := answer.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, address := range regexp.MustCompile(`(?:href|src)="([^"#]+)`).FindAllStringSubmatch(answer.Body.String(), -1) {
		if strings.HasPrefix(address[1], "/") || strings.Contains(address[1], ":") {
			t.Errorf("%s is not relative", address[1])
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	handler := console.Handler()
	names, err := filepath.Glob("page/*")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	kinds := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml"}
	page := get(handler, "/console/").Body.String()
	all := 0
	for _, name := range names {
		name = filepath.Base(name)
		answer := get(handler, "/console/"+name)
		all += answer.Body.Len()
		tag := answer.Header().Get("ETag")
		if answer.Code != http.StatusOK || tag == "" || answer.Header().Get("Content-Type") != kinds[filepath.Ext(name)] || answer.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", name, answer.Code, answer.Header())
		}
		if again := get(handler, "/console/"+name, "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s again: %d", name, again.Code)
		}
		if filepath.Ext(name) == ".js" && !strings.Contains(page, `<link rel="modulepreload" href="`+name+`">`) {
			t.Errorf("the page does not name %s", name)
		}
	}
	if all > mostBytes {
		t.Errorf("all files have %d bytes, want at most %d", all, mostBytes)
	}
	if answer := get(handler, "/console/nothing.js"); answer.Code != http.StatusNotFound {
		t.Errorf("a file that is not there: %d", answer.Code)
	}
}

// The page must do with what its policy allows, and without others.
func TestPageNeedsNobody(t *testing.T) {
	t.Parallel()
	names, _ := filepath.Glob("page/*")
	harmless := strings.NewReplacer("http://www.w3.org/2000/svg", "", "http://sample.localhost/", "", "https://example.com", "")
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := harmless.Replace(string(content))
		for _, foreign := range []string{"http://", "https://", "@import", " url(", "innerHTML", "insertAdjacentHTML", "document.write(", "eval(", ` style="`, " onclick="} {
			if strings.Contains(text, foreign) {
				t.Errorf("%s has %s", name, foreign)
			}
		}
	}
}
