package main

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// makeNamespace reports whether a child of this program can have a user
// namespace of its own, which the sandbox of Chromium is built on.
func makeNamespace(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	child := exec.CommandContext(ctx, self, "version")
	child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	return child.Run()
}
