//go:build linux || darwin

// Package disk knows how full file systems are.
package disk

import "syscall"

// Free returns how many bytes an ordinary user can still write into a folder.
func Free(dir string) (int64, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		return 0, err
	}
	return int64(stat.Bavail) * int64(stat.Bsize), nil
}
