//go:build amd64 || arm64

package document

import (
	"fmt"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// call is a system call that a worker may make.
type call struct {
	number uint32
	when   condition
}

// condition is what has to be true of an argument, of which the lower half is seen.
// The zero condition always holds.
type condition struct {
	test     uint16 // an operator of BPF, or 0
	argument uint32
	value    uint32
	inverted bool
}

// computing are the calls of a program in Go that computes and uses its pipes.
func computing() []call {
	const executable = unix.PROT_EXEC
	return append(calls(
		unix.SYS_READ, unix.SYS_READV, unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_CLOSE, unix.SYS_FSTAT, unix.SYS_LSEEK, unix.SYS_FCNTL,
		unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_MREMAP, unix.SYS_BRK,
		unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP,
		unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY, unix.SYS_GETRANDOM,
		unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
		unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2,
		unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_RESTART_SYSCALL,
		unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	),
		call{unix.SYS_TGKILL, condition{test: unix.BPF_JEQ, argument: 0, value: uint32(os.Getpid())}}, // how goroutines are interrupted
		call{unix.SYS_CLONE, condition{test: unix.BPF_JSET, argument: 0, value: unix.CLONE_THREAD}},
		call{unix.SYS_MMAP, condition{test: unix.BPF_JSET, argument: 2, value: executable, inverted: true}},
		call{unix.SYS_MPROTECT, condition{test: unix.BPF_JSET, argument: 2, value: executable, inverted: true}},
	)
}

// running are the calls that it takes to run another program, which can read files
// but make none.
func running() []call {
	list := append(calls(
		unix.SYS_CLONE, unix.SYS_EXECVE, unix.SYS_WAIT4, unix.SYS_WAITID, unix.SYS_SETPGID, unix.SYS_MMAP, unix.SYS_MPROTECT, unix.SYS_PRCTL,
		unix.SYS_PIPE2, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_CLOSE_RANGE, unix.SYS_IOCTL, unix.SYS_PPOLL, unix.SYS_PSELECT6,
		unix.SYS_PREAD64, unix.SYS_STATX, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_STATFS, unix.SYS_FSTATFS,
		unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_UMASK, unix.SYS_FADVISE64,
		unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETPPID, unix.SYS_GETRUSAGE, unix.SYS_TIMES,
		unix.SYS_UNAME, unix.SYS_SYSINFO, unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_MEMBARRIER,
	), calls(ofArchitecture()...)...)
	return append(list, call{unix.SYS_OPENAT, condition{test: unix.BPF_JSET, argument: 2, value: unix.O_CREAT | unix.O_TRUNC | unix.O_TMPFILE&^unix.O_DIRECTORY, inverted: true}})
}

func calls(numbers ...uint32) []call {
	list := make([]call, len(numbers))
	for i, number := range numbers {
		list[i].number = number
	}
	return list
}

// What a filter answers.
const (
	allow     = unix.SECCOMP_RET_ALLOW
	forbid    = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	missing   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	endAtOnce = unix.SECCOMP_RET_KILL_PROCESS
)

// filter is the program that decides about system calls. What is not listed is
// forbidden. Clone3 is said to be missing, since its arguments cannot be looked at:
// who meets that uses clone.
func filter(run bool) []unix.SockFilter {
	const load = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	program := []unix.SockFilter{
		statement(load, 4),
		jump(unix.BPF_JEQ, architecture, 1, 0),
		statement(unix.BPF_RET, endAtOnce),
		statement(load, 0),
		jump(unix.BPF_JEQ, unix.SYS_CLONE3, 0, 1),
		statement(unix.BPF_RET, missing),
	}
	allowed := computing()
	if run {
		more := running()
		allowed = slices.DeleteFunc(allowed, func(c call) bool { // without their conditions
			return slices.ContainsFunc(more, func(m call) bool { return m.number == c.number })
		})
		allowed = append(allowed, more...)
	}
	for _, c := range allowed {
		if c.when.test == 0 {
			program = append(program, jump(unix.BPF_JEQ, c.number, 0, 1), statement(unix.BPF_RET, allow))
			continue
		}
		yes, no := uint32(allow), uint32(forbid)
		if c.when.inverted {
			yes, no = no, yes
		}
		program = append(program, jump(unix.BPF_JEQ, c.number, 0, 4), statement(load, 16+8*c.when.argument),
			jump(c.when.test, c.when.value, 0, 1), statement(unix.BPF_RET, yes), statement(unix.BPF_RET, no))
	}
	return append(program, statement(unix.BPF_RET, forbid))
}

func statement(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }

func jump(test uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jt: yes, Jf: no}
}

// installFilter puts all threads under the filter, for good.
func installFilter(run bool) error {
	program := filter(run)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	header := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	thread, _, failed := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&header)))
	if failed != 0 {
		return fmt.Errorf("filter system calls: %w", failed)
	}
	if thread != 0 {
		return fmt.Errorf("filter system calls: thread %d has another filter", thread)
	}
	return nil
}
