package doc_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	container "github.com/trawlhq/trawl/document/compound"
	"github.com/trawlhq/trawl/document/doc"
	"github.com/trawlhq/trawl/document/tree"
)

// html reads a file and returns the body of its HTML.
func html(t *testing.T, body []byte) string {
	t.Helper()
	read, err := doc.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	_, out, _ := strings.Cut(string(tree.Write(read, 1<<20).HTML), "<body>\n")
	return strings.TrimSuffix(out, "</body>\n</html>\n")
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// The documents of testdata were written as .rtf and .fodt and saved as .doc by
// LibreOffice.
func TestRead(t *testing.T) {
	t.Parallel()
	garden, report, pictures := html(t, file(t, "garden.doc")), html(t, file(t, "report.doc")), html(t, file(t, "pictures.doc"))
	const square = `src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEUlEQVR4nGP4z8DA8B+MgBgAHfAD/dPQfSYAAAAASUVORK5CYII="`
	if strings.Contains(report, "footer") {
		t.Errorf("a footer with nothing but the number of the page in\n%s", report)
	}
	for name, test := range map[string]struct{ html, want string }{
		"header":   {garden, "<header>\n<p>Running header of the garden</p>\n</header>\n<h1>Spring</h1>\n"},
		"styles":   {garden, "<p>Plain, <strong>bold</strong>, <em>italic</em>, <s>struck</s>, <u>lined</u>, x<sup>2</sup> and H<sub>2</sub>O. End</p>\n"},
		"signs":    {garden, "<p>A line<br>broken,\ttabbed and non\u2011breaking, softhyphen, α and — dash.</p>\n"},
		"link":     {garden, `<p>See <a href="https://example.com/seeds?a=1&amp;b=2">the seed list</a> first.</p>`},
		"notes":    {garden, `early<sup><a href="#note-1" role="doc-noteref">1</a></sup> and late<sup><a href="#note-2" role="doc-noteref">2</a></sup>.`},
		"footnote": {garden, "<li id=\"note-1\">\n<p>Not before the frost ends.</p>\n</li>"},
		"endnote":  {garden, "<li id=\"note-2\">\n<p>An endnote on lateness.</p>\n</li>"},
		"heading":  {garden, "<h2>Tools and things</h2>\n"},
		"numbers":  {garden, "<ol>\n<li>Spade\n<ul>\n<li>a) Steel</li>\n<li>b) Wood</li>\n</ul>\n</li>\n<li>Rake</li>\n</ol>\n<p>Between lists.</p>\n"},
		"bullets":  {garden, "<ul>\n<li>Apple</li>\n<li>Pear</li>\n</ul>\n"},
		"levels":   {garden, "<ul>\n<li>IV. Fourth\n<ul>\n<li>IV.1 Deep</li>\n</ul>\n</li>\n<li>V. Fifth</li>\n</ul>\n"},
		"merged": {garden, "<table>\n<tr><th colspan=\"2\">Wide head</th><th>Third</th></tr>\n<tr><td rowspan=\"2\">Tall</td><td>b2</td><td>c2</td></tr>\n" +
			"<tr><td>b3</td><td>c3</td></tr>\n<tr><td>a4</td><td colspan=\"2\">Wide by width</td></tr>\n</table>\n"},
		"nested": {garden, "<p>Outer one</p>\n<table>\n<tr><th>In a</th><th>In b</th></tr>\n<tr><td>In c</td><td>In d</td></tr>\n</table>\n" +
			"<p>After inner</p>\n"},
		"page":    {garden, "<p>After the page.</p>\n<p>New page.</p>\n"},
		"scripts": {garden, "<p>Café 日本 При 😀</p>\n"},
		"footer":  {garden, "<footer>\n<p>Page foot 1</p>\n</footer>\n"},

		"first page":    {report, "<header>\n<p>Report of the year</p>\n</header>\n<header>\n<p>First page only</p>\n</header>\n<h1>A report</h1>\n"},
		"below a title": {report, "<h2>1. Beginnings</h2>\n"},
		"quote":         {report, "<blockquote>\n<p><em>Said one.</em></p>\n<p><em>Said another.</em></p>\n</blockquote>\n"},
		"code":          {report, "<pre><code>if x {\n\treturn y\n}\n</code></pre>\n"},
		"inline code":   {report, "<p>Call <code>main</code> first ✓ done.</p>\n"},
		"based on":      {report, "<h2>Of its own kind</h2>\n"},
		"boxes":         {report, "<li><input type=\"checkbox\" checked disabled> Ticked</li>\n<li><input type=\"checkbox\" disabled> Open</li>\n"},
		"field":         {report, "<p>Name: filled in here.</p>\n"},
		"single cell":   {report, "<p>Alone in a frame</p>\n"},

		"inline": {pictures, "<p>Inline <img " + square + "> picture.</p>\n"},
		"float":  {pictures, "<p>Anchor of a float.</p>\n<p><img " + square + "></p>\n"},
		"box":    {pictures, "<p>Box here and on.</p>\n<p>Words in a box</p>\n<p>Last.</p>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(test.html, test.want) {
				t.Errorf("no %q in\n%s", test.want, test.html)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	read, err := doc.Read(file(t, "garden.doc"))
	if err != nil {
		t.Fatal(err)
	}
	want := tree.Info{Title: "A garden year", Author: "Ada Field", Subject: "Growing", Keywords: "soil, seed", Language: "en"}
	got := read.Info
	got.Created, got.Modified = time.Time{}, time.Time{}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	locked := springFile()
	locked.flags = 0x100
	ancient := make([]byte, 1024)
	ancient[2] = 45
	garden, spring := file(t, "garden.doc"), springFile().bytes()
	for name, test := range map[string]struct {
		body []byte
		want error
	}{
		"empty":     {nil, tree.ErrDamaged},
		"text":      {[]byte(strings.Repeat("no compound file ", 100)), tree.ErrDamaged},
		"no stream": {compound(stream{"Workbook", nil}), tree.ErrDamaged},
		"Word 2":    {compound(stream{"WordDocument", ancient}), tree.ErrDamaged},
		"head only": {garden[:600], tree.ErrDamaged},
		"no text":   {spring[:len(spring)-600], tree.ErrDamaged},
		"locked":    {locked.bytes(), tree.ErrEncrypted},
		"package":   {compound(stream{"EncryptionInfo", nil}, stream{"EncryptedPackage", nil}), tree.ErrEncrypted},
		"directory": {manyEntries(), tree.ErrTooComplex},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := doc.Read(test.body); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// manyEntries is a compound file with more entries than any document has.
func manyEntries() []byte {
	streams := make([]stream, 40_000)
	for i := range streams {
		streams[i] = stream{"x", nil}
	}
	return compound(streams...)
}

// A file that ends too early still gives what is left of it.
func TestCutShort(t *testing.T) {
	t.Parallel()
	body := springFile().bytes()
	if got := html(t, body[:len(body)-300]); !strings.Contains(got, "<h1>Spring</h1>") {
		t.Errorf("got %s", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(f, "garden.doc"))
	f.Add(file(f, "pictures.doc"))
	f.Add(file(f, "report.doc"))
	f.Add(springFile().bytes())
	f.Fuzz(func(_ *testing.T, body []byte) {
		if read, err := doc.Read(body); err == nil {
			tree.Write(read, 1<<20)
		}
	})
}

// Damage hardly ever gets past the compound file, so the streams of a sound one
// are fuzzed by themselves.
func FuzzStreams(f *testing.F) {
	f.Add(springFile().word(), []byte{}, []byte{})
	for _, name := range []string{"garden.doc", "pictures.doc", "report.doc"} {
		sound, err := container.Open(file(f, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(sound.Stream("WordDocument"), sound.Stream("1Table"), sound.Stream("Data"))
	}
	f.Fuzz(func(_ *testing.T, word, table, data []byte) {
		body := compound(stream{"WordDocument", word}, stream{"0Table", table}, stream{"Data", data})
		if read, err := doc.Read(body); err == nil {
			tree.Write(read, 1<<20)
		}
	})
}

// What limits leave out is said.
func TestBounds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, warning string }{
		"fields":     {"a" + strings.Repeat("\x13", 65) + strings.Repeat("\x15", 65) + "b\r", "more notes, headers, text boxes, pictures or fields"},
		"paragraphs": {strings.Repeat("a\r", 400_001), "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &oldFile{chars: []stretch{{test.text, ""}}, paras: []stretch{{test.text, normal}}, main: len(test.text)}
			read, err := doc.Read(f.bytes())
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(read.Warnings, " "); !strings.Contains(got, test.warning) {
				t.Errorf("warnings %q", got)
			}
		})
	}
}
