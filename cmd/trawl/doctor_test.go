package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
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
	has := func(program string) func(string) (string, error) {
		return func(file string) (string, error) {
			if file != program {
				return "", exec.ErrNotFound
			}
			return "/bin/" + file, nil
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
		{"chromium", func(m *machine) {
			m.lookPath = has("google-chrome")
			m.version = func(context.Context, string) (string, error) { return "Chromium 140", nil }
		}, "chromium", stateOK, "/bin/google-chrome, Chromium 140", 0},
		{"broken chromium", func(m *machine) { m.lookPath = has("chromium") }, "chromium", stateFailed, "/bin/chromium: ", 0},
		{"root", func(m *machine) { m.root = true }, "sandbox", stateMissing, "running as root", 0},
		{"no namespaces", func(m *machine) { m.namespace = func(context.Context) error { return errors.New("not permitted") } },
			"sandbox", stateFailed, "make user namespace: not permitted", 0},
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
		{"no model named", map[string]string{"TRAWL_LLM_BASE_URL": model.URL}, "language model", stateMissing, "TRAWL_LLM_MODEL is not set"},
		{"search", map[string]string{"TRAWL_SEARCH_URL": moved.URL}, "search", stateOK, moved.URL},
		{"broken search", map[string]string{"TRAWL_SEARCH_URL": broken.URL}, "search", stateFailed, "answers with status 502"},
		{"no search there", map[string]string{"TRAWL_SEARCH_URL": gone.URL}, "search", stateFailed, "connection refused"},
		{"chosen chromium", map[string]string{"TRAWL_CHROMIUM": "/nowhere/chromium"}, "chromium", stateFailed, "/nowhere/chromium is not a program"},
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

func TestProgramVersion(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "chromium")
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Chromium 140.0 ' && echo more\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := programVersion(t.Context(), program); err != nil || got != "Chromium 140.0" {
		t.Errorf("version is %q, %v", got, err)
	}
}

func TestFreeSpace(t *testing.T) {
	t.Parallel()
	got, err := freeSpace(t.TempDir())
	if err != nil && !errors.Is(err, errors.ErrUnsupported) || err == nil && got <= 0 {
		t.Errorf("free space is %d, %v", got, err)
	}
	if _, err := freeSpace("/nowhere/at/all"); err == nil {
		t.Error("a folder that is not there has free space")
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
