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
	for _, pid := range below(p.PID(), false) {
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
func Descendants(pid int) []int { return below(pid, true) }

// below returns the processes below another. Each thread has its own children; a
// browser's processes for pages are all those of main threads, which have the id
// of their process.
func below(pid int, threads bool) (all []int) {
	queue := []int{pid}
	for len(queue) > 0 && len(all) < 1000 {
		id := strconv.Itoa(queue[0])
		queue = queue[1:]
		lists := []string{"/proc/" + id + "/task/" + id + "/children"}
		if threads {
			lists, _ = filepath.Glob("/proc/" + id + "/task/*/children")
		}
		for _, list := range lists {
			data, _ := os.ReadFile(list)
			for field := range strings.FieldsSeq(string(data)) {
				if child, err := strconv.Atoi(field); err == nil {
					all, queue = append(all, child), append(queue, child)
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
