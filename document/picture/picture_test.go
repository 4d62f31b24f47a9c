package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document/ocr"
	"github.com/trawlhq/trawl/document/picture"
	"github.com/trawlhq/trawl/document/tree"
	"golang.org/x/image/bmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/tiff"
)

// engine is the real Tesseract.
func engine(t testing.TB) ocr.Engine {
	t.Helper()
	program, err := exec.LookPath("tesseract")
	if err != nil {
		t.Skip("there is no tesseract")
	}
	return ocr.Engine{Program: program, Languages: []string{"eng"}}
}

// sheet is a picture to draw on.
type sheet struct {
	*image.NRGBA
	ink color.Color
}

func blank(width, height int, paper, ink color.Color) sheet {
	s := sheet{image.NewNRGBA(image.Rect(0, 0, width, height)), ink}
	draw.Draw(s, s.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	return s
}

func (s sheet) write(t testing.TB, x, y int, size float64, text string) {
	t.Helper()
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	d := font.Drawer{Dst: s, Src: image.NewUniform(s.ink), Face: face, Dot: fixed.P(x, y)}
	d.DrawString(text)
}

func (s sheet) line(left, top, right, bottom int) {
	draw.Draw(s, image.Rect(left, top, right, bottom), image.NewUniform(s.ink), image.Point{}, draw.Src)
}

// report draws a page with a heading, a paragraph, a ruled table and a list.
func report(t testing.TB, paper, ink color.Color) sheet {
	t.Helper()
	s := blank(1500, 1100, paper, ink)
	s.write(t, 100, 150, 64, "Water of the Rivers")
	s.write(t, 100, 260, 34, "The level of the largest rivers rose during the spring, as the")
	s.write(t, 100, 306, 34, "table below shows. It was measured every morning at seven.")
	for row, cells := range [][]string{{"River", "January", "April"}, {"Danube", "212", "340"}, {"Elbe", "118", "175"}} {
		y := 380 + 80*row
		for column, text := range cells {
			s.write(t, 120+300*column, y+52, 34, text)
		}
		s.line(100, y, 1003, y+3)
	}
	s.line(100, 620, 1003, 623)
	for column := range 4 {
		s.line(100+300*column, 380, 103+300*column, 623)
	}
	s.write(t, 100, 730, 34, "• Every gauge was calibrated in December.")
	s.write(t, 100, 786, 34, "• All values are given in centimetres.")
	return s
}

const wanted = `<h1>Water of the Rivers</h1>|The level of the largest rivers|<td>Danube</td><td>212</td><td>340</td>|<td>Elbe</td><td>118</td><td>175</td>|<li>Every gauge was calibrated in December.|<li>All values are given in centimetres.`

func encoded(t testing.TB, encode func(io.Writer, image.Image) error, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(w io.Writer, p image.Image) error { return jpeg.Encode(w, p, &jpeg.Options{Quality: 85}) }
func asGIF(w io.Writer, p image.Image) error  { return gif.Encode(w, p, nil) }
func asTIFF(w io.Writer, p image.Image) error {
	return tiff.Encode(w, p, &tiff.Options{Compression: tiff.Deflate})
}

func TestRead(t *testing.T) {
	t.Parallel()
	tesseract := engine(t)
	plain, light := report(t, color.White, color.Black), report(t, color.Transparent, color.White)
	for name, body := range map[string][]byte{
		"png":             encoded(t, png.Encode, plain),
		"jpeg":            encoded(t, asJPEG, plain),
		"gif":             encoded(t, asGIF, plain),
		"bmp":             encoded(t, bmp.Encode, plain),
		"tiff":            encoded(t, asTIFF, plain),
		"white on none":   encoded(t, png.Encode, light),
		"half the size":   encoded(t, png.Encode, shrunk(plain)),
		"held sideways":   held(encoded(t, asJPEG, turnedLeft(plain)), 6),
		"upside down":     encoded(t, png.Encode, turnedLeft(turnedLeft(plain))),
		"sixteen bits":    encoded(t, png.Encode, deep(plain)),
		"white on black":  encoded(t, png.Encode, report(t, color.Black, color.White)),
		"huge but simple": encoded(t, png.Encode, enlarged(plain, 5)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := picture.Read(t.Context(), body, picture.Options{Engine: tesseract})
			if err != nil {
				t.Fatal(err)
			}
			html := strings.ToLower(string(tree.Write(doc, 1<<20).HTML))
			for _, part := range strings.Split(strings.ToLower(wanted), "|") {
				if !strings.Contains(html, part) {
					t.Errorf("%q is missing in\n%s", part, html)
				}
			}
			if len(doc.Pages) != 1 || doc.Pages[0].Status != tree.PageOCR || doc.TotalPages != 1 || len(doc.Warnings) > 0 {
				t.Errorf("%d pages, %v", doc.TotalPages, doc.Warnings)
			}
		})
	}
}

func shrunk(p sheet) image.Image {
	out := image.NewGray(image.Rect(0, 0, p.Rect.Dx()/2, p.Rect.Dy()/2))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			sum := 0
			for _, at := range [][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
				sum += int(p.NRGBAAt(2*x+at[0], 2*y+at[1]).R)
			}
			out.SetGray(x, y, color.Gray{Y: uint8(sum / 4)})
		}
	}
	return out
}

func enlarged(p sheet, times int) image.Image {
	out := image.NewPaletted(image.Rect(0, 0, p.Rect.Dx()*times, p.Rect.Dy()*times), color.Palette{color.Black, color.White})
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Pix[y*out.Stride+x] = p.NRGBAAt(x/times, y/times).R >> 7
		}
	}
	return out
}

func turnedLeft(p sheet) sheet {
	out := blank(p.Rect.Dy(), p.Rect.Dx(), color.White, p.ink)
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, p.NRGBAAt(p.Rect.Dx()-1-y, x))
		}
	}
	return out
}

func deep(p sheet) image.Image {
	out := image.NewNRGBA64(p.Rect)
	draw.Draw(out, out.Rect, p, image.Point{}, draw.Src)
	return out
}

// held is a JPEG file that says how the camera was held.
func held(body []byte, orientation byte) []byte {
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x02" + "\x01\x00\x00\x03\x00\x00\x00\x01\x00\x01\x00\x00" +
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(orientation) + "\x00\x00" + "\x00\x00\x00\x00"
	segment := append([]byte{0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	return bytes.Join([][]byte{body[:2], segment, body[2:]}, nil)
}

// pages is a TIFF file of several pages, each as encoded by itself, of which the last
// says that the first follows if loop is set.
func pages(t testing.TB, loop bool, list ...sheet) []byte {
	t.Helper()
	var all []byte
	last := -1 // where it is said what follows
	for _, s := range list {
		gray := image.NewGray(s.Rect)
		draw.Draw(gray, gray.Rect, s, image.Point{}, draw.Src)
		one := encoded(t, func(w io.Writer, p image.Image) error { return tiff.Encode(w, p, nil) }, gray)
		base := uint32(len(all))
		at := binary.LittleEndian.Uint32(one[4:])
		count := int(binary.LittleEndian.Uint16(one[at:]))
		for i := range count {
			entry := one[int(at)+2+12*i:]
			tag, kind := binary.LittleEndian.Uint16(entry), binary.LittleEndian.Uint16(entry[2:])
			if tag == 273 || kind == 5 { // where the dots are, and what does not fit into an entry
				binary.LittleEndian.PutUint32(entry[8:], base+binary.LittleEndian.Uint32(entry[8:]))
			}
		}
		if last >= 0 {
			binary.LittleEndian.PutUint32(all[last:], base+at)
		}
		last = int(base) + int(at) + 2 + 12*count
		all = append(all, one...)
	}
	if loop {
		binary.LittleEndian.PutUint32(all[last:], binary.LittleEndian.Uint32(all[4:]))
	}
	return all
}

func TestPages(t *testing.T) {
	t.Parallel()
	tesseract := engine(t)
	var list []sheet
	for _, text := range []string{"The first page of three", "The second page of three", "The third page of three"} {
		s := blank(700, 200, color.White, color.Black)
		s.write(t, 50, 110, 44, text)
		list = append(list, s)
	}
	body := pages(t, true, list...)
	var asked int
	doc, err := picture.Read(t.Context(), body, picture.Options{Engine: tesseract, Admit: func(total int) (int, error) { asked = total; return 2, nil }})
	if err != nil {
		t.Fatal(err)
	}
	html := string(tree.Write(doc, 1<<20).HTML)
	if asked != 3 || doc.TotalPages != 3 || len(doc.Pages) != 2 || !strings.Contains(html, "The first page") || !strings.Contains(html, "The second page") || strings.Contains(html, "third") {
		t.Errorf("%d of %d pages: %s", len(doc.Pages), doc.TotalPages, html)
	}
	refusal := errors.New("no")
	if _, err := picture.Read(t.Context(), body, picture.Options{Engine: tesseract, Admit: func(int) (int, error) { return 0, refusal }}); !errors.Is(err, refusal) {
		t.Errorf("not admitted: %v", err)
	}
	soon, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := picture.Read(soon, body, picture.Options{Engine: tesseract}); trawl.ErrorCode(err) != trawl.CodePDFTime {
		t.Errorf("three pages in a second: %v", err)
	}
}

func TestNothing(t *testing.T) {
	t.Parallel()
	doc, err := picture.Read(t.Context(), encoded(t, png.Encode, blank(300, 200, color.White, nil)), picture.Options{Engine: engine(t)})
	if err != nil || len(doc.Pages) != 1 || doc.Pages[0].Status != tree.PageEmpty || len(doc.Warnings) != 1 {
		t.Errorf("%+v, %v", doc, err)
	}
}

// sized is a PNG file that says it is so large.
func sized(width, height uint32) []byte {
	head := make([]byte, 0, 17)
	head = append(head, "IHDR"...)
	head = binary.BigEndian.AppendUint32(head, width)
	head = binary.BigEndian.AppendUint32(head, height)
	head = append(head, 8, 2, 0, 0, 0)
	out := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	out = append(out, head...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head))
}

func TestRefused(t *testing.T) {
	t.Parallel()
	whole := encoded(t, png.Encode, blank(50, 50, color.White, nil))
	for name, row := range map[string]struct {
		body []byte
		want error
	}{
		"100,000 × 100,000":   {sized(100_000, 100_000), tree.ErrTooComplex},
		"2³¹-1 × 2³¹-1":       {sized(1<<31-1, 1<<31-1), tree.ErrDamaged}, // which the format does not allow
		"one row too long":    {sized(64_000_001, 1), tree.ErrTooComplex},
		"the start of a file": {whole[:40], tree.ErrDamaged},
		"its signature":       {whole[:8], tree.ErrDamaged},
		"no page":             {[]byte("II*\x00\x00\x00\x00\x00"), tree.ErrDamaged},
		"a page beyond it":    {[]byte("MM\x00*\x7f\x00\x00\x00\x00\x00"), tree.ErrDamaged},
	} {
		if _, err := picture.Read(t.Context(), row.body, picture.Options{}); !errors.Is(err, row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	s := blank(40, 30, color.White, color.Black)
	s.line(3, 3, 30, 5)
	for _, encode := range []func(io.Writer, image.Image) error{png.Encode, asJPEG, asGIF, asTIFF, bmp.Encode} {
		f.Add(encoded(f, encode, s))
	}
	f.Add(held(encoded(f, asJPEG, s), 8))
	f.Add(pages(f, true, s, s))
	f.Add(sized(100_000, 100_000))
	f.Fuzz(func(t *testing.T, body []byte) {
		// There is no program, so whatever can be decoded fails then.
		if _, err := picture.Read(t.Context(), body, picture.Options{Engine: ocr.Engine{Program: "/nonexistent"}}); err == nil {
			t.Error("read without a program")
		}
	})
}
