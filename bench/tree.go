package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// holding is what processes hold at a moment.
type holding struct {
	processes, files int
	memory           float64 // in megabytes; what they share counts once
}

func (h holding) String() string {
	return fmt.Sprintf("%d processes, %d descriptors, %.0f MB", h.processes, h.files, h.memory)
}

// below returns the processes that descend from another, its children first.
func below(root int) ([]int, error) {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, err
	}
	children := map[int][]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		if numbers, err := stat(pid); err == nil {
			children[int(numbers[1])] = append(children[int(numbers[1])], pid)
		} else if !gone(err) {
			return nil, err
		}
	}
	all := slices.Clone(children[root])
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all, nil
}

// stat returns the numbers of /proc/PID/stat that follow the state, so that the
// first, at 1, is the parent.
func stat(pid int) ([]int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 15 {
		return nil, fmt.Errorf("/proc/%d/stat is short", pid)
	}
	numbers := make([]int64, 15)
	for i := 1; i < len(numbers); i++ {
		if numbers[i], err = strconv.ParseInt(fields[i], 10, 64); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// gone reports whether a process could not be read because it has ended.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) }

// spent returns the CPU time of processes and of all below them that have ended
// and were waited for.
func spent(pids []int) (time.Duration, error) {
	var ticks int64
	for _, pid := range pids {
		numbers, err := stat(pid)
		if gone(err) {
			continue
		}
		if err != nil {
			return 0, err
		}
		for _, n := range numbers[11:15] { // utime, stime, cutime, cstime in hundredths of a second
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// hold returns what processes hold.
func hold(pids []int) (holding, error) {
	var sum holding
	for _, pid := range pids {
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		if err == nil {
			var memory float64
			memory, err = share(pid)
			sum.memory += memory
		}
		switch {
		case gone(err):
			continue
		case err != nil:
			return sum, err
		}
		sum.processes++
		sum.files += len(files)
	}
	return sum, nil
}

// share returns the memory of a process in megabytes, of shared memory its share.
func share(pid int) (float64, error) {
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(rollup)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib * 1024 / 1e6, err
		}
	}
	return 0, nil // it is about to end
}
