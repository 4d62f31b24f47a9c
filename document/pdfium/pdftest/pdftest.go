// Package pdftest makes small PDF files for tests.
//
// The content of a page is written in PDF's own operators; [Text] and [Box] write
// the usual ones. Every page has the fonts F1 (Helvetica), F2 (Helvetica-Bold),
// F3 (Times-Roman), F4 (Courier) and F5 (Helvetica-Oblique), which need not be
// embedded, and F6, a font of shapes whose names say only their codes, as TeX has them.
package pdftest

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
)

// File is a file to be made.
type File struct {
	Title    string
	Created  string // such as D:20240131235959Z
	Language string
	Locked   bool // needs a password that nobody knows
	Count    int  // of pages, as the page tree says; 0 is the truth
	Pages    []Page
}

// Page is a page to be made.
type Page struct {
	Again         bool    // the page tree lists the page before it once more
	Missing       bool    // the page tree lists it, but it is not there
	Width, Height float64 // 612 × 792 if zero
	Crop          string  // left, bottom, right and top of what is visible
	Rotate        int     // in degrees
	Content       string
	Form          string      // content of the form Fm1
	Image         *image.Gray // the image Im1
	Links         []Link
	Field         string // content of a form field of 100 × 20 points, with its corner at 100, 100
	Tags          []*Tag
}

// Link is an area of a page that leads to an address.
type Link struct {
	Left, Bottom, Right, Top float64
	URI                      string
}

// Tag is an element of the structure tree. It has either children or marks.
type Tag struct {
	Type     string
	Extra    string // entries of its dictionary, such as "/Alt (a cat)"
	Marks    []int  // ids of the marked content that it has
	Children []*Tag
}

// Cache returns the folder in which tests keep the compiled library, as it takes
// seconds to compile; "" if this user has none.
func Cache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "trawl-test")
}

// Text writes a line of text.
func Text(font string, size, x, y float64, text string) string {
	text = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text)
	return fmt.Sprintf("BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, text)
}

// Marked writes content with an id, to which tags refer.
func Marked(mark int, content string) string {
	return fmt.Sprintf("/P <</MCID %d>> BDC\n%sEMC\n", mark, content)
}

// Box fills a rectangle with black.
func Box(x, y, width, height float64) string {
	return fmt.Sprintf("0 g %g %g %g %g re f\n", x, y, width, height)
}

// writer collects the objects of a file. Their numbers begin with 1.
type writer struct{ objects []string }

// reserve returns the number of an object that is written later.
func (w *writer) reserve() int {
	w.objects = append(w.objects, "null")
	return len(w.objects)
}

func (w *writer) add(format string, args ...any) int {
	w.objects = append(w.objects, fmt.Sprintf(format, args...))
	return len(w.objects)
}

func (w *writer) set(object int, format string, args ...any) {
	w.objects[object-1] = fmt.Sprintf(format, args...)
}

// shapes adds a font without a name, whose characters are boxes of several widths.
func (w *writer) shapes() int {
	shape := w.add("<</Length 39>>stream\n500 0 0 0 400 700 d1 0 0 400 700 re f \nendstream")
	var names, widths, shapes strings.Builder
	for code := range 256 {
		fmt.Fprintf(&names, "/a%d", code)
		fmt.Fprintf(&widths, "%d ", 450+20*(code%8))
		fmt.Fprintf(&shapes, "/a%d %d 0 R", code, shape)
	}
	return w.add("<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0/LastChar 255"+
		"/Encoding<</Type/Encoding/Differences[0 %s]>>/Widths[%s]/CharProcs<<%s>>>>", names.String(), widths.String(), shapes.String())
}

// Bytes returns the file.
func (f *File) Bytes() []byte {
	w := &writer{}
	catalog, pages, structure := w.reserve(), w.reserve(), w.reserve()
	var fonts strings.Builder
	for i, name := range []string{"Helvetica", "Helvetica-Bold", "Times-Roman", "Courier", "Helvetica-Oblique"} {
		object := w.add("<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>", name)
		fmt.Fprintf(&fonts, "/F%d %d 0 R ", i+1, object)
	}
	fmt.Fprintf(&fonts, "/F6 %d 0 R ", w.shapes())
	var kids, roots, parents strings.Builder
	last := 0
	for i := range f.Pages {
		if f.Pages[i].Again {
			fmt.Fprintf(&kids, "%d 0 R ", last)
			continue
		}
		if f.Pages[i].Missing {
			kids.WriteString("999999 0 R ")
			continue
		}
		object := w.page(&f.Pages[i], i, pages, fonts.String())
		last = object
		fmt.Fprintf(&kids, "%d 0 R ", object)
		owners := map[int]int{}
		for _, tag := range f.Pages[i].Tags {
			fmt.Fprintf(&roots, "%d 0 R ", w.tag(tag, structure, object, owners))
		}
		fmt.Fprintf(&parents, "%d [", i)
		for mark := range len(owners) {
			fmt.Fprintf(&parents, "%d 0 R ", owners[mark])
		}
		parents.WriteString("] ")
	}
	w.set(pages, "<</Type/Pages/Count %d/Kids[%s]>>", cmp.Or(f.Count, len(f.Pages)), kids.String())
	w.set(catalog, "<</Type/Catalog/Pages %d 0 R/Lang(%s)/MarkInfo<</Marked true>>/StructTreeRoot %d 0 R>>", pages, f.Language, structure)
	w.set(structure, "<</Type/StructTreeRoot/K[%s]/ParentTree<</Nums[%s]>>>>", roots.String(), parents.String())
	info := w.add("<</Title(%s)/CreationDate(%s)>>", f.Title, f.Created)
	trailer := fmt.Sprintf("/Root %d 0 R/Info %d 0 R", catalog, info)
	if f.Locked {
		key := strings.Repeat("5a", 32)
		trailer += fmt.Sprintf("/ID[<00><00>]/Encrypt %d 0 R", w.add("<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>", key, key))
	}
	return w.bytes(trailer)
}

// page writes a page.
func (w *writer) page(p *Page, i, parent int, fonts string) int {
	width, height := p.Width, p.Height
	if width == 0 {
		width, height = 612, 792
	}
	content := w.stream("", p.Content)
	objects := ""
	if p.Form != "" {
		objects += fmt.Sprintf("/Fm1 %d 0 R", w.stream("/Type/XObject/Subtype/Form/BBox[0 0 2000 2000]/Resources<</Font<<"+fonts+">>>>", p.Form))
	}
	if m := p.Image; m != nil {
		head := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceGray", m.Rect.Dx(), m.Rect.Dy())
		objects += fmt.Sprintf("/Im1 %d 0 R", w.stream(head, string(m.Pix)))
	}
	var annotations strings.Builder
	for _, l := range p.Links {
		fmt.Fprintf(&annotations, "<</Type/Annot/Subtype/Link/Rect[%g %g %g %g]/A<</S/URI/URI(%s)>>>>", l.Left, l.Bottom, l.Right, l.Top, l.URI)
	}
	if p.Field != "" {
		look := w.stream("/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<<"+fonts+">>>>", p.Field)
		fmt.Fprintf(&annotations, "<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/F 4/Rect[100 100 200 120]/AP<</N %d 0 R>>>>", look)
	}
	crop := ""
	if p.Crop != "" {
		crop = "/CropBox[" + p.Crop + "]"
	}
	return w.add("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %g %g]%s/Rotate %d/Contents %d 0 R/StructParents %d/Annots[%s]/Resources<</Font<<%s>>/XObject<<%s>>>>>>",
		parent, width, height, crop, p.Rotate, content, i, annotations.String(), fonts, objects)
}

func (w *writer) stream(head, content string) int {
	return w.add("<<%s/Length %d>>stream\n%s\nendstream", head, len(content), content)
}

// tag writes an element of the structure tree and notes which marks it owns.
func (w *writer) tag(t *Tag, parent, page int, owners map[int]int) int {
	object := w.reserve()
	var kids strings.Builder
	for _, mark := range t.Marks {
		owners[mark] = object
		fmt.Fprintf(&kids, "%d ", mark)
	}
	for _, child := range t.Children {
		fmt.Fprintf(&kids, "%d 0 R ", w.tag(child, object, page, owners))
	}
	w.set(object, "<</Type/StructElem/S/%s/P %d 0 R/Pg %d 0 R/K[%s]%s>>", t.Type, parent, page, kids.String(), t.Extra)
	return object
}

// bytes puts the objects together.
func (w *writer) bytes(trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(w.objects))
	for i, object := range w.objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(w.objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer<</Size %d%s>>\nstartxref\n%d\n%%%%EOF\n", len(w.objects)+1, trailer, start)
	return b.Bytes()
}
