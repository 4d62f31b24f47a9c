package compound_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/compound"
	"github.com/trawlhq/trawl/document/tree"
)

func open(t *testing.T, body []byte) *compound.File {
	t.Helper()
	f, err := compound.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// noise returns bytes of which no two sectors are alike.
func noise(n int) []byte {
	out := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{byte(n)}).Read(out)
	return out
}

func TestStream(t *testing.T) {
	t.Parallel()
	var list []stream
	for _, n := range []int{0, 1, 63, 64, 65, 4095, 4096, 4097, 100_000} {
		list = append(list, stream{fmt.Sprintf("\x05Of %d bytes", n), noise(n)})
	}
	for _, shift := range []int{9, 12} {
		f := open(t, build(shift, list, stream{"Inner", noise(100)}))
		for _, s := range list {
			for _, name := range []string{s.name, strings.ToUpper(s.name), s.name} {
				if got := f.Stream(name); !f.Has(name) || got == nil || !bytes.Equal(got, s.body) {
					t.Errorf("sectors of %d: %q has %d bytes that are not the same", 1<<shift, name, len(got))
				}
			}
		}
		for _, name := range []string{"Inner", "Pool", "Root Entry", "", "Of 1 bytes"} {
			if f.Has(name) || f.Stream(name) != nil {
				t.Errorf("sectors of %d: %q is a stream of the first folder", 1<<shift, name)
			}
		}
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	want := noise(100)
	f := open(t, build(9, []stream{{"Outer", noise(10)}}, stream{"Inner", want}, stream{"Other", noise(5000)}))
	if got := f.Folders("PO"); len(got) != 1 || got[0] != "pool" {
		t.Errorf("got folders %q", got)
	}
	inner := f.Folder("POOL")
	if inner == nil || !bytes.Equal(inner.Stream("inner"), want) || len(inner.Stream("Other")) != 5000 || inner.Has("Outer") {
		t.Errorf("the folder does not have its streams: %v", inner)
	}
	if f.Folder("Outer") != nil || len(f.Folders("x")) > 0 {
		t.Error("there are folders that are none")
	}
}

// The table of a large file has more sectors than its header can list.
func TestLarge(t *testing.T) {
	t.Parallel()
	want := noise(16 << 20)
	f := open(t, build(9, []stream{{"Large", want}, {"Small", []byte("small")}}))
	if got := f.Stream("Large"); !bytes.Equal(got, want) {
		t.Errorf("got %d bytes that are not the same", len(got))
	}
	if got := f.Stream("Small"); string(got) != "small" {
		t.Errorf("got %q", got)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	sound := build(9, []stream{{"A", noise(5000)}})
	odd := bytes.Clone(sound)
	odd[30] = 8
	for name, test := range map[string]struct {
		body []byte
		want error
	}{
		"empty":           {nil, tree.ErrDamaged},
		"text":            {[]byte(strings.Repeat("text ", 1000)), tree.ErrDamaged},
		"magic only":      {[]byte(compound.Magic), tree.ErrDamaged},
		"header only":     {sound[:512], tree.ErrDamaged},
		"no directory":    {sound[:3000], tree.ErrDamaged},
		"size of sectors": {odd, tree.ErrDamaged},
		"nothing in it":   {build(9, nil), tree.ErrDamaged},
		"many entries":    {build(9, make([]stream, 33_000)), tree.ErrTooComplex},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := compound.Open(test.body); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// Of a file that was cut, all is read that is there. Its last sector is the table,
// of which the rest is not needed here.
func TestCutShort(t *testing.T) {
	t.Parallel()
	want := noise(5000)
	sound := build(9, []stream{{"A", want}})
	if got := open(t, sound[:len(sound)-400]).Stream("A"); !bytes.Equal(got, want) {
		t.Errorf("got %d bytes that are not the same", len(got))
	}
	// The chain ends where the table does: after six sectors.
	if got := open(t, sound[:len(sound)-512+20]).Stream("A"); !bytes.Equal(got, want[:6*512]) {
		t.Errorf("got %d bytes", len(got))
	}
}

// Sizes may lie, streams may share their sectors, and chains may go in circles.
func TestLies(t *testing.T) {
	t.Parallel()
	body := build(9, []stream{{"A", noise(5000)}, {"B", noise(5000)}, {"C", noise(100)}})
	entries := bytes.Index(body, []byte("R\x00o\x00o\x00t\x00"))
	for i := 2; i < 5; i++ {
		le.PutUint32(body[entries+128*i+116:], 0)
		le.PutUint32(body[entries+128*i+120:], 0x7FFFFFFF)
	}
	le.PutUint32(body[len(body)-512+4*3:], 1) // the fourth sector is followed by the second
	f := open(t, body)
	if n := len(f.Stream("A")) + len(f.Stream("B")) + len(f.Stream("C")); n != len(body) {
		t.Errorf("%d bytes of a file of %d", n, len(body))
	}
	if n := len(f.Stream("A")); n == 0 {
		t.Error("a stream cannot be read twice")
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(build(9, []stream{{"A", noise(5000)}, {"\x05SummaryInformation", properties(1251, text(2, 0x1E, "\xCF\xF0\xE8"))}}))
	f.Add(build(12, []stream{{"A", noise(5000)}, {"B", noise(100)}}, stream{"A", nil}))
	f.Fuzz(func(t *testing.T, body []byte) {
		file, err := compound.Open(body)
		if err != nil {
			if !errors.Is(err, tree.ErrDamaged) && !errors.Is(err, tree.ErrTooComplex) {
				t.Error(err)
			}
			return
		}
		if n := len(file.Stream("A")) + len(file.Stream("B")); n > len(body) {
			t.Errorf("%d bytes of a file of %d", n, len(body))
		}
		if info := file.Info(); !utf8.ValidString(info.Title + info.Author) {
			t.Errorf("got %+v", info)
		}
	})
}
