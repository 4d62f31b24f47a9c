//go:build !linux

package document

import (
	"os"
	"syscall"
)

// thisProgram is the file of the program.
func thisProgram() string {
	path, _ := os.Executable() // without one, starting a worker says so
	return path
}

// processAttributes has a process lead its own group.
func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// resident is not known here.
func resident(int) int64 { return 0 }

// giveUp does nothing: the system offers nothing that all versions of it have.
func giveUp(bool) error { return nil }
