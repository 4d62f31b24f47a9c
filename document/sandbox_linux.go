package document

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Bounds that the system keeps. Memory is watched from outside as well, where the
// bound is lower: this one is for what grows faster than it is looked at.
const (
	dataLimit  = 2 << 30
	cpuLimit   = 2 * 60 * 60 // seconds, should the service be gone
	filesLimit = 64
	nobody     = 65534
)

// giveUp gives up what the process needs no longer: files that it could write, its
// user, and all system calls but those for computing and for its pipes. If it is to
// run another program, it keeps what that takes.
func giveUp(running bool) error {
	runtime.LockOSThread() // what is set for a thread is passed on by the filter
	defer runtime.UnlockOSThread()
	return errors.Join(closeInherited(), limitResources(), leaveUser(), installFilter(running))
}

// closeInherited closes the files that the service was started with, and passed on
// without knowing of them. A process marks what it opens itself to be closed when a
// program is run, so what has no such mark was there before.
func closeInherited() error {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("close files: %w", err)
	}
	for _, entry := range open {
		file, err := strconv.Atoi(entry.Name())
		if err != nil || file <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(file), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(file)
		}
	}
	return nil
}

func limitResources() error {
	// The system is to take a worker before anything else when memory runs out.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	for _, l := range []struct {
		resource int
		most     uint64
	}{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_DATA, dataLimit},
		{unix.RLIMIT_CPU, cpuLimit},
		{unix.RLIMIT_NOFILE, filesLimit},
	} {
		var now unix.Rlimit
		if err := unix.Getrlimit(l.resource, &now); err != nil {
			return fmt.Errorf("limit resource %d: %w", l.resource, err)
		}
		most := min(l.most, now.Max)
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit resource %d: %w", l.resource, err)
		}
	}
	return nil
}

// leaveUser makes nobody of root. The signal at the end of the service has to be
// asked for again then.
func leaveUser() error {
	if os.Geteuid() != 0 {
		return nil
	}
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
		return fmt.Errorf("leave root: %w", err)
	}
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}
