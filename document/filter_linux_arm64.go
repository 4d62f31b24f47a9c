package document

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// ofArchitecture are calls that are named otherwise elsewhere.
func ofArchitecture() []uint32 { return []uint32{unix.SYS_FSTATAT, unix.SYS_GETRLIMIT} }
