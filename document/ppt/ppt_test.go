package ppt_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/ppt"
	"github.com/trawlhq/trawl/document/tree"
)

func read(t testing.TB, file []byte) *tree.Document {
	t.Helper()
	doc, err := ppt.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// html returns a document as HTML without its frame.
func html(doc *tree.Document) string {
	_, body, _ := strings.Cut(string(tree.Write(doc, 1<<20).HTML), "<body>\n")
	body, _, _ = strings.Cut(body, "</body>")
	return strings.TrimSpace(strings.ReplaceAll(body, "\n", ""))
}

// one is a presentation of one slide.
func one(shapes ...[]byte) []byte {
	return file(document(listed(3, 300)), master(), slide(1, 0, shapes...))
}

func tagged(data []byte) []byte {
	return list(0x1388, 0, list(0x138A, 0, atom(0x0FBA, 0, wide("___PPT9")), list(0x138B, 0, data)))
}

func TestShapes(t *testing.T) {
	t.Parallel()
	cell := func(left, top, right, bottom int, s string) []byte {
		return list(0xF004, 0, atom(0xF00F, 0, u32(left, top, right, bottom)), words(4, s))
	}
	clicked := slices.Concat(list(0x0FF2, 0, atom(0x0FF3, 0, u32(0, 7, 0, 0))), atom(0x0FDF, 0, u32(0, 2)))
	numbers := atom(0x0FAC, 0, slices.Concat(u32(0, 0, 0)), slices.Concat(u32(3<<24), u16(1, 3, 5), u32(0, 0)))
	alt := wide("A dot\x00")
	for name, test := range map[string]struct {
		shapes [][]byte
		want   string
	}{
		"a title":         {[][]byte{shape(0, 50, 9, 60, words(4, "a")), shape(0, 0, 9, 9, words(0, "One\vtwo"))}, "<h2>One two</h2><p>a</p>"},
		"bullets":         {[][]byte{shape(0, 0, 9, 9, words(1, "a\nbb\nc\nd", levels(nil, 2, 0, 3, 1, 2, 2, 2, 0)))}, "<ul><li>a<ul><li>bb<p>c</p></li></ul></li><li>d</li></ul>"},
		"halves":          {[][]byte{shape(0, 0, 9, 9, words(7, "a"))}, "<ul><li>a</li></ul>"},
		"no bullets":      {[][]byte{shape(0, 0, 9, 9, words(1, "a", atom(0x0FA1, 0, u32(2), u16(0), u32(1), u16(0))))}, "<p>a</p>"},
		"looks":           {[][]byte{shape(0, 0, 9, 9, words(4, "abc", levels(slices.Concat(look(1, 1), look(1, 2), look(2, 0)), 4, 0)))}, "<p><strong>a</strong><em>b</em>c</p>"},
		"a link":          {[][]byte{shape(0, 0, 9, 9, words(4, "go on", clicked))}, `<p><a href="https://example.com/">go</a> on</p>`},
		"numbers":         {[][]byte{shape(0, 0, 9, 9, words(1, "x\na\nb", levels(slices.Concat(look(2, 0), look(4, 1<<10)), 6, 0)), list(0xF011, 0, tagged(numbers)))}, `<ul><li>x</li></ul><ol start="5"><li>a</li><li>b</li></ol>`},
		"places":          {[][]byte{shape(50, 0, 90, 9, words(4, "b")), shape(0, 50, 90, 60, words(4, "c")), shape(0, 0, 40, 9, words(4, "a"))}, "<p>a</p><p>b</p><p>c</p>"},
		"footers":         {[][]byte{shape(0, 0, 9, 9, words(4, "7"), list(0xF011, 0, atom(0x0BC3, 0, u32(0, 8)))), shape(0, 0, 9, 9, words(4, "a*", atom(0x0FD8, 0, u32(1))))}, "<p>a</p>"},
		"a hidden shape":  {[][]byte{shape(0, 0, 9, 9, words(4, "a"), atom(0xF00B, 1, u16(0x3BF), u32(0x20002)))}, ""},
		"a group":         {[][]byte{shape(0, 50, 9, 60, words(4, "c")), group(atom(0xF010, 0, u16(0, 0, 9, 9)), cell(500, 0, 600, 9, "b"), cell(0, 0, 100, 9, "a"))}, "<p>a</p><p>b</p><p>c</p>"},
		"a table":         {[][]byte{group(atom(0xF122, 1, u16(0x39F), u32(1)), cell(0, 0, 200, 50, "ab"), cell(0, 50, 100, 150, "c"), cell(100, 50, 200, 100, "d"), cell(100, 100, 200, 150, "e"))}, `<table><tr><th colspan="2">ab</th></tr><tr><td rowspan="2">c</td><td>d</td></tr><tr><td>e</td></tr></table>`},
		"a picture":       {[][]byte{shape(0, 0, 9, 9, atom(0xF00B, 2, u16(0x4104), u32(1), u16(0x8381), u32(len(alt)), alt))}, `<p><img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAA=" alt="A dot"></p>`},
		"a missing one":   {[][]byte{shape(0, 0, 9, 9, atom(0xF00B, 1, u16(0x4104), u32(9)))}, ""},
		"art of words":    {[][]byte{shape(0, 0, 9, 9, atom(0xF00B, 1, u16(0x80C0), u32(10), wide("Wavy\x00")))}, "<p>Wavy</p>"},
		"narrow letters":  {[][]byte{shape(0, 0, 9, 9, atom(0xF00D, 0, atom(0x0F9F, 0, u32(4)), atom(0x0FA8, 0, []byte("caf\xe9"))))}, "<p>café</p>"},
		"nothing at all":  {nil, ""},
		"half a record":   {[][]byte{shape(0, 0, 9, 9, words(4, "a")), {0x0F, 0, 4}}, "<p>a</p>"},
		"a lying length":  {[][]byte{shape(0, 0, 9, 9, words(4, "a", slices.Concat(u16(0, 0x0FA1), u32(1<<31))))}, "<p>a</p>"},
		"many characters": {[][]byte{shape(0, 0, 9, 9, words(4, "a", levels(look(1<<30, 1), 1<<30, 99)))}, "<p><strong>a</strong></p>"},
	} {
		if got := html(read(t, one(test.shapes...))); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
}

func TestSlides(t *testing.T) {
	t.Parallel()
	ref := func(n int) []byte { return atom(0xF00D, 0, atom(0x0F9E, 0, u32(n))) }
	outline := slices.Concat(listed(3, 300), text(6, "Deck"), text(5, "Sub"), listed(5, 301), text(0, "Two"), text(1, "a\nb"), text(4, "loose"), listed(3, 300))
	numbers := tagged(list(0x0FAE, 0, atom(0x0FAF, 0, u32(301, 1)), atom(0x0FAC, 0, u32(3<<24), u16(1, 9, 1), u32(0, 0))))
	notes := list(0x03F0, 0, atom(0x03F1, 0, u32(300)), drawing(shape(0, 0, 9, 9, words(4, "slide")), shape(0, 9, 9, 19, words(2, "Say this."), list(0xF011, 0, atom(0x0BC3, 0, u32(0, 0x0C))))))
	doc := read(t, file(document(outline, numbers), master(),
		slide(0, 0, shape(0, 50, 9, 60, ref(1)), shape(0, 0, 9, 9, ref(0))), notes,
		slide(1, 4, shape(0, 50, 9, 60, ref(1)), shape(0, 0, 9, 9, ref(0)), shape(0, 70, 9, 80, ref(1)))))
	const said = "<blockquote><p><strong>Notes</strong></p><p>Say this.</p></blockquote>"
	want := "<h1>Deck</h1><ul><li>Sub</li></ul>" + said + "<h2>Two</h2><p><em>Hidden slide</em></p><ul><li>a) a</li><li>b) b</li></ul><p>loose</p>" + said
	if got := html(doc); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(doc.Warnings) != 1 {
		t.Errorf("warnings %q", doc.Warnings)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	deep := shape(0, 0, 9, 9, words(4, "deep"))
	for range 1000 {
		deep = group(nil, deep)
	}
	doc := read(t, one(shape(0, 0, 9, 9, words(0, "T")), deep))
	if got := html(doc); got != "<h2>T</h2>" || len(doc.Warnings) != 1 {
		t.Errorf("deep groups: %s, %q", got, doc.Warnings)
	}
	main := func(objects ...[]byte) []byte { return slices.Concat(objects...) }
	for name, test := range map[string]struct {
		file []byte
		want error
	}{
		"text":            {[]byte("text"), tree.ErrDamaged},
		"no document":     {pack(stream{"PowerPoint Document", nil}), tree.ErrDamaged},
		"a lost document": {file(master()), tree.ErrDamaged},
		"a password":      {pack(stream{"PowerPoint Document", nil}, stream{"EncryptedSummary", nil}), tree.ErrEncrypted},
		"a token":         {pack(stream{"PowerPoint Document", nil}, stream{"Current User", atom(0x0FF6, 0, u32(20, 0xF3D1C4DF, 0))}), tree.ErrEncrypted},
		"a session":       {pack(stream{"PowerPoint Document", main(atom(0x0FF5, 0, u32(0, 0, 0, 0, 1, 0, 0, 5)))}), tree.ErrEncrypted},
		"a circle":        {pack(stream{"PowerPoint Document", main(atom(0, 0), atom(0x0FF5, 0, u32(0, 0, 8, 0, 1, 0, 0)))}), tree.ErrDamaged},
	} {
		if _, err := ppt.Read(test.file); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// TestLastEdit finds the list of records if the stream that says where it is is lost.
func TestLastEdit(t *testing.T) {
	t.Parallel()
	whole := one(shape(0, 0, 9, 9, words(4, "a")))
	at := strings.Index(string(whole), string(wide("Current User")))
	if at < 0 {
		t.Fatal("no entry")
	}
	whole[at] = 'X'
	if got := html(read(t, whole)); got != "<p>a</p>" {
		t.Errorf("got %s", got)
	}
}

// FuzzRead reads files whose records were changed.
func FuzzRead(f *testing.F) {
	f.Add(document(slices.Concat(listed(3, 300), text(1, "a\nb", levels(look(3, 1), 4, 1)))), slide(0, 4, shape(0, 0, 9, 9, atom(0xF00D, 0, atom(0x0F9E, 0, u32(0)))), shape(0, 0, 9, 9, words(0, "T"))))
	f.Add(document(listed(3, 300)), slide(1, 0, group(atom(0xF122, 1, u16(0x39F), u32(1)), list(0xF004, 0, atom(0xF00F, 0, u32(0, 0, 9, 9)), words(4, "c")))))
	f.Add(document(listed(3, 300)), slide(1, 0, shape(0, 0, 9, 9, words(1, "x"), list(0xF011, 0, tagged(atom(0x0FAC, 0, u32(3<<24), u16(1, 3, 5), u32(0, 0))))), shape(0, 0, 9, 9, atom(0xF00B, 1, u16(0x4104), u32(1)))))
	f.Fuzz(func(t *testing.T, document, slide []byte) {
		if doc, err := ppt.Read(file(document, master(), slide)); err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}

// FuzzFile reads files that were changed anywhere.
func FuzzFile(f *testing.F) {
	f.Add(one(shape(0, 0, 9, 9, words(0, "T")), shape(0, 9, 9, 19, words(1, "a", levels(look(1, 1), 2, 0)))))
	f.Fuzz(func(t *testing.T, file []byte) {
		if doc, err := ppt.Read(file); err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}
