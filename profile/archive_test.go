package profile

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/trawlhq/trawl"
)

// newRoot returns an empty folder, and where it is.
func newRoot(t testing.TB) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root, dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// contents returns all files of a folder.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What holds the state of sites comes back, and nothing else.
func TestPack(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		cookieFile:        "[]",
		"Default/Cookies": "db",
		"Default/Local Storage/leveldb/000003.log":                "local",
		"Default/IndexedDB/http_a.indexeddb.blob/1/00/2":          strings.Repeat("blob", 100_000),
		"Default/File System/000/t/.usage":                        "",
		"Default/Service Worker/CacheStorage/1/2/index":           "cache",
		"Default/WebStorage/" + strings.Repeat("n", 200):          "long",
		"Default/WebStorage/ü/" + strings.Repeat("m/", 100) + "x": "deep",
	}
	root, dir := newRoot(t)
	for name, text := range want {
		write(t, dir, name, text)
	}
	for _, other := range []string{
		"Local State", "SingletonLock", "Default/Cache/Cache_Data/data_0", "Default/Code Cache/js/index", "Default/History", "Default/Preferences",
		"Default/Local Storage/leveldb/LOCK", "Default/Local Storage/leveldb/LOG", "Default/Local Storage/leveldb/LOG.old", "Crashpad/settings.dat",
		"Default/IndexedDBs", "Default/Cookies2",
	} {
		write(t, dir, other, "no")
	}
	archive, err := pack(root)
	if err != nil {
		t.Fatal(err)
	}
	fresh, place := newRoot(t)
	if err := unpack(fresh, archive); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, place); !maps.Equal(got, want) {
		t.Errorf("unpacked %q", got)
	}
}

// A hostile browser may leave anything: what is not a plain file of its own is
// not even opened.
func TestPackHostile(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, "secret", "secret")
	root, dir := newRoot(t)
	write(t, dir, "Default/IndexedDB/plain", "plain")
	write(t, dir, "Default/History", "secret")
	in := func(name string) string { return filepath.Join(dir, "Default/IndexedDB", name) }
	socket, err := net.Listen("unix", in("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := errors.Join(
		syscall.Mkfifo(in("fifo"), 0o600),
		syscall.Mkfifo(filepath.Join(dir, cookieFile), 0o600),
		os.Link(filepath.Join(outside, "secret"), in("link")),
		os.Symlink(filepath.Join(outside, "secret"), in("symlink")),
		os.Symlink("../History", in("inner")),
		os.Symlink(outside, in("folder")),
		os.Symlink(".", in("loop")),
		os.Symlink(outside, filepath.Join(dir, "Default/WebStorage")),
		os.WriteFile(in("\xff"), []byte("name"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	archive, err := pack(root)
	if err != nil {
		t.Fatal(err)
	}
	fresh, place := newRoot(t)
	if err := unpack(fresh, archive); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, place); !maps.Equal(got, map[string]string{"Default/IndexedDB/plain": "plain"}) {
		t.Errorf("unpacked %q", got)
	}
}

// A folder that leads elsewhere is no reason to go there.
func TestPackOutside(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, "Cookies", "secret")
	root, dir := newRoot(t)
	if err := os.Symlink(outside, filepath.Join(dir, "Default")); err != nil {
		t.Fatal(err)
	}
	if _, err := pack(root); err == nil {
		t.Error("it went there")
	}
}

func TestPackBounds(t *testing.T) {
	t.Parallel()
	root, dir := newRoot(t)
	for _, name := range []string{"a", "b", "c"} {
		write(t, dir, "Default/IndexedDB/"+name, strings.Repeat(name, 1000))
	}
	enough := bounds{files: len(kept) + 3, bytes: 3000, packed: 1000}
	if _, err := enough.pack(root); err != nil {
		t.Errorf("within the bounds: %v", err)
	}
	for name, most := range map[string]bounds{
		"files":  {files: 2, bytes: 3000, packed: 1000},
		"bytes":  {files: 100, bytes: 2999, packed: 1000},
		"packed": {files: 100, bytes: 3000, packed: 20},
	} {
		if _, err := most.pack(root); trawl.ErrorCode(err) != trawl.CodeTooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// tarOf packs entries as they are.
func tarOf(t testing.TB, entries ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range entries {
		err := w.WriteHeader(&h)
		if h.Typeflag == tar.TypeReg && err == nil {
			_, err = w.Write(make([]byte, h.Size))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func compress(t testing.TB, data []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(data, nil)
}

func archiveOf(t testing.TB, entries ...tar.Header) []byte { return compress(t, tarOf(t, entries...)) }

func TestUnpackHostile(t *testing.T) {
	t.Parallel()
	file := func(name string, size int64) tar.Header {
		return tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o777}
	}
	few := bounds{files: 2, bytes: 1000}
	for name, archive := range map[string][]byte{
		"no archive":             []byte("hello"),
		"cut off":                archiveOf(t, file("Default/Cookies", 100))[:30],
		"climbs":                 archiveOf(t, file("Default/IndexedDB/../../../escape", 1)),
		"absolute":               archiveOf(t, file("/Default/Cookies", 1)),
		"symlink":                archiveOf(t, tar.Header{Typeflag: tar.TypeSymlink, Name: "Default/IndexedDB", Linkname: "/etc"}),
		"hard link":              archiveOf(t, tar.Header{Typeflag: tar.TypeLink, Name: "Default/Cookies", Linkname: "/etc/passwd"}),
		"device":                 archiveOf(t, tar.Header{Typeflag: tar.TypeChar, Name: "Default/Cookies", Devmajor: 1, Devminor: 5}),
		"folder":                 archiveOf(t, tar.Header{Typeflag: tar.TypeDir, Name: "Default/IndexedDB/"}),
		"twice":                  archiveOf(t, file("Default/Cookies", 1), file("Default/Cookies", 1)),
		"file as folder":         archiveOf(t, file("Default/Cookies", 1), file("Default/Cookies/a", 1)),
		"long name":              archiveOf(t, file("Default/IndexedDB/"+strings.Repeat("a/", 600)+"a", 1)),
		"many files":             archiveOf(t, file("Default/IndexedDB/1", 1), file("Default/IndexedDB/2", 1), file("Default/IndexedDB/3", 1)),
		"many that are not kept": archiveOf(t, file("1", 1), file("2", 1), file("3", 1)),
		"large":                  archiveOf(t, file("Default/Cookies", 1001)),
		"bomb":                   archiveOf(t, file("Local State", 1<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, dir := newRoot(t)
			if err := few.unpack(root, archive); err == nil {
				t.Error("unpacked without an error")
			}
			for name, text := range contents(t, dir) {
				if !isKept(name) || len(text) > 1000 {
					t.Errorf("it made %s of %d bytes", name, len(text))
				}
			}
		})
	}
}

// What an archive of an older version has beyond what is kept now does no harm.
func TestUnpackOld(t *testing.T) {
	t.Parallel()
	root, dir := newRoot(t)
	archive := archiveOf(t,
		tar.Header{Typeflag: tar.TypeReg, Name: "Default/Preferences", Size: 5},
		tar.Header{Typeflag: tar.TypeReg, Name: "Default/Cookies", Size: 3, Mode: 0o4777})
	if err := unpack(root, archive); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir); len(got) != 1 || len(got["Default/Cookies"]) != 3 {
		t.Errorf("unpacked %q", got)
	}
	if info, err := os.Stat(filepath.Join(dir, "Default/Cookies")); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// FuzzUnpack: whatever the bytes, nothing is made but plain files that are kept,
// within the bounds.
func FuzzUnpack(f *testing.F) {
	seed := tarOf(f,
		tar.Header{Typeflag: tar.TypeReg, Name: "Default/Cookies", Size: 10},
		tar.Header{Typeflag: tar.TypeReg, Name: "Default/IndexedDB/" + strings.Repeat("a/", 100) + "ü", Size: 1})
	f.Add(compress(f, seed), true)
	f.Add(seed, false)
	most := bounds{files: 10, bytes: 10_000}
	f.Fuzz(func(t *testing.T, data []byte, packed bool) {
		if !packed { // the compression would hardly ever let through what is found
			data = compress(t, data)
		}
		root, dir := newRoot(t)
		_ = most.unpack(root, data)
		size, files := 0, contents(t, dir)
		for name, text := range files {
			if size += len(text); !isKept(name) {
				t.Errorf("it made %q", name)
			}
		}
		if len(files) > most.files || size > int(most.bytes) {
			t.Errorf("%d files of %d bytes", len(files), size)
		}
	})
}

func BenchmarkArchive(b *testing.B) {
	root, dir := newRoot(b)
	for _, name := range []string{"Cookies", "Local Storage/a", "IndexedDB/a", "IndexedDB/b", "Service Worker/a", "WebStorage/a"} {
		write(b, dir, "Default/"+name, strings.Repeat(name, 5000))
	}
	for b.Loop() {
		archive, err := pack(root)
		if err != nil {
			b.Fatal(err)
		}
		fresh, _ := newRoot(b)
		if err := unpack(fresh, archive); err != nil {
			b.Fatal(err)
		}
	}
}
