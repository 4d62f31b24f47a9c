package chromium

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// preferences say what no flag can: that nothing is downloaded, whatever becomes of
// what clients say about it, and that PDF files are not shown. The full browser
// shows them with an extension of its own, as a part of the page. Whoever drives
// the page could run scripts there, with the extension's rights: it opens files of
// the computer and the browser's own pages in any tab.
const preferences = `{"download_restrictions":3,"plugins":{"always_open_pdf_externally":true}}`

// prefer writes them down before the browser starts. A home has none of its own:
// they are not part of profiles.
func (h *Home) prefer() error {
	root, err := os.OpenRoot(h.UserData())
	if err != nil {
		return fmt.Errorf("write preferences: %w", err)
	}
	defer root.Close()
	const folder, name = "Default", "Default/Preferences"
	err = root.Mkdir(folder, 0o700)
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = root.WriteFile(name, []byte(preferences), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write preferences: %w", err)
	}
	return errors.Join(h.Own(filepath.Join(h.UserData(), folder)), h.Own(filepath.Join(h.UserData(), name)))
}
