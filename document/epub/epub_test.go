package epub_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/epub"
	"github.com/trawlhq/trawl/document/internal/treetest"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	container = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`
	png       = "\x89PNG\r\n\x1a\n...."
)

// pack makes an archive of names and contents.
func pack(t testing.TB, parts ...string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	z := zip.NewWriter(&buffer)
	for i := 0; i < len(parts); i += 2 {
		method := zip.Store // so that what repeats itself is no bomb
		if len(parts[i+1]) > 16<<20 {
			method = zip.Deflate
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[i], Method: method})
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

// opf is a package document with metadata, and chapters in their order.
func opf(metadata, manifest string, chapters ...string) string {
	var items, spine strings.Builder
	for i, name := range chapters {
		fmt.Fprintf(&items, `<item id="c%d" href="%s" media-type="application/xhtml+xml"/>`, i, name)
		fmt.Fprintf(&spine, `<itemref idref="c%d"/>`, i)
	}
	return `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf" version="3.0"><metadata>` +
		metadata + `</metadata><manifest>` + items.String() + manifest + `</manifest><spine>` + spine.String() + `</spine></package>`
}

// chapter is a file of a book.
func chapter(body string) string {
	return `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>` + body + `</body></html>`
}

// book is a book of chapters a.xhtml, b.xhtml and so on.
func book(t testing.TB, bodies ...string) []byte {
	t.Helper()
	var names, parts []string
	for i, body := range bodies {
		name := string(rune('a'+i)) + ".xhtml"
		names = append(names, name)
		parts = append(parts, "OEBPS/"+name, chapter(body))
	}
	parts = append([]string{"mimetype", "application/epub+zip", "META-INF/container.xml", container, "OEBPS/book.opf", opf("", "", names...)}, parts...)
	return pack(t, parts...)
}

func read(t *testing.T, body []byte) *tree.Document {
	t.Helper()
	doc, err := epub.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestChapters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		bodies []string
		want   string
	}{
		{"in their order", []string{"<h1>One</h1><p>a</p>", "<h1>Two</h1><p>b</p>"}, "<h1>One</h1><p>a</p><h1>Two</h1><p>b</p>"},
		{"elements that close themselves", []string{`<p>a<a id="x"/>b</p><div/><p>c<i/>d</p>`}, "<p>ab</p><p>cd</p>"},
		{"entities", []string{"<p>a&nbsp;b &eacute; &#x2014;</p>"}, "<p>a\u00a0b é —</p>"},
		{"styles", []string{`<p><b>a</b><i>b</i><code>c</code><sup>d</sup><span style="font-weight: bold">e</span></p>`}, "<p><b>a</b><i>b</i><code>c</code><sup>d</sup><b>e</b></p>"},
		{"a list", []string{`<ol start="3" type="a"><li>x</li><li><p>y</p><ul><li>z</li></ul></li></ol>`}, "<list><item c.><p>x</p><item d.><p>y</p><list><item><p>z</p></list></list>"},
		{"a table", []string{`<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td colspan="2">c</td></tr></table>`}, "<table><tr><th>a<th>b<tr><td 2x1>c</table>"},
		{"code", []string{"<pre class=\"sourceCode go\"><code>a\n  b</code></pre>"}, "<pre>a\n  b</pre>"},
		{"a formula", []string{`<p><math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mi>b</mi></mfrac></math></p>`}, `<p>$\frac{a}{b}$</p>`},
		{"links between chapters", []string{`<p><a href="b.xhtml#x">to b</a> <a href="b.xhtml">b</a> <a href="http://h.test/">web</a> <a href="gone.xhtml">gone</a></p>`, `<p>first</p><p id="x">second</p>`},
			"<p><a #b-x>to b</a> <a #b>b</a> <a http://h.test/>web</a> gone</p><p>first</p><p>second</p>"},
		{"notes", []string{`<p>text<a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote" id="n"><p>the note</p></aside><p>more</p>`},
			"<p>text[OEBPS/a.xhtml#n]</p><p>more</p>[OEBPS/a.xhtml#n]: <p>the note</p>"},
		{"notes in another chapter", []string{`<p>text<sup><a id="r" epub:type="noteref" href="b.xhtml#n">1</a></sup></p>`, `<h2>Notes</h2><ol><li id="n"><p><a href="a.xhtml#r">1</a>. the note</p></li></ol>`},
			"<p>text[OEBPS/b.xhtml#n]</p><h2>Notes</h2>[OEBPS/b.xhtml#n]: <p>the note</p>"},
		{"a reference without its note", []string{`<p>text<a epub:type="noteref" href="#gone">1</a></p>`}, "<p>text<a #a>1</a></p>"},
		{"what is no text", []string{`<nav epub:type="toc"><ol><li><a href="a.xhtml">a</a></li></ol></nav><span epub:type="pagebreak" title="3">3</span><script>x</script><p hidden="">y</p><p>z</p>`}, "<p>z</p>"},
		{"a cover that is a drawing", []string{`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><title>Cover</title><image xlink:href="gone.png"/></svg>`}, "<p>![Cover]()</p>"},
		{"ruby", []string{"<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>"}, "<p>漢(かん)</p>"},
	} {
		if got := treetest.Show(read(t, book(t, test.bodies...))); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestAnchors is about links that lead to a place that is there in the HTML.
func TestAnchors(t *testing.T) {
	t.Parallel()
	doc := read(t, book(t, `<p><a href="b.xhtml#x">to b</a></p>`, `<p>first</p><h2 id="x">second</h2>`))
	html := string(tree.Write(doc, 1<<20).HTML)
	if !strings.Contains(html, `<a href="#b-x">to b</a>`) || !strings.Contains(html, `<h2><a id="b-x"></a>second</h2>`) {
		t.Errorf("got %s", html)
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	metadata := `<dc:title>The <!-- x -->Book</dc:title><dc:title>Again</dc:title><dc:creator opf:role="aut">Ann</dc:creator><dc:creator>Bob</dc:creator><dc:language>de</dc:language>
		<dc:publisher>Press</dc:publisher><dc:date opf:event="publication">2001</dc:date><dc:subject>a</dc:subject><dc:subject>b</dc:subject><dc:description>&lt;p&gt;About &lt;b&gt;it&lt;/b&gt;&lt;/p&gt;</dc:description>
		<meta property="dcterms:modified">2002-03-04T05:06:07Z</meta><meta name="generator" content="Maker"/>`
	doc := read(t, pack(t, "META-INF/container.xml", container, "OEBPS/book.opf", opf(metadata, "", "a.xhtml"), "OEBPS/a.xhtml", chapter("<p>x</p>")))
	want := tree.Info{
		Title: "The Book", Author: "Ann, Bob", Language: "de", Publisher: "Press", Keywords: "a, b", Subject: "About it", Generator: "Maker",
		Created: time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), Modified: time.Date(2002, 3, 4, 5, 6, 7, 0, time.UTC),
	}
	if doc.Info != want {
		t.Errorf("got %+v", doc.Info)
	}
}

// TestContents is about tables of contents, which give chapters their titles.
func TestContents(t *testing.T) {
	t.Parallel()
	long := "<p>" + strings.Repeat("word ", 150) + "</p>"
	ncx := `<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>` +
		`<navPoint><navLabel><text>Part</text></navLabel><content src="a.xhtml"/><navPoint><navLabel><text>Chapter One</text></navLabel><content src="b.xhtml#top"/></navPoint></navPoint></navMap></ncx>`
	nav := chapter(`<nav epub:type="toc"><h1>Contents</h1><ol><li><a href="a.xhtml">Part</a><ol><li><a href="b.xhtml">Chapter <i>One</i></a></li></ol></li></ol></nav>`)
	for name, manifest := range map[string]string{
		"ncx": `<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`,
		"nav": `<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>`,
	} {
		spined := strings.Replace(opf("", manifest, "a.xhtml", "b.xhtml"), "<spine>", `<spine><itemref idref="nav"/>`, 1)
		doc := read(t, pack(t, "META-INF/container.xml", container, "OEBPS/book.opf", spined, "OEBPS/toc.ncx", ncx, "OEBPS/nav.xhtml", nav,
			"OEBPS/a.xhtml", chapter(long), "OEBPS/b.xhtml", chapter("<p><b>CHAPTER ONE.</b></p>"+long)))
		got := strings.ReplaceAll(treetest.Show(doc), strings.TrimSpace(strings.Repeat("word ", 150)), "…")
		if want := "<h1>Part</h1><p>…</p><h2>CHAPTER ONE.</h2><p>…</p>"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestSpine(t *testing.T) {
	t.Parallel()
	manifest := `<item id="n" href="n.xhtml" media-type="application/xhtml+xml"/><item id="p" href="a%20b.png" media-type="image/png"/>`
	spined := strings.Replace(opf("", manifest, "a.xhtml", "b.xhtml"), "<spine>", `<spine><itemref idref="n" linear="no"/><itemref idref="c1"/><itemref idref="c1"/><itemref idref="gone"/>`, 1)
	doc := read(t, pack(t, "META-INF/container.xml", container, "OEBPS/book.opf", spined, "OEBPS/a b.png", png,
		"OEBPS/a.xhtml", chapter("<p>a</p>"), "OEBPS/b.xhtml", chapter(`<p>b<img src="a%20b.png" alt="p"/></p>`), "OEBPS/n.xhtml", chapter("<p>n</p>")))
	want := "<p>b![p](data:image/png;base64,iVBORw0KGgouLi4u)</p><p>a</p><p>n</p>"
	if got := treetest.Show(doc); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(doc.Warnings) != 1 {
		t.Errorf("got warnings %q", doc.Warnings)
	}
	broken := pack(t, "META-INF/container.xml", "<container>", "x/book.opf", opf("", "", "a.xhtml"), "x/a.xhtml", chapter("<p>found</p>"))
	if got := treetest.Show(read(t, broken)); got != "<p>found</p>" {
		t.Errorf("without a container: got %s", got)
	}
}

func TestEncrypted(t *testing.T) {
	t.Parallel()
	rights := func(algorithm, file string) string {
		return `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="` + algorithm +
			`"/><enc:CipherData><enc:CipherReference URI="` + file + `"/></enc:CipherData></enc:EncryptedData></encryption>`
	}
	const aes = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
	for _, test := range []struct {
		name, rights string
		encrypted    bool
	}{
		{"a chapter", rights(aes, "OEBPS/a.xhtml"), true},
		{"a font", rights(aes, "OEBPS/font.otf"), false},
		{"veiled", rights("http://www.idpf.org/2008/embedding", "OEBPS/a.xhtml"), false},
		{"damaged", "<", false},
	} {
		_, err := epub.Read(pack(t, "META-INF/container.xml", container, "META-INF/encryption.xml", test.rights, "OEBPS/book.opf", opf("", "", "a.xhtml"), "OEBPS/a.xhtml", chapter("<p>x</p>")))
		if errors.Is(err, tree.ErrEncrypted) != test.encrypted {
			t.Errorf("%s: got %v", test.name, err)
		}
	}
}

// TestBad is about books that nobody should make.
func TestBad(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<div><blockquote>", 50_000) + "x" + strings.Repeat("</blockquote></div>", 50_000)
	spine := strings.Replace(opf("", "", "a.xhtml"), "<spine>", "<spine>"+strings.Repeat(`<itemref idref="c0"/>`, 200_000), 1)
	laughs := `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><html xmlns="http://www.w3.org/1999/xhtml"><body><p>x&b;</p></body></html>`
	for _, test := range []struct {
		name string
		body []byte
		want string
	}{
		{"nested deep", book(t, deep), "<quote>"},
		{"a file listed again and again", pack(t, "META-INF/container.xml", container, "OEBPS/book.opf", spine, "OEBPS/a.xhtml", chapter("<p>x</p>")), "<p>x</p>"},
		{"entities of its own", pack(t, "META-INF/container.xml", container, "OEBPS/book.opf", opf("", "", "a.xhtml"), "OEBPS/a.xhtml", laughs), "<p>x&b;</p>"},
	} {
		doc, err := epub.Read(test.body)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := treetest.Show(doc); !strings.HasPrefix(got, test.want) || len(got) > 1<<20 {
			t.Errorf("%s: got %.100s", test.name, got)
		}
		tree.Write(doc, 1<<20)
	}
	for name, body := range map[string][]byte{
		"nothing": nil, "no package": pack(t, "META-INF/container.xml", container), "no chapters": pack(t, "META-INF/container.xml", container, "OEBPS/book.opf", opf("", "")),
		"chapters that are not there": pack(t, "META-INF/container.xml", container, "OEBPS/book.opf", opf("", "", "a.xhtml")),
	} {
		if _, err := epub.Read(body); !errors.Is(err, tree.ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	bomb := book(t, "<p>"+strings.Repeat("x", 130<<20)+"</p>")
	if _, err := epub.Read(bomb); !errors.Is(err, tree.ErrTooComplex) {
		t.Errorf("a bomb: got %v", err)
	}
}

func check(t *testing.T, body []byte) {
	doc, err := epub.Read(body)
	if err != nil {
		if !errors.Is(err, tree.ErrDamaged) && !errors.Is(err, tree.ErrTooComplex) && !errors.Is(err, tree.ErrEncrypted) {
			t.Errorf("an error of no kind: %v", err)
		}
		return
	}
	tree.Write(doc, 1<<20)
}

// FuzzChapter reads what may be in a chapter.
func FuzzChapter(f *testing.F) {
	f.Add(`<h1 id="x">a</h1><p>b<a epub:type="noteref" href="#n">1</a></p><aside id="n"><p>c</p></aside>`, `<navPoint><navLabel><text>a</text></navLabel><content src="a.xhtml#x"/></navPoint>`)
	f.Add(`<table><tr><td rowspan="9">a<table><td>b</table></td></tr></table><ol type="i"><li><input type="checkbox" checked=""/>c<li><ul>d`, "")
	f.Add(`<svg><image href="a.png"/></svg><math display="block"><mfrac><mi>a</mi></mfrac></math><pre>a<br/>b</pre><dl><dt>a<dd>b</dl>`, "")
	f.Fuzz(func(t *testing.T, body, points string) {
		check(t, pack(t, "META-INF/container.xml", container, "OEBPS/book.opf", opf("", `<item id="n" href="t.ncx" media-type="application/x-dtbncx+xml"/>`, "a.xhtml", "b.xhtml"),
			"OEBPS/a.xhtml", chapter(body), "OEBPS/b.xhtml", body, "OEBPS/t.ncx", "<ncx><navMap>"+points))
	})
}

// FuzzBook reads what may be in an archive.
func FuzzBook(f *testing.F) {
	f.Add(book(f, "<h1>a</h1><p>b</p>", `<p><a href="a.xhtml">c</a></p>`))
	f.Add(pack(f, "META-INF/container.xml", container, "META-INF/encryption.xml", "<encryption/>", "OEBPS/book.opf", opf("<dc:title>x</dc:title>", "", "a.xhtml"), "OEBPS/a.xhtml", chapter("<p>x</p>")))
	f.Fuzz(func(t *testing.T, body []byte) { check(t, body) })
}
