package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/chromium"
)

// diagnose runs the doctor on a machine with the given settings.
func diagnose(t *testing.T, m machine, settings map[string]string) (parts map[string]finding, code int) {
	t.Helper()
	env := map[string]string{"HOME": t.TempDir()}
	for name, value := range settings {
		env[name] = value
	}
	var stdout, stderr strings.Builder
	p := &program{env: env, stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, now: time.Now, machine: m}
	code = p.run(t.Context(), []string{"doctor", "--json"})
	var findings []finding
	if err := json.Unmarshal([]byte(stdout.String()), &findings); err != nil {
		t.Fatalf("%v; stderr: %s", err, stderr.String())
	}
	parts = make(map[string]finding)
	for _, f := range findings {
		parts[f.Part] = f
	}
	return parts, code
}

func TestDoctorMachine(t *testing.T) {
	t.Parallel()
	has := func(programs chromium.Programs) func(*machine) {
		return func(m *machine) {
			m.browsers = func(string, string) (chromium.Programs, error) { return programs, nil }
			m.version = func(context.Context, string) (string, error) { return "156.0", nil }
			m.render = func(_ context.Context, c browser.Config) error {
				if c.Programs.Chromium == "/broken" || c.Programs.Shell == "/broken" {
					return errors.New("does not start")
				}
				return nil
			}
		}
	}
	tests := []struct {
		name   string
		change func(*machine)
		part   string
		state  string
		detail string
		code   int
	}{
		{"network", func(m *machine) { m.resolver = fakeResolver{} }, "names (DNS)", stateOK, "resolved example.com", 0},
		{"full disk", func(m *machine) { m.free = func(string) (size, error) { return 1 << 20, nil } },
			"data folder", stateFailed, "has only 1.0 MiB free", 1},
		{"unreadable disk", func(m *machine) { m.free = func(string) (size, error) { return 0, errors.New("broken disk") } },
			"data folder", stateFailed, "broken disk", 1},
		{"unknown space", func(m *machine) { m.free = func(string) (size, error) { return 0, errors.ErrUnsupported } },
			"data folder", stateOK, "will be created", 0},
		{"no browser", func(*machine) {}, "chromium", stateMissing, "set TRAWL_CHROMIUM", 0},
		{"chromium", has(chromium.Programs{Chromium: "/bin/chromium"}), "chromium", stateOK, "/bin/chromium, 156.0, rendered a page in ", 0},
		{"only chromium", has(chromium.Programs{Chromium: "/bin/chromium"}), "headless shell", stateMissing, "not found", 0},
		{"shell", has(chromium.Programs{Shell: "/bin/shell"}), "headless shell", stateOK, "/bin/shell, 156.0, rendered a page in ", 0},
		{"only the shell", has(chromium.Programs{Shell: "/bin/shell"}), "chromium", stateMissing, "not found", 0},
		{"broken chromium", has(chromium.Programs{Chromium: "/broken"}), "chromium", stateFailed, "/broken, 156.0: does not start", 0},
		{"broken shell", has(chromium.Programs{Shell: "/broken"}), "headless shell", stateFailed, "/broken, 156.0: does not start", 0},
		{"mute chromium", func(m *machine) {
			m.browsers = func(string, string) (chromium.Programs, error) { return chromium.Programs{Chromium: "/bin/mute"}, nil }
		}, "chromium", stateFailed, "/bin/mute: ", 0},
		{"sandbox", func(*machine) {}, "sandbox", stateOK, "on, the browser runs as the user someone", 0},
		{"no namespaces", func(m *machine) { m.namespace = func(context.Context) error { return errors.New("not permitted") } },
			"sandbox", stateFailed, "to make a user namespace failed: not permitted", 0},
		{"ads", func(*machine) {}, "ad lists", stateOK, "built-in, ", 0},
		{"no recognition", func(*machine) {}, "tesseract", stateMissing, "set TRAWL_TESSERACT", 0},
		{"recognition", recognises("osd", "eng"), "tesseract", stateOK, "/bin/tesseract, eng", 0},
		{"another language", recognises("deu"), "tesseract", stateFailed, "/bin/tesseract lacks the language eng", 0},
		{"mute recognition", func(m *machine) { m.look = recognised }, "tesseract", stateFailed, "/bin/tesseract: ", 0},
		{"cookies", func(*machine) {}, "cookie dialogs", stateOK, "built-in rules", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := bareMachine()
			tt.change(&m)
			parts, code := diagnose(t, m, nil)
			got := parts[tt.part]
			if got.State != tt.state || !strings.Contains(got.Detail, tt.detail) || code != tt.code {
				t.Errorf("code %d, %+v", code, got)
			}
			if (got.State == stateOK) != (got.Disables == "") {
				t.Errorf("a part that is %s disables %q", got.State, got.Disables)
			}
		})
	}
}

// recognised finds Tesseract, whatever is looked for.
func recognised(string) (string, error) { return "/bin/tesseract", nil }

// recognises makes a machine one that has Tesseract with some languages.
func recognises(languages ...string) func(*machine) {
	return func(m *machine) {
		m.look = recognised
		m.languages = func(context.Context, string) ([]string, error) { return languages, nil }
	}
}

func TestDoctorEndpoints(t *testing.T) {
	t.Parallel()
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			t.Errorf("asked for %s", r.URL)
		}
		if r.Header.Get("Authorization") != "Bearer right" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(model.Close)
	away := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a redirect was followed")
	}))
	t.Cleanup(away.Close)
	moved := httptest.NewServer(http.RedirectHandler(away.URL, http.StatusFound))
	t.Cleanup(moved.Close)
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(broken.Close)
	gone := httptest.NewServer(nil)
	gone.Close()

	llm := func(url, key string) map[string]string {
		return map[string]string{"TRAWL_LLM_BASE_URL": url, "TRAWL_LLM_MODEL": "small", "TRAWL_LLM_API_KEY": key}
	}
	tests := []struct {
		name     string
		settings map[string]string
		part     string
		state    string
		detail   string
	}{
		{"model", llm(model.URL+"/v1/", "right"), "language model", stateOK, "small at " + model.URL},
		{"wrong key", llm(model.URL+"/v1", "wrong"), "language model", stateFailed, "refuses TRAWL_LLM_API_KEY with status 401"},
		{"broken model", llm(broken.URL, "right"), "language model", stateFailed, "answers with status 502"},
		{"no model there", llm(gone.URL, "right"), "language model", stateFailed, "connection refused"},
		{"no recognition", map[string]string{"TRAWL_TESSERACT": "off"}, "tesseract", stateMissing, "TRAWL_TESSERACT is off"},
		{"missing recognition", map[string]string{"TRAWL_TESSERACT": "/nowhere"}, "tesseract", stateFailed, "not found"},
		{"search", map[string]string{"TRAWL_SEARCH_URL": moved.URL}, "search", stateOK, moved.URL},
		{"broken search", map[string]string{"TRAWL_SEARCH_URL": broken.URL}, "search", stateFailed, "answers with status 502"},
		{"no search there", map[string]string{"TRAWL_SEARCH_URL": gone.URL}, "search", stateFailed, "connection refused"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parts, code := diagnose(t, bareMachine(), tt.settings)
			got := parts[tt.part]
			if code != 0 || got.State != tt.state || !strings.Contains(got.Detail, tt.detail) {
				t.Errorf("code %d, %+v", code, got)
			}
			if strings.Contains(got.Detail, "right") || strings.Contains(got.Detail, "wrong") {
				t.Errorf("the key is printed: %s", got.Detail)
			}
		})
	}
}

func TestDoctorBlobs(t *testing.T) {
	t.Parallel()
	backend := s3mem.New()
	if err := backend.CreateBucket("pages"); err != nil {
		t.Fatal(err)
	}
	bucket := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(bucket.Close)
	at := func(name string) map[string]string {
		return map[string]string{"TRAWL_BLOB_URL": "s3://key:hidden@" + name + "?insecure=true&region=us-east-1&endpoint=" +
			strings.TrimPrefix(bucket.URL, "http://")}
	}

	parts, code := diagnose(t, bareMachine(), at("pages"))
	if got := parts["blob store"]; code != 0 || got.State != stateOK {
		t.Errorf("code %d, %+v", code, got)
	}
	if objects, err := backend.ListBucket("pages", nil, gofakes3.ListBucketPage{}); err != nil || len(objects.Contents) != 0 {
		t.Errorf("the check leaves %v behind, %v", objects, err)
	}
	parts, code = diagnose(t, bareMachine(), at("missing"))
	if got := parts["blob store"]; code != 0 || got.State != stateFailed || strings.Contains(got.Detail, "hidden") {
		t.Errorf("code %d, %+v", code, got)
	}
}
