package document

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// ofArchitecture are calls that older architectures have beside the newer ones. Open
// is not among them: who is refused it uses openat.
func ofArchitecture() []uint32 {
	return []uint32{
		unix.SYS_ARCH_PRCTL, unix.SYS_NEWFSTATAT, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK,
		unix.SYS_DUP2, unix.SYS_PIPE, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_VFORK, unix.SYS_GETPGRP, unix.SYS_GETRLIMIT,
	}
}
