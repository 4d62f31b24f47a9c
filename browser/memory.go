package browser

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// watchEvery is how often the memory of a browser's processes is looked at.
	watchEvery = 500 * time.Millisecond
)

// memory is what pages may take.
type memory struct {
	heap int   // megabytes of what the scripts of a page keep
	page int64 // bytes of everything: pictures, buffers, the tree as well
	main int64 // bytes of a browser's main process, which then is replaced
}

var usualMemory = memory{heap: 512, page: 1 << 30, main: 1 << 30}

// watch ends the processes of pages that take too much memory, and retires a
// browser that has grown, until the browser ends.
func (p *Pool) watch(r *running) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-r.process.exited:
			p.mu.Lock()
			if !r.retired {
				p.config.Log.Warn("browser is gone", "program", r.program)
			}
			p.retire(r)
			p.end(r)
			p.mu.Unlock()
			return
		case <-ticker.C:
		}
		p.mu.Lock()
		busy := r.open > 0 && !p.closed
		p.mu.Unlock()
		if busy {
			p.inspect(r)
		}
	}
}

// inspect looks at the memory of a browser once.
func (p *Pool) inspect(r *running) {
	main := r.process.command.Process.Pid
	for _, pid := range descendants(main) {
		if resident(pid) > p.memory.page && isRenderer(pid) {
			p.config.Log.Warn("a page takes too much memory and is ended")
			p.mu.Lock()
			r.hoarded = time.Now()
			p.mu.Unlock()
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	if resident(main) > p.memory.main {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !r.retired {
			p.recycled++
			p.retire(r)
		}
	}
}

// descendants returns the processes below another, as far as the system tells.
func descendants(pid int) (all []int) {
	below := []int{pid}
	for len(below) > 0 && len(all) < 1000 {
		next := below[0]
		below = below[1:]
		id := strconv.Itoa(next)
		data, err := os.ReadFile("/proc/" + id + "/task/" + id + "/children")
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(data)) {
			if child, err := strconv.Atoi(field); err == nil {
				all, below = append(all, child), append(below, child)
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
