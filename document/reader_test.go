package document_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/document/pdfium/pdftest"
)

const (
	wordTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
	wordLinks = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
	wordText  = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Hello Word</w:t></w:r></w:p></w:body></w:document>`
)

const (
	slideList  = `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>`
	slideLinks = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="slide.xml"/></Relationships>`
	slideText  = `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr/></p:nvSpPr><p:txBody><a:p><a:r><a:t>Hello PowerPoint</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
)

// TestReaders is about one small file of each kind that is easily made, from its
// bytes to its HTML.
func TestReaders(t *testing.T) {
	t.Parallel()
	pool := newPool(t, 1, document.WorkerArgument)
	for _, test := range []struct {
		name string
		body []byte
		want string
	}{
		{"a.docx", archive(t, "[Content_Types].xml", wordTypes, "_rels/.rels", wordLinks, "word/document.xml", wordText), "<p>Hello Word</p>"},
		{"a.rtf", []byte(`{\rtf1\ansi Hello RTF\par}`), "<p>Hello RTF</p>"},
		{"a.csv", []byte("name,size\ncat,4\n"), "cat"},
		{"a.fodt", []byte(`<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>Hello ODT</text:p></office:text></office:body></office:document>`), "<p>Hello ODT</p>"},
		{"a.fodp", []byte(`<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation><draw:page><draw:rect><text:p>Hello ODP</text:p></draw:rect></draw:page></office:presentation></office:body></office:document>`), "<p>Hello ODP</p>"},
		{"a.pptx", archive(t, "ppt/presentation.xml", slideList, "ppt/_rels/presentation.xml.rels", slideLinks, "ppt/slide.xml", slideText), "<p>Hello PowerPoint</p>"},
		{"a.epub", archive(t, "mimetype", "application/epub+zip", "META-INF/container.xml", `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`,
			"b.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`,
			"a.xhtml", `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Hello EPUB</p></body></html>`), "<p>Hello EPUB</p>"},
		{"a.eml", []byte("Subject: Hi\r\n\r\nHello EML"), "<p>Hello EML</p>"},
		{"a.xlsb", archive(t, "xl/workbook.bin", "\x9c\x01\x16\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00r\x001\x00\x01\x00\x00\x00S\x00",
			"xl/_rels/workbook.bin.rels", `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.bin"/></Relationships>`,
			"xl/s.bin", "\x00\x04\x00\x00\x00\x00\x06\x10\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00h\x00i\x00\x82\x01\x00"), "hi"},
	} {
		kind := document.Sniff(test.body, test.name, "")
		result, err := pool.Read(t.Context(), kind, test.body, document.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if !strings.Contains(string(result.HTML), test.want) {
			t.Errorf("%s: got %s, want %q", test.name, result.HTML, test.want)
		}
	}
	for _, name := range []string{"a.docx", "a.xlsx", "a.pptx"} {
		body := compound("EncryptedPackage", "")
		_, err := pool.Read(t.Context(), document.Sniff(body, name, ""), body, document.Options{})
		wantError(t, err, trawl.CodeFileEncrypted)
	}
}

// TestAttachments is about messages whose attachments are read by the readers of
// their kinds, for which a worker may need the PDF engine.
func TestAttachments(t *testing.T) {
	t.Parallel()
	pool := document.NewPool(document.Config{Workers: 1, Cache: pdftest.Cache()})
	defer pool.Close()
	pool.Bound(4<<30, time.Minute)
	file := (&pdftest.File{Pages: []pdftest.Page{{Content: pdftest.Text("F1", 12, 72, 720, "Hello PDF")}}}).Bytes()
	part := func(name, body string) string {
		return "--B\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=" + name + "\r\n\r\n" + body + "\r\n"
	}
	body := []byte("Subject: Hi\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n\r\nHello\r\n" + part("a.pdf", string(file)) +
		part("b.csv", "name,size\ncat,4") + part("c.html", "<p>Hello HTML</p>") + part("d.eml", "From: x@y.test\r\n\r\nHello EML") + part("e.bin", "\x01\x02") + "--B--")
	for _, asked := range []bool{false, true} {
		result, err := pool.Read(t.Context(), document.EML, body, document.Options{Attachments: asked})
		if err != nil {
			t.Fatal(err)
		}
		html := string(result.HTML)
		for _, want := range []string{"Hello PDF", ">cat<", "Hello HTML", "Hello EML", "<h2>b.csv</h2>"} {
			if strings.Contains(html, want) != asked {
				t.Errorf("attachments %t: %q in %s", asked, want, html)
			}
		}
		if !strings.Contains(html, "e.bin (application/octet-stream, 2 bytes)") || strings.Contains(html, "<h2>e.bin") {
			t.Errorf("got %s", html)
		}
		if result.TotalPages != 0 || len(result.Pages) != 0 {
			t.Errorf("a message has %d pages", result.TotalPages)
		}
	}
}

// TestPDF is about the engine, which a worker starts before it gives up its rights,
// and only for files that need it.
func TestPDF(t *testing.T) {
	t.Parallel()
	pool := document.NewPool(document.Config{Workers: 1, Cache: pdftest.Cache()})
	defer pool.Close()
	pool.Bound(4<<30, time.Minute) // with the race detector a worker takes much more
	read := func(body []byte) (string, int) {
		t.Helper()
		result, err := pool.Read(t.Context(), document.Sniff(body, "", ""), body, document.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return string(result.HTML), pool.Workers()[0]
	}
	text := []byte(`{\rtf1\ansi Hello RTF\par}`)
	file := (&pdftest.File{Pages: []pdftest.Page{{Content: pdftest.Text("F1", 12, 72, 720, "Hello PDF")}}}).Bytes()
	_, first := read(text)
	html, second := read(file)
	if !strings.Contains(html, "Hello PDF") {
		t.Errorf("got %s", html)
	}
	if first == second {
		t.Error("the worker had the engine before there was a use for it")
	}
	if _, third := read(text); third != second {
		t.Error("a worker that can read PDF files is not used for others")
	}
	locked := (&pdftest.File{Locked: true, Pages: []pdftest.Page{{}}}).Bytes()
	_, err := pool.Read(t.Context(), document.PDF, locked, document.Options{})
	wantError(t, err, trawl.CodeFileEncrypted)
}

// BenchmarkPDF is a page in a worker that is warm.
func BenchmarkPDF(b *testing.B) {
	pool := document.NewPool(document.Config{Workers: 1, Cache: pdftest.Cache()})
	defer pool.Close()
	file := (&pdftest.File{Pages: []pdftest.Page{{Content: pdftest.Text("F1", 12, 72, 720, "Hello PDF")}}}).Bytes()
	read := func() {
		if _, err := pool.Read(b.Context(), document.PDF, file, document.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	read()
	for b.Loop() {
		read()
	}
}
