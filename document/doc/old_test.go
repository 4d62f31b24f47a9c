package doc_test

import "testing"

const (
	// Properties of Word 95: a number from 3 on with a full stop after it.
	numbered = "\x0C\x34\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00." +
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0D\x0A"
	inTable = "\x18\x01"
	rowEnd  = "\x18\x01\x19\x01\xBE\x1C\x00\x02\x00\x00\xD0\x07\xA0\x0F" +
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	bold, italic, deleted, special, cyrillic, symbol = "\x55\x01", "\x56\x01", "\x41\x01", "\x75\x01", "\x5D\x01\x00", "\x5D\x02\x00"

	normal, heading = "\x00\x00", "\x01\x00" // numbers of styles
)

// springFile is a file of Word 95 with something of everything.
func springFile() *oldFile {
	f := &oldFile{
		chars: []stretch{
			{"Spring\rSow ", ""}, {"early", bold}, {" and ", ""}, {"\x02", special}, {"late", italic}, {"ly", deleted}, {".\r", ""},
			{"\xCF\xF0\xE8", cyrillic}, {" caf\xE9 \x93q\x94 ", ""}, {"a", symbol},
			{"\rSpade\rRake\rone\x07two\x07\x07End\r", ""}, {"\x02", special}, {" A note.\r", ""},
		},
		paras: []stretch{
			{"Spring\r", heading}, {"Sow early and \x02lately.\r", normal}, {"\xCF\xF0\xE8 caf\xE9 \x93q\x94 a\r", normal},
			{"Spade\r", normal + numbered}, {"Rake\r", normal + numbered}, {"one\x07", normal + inTable}, {"two\x07", normal + inTable},
			{"\x07", normal + rowEnd}, {"End\r", normal}, {"\x02 A note.\r", normal},
		},
		references: []uint32{21, 80}, texts: []uint32{0, 10, 11}, language: 0x409,
	}
	f.note = len("\x02 A note.\r")
	for _, s := range f.chars {
		f.main += len(s.text)
	}
	f.main -= f.note
	return f
}

func TestOldFile(t *testing.T) {
	t.Parallel()
	want := `<h1>Spring</h1>
<p>Sow <strong>early</strong> and <sup><a href="#note-1" role="doc-noteref">1</a></sup><em>late</em>.</p>
<p>При café “q” α</p>
<ol start="3">
<li>Spade</li>
<li>Rake</li>
</ol>
<table>
<tr><th>one</th><th>two</th></tr>
</table>
<p>End</p>
<section role="doc-endnotes">
<ol>
<li id="note-1">
<p>A note.</p>
</li>
</ol>
</section>
`
	if got := html(t, springFile().bytes()); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestOldFileLanguage(t *testing.T) {
	t.Parallel()
	for language, want := range map[uint16]string{0x409: "Ïðè", 0x419: "При", 0x415: "Ďđč", 0x408: "Οπθ"} {
		f := &oldFile{chars: []stretch{{"\xCF\xF0\xE8\r", ""}}, paras: []stretch{{"\xCF\xF0\xE8\r", normal}}, main: 4, language: language}
		if got := html(t, f.bytes()); got != "<p>"+want+"</p>\n" {
			t.Errorf("language %#x: got %q, want %q", language, got, want)
		}
	}
}

// A file that was saved in a hurry has its new text at the end, and a table of
// pieces says in which order it is read and what else was changed.
func TestPieces(t *testing.T) {
	t.Parallel()
	f := &oldFile{chars: []stretch{{"First last.\rnew ", ""}}, paras: []stretch{{"First last.\r", normal}, {"new ", normal}}, main: 16, flags: 4}
	plc := longs([]uint32{0, 6, 10, 16})
	for _, p := range []struct {
		at     uint32
		change uint16
	}{{0x300, 0}, {0x30C, 85<<1 | 1<<8}, {0x306, 0}} {
		plc = append(plc, 0, 0)
		plc = le.AppendUint32(plc, p.at)
		plc = le.AppendUint16(plc, p.change)
	}
	f.pieces = append(append([]byte{2}, longs([]uint32{uint32(len(plc))})...), plc...)
	want := "<p>First <strong>new </strong>last.</p>\n"
	if got := html(t, f.bytes()); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// In old files a section says which headers it has.
func TestOldHeaders(t *testing.T) {
	t.Parallel()
	f := &oldFile{
		chars: []stretch{{"Text.\rTop of pages\rFoot of pages\r\r", ""}},
		paras: []stretch{{"Text.\r", normal}, {"Top of pages\r", normal}, {"Foot of pages\r", normal}, {"\r", normal}},
		main:  6, headers: []uint32{0, 13, 27, 28}, has: 1<<1 | 1<<3,
	}
	want := "<header>\n<p>Top of pages</p>\n</header>\n<p>Text.</p>\n<footer>\n<p>Foot of pages</p>\n</footer>\n"
	if got := html(t, f.bytes()); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOddPieces reads tables of pieces that are not as they should be: all text that a
// piece names is there, wherever its neighbours end.
func TestOddPieces(t *testing.T) {
	t.Parallel()
	const start = 0x300
	for name, test := range map[string]struct {
		positions []uint32
		places    []uint32 // in the text
		want      string
	}{
		"in order":       {[]uint32{0, 6, 12}, []uint32{0, 6}, "<p>First</p>\n<p>Other</p>\n"},
		"an empty one":   {[]uint32{0, 6, 6, 12}, []uint32{0, 3, 6}, "<p>First</p>\n<p>Other</p>\n"},
		"from behind":    {[]uint32{6, 12, 0, 6}, []uint32{6, 0, 0}, "<p>First</p>\n<p>Other</p>\n"},
		"one goes back":  {[]uint32{0, 6, 3, 12}, []uint32{0, 0, 3}, "<p>First</p>\n<p>Other</p>\n"},
		"begins too far": {[]uint32{6, 12}, []uint32{6}, "<p>Other</p>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := longs(test.positions)
			for _, at := range test.places {
				list = append(le.AppendUint32(append(list, 0, 0), start+at), 0, 0)
			}
			pieces := append(le.AppendUint32([]byte{2}, uint32(len(list))), list...)
			f := &oldFile{chars: []stretch{{"First\rOther\r", ""}}, paras: []stretch{{"First\rOther\r", normal}}, main: 12, pieces: pieces}
			if got := html(t, f.bytes()); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestWideOldFile reads a file of Word 95 in characters of two bytes.
func TestWideOldFile(t *testing.T) {
	t.Parallel()
	text := "\x71\x67\xAC\x4E\r\x00a\x00\r\x00"
	f := &oldFile{chars: []stretch{{text, ""}}, paras: []stretch{{text, normal}}, main: 5, flags: 0x1000}
	if got, want := html(t, f.bytes()), "<p>東京</p>\n<p>a</p>\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
