package chromium

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// A browser keeps what it is told to prefer.
func TestPreferences(t *testing.T) {
	t.Parallel()
	l := launch(t)
	var err error
	if l.Home, err = NewHome(); err != nil {
		t.Fatal(err)
	}
	defer l.Home.Remove()
	p, err := Start(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Quit(t.Context()); err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Downloads int `json:"download_restrictions"`
		Plugins   struct {
			External bool `json:"always_open_pdf_externally"`
		} `json:"plugins"`
	}
	data, err := os.ReadFile(filepath.Join(l.Home.UserData(), "Default/Preferences"))
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil || kept.Downloads != 3 || !kept.Plugins.External || len(data) == len(preferences) {
		t.Errorf("%+v, %v", kept, err)
	}
}
