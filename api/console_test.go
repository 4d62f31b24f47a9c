package api_test

import (
	"net/http"
	"testing"

	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/console"
)

func TestConsole(t *testing.T) {
	t.Parallel()
	with := func(change func(*api.Config)) *service {
		return start(t, func(c *api.Config) { c.Console = console.Handler() }, change)
	}
	on := with(func(*api.Config) {})
	for path, want := range map[string]int{
		"/console": http.StatusMovedPermanently, "/console/": http.StatusOK, "/console/app.js": http.StatusOK, "/console/nothing.js": http.StatusNotFound,
		"/console/page/app.js": http.StatusNotFound,
	} {
		if answer := on.visitDocs(path, "localhost", nil); answer.Code != want {
			t.Errorf("%s: %d, want %d", path, answer.Code, want)
		}
	}
	if answer := on.visitDocs("/console", "localhost", nil); answer.Header().Get("Location") != "console/" {
		t.Errorf("it leads to %q", answer.Header().Get("Location"))
	}
	for name, s := range map[string]*service{
		"off":    with(func(c *api.Config) { c.Console = nil }),
		"worker": with(func(c *api.Config) { c.WorkerOnly = true }),
	} {
		for _, path := range []string{"/console", "/console/", "/console/app.js"} {
			if answer := s.visitDocs(path, "localhost", nil); answer.Code != http.StatusNotFound {
				t.Errorf("%s: %s: %d", name, path, answer.Code)
			}
		}
	}
}
