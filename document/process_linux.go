package document

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// thisProgram is the program as it was when it started, even if its file has been
// replaced since.
func thisProgram() string { return "/proc/self/exe" }

// processAttributes has a process lead its own group, and end when the service does.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// resident returns how much memory a process takes, in bytes.
func resident(pid int) int64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
