// Package profile keeps what a browser knows, its logins above all, so that the
// next one begins where the last one ended.
//
// A profile is an archive of the few files of a browser's folder that hold the
// state of sites: cookies, the storages of pages, and service workers with their
// caches. What can be made again, such as caches of the network, and settings of
// the browser itself are left behind. The archive fits a fresh folder on any path
// of any machine.
//
// The order of things is [Open], start the browser in the home, [Restore]; use
// it; [Keep], quit, and only if the browser ended properly, [Save]. Who does not
// want to change the profile leaves out the last two.
//
// A browser is not trusted: what it leaves in its folder is never followed out of
// it, and is read only where it is a plain file; what it may leave is bounded.
package profile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
)

// Store keeps the profiles of teams. At any time at most one holder, who has
// taken it, may save to a profile.
type Store interface {
	// TakeProfile makes a holder the one who saves to a profile. The error has
	// CodeConflict if there is another.
	TakeProfile(ctx context.Context, teamID, name, holder, node string) error
	// LoadProfile returns what was last saved; nil if nothing was yet.
	LoadProfile(ctx context.Context, teamID, name string) ([]byte, error)
	// SaveProfile replaces what is saved. The error has CodeConflict if the holder
	// does not hold the profile, or no longer.
	SaveProfile(ctx context.Context, teamID, name, holder string, archive []byte) error
	// FreeProfile lets go of a profile if the holder holds it.
	FreeProfile(ctx context.Context, teamID, name, holder string) error
}

// Open returns a home with what is saved in a profile; an empty one if nothing
// is. The caller removes it.
func Open(ctx context.Context, store Store, teamID, name string) (_ *chromium.Home, err error) {
	archive, err := store.LoadProfile(ctx, teamID, name)
	if err != nil {
		return nil, err
	}
	home, err := chromium.NewHome()
	if err != nil || archive == nil {
		return home, err
	}
	defer func() {
		if err != nil {
			home.Remove()
		}
	}()
	root, err := openFolder(home)
	if err != nil {
		return nil, fmt.Errorf("open profile: %w", err)
	}
	defer root.Close()
	if err := unpack(root, archive); err != nil {
		return nil, trawl.Wrap(trawl.CodeUnavailable, "The profile cannot be read. Delete it, or use another one.", fmt.Errorf("open profile: %w", err))
	}
	return home, nil
}

// Save replaces what is saved in a profile, which the holder must hold, by what
// is in the home of a browser that has quit. After an error with CodeTooLarge or
// CodeConflict what was saved before is still there.
func Save(ctx context.Context, store Store, home *chromium.Home, teamID, name, holder string) error {
	root, err := openFolder(home)
	if err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	defer root.Close()
	archive, err := pack(root)
	if err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	return store.SaveProfile(ctx, teamID, name, holder, archive)
}

// openFolder opens the folder of a browser's state. The browser can move it and
// put a link in its place, or in that of the home; then it is refused.
func openFolder(home *chromium.Home) (*os.Root, error) {
	dir := home.UserData()
	outside, err := os.OpenRoot(filepath.Dir(filepath.Dir(dir)))
	if err != nil {
		return nil, err
	}
	defer outside.Close()
	above, err := enter(outside, filepath.Base(filepath.Dir(dir)))
	if err != nil {
		return nil, err
	}
	defer above.Close()
	return enter(above, filepath.Base(dir))
}

var errNotFolder = errors.New("not a folder")

// enter opens a folder, but not one that a link leads to.
func enter(above *os.Root, name string) (*os.Root, error) {
	seen, err := above.Lstat(name)
	if err != nil {
		return nil, err
	}
	below, err := above.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := below.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = &os.PathError{Op: "open", Path: name, Err: errNotFolder}
	}
	if err != nil {
		_ = below.Close()
		return nil, err
	}
	return below, nil
}
