//go:build clients

package clients_test

import (
	"archive/zip"
	"bytes"
	"image"
	"image/color"
	"image/png"

	"github.com/trawlhq/trawl/document/pdfium/pdftest"
)

// pdf makes a PDF of one page with a large and a small line.
func pdf(title, text string) []byte {
	file := pdftest.File{Pages: []pdftest.Page{{
		Content: pdftest.Text("F2", 24, 72, 720, title) + pdftest.Text("F1", 12, 72, 680, text),
	}}}
	return file.Bytes()
}

// docx makes a Word file with a heading and a paragraph.
func docx(heading, text string) []byte {
	const names = "http://schemas.openxmlformats.org"
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="` + names + `/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + names + `/package/2006/relationships"><Relationship Id="r1"
Type="` + names + `/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", `<w:document xmlns:w="` + names + `/wordprocessingml/2006/main"><w:body>
<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>` + heading + `</w:t></w:r></w:p><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:body></w:document>`},
	} {
		w, _ := archive.Create(part[0]) // into memory
		_, _ = w.Write([]byte(`<?xml version="1.0" encoding="UTF-8"?>` + part[1]))
	}
	_ = archive.Close()
	return b.Bytes()
}

// picture makes a small PNG of one colour.
func picture() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 120, 40))
	for i := range 120 * 40 {
		img.Set(i%120, i/120, color.RGBA{0x33, 0x66, 0x99, 0xff})
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img) // into memory
	return b.Bytes()
}
