package chromium

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a browser prefers is kept, but for downloads and PDF files.
func TestPreferences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, want string }{
		"none":         {"", `{"download_restrictions":3,"plugins":{"always_open_pdf_externally":true}}`},
		"other":        {`{"a":{"b":1},"plugins":{"c":2,"always_open_pdf_externally":false}}`, `{"a":{"b":1},"download_restrictions":3,"plugins":{"always_open_pdf_externally":true,"c":2}}`},
		"wrong":        {`{"plugins":[]}`, `{"download_restrictions":3,"plugins":{"always_open_pdf_externally":true}}`},
		"nothing":      {"null", `{"download_restrictions":3,"plugins":{"always_open_pdf_externally":true}}`},
		"not readable": {`{"plugins"` + strings.Repeat("[", 1000), `{"download_restrictions":3,"plugins":{"always_open_pdf_externally":true}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &Home{dir: t.TempDir()}
			path := filepath.Join(h.UserData(), preferences)
			if err := os.MkdirAll(h.UserData(), 0o700); err != nil {
				t.Fatal(err)
			}
			if c.before != "" {
				if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.prefer(); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil || !json.Valid(data) || string(data) != c.want {
				t.Errorf("%s, %v", data, err)
			}
		})
	}
}
