package session

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func gets(handler http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest("GET", path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer
}

func TestPage(t *testing.T) {
	t.Parallel()
	view := View()
	answer := gets(view, "/live/01890000-0000-7000-8000-000000000000-key")
	html := answer.Body.String()
	if answer.Code != 200 || !strings.Contains(html, `data-ended=""`) {
		t.Errorf("page: %d %s", answer.Code, html)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'",
	} {
		if got := answer.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	found := regexp.MustCompile(`(?:href|src)="(view\.(?:js|css)\?v=[0-9a-f]+)"`).FindAllStringSubmatch(html, -1)
	if len(found) != 2 {
		t.Fatalf("assets: %v", found)
	}
	for _, asset := range found {
		first := gets(view, "/live/"+asset[1])
		tag := first.Header().Get("ETag")
		if first.Code != 200 || first.Body.Len() == 0 || tag == "" || !strings.Contains(first.Header().Get("Cache-Control"), "immutable") ||
			first.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", asset[1], first.Code, first.Header())
		}
		plain, _, _ := strings.Cut(asset[1], "?")
		again := gets(view, "/live/"+plain, "If-None-Match", tag)
		if again.Code != 304 || again.Body.Len() != 0 || again.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("%s again: %d %v", plain, again.Code, again.Header())
		}
	}
}

func TestPageOfASessionThatEnded(t *testing.T) {
	t.Parallel()
	answer := gets(ViewOver(`idle"><script>alert(1)</script>`), "/live/x")
	if html := answer.Body.String(); answer.Code != 410 || !strings.Contains(html, `data-ended="idle&#34;&gt;`) || strings.Contains(html, "<script>alert") {
		t.Errorf("%d %s", answer.Code, html)
	}
	if html := gets(ViewOver(""), "/live/x").Body.String(); strings.Contains(html, `data-ended=""`) {
		t.Error("a session that ended looks like one that runs")
	}
}

// The page must do with what its policy allows, and without others.
func TestPageNeedsNobody(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"view.html", "view.js", "hand.js", "view.css"} {
		content, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(content), "http://www.w3.org/2000/svg", "")
		for _, foreign := range []string{"http://", "https://", "@import", "url(", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write(", "eval(", ` style="`, " onclick="} {
			if strings.Contains(text, foreign) {
				t.Errorf("%s has %s", name, foreign)
			}
		}
	}
}
