package profile

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"github.com/trawlhq/trawl"
)

// kept is what a profile is made of: files, and folders with all that is in them.
// Cookies are readable without the rest because the browser is started with
// --password-store=basic, whose key is the same everywhere.
var kept = []string{
	cookieFile,
	"Default/Cookies", "Default/Cookies-journal",
	"Default/Network/Cookies", "Default/Network/Cookies-journal", // where some builds have them
	"Default/Local Storage",
	"Default/IndexedDB",
	"Default/File System",    // of the origin, not of the machine
	"Default/Service Worker", // registrations, scripts and CacheStorage
	"Default/WebStorage",     // storage buckets, and who has how much
}

// isKept reports whether a file is part of a profile. Locks and logs of databases
// are made anew.
func isKept(name string) bool {
	switch path.Base(name) {
	case "LOCK", "LOG", "LOG.old":
		return false
	}
	return slices.ContainsFunc(kept, func(top string) bool { return name == top || strings.HasPrefix(name, top+"/") })
}

// bounds are how much a profile may be.
type bounds struct {
	files  int
	bytes  int64 // of all files
	packed int   // bytes of the archive
}

var usualBounds = bounds{files: 20_000, bytes: 512 << 20, packed: 64 << 20}

const (
	mostName = 1024    // bytes of the path of a file
	perFile  = 4 << 10 // what a file takes in an archive beside its bytes, at most
	window   = 1 << 20 // of the compression
)

func (b bounds) exceeded() error {
	return trawl.Errorf(trawl.CodeTooLarge, "The profile is too large to be saved. It may have %d MiB, %d MiB compressed, in %d files.",
		b.bytes>>20, b.packed>>20, b.files)
}

// pack makes an archive of what is kept in a folder. Whatever is neither folder
// nor plain file is left out, and so is a file with another name, which may be
// outside.
func pack(root *os.Root) ([]byte, error) { return usualBounds.pack(root) }

func (b bounds) pack(root *os.Root) ([]byte, error) {
	out := &bounded{left: b.packed}
	z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("new encoder: %w", err)
	}
	p := &packer{most: b, left: b, root: root, tar: tar.NewWriter(z)}
	for _, name := range kept {
		if err = p.add(name); err != nil {
			break
		}
	}
	if err == nil {
		err = p.tar.Close()
	}
	err = errors.Join(err, z.Close())
	switch {
	case out.left < 0:
		return nil, b.exceeded()
	case err != nil:
		return nil, err
	}
	return out.data.Bytes(), nil
}

// bounded is a buffer that takes so much and no more.
type bounded struct {
	data bytes.Buffer
	left int
}

func (b *bounded) Write(data []byte) (int, error) {
	if b.left -= len(data); b.left < 0 {
		return 0, io.ErrShortWrite
	}
	return b.data.Write(data)
}

// packer adds files to an archive.
type packer struct {
	most, left bounds
	root       *os.Root
	tar        *tar.Writer
}

// add adds what has a name, if there is such a thing.
func (p *packer) add(name string) error {
	if p.left.files--; p.left.files < 0 {
		return p.most.exceeded()
	}
	info, err := p.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return p.addFolder(name, info)
	case isPlain(info) && isKept(name):
		return p.addFile(name, info)
	}
	return nil
}

func (p *packer) addFolder(name string, info fs.FileInfo) error {
	names, err := p.list(name, info)
	if err != nil {
		return err
	}
	for _, base := range names {
		// What has a name that could not be unpacked did not come from the browser.
		if below := name + "/" + base; fs.ValidPath(below) && len(below) <= mostName {
			if err := p.add(below); err != nil {
				return err
			}
		}
	}
	return nil
}

// list returns the names in a folder, no more of them than may still come.
func (p *packer) list(name string, info fs.FileInfo) ([]string, error) {
	dir, err := open(p.root, name, info)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(p.left.files + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(names) > p.left.files {
		return nil, p.most.exceeded()
	}
	slices.Sort(names)
	return names, nil
}

func (p *packer) addFile(name string, info fs.FileInfo) error {
	if p.left.bytes -= info.Size(); p.left.bytes < 0 {
		return p.most.exceeded()
	}
	file, err := open(p.root, name, info)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := p.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: info.Size(), Mode: 0o600}); err != nil {
		return err
	}
	_, err = io.CopyN(p.tar, file, info.Size())
	return err
}

// isPlain reports whether something is a file that has one name only: one with
// another may be outside.
func isPlain(info fs.FileInfo) bool {
	system, ok := info.Sys().(*syscall.Stat_t)
	return info.Mode().IsRegular() && ok && system.Nlink == 1
}

var errOther = errors.New("not what it was a moment ago")

// open opens what was seen under a name, and nothing else that may have taken its
// place, such as a link or what we would have to wait for.
func open(root *os.Root, name string, seen fs.FileInfo) (*os.File, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && (!os.SameFile(seen, info) || info.Mode().Type() != seen.Mode().Type()) {
		err = &os.PathError{Op: "open", Path: name, Err: errOther}
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// unpack puts the files of an archive into an empty folder and gives them to the
// user whose the folder is.
func unpack(root *os.Root, archive []byte) error { return usualBounds.unpack(root, archive) }

func (b bounds) unpack(root *os.Root, archive []byte) error {
	info, err := root.Stat(".")
	if err != nil {
		return err
	}
	z, err := zstd.NewReader(bytes.NewReader(archive), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return fmt.Errorf("new decoder: %w", err)
	}
	defer z.Close()
	u := &unpacker{left: b, root: root, folders: map[string]bool{".": true}}
	u.owner, _ = info.Sys().(*syscall.Stat_t)
	files := tar.NewReader(io.LimitReader(z, b.bytes+int64(b.files+1)*perFile))
	for {
		header, err := files.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := u.file(header, files); err != nil {
			return err
		}
	}
}

var errForeign = errors.New("not an archive of a profile")

// unpacker makes files.
type unpacker struct {
	left    bounds
	root    *os.Root
	owner   *syscall.Stat_t
	folders map[string]bool // that were made
}

// file makes one file. What is no longer kept, in an archive of old, is passed over.
func (u *unpacker) file(header *tar.Header, content io.Reader) error {
	u.left.files--
	u.left.bytes -= header.Size
	name := header.Name
	if header.Typeflag != tar.TypeReg || !fs.ValidPath(name) || len(name) > mostName || u.left.files < 0 || u.left.bytes < 0 {
		return errForeign
	}
	if !isKept(name) {
		return nil
	}
	if err := u.folder(path.Dir(name)); err != nil {
		return err
	}
	file, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(file, content, header.Size)
	return errors.Join(err, file.Close(), u.own(name))
}

// folder makes a folder and those above it.
func (u *unpacker) folder(name string) error {
	if u.folders[name] {
		return nil
	}
	if err := u.folder(path.Dir(name)); err != nil {
		return err
	}
	u.folders[name] = true
	return errors.Join(u.root.Mkdir(name, 0o700), u.own(name))
}

func (u *unpacker) own(name string) error {
	if u.owner == nil {
		return nil
	}
	return u.root.Lchown(name, int(u.owner.Uid), int(u.owner.Gid))
}
