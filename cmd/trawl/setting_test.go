package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// effective returns the settings that "trawl config" reports.
func effective(t *testing.T, env map[string]string, args ...string) map[string]settingView {
	t.Helper()
	got := execute(t, env, append([]string{"config", "--json"}, args...)...)
	if got.code != 0 {
		t.Fatalf("config failed: %s", got.stderr)
	}
	var views []settingView
	if err := json.Unmarshal([]byte(got.stdout), &views); err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]settingView)
	for _, view := range views {
		byName[view.Name] = view
	}
	return byName
}

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRefused checks that every value that cannot be used is refused with the
// name of the setting.
func TestRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, value, want string }{
		{"TRAWL_LISTEN", "3002", `"3002" is not an address`},
		{"TRAWL_LISTEN", "localhost:http", `is not an address`},
		{"TRAWL_LISTEN", "127.0.0.1:70000", `is not an address`},
		{"TRAWL_METRICS_LISTEN", "here", `"here" is not an address`},
		{"TRAWL_PUBLIC_URL", "example.com", "must be a URL that starts with http:// or https://"},
		{"TRAWL_TRUSTED_PROXIES", "192.0.2.0/40", `"192.0.2.0/40" is not a network`},
		{"TRAWL_AUTH", "maybe", `must be one of on, off but is "maybe"`},
		{"TRAWL_DATABASE_URL", "mysql://me:hidden@localhost/db", "must be a URL that starts with postgres:// or postgresql://"},
		{"TRAWL_BLOB_URL", "https://me:hidden@localhost/", "must be a URL that starts with s3://"},
		{"TRAWL_RETENTION", "soon", `expected duration but got "soon"`},
		{"TRAWL_RETENTION", "5s", "must be at least 1m but is 5s"},
		{"TRAWL_RETENTION", "100000h", "must be at most 87600h but is 100000h"},
		{"TRAWL_CACHE_MAX_BYTES", "lots", `"lots" is not a size`},
		{"TRAWL_ROLES", "api,cook", `"cook" is neither api nor worker`},
		{"TRAWL_ROLES", ",", "must name at least one"},
		{"TRAWL_ROLES", "api", "api and worker go together"},
		{"TRAWL_CONCURRENCY", "0", "must be at least 1 but is 0"},
		{"TRAWL_CONCURRENCY", "many", `"many"`},
		{"TRAWL_RATE_STATUS", "-1", "must be at least 1 but is -1"},
		{"TRAWL_ALLOW_PRIVATE", "all", `"all" is not a network`},
		{"TRAWL_ALLOW_PORTS", "25,smtp", `"smtp" is not a port`},
		{"TRAWL_ALLOW_PORTS", "65536", `"65536" is not a port`},
		{"TRAWL_USER_AGENT", "a\nb", "must not contain control characters"},
		{"TRAWL_LLM_BASE_URL", "ftp://localhost", "must be a URL"},
		{"TRAWL_LOG_LEVEL", "loud", "must be one of debug, info, warn, error"},
	}
	for _, tt := range tests {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			t.Parallel()
			got := execute(t, map[string]string{tt.name: tt.value}, "config")
			if got.code != exitUsage || !strings.HasPrefix(got.stderr, "trawl: "+tt.name+": ") || !strings.Contains(got.stderr, tt.want) {
				t.Errorf("code %d, stderr %q, want %q", got.code, got.stderr, tt.want)
			}
			if strings.Contains(got.stderr, "hidden") {
				t.Errorf("a secret is printed: %s", got.stderr)
			}
		})
	}
}

func TestAuthOff(t *testing.T) {
	t.Parallel()
	for listen, allowed := range map[string]bool{
		"127.0.0.1:3002": true, "127.8.8.8:1": true, "[::1]:3002": true, "localhost:3002": true,
		":3002": false, "0.0.0.0:3002": false, "[::]:3002": false, "192.0.2.1:3002": false, "example.com:80": false,
	} {
		got := execute(t, map[string]string{"TRAWL_AUTH": "off"}, "config", "--listen", listen)
		if (got.code == 0) != allowed {
			t.Errorf("auth off with %s: code %d, stderr %q", listen, got.code, got.stderr)
		}
	}
}

func TestFileFormats(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"trawl.toml": `
listen = "127.0.0.1:4000"
concurrency = 7
auth = "off"
roles = ["worker", "api"]
retention = "48h"
cache_max_bytes = 1048576
trusted_proxies = ["192.0.2.0/24", "198.51.100.1"]
llm_model = "small"
llm_base_url = "http://127.0.0.1:1/v1"
`,
		"trawl.yaml": `
listen: 127.0.0.1:4000
concurrency: 7
auth: off
roles: [worker, api]
retention: 48h
cache_max_bytes: 1048576
trusted_proxies:
  - 192.0.2.0/24
  - 198.51.100.1
llm_model: small
llm_base_url: http://127.0.0.1:1/v1
`,
	}
	want := map[string]string{
		"TRAWL_LISTEN": "127.0.0.1:4000", "TRAWL_CONCURRENCY": "7", "TRAWL_AUTH": "off", "TRAWL_ROLES": "worker,api",
		"TRAWL_RETENTION": "48h", "TRAWL_CACHE_MAX_BYTES": "1MiB",
		"TRAWL_TRUSTED_PROXIES": "192.0.2.0/24,198.51.100.1/32", "TRAWL_LLM_MODEL": "small",
	}
	for name, content := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := effective(t, nil, "--config", writeFile(t, name, content))
			for setting, value := range want {
				if got[setting] != (settingView{setting, value, fromFile}) {
					t.Errorf("%s is %+v, want %q from the file", setting, got[setting], value)
				}
			}
		})
	}
}

func TestFileRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, content, want string }{
		{"extension", "trawl.ini", "listen = 1", "must end in .toml, .yaml or .yml"},
		{"syntax of TOML", "trawl.toml", "listen =", "read settings in "},
		{"syntax of YAML", "trawl.yaml", "- a\n- b", "read settings in "},
		{"table", "trawl.toml", "[listen]\nhost = 1", "listen in "},
		{"list of tables", "trawl.yaml", "roles: [{a: b}]", "must be a text, a number or a list of these"},
		{"bound", "trawl.toml", "concurrency = 0", "must be at least 1 but is 0"},
		{"fraction", "trawl.toml", "concurrency = 1.5", "concurrency in "},
		{"upper case", "trawl.toml", `LISTEN = "x"`, "unknown key LISTEN in "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := execute(t, nil, "config", "--config", writeFile(t, tt.file, tt.content))
			if got.code != exitUsage || !strings.Contains(got.stderr, tt.want) {
				t.Errorf("code %d, stderr %q, want %q", got.code, got.stderr, tt.want)
			}
		})
	}
}

func TestDataDir(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"XDG_DATA_HOME": "/data", "HOME": "/home/me"}, "/data/trawl"},
		{map[string]string{"XDG_DATA_HOME": "relative", "HOME": "/home/me"}, "/home/me/.local/share/trawl"},
		{map[string]string{"HOME": "/home/me"}, "/home/me/.local/share/trawl"},
	} {
		if got := effective(t, tt.env)["TRAWL_DATA_DIR"].Value; got != tt.want {
			t.Errorf("data folder with %v is %s, want %s", tt.env, got, tt.want)
		}
	}
	got := execute(t, map[string]string{"HOME": ""}, "keys", "list")
	if got.code != exitUsage || !strings.Contains(got.stderr, "TRAWL_DATA_DIR: must be set") {
		t.Errorf("without a home: code %d, stderr %q", got.code, got.stderr)
	}
}

func TestSecretsMasked(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"TRAWL_API_KEY":        "hidden",
		"TRAWL_DATABASE_URL":   "postgres://me:hidden@localhost/db",
		"TRAWL_BLOB_URL":       "s3://me:hidden@bucket",
		"TRAWL_PROXY_BASIC":    "http://me:hidden@localhost:1",
		"TRAWL_PROXY_ENHANCED": "DE=http://me:hidden@localhost:1",
		"TRAWL_LLM_API_KEY":    "hidden",
		"TRAWL_WEBHOOK_SECRET": "hidden",
		"TRAWL_SEARCH_URL":     "http://me:hidden@localhost:1",
		"TRAWL_LLM_BASE_URL":   "http://me:hidden@localhost:1",
		"TRAWL_LLM_MODEL":      "small",
	}
	for _, args := range [][]string{{"config"}, {"config", "--json"}} {
		if got := execute(t, env, args...); got.code != 0 || strings.Contains(got.stdout+got.stderr, "hidden") {
			t.Errorf("%v: code %d, output:\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	known := []string{"listen", "data_dir", "rate_crawl", "rate_scrape"}
	for name, want := range map[string]string{
		"listn": "listen", "lisetn": "listen", "datadir": "data_dir", "rate_craw": "rate_crawl", "port": "", "": "",
	} {
		got := suggest(name, known)
		if want == "" && got != "" || want != "" && got != ", did you mean "+want+"?" {
			t.Errorf("suggestion for %q is %q, want %q", name, got, want)
		}
	}
}
