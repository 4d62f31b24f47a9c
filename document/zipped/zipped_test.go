package zipped_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

type part struct {
	name string
	body []byte
}

func pack(t testing.TB, parts ...part) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range parts {
		f, err := w.Create(p.name)
		if err == nil {
			_, err = f.Write(p.body)
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

func open(t testing.TB, body []byte) *zipped.Archive {
	t.Helper()
	a, err := zipped.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestNames(t *testing.T) {
	t.Parallel()
	a := open(t, pack(t, part{`Word\Document.xml`, []byte("one")}, part{"/other.txt", []byte("two")}, part{"folder/", nil}))
	if want := []string{"Word/Document.xml", "other.txt"}; !slices.Equal(a.Names(), want) {
		t.Errorf("names %q, want %q", a.Names(), want)
	}
	for name, want := range map[string]string{"word/document.xml": "one", "/WORD/DOCUMENT.XML": "one", `\other.txt`: "two"} {
		body, err := a.Read(name)
		if err != nil || string(body) != want || !a.Has(name) {
			t.Errorf("%s: %q, %v", name, body, err)
		}
	}
	if _, err := a.Read("missing"); !errors.Is(err, fs.ErrNotExist) || a.Has("missing") {
		t.Errorf("missing part: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	many := make([]part, 10_001)
	for i := range many {
		many[i].name = fmt.Sprint(i)
	}
	tests := map[string]struct {
		body []byte
		want error
	}{
		"nothing":          {nil, tree.ErrDamaged},
		"no archive":       {[]byte("PK\x03\x04 and nothing more"), tree.ErrDamaged},
		"too many entries": {pack(t, many...), tree.ErrTooComplex},
		"long directory":   {bytes.Repeat([]byte("PK\x01\x02"), 50_000), tree.ErrTooComplex},
		"overlap":          {overlapping(t), tree.ErrTooComplex},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := zipped.Open(test.body); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// overlapping makes an archive whose second entry is the first again.
func overlapping(t *testing.T) []byte {
	body := pack(t, part{"a", []byte("text")}, part{"b", []byte("text")})
	second := bytes.LastIndex(body, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(body[second+42:], 0) // where its local header is
	return body
}

func TestReadLimits(t *testing.T) {
	t.Parallel()
	zeros := func(n int) []byte { return make([]byte, n) }
	tests := map[string]struct {
		file []byte
		want error
	}{
		"small and dense":     {pack(t, part{"a", zeros(1 << 20)}), nil},
		"large and dense":     {pack(t, part{"a", zeros(2 << 20)}), tree.ErrTooComplex},
		"larger than it says": {raw(t, deflate(zeros(2<<20)), 10), tree.ErrDamaged},
		"large by its word":   {raw(t, deflate(loose(4<<20)), 129<<20), tree.ErrTooComplex},
		"large and loose":     {pack(t, part{"a", loose(4 << 20)}), nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := open(t, test.file).Read("a"); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestReadLimitOfAll(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks much")
	}
	t.Parallel()
	a := open(t, pack(t, part{"a", loose(30 << 20)}))
	for i := range 9 {
		_, err := a.Read("a")
		if i < 8 && err != nil {
			t.Fatalf("read %d: %v", i, err)
		}
		if i == 8 && !errors.Is(err, tree.ErrTooComplex) {
			t.Errorf("more than all that may be read: %v", err)
		}
	}
}

// deflate packs bytes.
func deflate(body []byte) []byte {
	var data bytes.Buffer
	f, _ := flate.NewWriter(&data, flate.BestSpeed)
	_, _ = f.Write(body)
	_ = f.Close()
	return data.Bytes()
}

// raw makes an archive with one part, a, of packed data that says that it has some
// size.
func raw(t *testing.T, data []byte, size uint64) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.CreateRaw(&zip.FileHeader{Name: "a", Method: zip.Deflate, CompressedSize64: uint64(len(data)), UncompressedSize64: size})
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// loose makes bytes that become smaller when packed, but less than a hundredth.
func loose(n int) []byte {
	b := make([]byte, n)
	x := uint32(1)
	for i := 0; i < n; i += 128 {
		x = x*1664525 + 1013904223
		binary.LittleEndian.PutUint32(b[i:], x)
	}
	return b
}

func TestReadDamaged(t *testing.T) {
	t.Parallel()
	var data bytes.Buffer
	f, _ := flate.NewWriter(&data, flate.NoCompression)
	_, _ = f.Write([]byte("<a><b>some text</b>"))
	_ = f.Flush() // never ended
	a := open(t, raw(t, data.Bytes(), 100))
	body, err := a.Read("a")
	if !errors.Is(err, tree.ErrDamaged) || string(body) != "<a><b>some text</b>" {
		t.Errorf("read %q, %v", body, err)
	}
	root, err := a.XML("a")
	if !errors.Is(err, tree.ErrDamaged) || root.Child("b").Content() != "some text" {
		t.Errorf("tree of the rest: %v, %v", root, err)
	}
}

func TestReadEncrypted(t *testing.T) {
	t.Parallel()
	body := pack(t, part{"a", []byte("secret")})
	body[bytes.Index(body, []byte("PK\x01\x02"))+8] |= 1
	if _, err := open(t, body).Read("a"); !errors.Is(err, tree.ErrEncrypted) {
		t.Errorf("got %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(pack(f, part{"a.xml", []byte("<a/>")}, part{"b", []byte("text")}))
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := zipped.Open(body)
		if err != nil {
			return
		}
		for _, name := range a.Names() {
			if !a.Has(name) {
				t.Errorf("has no %q", name)
			}
			_, _ = a.XML(name)
		}
	})
}

// TestCutArchive reads archives of which the end is missing, and the directory with it.
func TestCutArchive(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("<w:p>some text</w:p>", 1000)
	for name, streamed := range map[string]bool{"sizes before": false, "sizes after": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			w := zip.NewWriter(&out)
			ends := []int{}
			for _, part := range []string{"a.xml", "b.xml", "c.xml"} {
				h := &zip.FileHeader{Name: part, Method: zip.Store}
				create := w.CreateHeader
				if !streamed {
					create = w.CreateRaw
					h.CRC32, h.CompressedSize64, h.UncompressedSize64 = crc32.ChecksumIEEE([]byte(text)), uint64(len(text)), uint64(len(text))
				}
				f, err := create(h)
				if err != nil {
					t.Fatal(err)
				}
				io.WriteString(f, text)
				w.Flush()
				ends = append(ends, out.Len())
			}
			w.Close()
			a, err := zipped.Open(out.Bytes()[:ends[1]-5000])
			if err != nil || !errors.Is(a.Damage(), tree.ErrDamaged) {
				t.Fatalf("opened with %v, %v", err, a.Damage())
			}
			if got, err := a.Read("a.xml"); string(got) != text || err != nil {
				t.Errorf("a.xml: %d bytes of %d, %v", len(got), len(text), err)
			}
			if got, err := a.Read("b.xml"); len(got) < len(text)-5100 || !strings.HasPrefix(text, string(got)) || !errors.Is(err, tree.ErrDamaged) {
				t.Errorf("b.xml: %d bytes, %v", len(got), err)
			}
			if _, err := a.Read("c.xml"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("c.xml: %v", err)
			}
		})
	}
}

// TestEntriesWithoutEnd reads a file of nothing but beginnings of entries.
func TestEntriesWithoutEnd(t *testing.T) {
	t.Parallel()
	entry := append([]byte("PK\x03\x04\x14\x00\x08\x00"), make([]byte, 22)...)
	a, err := zipped.Open(bytes.Repeat(entry, 1<<20))
	if err != nil || len(a.Names()) > 0 {
		t.Errorf("%v, or %d parts without names", err, len(a.Names()))
	}
}
