package main

import (
	"bytes"
	"encoding/pem"
	"io"
	stdlog "log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Whom the environment says to trust, browsers trust too. Certificates are checked
// where there are actions.
func TestPrivateAuthority(t *testing.T) {
	t.Parallel()
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>Inside</title><p>made for us</p>")
	}))
	site.Config.ErrorLog = stdlog.New(io.Discard, "", 0)
	site.StartTLS()
	t.Cleanup(site.Close)
	folder := t.TempDir()
	file := filepath.Join(folder, "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	const action = `[{"type": "wait", "milliseconds": 1}]`
	for name, tt := range map[string]struct{ variable, value, want string }{
		"by file":   {authorityFile, file, "made for us"},
		"by folder": {authorityFolders, "/nowhere:" + folder, "made for us"},
		"missing":   {authorityFile, filepath.Join(folder, "none.pem"), "certificates cannot be read"},
		"not named": {"OTHER", "", "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			p := &program{
				env:   map[string]string{"HOME": t.TempDir(), "TRAWL_ALLOW_PRIVATE": "127.0.0.0/8", tt.variable: tt.value},
				stdin: strings.NewReader(action), stdout: &out, stderr: &out, now: time.Now, machine: browserMachine(t),
			}
			code := p.run(t.Context(), []string{"scrape", "--actions", "-", site.URL})
			trusted := tt.want == "made for us"
			if (code == 0) != trusted || !strings.Contains(out.String(), tt.want) {
				t.Errorf("code %d: %s", code, &out)
			}
		})
	}
}
