package document_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document"
)

func TestSniff(t *testing.T) {
	t.Parallel()
	const (
		word  = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
		sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
		slide = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
		odf   = "application/vnd.oasis.opendocument."
	)
	types := func(main string) string {
		return `<?xml version="1.0"?><Types><Default Extension="xlsx" ContentType="` + sheet + `"/><Override PartName="/main" ContentType="` + main + `"/></Types>`
	}
	office := func(main, part string) []byte {
		return archive(t, "[Content_Types].xml", types(main), part, "<x/>")
	}
	docx := office(word+".main+xml", "word/document.xml")
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	for _, test := range []struct {
		name  string
		body  []byte
		file  string
		label string
		want  document.Kind
	}{
		{"a PDF", []byte("%PDF-1.7\n"), "", "", document.PDF},
		{"a PDF under another name", []byte("%PDF-1.7\n"), "page.html", "text/html", document.PDF},
		{"a PDF after junk", []byte("junk\r\n%PDF-1.4\n"), "x", "", document.PDF},
		{"a PDF after 1,024 bytes", []byte(strings.Repeat("\x01\n", 520) + "%PDF-1.4\n"), "x", "", document.Unknown},
		{"a PDF after a server's complaint", []byte("<br />\n<b>Warning</b>: x\n%PDF-1.4\n"), "x.pdf", "", document.PDF},
		{"a page about PDF", []byte("<p>Files begin with\n%PDF-1.4</p>"), "", "text/html", document.HTML},
		{"a text about PDF", []byte("Files begin with %PDF-1.4"), "", "text/plain", document.Unknown},
		{"a picture called PDF", []byte(png), "x.pdf", "application/pdf", document.Image},
		{"a page called PDF", []byte("<html><body><h1>not a pdf</h1></body></html>"), "x.pdf", "application/pdf", document.HTML},
		{"a text called PDF", []byte("Not found"), "x.pdf", "application/pdf", document.Unknown},
		{"bytes called PDF", []byte("\x01\x02\x03\x04"), "x.PDF", "", document.PDF},
		{"bytes that come as PDF", []byte("\x01\x02\x03\x04"), "download", "application/pdf; charset=binary", document.PDF},
		{"bytes of no name", []byte("\x01\x02\x03\x04"), "", "", document.Unknown},

		{"Word", docx, "", "", document.DOCX},
		{"Word called a zip", docx, "x.zip", "application/zip", document.DOCX},
		{"Word called Excel", docx, "x.xlsx", sheet, document.DOCX},
		{"Word with macros", office("application/vnd.ms-word.document.macroEnabled.main+xml", "word/document.xml"), "", "", document.DOCX},
		{"a template of Word", office("application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml", "word/document.xml"), "", "", document.DOCX},
		{"Word whose main part has another name", office(word+".main+xml", "word/document2.xml"), "", "", document.DOCX},
		{"Word without types", archive(t, "word/document.xml", "<x/>"), "", "", document.DOCX},
		{"Word whose types come last", archive(t, "word/document.xml", "<x/>", "[Content_Types].xml", types(word+".main+xml")), "", "", document.DOCX},
		{"Word that was cut", docx[:len(docx)/2], "", "", document.DOCX},
		{"Word of which little is left", docx[:20], "x.docx", "", document.DOCX},
		{"Excel", office(sheet+".main+xml", "xl/workbook.xml"), "x.docx", "", document.XLSX},
		{"Excel with macros", office("application/vnd.ms-excel.sheet.macroEnabled.main+xml", "xl/workbook.xml"), "", "", document.XLSX},
		{"binary Excel", office("application/vnd.ms-excel.sheet.binary.macroEnabled.main", "xl/workbook.bin"), "x.xlsx", "", document.XLSB},
		{"PowerPoint", office(slide+".main+xml", "ppt/presentation.xml"), "x.docx", "", document.PPTX},
		{"PowerPoint with macros", office("application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml", "ppt/presentation.xml"), "", "", document.PPTX},
		{"a show of PowerPoint", office("application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml", "ppt/presentation.xml"), "x.ppsx", "", document.PPTX},
		{"a template of PowerPoint", office("application/vnd.openxmlformats-officedocument.presentationml.template.main+xml", "ppt/presentation.xml"), "", "", document.PPTX},
		{"PowerPoint without types", archive(t, "ppt/presentation.xml", "<x/>"), "", "", document.PPTX},
		{"PowerPoint of which little is left", docx[:20], "x.pptx", "", document.PPTX},
		{"OpenDocument text", archive(t, "mimetype", odf+"text", "content.xml", "<x/>"), "", "", document.ODT},
		{"OpenDocument template", archive(t, "mimetype", odf+"text-template", "content.xml", "<x/>"), "", "", document.ODT},
		{"OpenDocument sheet", archive(t, "mimetype", odf+"spreadsheet\n", "content.xml", "<x/>"), "x.odt", "", document.ODS},
		{"OpenDocument slides", archive(t, "mimetype", odf+"presentation"), "x.odt", "", document.ODP},
		{"a template of OpenDocument slides", archive(t, "mimetype", odf+"presentation-template"), "", "", document.ODP},
		{"OpenDocument slides without their type", archive(t, "content.xml", "<x/>"), "x.odp", "", document.ODP},
		{"OpenDocument without its type", archive(t, "content.xml", "<x/>"), "x.ods", "", document.ODS},
		{"a book", archive(t, "mimetype", "application/epub+zip"), "x.docx", "", document.EPUB},
		{"a book without its type", archive(t, "META-INF/container.xml", "<x/>"), "x.zip", "", document.EPUB},
		{"a book that was cut", archive(t, "OEBPS/a.xhtml", "<x/>")[:30], "x.epub", "", document.EPUB},
		{"binary Excel without types", archive(t, "xl/styles.bin", "x", "xl/workbook.bin", "x"), "", "", document.XLSB},

		{"a message", []byte("Received: from x\r\n\tby y\r\nFrom: a\r\nSubject: <b>\r\n\r\nx"), "", "text/plain", document.EML},
		{"a message from a mailbox", []byte("From a@b Mon\nReturn-Path: <a>\nFrom: a\nTo: b\n\nx"), "", "", document.EML},
		{"a message by its name", []byte("Subject: x\n\ny"), "x.eml", "", document.EML},
		{"a message by its type", []byte("Subject: x\n\ny"), "x", "message/rfc822", document.EML},
		{"a text that looks like a message", []byte("Subject: x\nFrom: y\nDate: z\n\nyou"), "x.txt", "text/plain", document.Unknown},
		{"a patch", []byte("From 0123456789012345678901234567890123456789 Mon\nFrom: a\nDate: b\nSubject: c\nMIME-Version: 1.0\n\n---"), "x.patch", "text/plain", document.Unknown},
		{"a text called a message", []byte("Hello"), "x.eml", "", document.Unknown},
		{"a message of Outlook", compound("__properties_version1.0", ""), "", "", document.MSG},
		{"a text with a message in it", compound("WordDocument", "__properties_version1.0"), "", "", document.DOC},
		{"a zip", archive(t, "a.txt", "a"), "x.docx", word, document.Unknown},
		{"an empty zip", archive(t), "x.docx", "", document.DOCX},

		{"old Word", compound("WordDocument", ""), "", "", document.DOC},
		{"old Word called Excel", compound("WordDocument", ""), "x.xls", "application/vnd.ms-excel", document.DOC},
		{"old Word with a sheet in it", compound("WordDocument", "Workbook"), "", "", document.DOC},
		{"old Excel", compound("Workbook", ""), "", "", document.XLS},
		{"old Excel with a text in it", compound("Workbook", "WordDocument"), "", "", document.XLS},
		{"older Excel", compound("Book", ""), "", "", document.XLS},
		{"old PowerPoint", compound("PowerPoint Document", ""), "x.doc", "", document.PPT},
		{"old PowerPoint with a sheet in it", compound("PowerPoint Document", "Workbook"), "", "", document.PPT},
		{"the start of old PowerPoint", compound("PowerPoint Document", "")[:100], "x.ppt", "", document.PPT},
		{"encrypted PowerPoint", compound("EncryptedPackage", ""), "x.pptx", "", document.PPTX},
		{"a compound file of nothing", compound("", ""), "x.msi", "", document.Unknown},
		{"the start of a compound file", compound("WordDocument", "")[:100], "x.doc", "", document.DOC},
		{"encrypted Word", compound("EncryptedPackage", ""), "x.docx", "", document.DOCX},
		{"encrypted Excel", compound("EncryptedPackage", ""), "x.xlsx", "", document.XLSX},
		{"encrypted, of no name", compound("EncryptedPackage", ""), "", "", document.DOCX},

		{"RTF", []byte(`{\rtf1\ansi hello}`), "", "", document.RTF},
		{"RTF called Word", []byte(` {\rtf1\ansi hello}`), "x.doc", "application/msword", document.RTF},
		{"a page called Word", []byte("\ufeff<HTML xmlns:o=\"urn:x\">"), "x.doc", "application/msword", document.HTML},
		{"a table called Excel", []byte("\r\n<table border=1><tr><td>1</table>"), "x.xls", "application/vnd.ms-excel", document.HTML},
		{"XML of Excel", []byte("<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">"), "x.xls", "", document.XLS},
		{"XML of OpenDocument", []byte(`<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.text">`), "", "", document.ODT},
		{"XML of OpenDocument slides", []byte(`<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.presentation">`), "", "", document.ODP},
		{"XML of OpenDocument with many namespaces", []byte("<?xml version=\"1.0\"?>\n<office:document " + strings.Repeat(`xmlns:a="urn:oasis:names:tc:opendocument:xmlns:text:1.0" `, 100) + `office:mimetype="application/vnd.oasis.opendocument.spreadsheet">`), "x.fods", "", document.ODS},
		{"other XML", []byte(`<?xml version="1.0"?><rss version="2.0">`), "x.xml", "application/rss+xml", document.Unknown},
		{"a drawing", []byte(`<svg xmlns="http://www.w3.org/2000/svg">`), "x.svg", "image/svg+xml", document.Unknown},

		{"a page", []byte("<!DOCTYPE html><title>x</title>"), "", "", document.HTML},
		{"a page after a comment", []byte("<!-- hello --> <html>"), "", "", document.HTML},
		{"a page in UTF-16", wide("<html><p>x"), "", "", document.HTML},
		{"XHTML", []byte(`<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="http://www.w3.org/1999/xhtml">`), "", "", document.HTML},
		{"a page by its name", []byte("Hello"), "https://a.test/x.htm?y=z.pdf", "", document.HTML},
		{"a page by its type", []byte("Hello"), "", "text/html; charset=utf-8", document.HTML},
		{"a page with control characters in a comment", []byte("<!-- \x01\x02\x7f -->\n<dl><dt>x"), "x.html", "", document.HTML},
		{"a page with control characters, by its type", []byte("Hello <!-- \x01\x00 --> <em>x</em>"), "upload", "text/html", document.HTML},
		{"a page with control characters, by how it begins", []byte("\ufeff \n<!-- \x01\x02 -->\n<!DOCTYPE HTML><p>x"), "upload", "", document.HTML},
		{"XHTML after a long comment", []byte(`<?xml version="1.0"?><!-- ` + strings.Repeat("\x02", 2000) + "--><html>"), "x.xhtml", "", document.HTML},
		{"bytes called a page", []byte("\x01\x02<\x03\x04"), "x.html", "text/html", document.Unknown},
		{"an element that is none", []byte("<party>"), "", "", document.Unknown},

		{"a table of text", []byte("a,b\n1,2\n"), "x.csv", "", document.CSV},
		{"a table of text by its type", []byte("a,b\n1,2\n"), "export", "text/csv; header=present", document.CSV},
		{"a table of text in UTF-16", wide("a,b\n1,2\n"), "x.csv", "", document.CSV},
		{"a table of text by nothing", []byte("a,b\n1,2\n"), "", "text/plain", document.Unknown},
		{"bytes called CSV", []byte("a,b\n\x00\x01"), "x.csv", "", document.Unknown},
		{"the name before the type", []byte("a,b"), "x.csv", "text/html", document.CSV},

		{"nothing", nil, "x.pdf", "application/pdf", document.Unknown},
		{"spaces", []byte(" \r\n"), "x.html", "text/html", document.Unknown},
		{"a JPEG called Word", []byte("\xff\xd8\xff\xe0"), "x.doc", "", document.Image},
		{"a WebP called PDF", []byte("RIFF\x10\x00\x00\x00WEBPVP8 "), "x.pdf", "", document.Image},
		{"a BMP", []byte("BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00"), "", "", document.Image},
		{"a text about BMW", []byte("BMW is a maker of cars"), "", "text/plain", document.Unknown},
		{"text called a picture", []byte("not a picture"), "x.png", "image/png", document.Unknown},
		{"an icon", []byte("\x00\x00\x01\x00\x01\x00"), "x.png", "", document.Unknown},
		{"gzip called PDF", []byte("\x1f\x8b\x08\x00"), "x.pdf", "", document.Unknown},
		{"JSON", []byte(`{"a":1}`), "", "application/json", document.Unknown},
	} {
		if got := document.Sniff(test.body, test.file, test.label); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestSniffLarge is about compound files that are so large that their header cannot
// list all of the table, with the folder at the end as programs put it.
func TestSniffLarge(t *testing.T) {
	t.Parallel()
	const sectors = 20_000
	body := make([]byte, 512*(sectors+1))
	copy(body, compound("", "")[:512])
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(body[at:], v) }
	const first, second, table, list = sectors - 1, sectors - 9, sectors - 5, sectors - 4
	put(48, first)
	put(68, list)
	for i := range 127 {
		put(512*(list+1)+4*i, 0xffffffff)
	}
	put(512*(list+1)+4*(first/128-109), table) // where the sector of the table is listed
	put(512*(list+1)+4*127, 0xfffffffe)
	put(512*(table+1)+4*(first%128), second)
	put(512*(table+1)+4*(second%128), 0xfffffffe)
	copy(body[512*(first+1):], directoryEntry("Root Entry", 4, 0xffffffff))
	copy(body[512*(second+1):], directoryEntry("WordDocument", 0xffffffff, 0xffffffff))
	if got := document.Sniff(body, "", ""); got != document.DOC {
		t.Errorf("got %q, want %q", got, document.DOC)
	}
}

func TestKindContentType(t *testing.T) {
	t.Parallel()
	for _, kind := range []document.Kind{document.PDF, document.DOCX, document.DOC, document.ODT, document.ODS, document.RTF, document.XLSX, document.XLS, document.PPTX, document.PPT, document.ODP, document.XLSB, document.EPUB, document.MSG} {
		if got := document.Sniff([]byte{1, 2, 3}, "", kind.ContentType()); got != kind {
			t.Errorf("the content type of %q stands for %q", kind, got)
		}
	}
	if got := document.Unknown.ContentType(); got != "application/octet-stream" {
		t.Errorf("what is unknown has the content type %q", got)
	}
}

func FuzzSniff(f *testing.F) {
	f.Add([]byte("%PDF-1.7"), "x.pdf", "application/pdf")
	f.Add([]byte("<!-- <html>"), "", "text/html")
	f.Add(compound("WordDocument", "Workbook"), "x.doc", "")
	f.Add(archive(f, "mimetype", "application/epub+zip"), "x.docx", "")
	f.Add(archive(f, "[Content_Types].xml", "<Types/>", "word/document.xml", ""), "x.docx", "")
	f.Add(wide("a,b"), "x.csv", "")
	f.Fuzz(func(t *testing.T, body []byte, name, label string) {
		if kind := document.Sniff(body, name, label); kind != document.Unknown && kind.ContentType() == document.Unknown.ContentType() {
			t.Errorf("a kind that nobody knows: %q", kind)
		}
	})
}

func BenchmarkSniff(b *testing.B) {
	page := []byte("<!DOCTYPE html>\n<html lang=en><head><title>x</title></head><body>" + strings.Repeat("<p>Hello, world.</p>\n", 10_000))
	for b.Loop() {
		document.Sniff(page, "https://site.test/articles/42", "text/html; charset=utf-8")
	}
}

// archive makes a zip of names and contents.
func archive(t testing.TB, parts ...string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for i := 0; i < len(parts); i += 2 {
		method := zip.Deflate
		if parts[i] == "mimetype" {
			method = zip.Store
		}
		part, err := w.CreateHeader(&zip.FileHeader{Name: parts[i], Method: method})
		if err == nil {
			_, err = part.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

// compound makes a compound file with a stream, and a folder with another.
func compound(stream, nested string) []byte {
	body := make([]byte, 512*3)
	copy(body, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	body[30] = 9
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(body[at:], v) }
	put(48, 1) // the directory
	put(68, 0xfffffffe)
	for i := range 109 {
		put(76+4*i, 0xffffffff)
	}
	put(76, 0)             // the table
	put(512+4, 0xfffffffe) // nothing follows the directory
	const none = 0xffffffff
	copy(body[1024:], directoryEntry("Root Entry", 1, none))
	copy(body[1024+128:], directoryEntry("ObjectPool", 3, 2))
	copy(body[1024+256:], directoryEntry(stream, none, none))
	copy(body[1024+384:], directoryEntry(nested, none, none))
	return body
}

func directoryEntry(name string, child, right uint32) []byte {
	e := make([]byte, 128)
	for i, unit := range utf16.Encode([]rune(name)) {
		binary.LittleEndian.PutUint16(e[2*i:], unit)
	}
	binary.LittleEndian.PutUint16(e[64:], uint16(2*len(name)+2))
	binary.LittleEndian.PutUint32(e[68:], 0xffffffff)
	binary.LittleEndian.PutUint32(e[72:], right)
	binary.LittleEndian.PutUint32(e[76:], child)
	return e
}

// wide returns a text in UTF-16.
func wide(s string) []byte {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out
}
