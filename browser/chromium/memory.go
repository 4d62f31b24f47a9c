package chromium

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// EndHoarders ends the processes of pages that take more memory than given, in
// bytes, and returns how many they were. Their pages crash; the browser lives on.
func (p *Process) EndHoarders(most int64) (ended int) {
	for _, pid := range Descendants(p.PID()) {
		if resident(pid) > most && isRenderer(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			ended++
		}
	}
	return ended
}

// Memory returns what the main process takes, in bytes.
func (p *Process) Memory() int64 { return resident(p.PID()) }

// Descendants returns the processes below another, as far as the system tells.
func Descendants(pid int) (all []int) {
	below := []int{pid}
	for len(below) > 0 && len(all) < 1000 {
		next := below[0]
		below = below[1:]
		threads, _ := filepath.Glob("/proc/" + strconv.Itoa(next) + "/task/*/children") // each has its own
		for _, thread := range threads {
			data, _ := os.ReadFile(thread)
			for field := range strings.FieldsSeq(string(data)) {
				if child, err := strconv.Atoi(field); err == nil {
					all, below = append(all, child), append(below, child)
				}
			}
		}
	}
	return all
}

// resident returns the memory of a process in bytes, without what it shares.
func resident(pid int) int64 {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 3 {
		return 0
	}
	all, _ := strconv.ParseInt(fields[1], 10, 64)
	shared, _ := strconv.ParseInt(fields[2], 10, 64)
	return (all - shared) * int64(os.Getpagesize())
}

func isRenderer(pid int) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return err == nil && bytes.Contains(data, []byte("--type=renderer"))
}
