package database

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const lockName = "trawl.lock"

// Lock marks the data folder as in use by a server, until unlock is called or
// the process ends. A folder that is in use is refused. Other commands may open
// the database without it.
func Lock(dataDir string) (unlock func(), err error) {
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dataDir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { _ = file.Close() }, nil // closing gives up the lock
	}
	_ = file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("lock data folder: another server is using %s", dataDir)
	}
	return nil, fmt.Errorf("lock data folder %s: %w", dataDir, err)
}

// touch creates an empty file that only its owner may use, if it is not there.
func touch(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}
