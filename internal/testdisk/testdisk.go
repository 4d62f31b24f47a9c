// Package testdisk lets the disk below SQLite fail: a test names a folder, and says
// with which result code reads, writes and locks of the databases in it fail from
// then on. It stands between SQLite and the VFS of the system, so all of SQLite and
// all above it is real.
package testdisk

import (
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Disk is the databases in a folder.
type Disk struct {
	dir                 string
	read, write, locked atomic.Int32
}

// New returns the disk of a folder. Databases in it are to be opened after that.
func New(t testing.TB, dir string) *Disk {
	t.Helper()
	if err := register(); err != sqlite3.SQLITE_OK {
		t.Fatalf("no VFS: %d", err)
	}
	d := &Disk{dir: dir + string(filepath.Separator)}
	disks.Store(d, nil)
	t.Cleanup(func() { disks.Delete(d) })
	return d
}

// FailReads lets reads fail with a result code of SQLite; 0 is none.
func (d *Disk) FailReads(code int32) { d.read.Store(code) }

// FailWrites does the same for writes.
func (d *Disk) FailWrites(code int32) { d.write.Store(code) }

// FailLocks does the same for locks of the write-ahead log.
func (d *Disk) FailLocks(code int32) { d.locked.Store(code) }

// Heal lets everything work again.
func (d *Disk) Heal() {
	d.FailReads(sqlite3.SQLITE_OK)
	d.FailWrites(sqlite3.SQLITE_OK)
	d.FailLocks(sqlite3.SQLITE_OK)
}

// The methods of a VFS that are replaced.
type (
	openFunc  = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, flagsOut uintptr) int32
	closeFunc = func(tls *libc.TLS, file uintptr) int32
	moveFunc  = func(tls *libc.TLS, file, buffer uintptr, size int32, offset int64) int32
	lockFunc  = func(tls *libc.TLS, file uintptr, offset, n, flags int32) int32
)

var (
	disks sync.Map // the keys are of type *Disk
	files sync.Map // *openFile by the file of SQLite, a uintptr

	system uintptr // the VFS of the system
	shim   sqlite3.Tsqlite3_vfs
)

// openFile is a file on a disk that can fail.
type openFile struct {
	disk    *Disk
	real    *sqlite3.Tsqlite3_io_methods
	methods uintptr // in memory of SQLite
}

// register makes a VFS that looks at every file the default one.
var register = sync.OnceValue(func() int32 {
	tls := libc.NewTLS()
	defer tls.Close()
	if code := sqlite3.Xsqlite3_initialize(tls); code != sqlite3.SQLITE_OK {
		return code
	}
	system = sqlite3.Xsqlite3_vfs_find(tls, 0)
	name, err := libc.CString("testdisk")
	if err != nil {
		return sqlite3.SQLITE_NOMEM
	}
	shim = *at[sqlite3.Tsqlite3_vfs](system)
	shim.FpNext, shim.FzName, shim.FxOpen = 0, name, address(openFunc(open))
	return sqlite3.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(&shim)), 1)
})

func open(tls *libc.TLS, _, name, file uintptr, flags int32, flagsOut uintptr) int32 {
	code := function[openFunc](at[sqlite3.Tsqlite3_vfs](system).FxOpen)(tls, system, name, file, flags, flagsOut)
	if code != sqlite3.SQLITE_OK || name == 0 {
		return code
	}
	path := libc.GoString(name)
	for key := range disks.Range {
		disk := key.(*Disk)
		if !strings.HasPrefix(path, disk.dir) {
			continue
		}
		handle := at[sqlite3.Tsqlite3_file](file)
		real := at[sqlite3.Tsqlite3_io_methods](handle.FpMethods)
		handle.FpMethods = libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*real)))
		files.Store(file, &openFile{disk: disk, real: real, methods: handle.FpMethods})
		methods := at[sqlite3.Tsqlite3_io_methods](handle.FpMethods)
		*methods = *real
		methods.FxRead, methods.FxWrite = address(moveFunc(read)), address(moveFunc(write))
		methods.FxShmLock, methods.FxClose = address(lockFunc(lock)), address(closeFunc(closeFile))
		break
	}
	return code
}

func read(tls *libc.TLS, file, buffer uintptr, size int32, offset int64) int32 {
	f := lookup(file)
	if code := f.disk.read.Load(); code != sqlite3.SQLITE_OK {
		return code
	}
	return function[moveFunc](f.real.FxRead)(tls, file, buffer, size, offset)
}

func write(tls *libc.TLS, file, buffer uintptr, size int32, offset int64) int32 {
	f := lookup(file)
	if code := f.disk.write.Load(); code != sqlite3.SQLITE_OK {
		return code
	}
	return function[moveFunc](f.real.FxWrite)(tls, file, buffer, size, offset)
}

// lock can fail to take a lock; to release one always works.
func lock(tls *libc.TLS, file uintptr, offset, n, flags int32) int32 {
	f := lookup(file)
	if code := f.disk.locked.Load(); code != sqlite3.SQLITE_OK && flags&sqlite3.SQLITE_SHM_LOCK != 0 {
		return code
	}
	return function[lockFunc](f.real.FxShmLock)(tls, file, offset, n, flags)
}

func closeFile(tls *libc.TLS, file uintptr) int32 {
	f := lookup(file)
	files.Delete(file)
	libc.Xfree(tls, f.methods)
	return function[closeFunc](f.real.FxClose)(tls, file)
}

func lookup(file uintptr) *openFile {
	f, _ := files.Load(file)
	return f.(*openFile)
}

// at returns what is at an address that SQLite gave.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// address returns a function of the program as SQLite keeps functions.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function is the reverse.
func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }
