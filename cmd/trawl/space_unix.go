//go:build linux || darwin

package main

import "syscall"

// freeSpace returns how much an ordinary user can still write into a folder.
func freeSpace(dir string) (size, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		return 0, err
	}
	return size(stat.Bavail) * size(stat.Bsize), nil
}
