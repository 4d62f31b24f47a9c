package chromium

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Memory is what the processes of a browser take, in bytes and without what they
// share.
type Memory struct {
	Main    int64  // the main process: blobs and storage of pages are there
	Pages   []Part // processes that run pages
	Helpers []Part // processes that work for all pages: graphics, network, storage
	All     int64  // all of them, and once what they share
}

// Part is the memory of one process.
type Part struct {
	PID   int
	Bytes int64
}

// Memory returns what the browser takes at the moment. It is zero where the system
// does not tell.
func (p *Process) Memory() (m Memory) {
	var shared int64
	for _, pid := range append(family(p.PID()), p.PID()) {
		own, common := resident(pid)
		m.All += own
		shared = max(shared, common)
		switch part := (Part{pid, own}); {
		case pid == p.PID():
			m.Main = own
		default:
			m.sort(part)
		}
	}
	m.All += shared
	return m
}

// sort puts a process among those of its kind. What is of neither kind starts the
// others, and stays small.
func (m *Memory) sort(part Part) {
	switch kindOf(part.PID) {
	case "renderer":
		m.Pages = append(m.Pages, part)
	case "gpu-process", "utility":
		m.Helpers = append(m.Helpers, part)
	}
}

// End ends the processes that take more than given, in bytes, and returns how many
// they were. Pages of theirs crash, helpers are started again; the browser lives on.
func End(parts []Part, most int64) (ended int) {
	for _, part := range parts {
		if part.Bytes > most {
			_ = syscall.Kill(part.PID, syscall.SIGKILL)
			ended++
		}
	}
	return ended
}

// Largest returns the one of some processes that takes the most; none is zero.
func Largest(parts []Part) (largest Part) {
	for _, part := range parts {
		if part.Bytes > largest.Bytes {
			largest = part
		}
	}
	return largest
}

// Descendants returns the processes below another, as far as the system tells.
func Descendants(pid int) []int { return below(children(pid, true), true) }

// family returns the processes of a browser below its main one. Any thread of that
// may start some; those start others by their main thread only, which saves looking
// at all.
func family(pid int) []int { return below(children(pid, true), false) }

// below returns processes and those below them.
func below(queue []int, threads bool) (all []int) {
	for len(queue) > 0 && len(all) < 1000 {
		pid := queue[0]
		all, queue = append(all, pid), append(queue[1:], children(pid, threads)...)
	}
	return all
}

// children returns the processes that the main thread of another started, or any
// of its threads. The main thread has the id of its process.
func children(pid int, threads bool) (all []int) {
	id := strconv.Itoa(pid)
	lists := []string{"/proc/" + id + "/task/" + id + "/children"}
	if threads {
		lists, _ = filepath.Glob("/proc/" + id + "/task/*/children")
	}
	for _, list := range lists {
		data, _ := os.ReadFile(list)
		for field := range strings.FieldsSeq(string(data)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// resident returns the memory of a process in bytes: its own, and what it may share
// with others.
func resident(pid int) (own, shared int64) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 3 {
		return 0, 0
	}
	all, _ := strconv.ParseInt(fields[1], 10, 64)
	shared, _ = strconv.ParseInt(fields[2], 10, 64)
	size := int64(os.Getpagesize())
	return (all - shared) * size, shared * size
}

// kindOf returns what a process of a browser is for, as the browser names it.
func kindOf(pid int) string {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	_, kind, _ := strings.Cut(string(data), "--type=")
	end := strings.IndexAny(kind, "\x00 ")
	if end < 0 {
		return kind
	}
	return kind[:end]
}
