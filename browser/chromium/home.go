package chromium

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// lowUser returns the user under which the browser runs if the service is root,
// as whom it would not use its sandbox. It is nil otherwise.
func lowUser() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("find a user for the browser: %w", err)
	}
	uid, err1 := strconv.ParseUint(nobody.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(nobody.Gid, 10, 32)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("find a user for the browser: %w", err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: false, Groups: []uint32{}}, nil
}

const folderPrefix = "trawl-browser-"

// Home is a folder in which a browser keeps all that it writes, and that only the
// browser's user can read.
type Home struct {
	dir   string
	owner *syscall.Credential // nil: the user of the service
}

// NewHome makes a home. Its name tells whose it is.
func NewHome() (*Home, error) {
	owner, err := lowUser()
	if err != nil {
		return nil, err
	}
	h := &Home{owner: owner}
	if h.dir, err = os.MkdirTemp("", folderPrefix+strconv.Itoa(os.Getpid())+"-"); err != nil {
		return nil, fmt.Errorf("make browser folder: %w", err)
	}
	err = h.Own(h.dir)
	if err == nil {
		err = os.Mkdir(h.UserData(), 0o700)
	}
	if err == nil {
		err = h.Own(h.UserData())
	}
	if err != nil {
		h.Remove()
		return nil, fmt.Errorf("make browser folder: %w", err)
	}
	return h, nil
}

// UserData returns the folder of the browser's state.
func (h *Home) UserData() string { return filepath.Join(h.dir, "profile") }

// Own gives a file or folder to the browser's user; a link itself, not what it
// points to.
func (h *Home) Own(path string) error {
	if h.owner == nil {
		return nil
	}
	return os.Lchown(path, int(h.owner.Uid), int(h.owner.Gid))
}

// Size returns how many bytes are in the home.
func (h *Home) Size() (bytes int64) {
	_ = filepath.WalkDir(h.dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // it may be gone again
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// Remove removes the home with all that is in it.
func (h *Home) Remove() { _ = os.RemoveAll(h.dir) }

// SweepHomes removes what browsers of services that were killed left behind.
func SweepHomes() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*"))
	for _, dir := range left {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), folderPrefix), "-")
		pid, err := strconv.Atoi(owner)
		if err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.RemoveAll(dir)
		}
	}
}
