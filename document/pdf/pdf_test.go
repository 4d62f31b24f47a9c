package pdf_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document/pdf"
	"github.com/trawlhq/trawl/document/pdfium"
	"github.com/trawlhq/trawl/document/pdfium/pdftest"
	"github.com/trawlhq/trawl/document/tree"
	"go.uber.org/goleak"
)

// The tests are their own Tesseract.
func TestMain(m *testing.M) {
	if len(os.Args) > 4 && os.Args[1] == "stdin" && os.Args[2] == "stdout" && os.Args[3] == "-l" {
		os.Exit(tesseract(os.Args[4]))
	}
	goleak.VerifyTestMain(m)
}

// engine is that of all tests.
var engine = sync.OnceValues(func() (*pdfium.Engine, error) {
	return pdfium.Start(context.Background(), pdftest.Cache())
})

func started(t testing.TB) *pdfium.Engine {
	t.Helper()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// tesseract plays Tesseract, of which the language says what it does: "broken" fails,
// "blank" finds nothing, "sideways" is recognised in pictures that are wider than
// high, an address is called and never left, and any other is recognised in every
// picture.
func tesseract(language string) int {
	picture := bufio.NewReader(os.Stdin)
	var width, height int
	if _, err := fmt.Fscanf(picture, "P5\n%d %d\n255\n", &width, &height); err != nil {
		return 2
	}
	if n, err := io.Copy(io.Discard, picture); err != nil || n != int64(width)*int64(height) {
		return 2
	}
	if language == "broken" || os.Getenv("OMP_THREAD_LIMIT") != "1" {
		return 1
	}
	if strings.HasPrefix(language, "/") {
		c, err := net.Dial("unix", language)
		if err != nil {
			return 2
		}
		defer c.Close()
		_, _ = io.Copy(io.Discard, c)
		return 0
	}
	if language == "osd" {
		fmt.Print("Rotate: 90\nOrientation confidence: 8.5\n")
		return 0
	}
	if language == "sideways" && width < height {
		for i := range 20 {
			fmt.Printf("5\t1\t1\t1\t1\t%d\t%d\t%d\t10\t40\t31\tgarbage\n", i+1, width/10+i*20, height/2)
		}
		return 0
	}
	fmt.Println("level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext")
	if language == "blank" {
		return 0
	}
	for i, word := range []string{"recognised", "as", language} {
		fmt.Printf("5\t1\t1\t1\t1\t%d\t%d\t%d\t%d\t40\t91.5\t%s\n", i+1, width/10+i*300, height/2, 20*len(word), word)
	}
	fmt.Printf("5\t1\t2\t1\t1\t1\t%d\t%d\t100\t40\t5\tdirt\n", width/10, height/3)
	return 0
}

func textPage(text string) pdftest.Page {
	return pdftest.Page{Content: pdftest.Text("F1", 11, 72, 700, text)}
}

// scan is a page that is one picture.
func scan() pdftest.Page {
	return pdftest.Page{Content: "q 612 0 0 792 0 0 cm /Im1 Do Q", Image: image.NewGray(image.Rect(0, 0, 4, 4))}
}

// bomb is a page that needs more memory than there is.
func bomb() pdftest.Page {
	const pixels = 1000 * 1000 // of an image, which is kept each time that it is drawn
	return pdftest.Page{
		Content: strings.Repeat("/Fm1 Do ", 400),
		Form:    "BI /W 1000 /H 1000 /BPC 8 /CS /G ID " + strings.Repeat("x", pixels) + " EI",
	}
}

func self(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func TestRead(t *testing.T) {
	t.Parallel()
	text, other := textPage("Some text of the page."), textPage("Other text.")
	picture, cover := scan(), scan()
	cover.Content += " 0 g " + pdftest.Text("F2", 30, 100, 400, "The title")
	tests := map[string]struct {
		pages    []pdftest.Page
		options  pdf.Options
		statuses string
		text     []string // in this order
		warning  string
	}{
		"text": {
			[]pdftest.Page{text, {}, other}, pdf.Options{},
			"text empty text", []string{"Some text of the page.", "Other text."}, "",
		},
		"first pages": {
			[]pdftest.Page{text, other, other}, pdf.Options{MaxPages: 1},
			"text", []string{"Some text"}, "",
		},
		"admitted pages": {
			[]pdftest.Page{text, other, other}, pdf.Options{MaxPages: 3, Admit: func(total int) (int, error) { return total - 1, nil }},
			"text text", []string{"Some text", "Other text"}, "",
		},
		"scans, no recognition": {
			[]pdftest.Page{picture, text, picture, picture, picture, other, picture}, pdf.Options{Mode: pdf.ModeAuto},
			"unread text unread unread unread text unread", []string{"Some text", "Other text"},
			"Pages 1, 3-5 and 7 are pictures of text and could not be read: text recognition is not installed.",
		},
		"one scan, fast": {
			[]pdftest.Page{text, picture}, pdf.Options{Mode: pdf.ModeFast, Tesseract: "unused"},
			"text unread", []string{"Some text"},
			"Page 2 is a picture of text and could not be read: the mode fast does not recognise text.",
		},
		"scans recognised": {
			[]pdftest.Page{text, picture, other, picture}, pdf.Options{Tesseract: self(t), Languages: []string{"eng", "deu"}},
			"text ocr text ocr", []string{"Some text", "recognised as eng+deu", "Other text", "recognised as eng+deu"}, "",
		},
		"many scans keep their order": {
			slices.Concat(slices.Repeat([]pdftest.Page{picture}, 7), []pdftest.Page{text}), pdf.Options{Tesseract: self(t)},
			"ocr ocr ocr ocr ocr ocr ocr text", []string{"recognised as eng", "Some text"}, "",
		},
		"all recognised": {
			[]pdftest.Page{text, {}, other}, pdf.Options{Mode: pdf.ModeOCR, Tesseract: self(t)},
			"ocr empty ocr", []string{"recognised as eng"}, "",
		},
		"recognition wanted, but not there": {
			[]pdftest.Page{text}, pdf.Options{Mode: pdf.ModeOCR},
			"text", []string{"Some text"},
			"Text recognition is not installed; the text that the pages have of their own was read instead.",
		},
		"recognition fails": {
			[]pdftest.Page{text, picture, picture}, pdf.Options{Tesseract: self(t), Languages: []string{"broken"}},
			"text unread unread", []string{"Some text"}, "Pages 2-3 could not be recognised.",
		},
		"recognition of text fails": {
			[]pdftest.Page{text, picture}, pdf.Options{Mode: pdf.ModeOCR, Tesseract: self(t), Languages: []string{"broken"}},
			"text unread", []string{"Some text"}, "Pages 1-2 could not be recognised.",
		},
		"a photograph with a title": {
			[]pdftest.Page{cover}, pdf.Options{Tesseract: self(t), Languages: []string{"blank"}},
			"text", []string{"The title"}, "",
		},
		"a photograph with a title, no recognition": {
			[]pdftest.Page{cover}, pdf.Options{},
			"unread", []string{"The title"},
			"Page 1 is a picture of text and could not be read: text recognition is not installed.",
		},
		"nothing recognised": {
			[]pdftest.Page{text, picture}, pdf.Options{Tesseract: self(t), Languages: []string{"blank"}},
			"text empty", []string{"Some text"}, "",
		},
		"a page fails": {
			[]pdftest.Page{text, bomb(), other}, pdf.Options{},
			"text failed text", []string{"Some text", "Other text"}, "Page 2 is damaged or too large and could not be read.",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := pdftest.File{Title: "A title", Pages: test.pages}
			doc, err := pdf.Read(t.Context(), started(t), file.Bytes(), test.options)
			if err != nil {
				t.Fatal(err)
			}
			if doc.Title != "A title" || doc.TotalPages != len(test.pages) {
				t.Errorf("title %q, %d pages", doc.Title, doc.TotalPages)
			}
			if got := statuses(doc); got != test.statuses {
				t.Errorf("statuses %s", got)
			}
			if got := strings.Join(doc.Warnings, " "); got != test.warning {
				t.Errorf("warnings %q", got)
			}
			checkText(t, doc, test.text)
		})
	}
}

func statuses(doc *tree.Document) string {
	var list []string
	for i := range doc.Pages {
		if doc.Pages[i].Number != i+1 {
			list = append(list, fmt.Sprintf("%d:", doc.Pages[i].Number))
		}
		list = append(list, doc.Pages[i].Status)
	}
	return strings.Join(list, " ")
}

// checkText checks that a document has texts in their order.
func checkText(t *testing.T, doc *tree.Document, want []string) {
	t.Helper()
	html := string(tree.Write(doc, 1<<20).HTML)
	if strings.Contains(html, "dirt") {
		t.Error("has a word that is none")
	}
	rest := html
	for _, text := range want {
		_, after, found := strings.Cut(rest, text)
		if !found {
			t.Errorf("no %q in its place in\n%s", text, html)
			return
		}
		rest = after
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	refusal := errors.New("no credits")
	locked := pdftest.File{Pages: []pdftest.Page{textPage("a")}, Locked: true}
	empty, hollow := pdftest.File{}, pdftest.File{Count: 5000}
	scans := pdftest.File{Pages: []pdftest.Page{scan(), scan()}}
	failing := pdftest.File{Pages: []pdftest.Page{bomb()}}
	many := pdftest.File{Pages: slices.Repeat([]pdftest.Page{scan()}, 3000)}
	soon, cancel := context.WithTimeout(t.Context(), time.Hour)
	t.Cleanup(cancel)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	tests := map[string]struct {
		ctx     context.Context
		body    []byte
		options pdf.Options
		want    error
		code    trawl.Code
	}{
		"locked":       {t.Context(), locked.Bytes(), pdf.Options{}, tree.ErrEncrypted, ""},
		"no pdf":       {t.Context(), []byte("\x89PNG"), pdf.Options{}, tree.ErrDamaged, ""},
		"no pages":     {t.Context(), empty.Bytes(), pdf.Options{}, tree.ErrDamaged, ""},
		"none there":   {t.Context(), hollow.Bytes(), pdf.Options{}, tree.ErrDamaged, ""},
		"all fail":     {t.Context(), failing.Bytes(), pdf.Options{}, tree.ErrTooComplex, ""},
		"not admitted": {t.Context(), scans.Bytes(), pdf.Options{Admit: func(int) (int, error) { return 0, refusal }}, refusal, ""},
		"only scans":   {t.Context(), scans.Bytes(), pdf.Options{Mode: pdf.ModeFast}, nil, trawl.CodeOCRRequired},
		"too slow":     {soon, many.Bytes(), pdf.Options{Tesseract: self(t)}, nil, trawl.CodePDFTime},
		"over":         {over, scans.Bytes(), pdf.Options{}, context.Canceled, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := pdf.Read(test.ctx, started(t), test.body, test.options)
			if test.code != "" && trawl.ErrorCode(err) != test.code || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A sentence that goes on over pages is one paragraph, where it begins.
func TestJoin(t *testing.T) {
	t.Parallel()
	page := func(heading string, lines ...string) pdftest.Page {
		p := pdftest.Page{Content: pdftest.Marked(0, pdftest.Text("F2", 14, 72, 700, heading))}
		p.Tags = []*pdftest.Tag{{Type: "H2", Marks: []int{0}}}
		for i, line := range lines {
			p.Content += pdftest.Marked(i+1, pdftest.Text("F1", 11, 72, float64(600-100*i), line))
			p.Tags = append(p.Tags, &pdftest.Tag{Type: "P", Marks: []int{i + 1}})
		}
		return p
	}
	second := page("Second", "of the first page. And that is all of the para-", "An end that is not part of it.")
	second.Tags[0], second.Tags[1] = second.Tags[1], second.Tags[0] // the text stands before the heading
	file := pdftest.File{Pages: []pdftest.Page{page("First", "This is the last paragraph"), {}, second}}
	doc, err := pdf.Read(t.Context(), started(t), file.Bytes(), pdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkText(t, doc, []string{"<h2>First</h2>", "<p>This is the last paragraph of the first page. And that is all of the para-</p>", "<h2>Second</h2>", "<p>An end that is not part of it.</p>"})
}

// Of a file with very many pages only the first are read.
func TestManyPages(t *testing.T) {
	t.Parallel()
	file := pdftest.File{Pages: make([]pdftest.Page, 5001)}
	body := file.Bytes()
	const want = "The PDF has 5001 pages, of which the first 5000 were read."
	for name, test := range map[string]struct {
		options pdf.Options
		want    string
	}{
		"all":         {pdf.Options{}, want},
		"as admitted": {pdf.Options{Admit: func(int) (int, error) { return 5000, nil }}, want},
		"more":        {pdf.Options{MaxPages: 6000}, want},
		"as asked":    {pdf.Options{MaxPages: 5000}, ""},
	} {
		doc, err := pdf.Read(t.Context(), started(t), body, test.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(doc.Warnings, " "); len(doc.Pages) != 5000 || doc.TotalPages != 5001 || got != test.want {
			t.Errorf("%s: %d of %d pages, warnings %q", name, len(doc.Pages), doc.TotalPages, got)
		}
	}
}

// Of a page with more than is read, the rest is missed.
func TestFullPages(t *testing.T) {
	t.Parallel()
	linked := func(links int) pdftest.Page {
		p := textPage("Some text of the page.")
		p.Links = slices.Repeat([]pdftest.Link{{Left: 1, Bottom: 1, Right: 2, Top: 2, URI: "https://example.com/"}}, links)
		return p
	}
	tagged := linked(2001)
	tagged.Content = pdftest.Marked(0, pdftest.Text("F2", 14, 72, 700, "Heading"))
	tagged.Tags = []*pdftest.Tag{{Type: "H2", Marks: []int{0}}}
	form := linked(2001)
	form.Field = "BT /F1 10 Tf (filled in) Tj ET"
	for name, test := range map[string]struct {
		pages   []pdftest.Page
		warning string
	}{
		"just enough":       {[]pdftest.Page{linked(2000)}, ""},
		"links":             {[]pdftest.Page{linked(1), linked(2001)}, "Page 2 has more text, links or fields than can be read; the rest is missing."},
		"links of tags":     {[]pdftest.Page{tagged}, "Page 1 has more text, links or fields than can be read; the rest is missing."},
		"links than loaded": {[]pdftest.Page{linked(5001), linked(5001)}, "Pages 1-2 have more text, links or fields than can be read; the rest is missing."},
		"fields":            {[]pdftest.Page{form}, "Page 1 has more text, links or fields than can be read; the rest is missing."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := pdftest.File{Pages: test.pages}
			doc, err := pdf.Read(t.Context(), started(t), file.Bytes(), pdf.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(doc.Warnings, " "); got != test.warning {
				t.Errorf("warnings %q", got)
			}
		})
	}
}

// A page that is listed several times is one page, wherever it is listed.
func TestRepeatedPages(t *testing.T) {
	t.Parallel()
	again := pdftest.Page{Again: true}
	form := textPage("Some text of the page.")
	form.Field = pdftest.Text("F1", 10, 2, 5, "filled in")
	tests := map[string]struct {
		pages   []pdftest.Page
		options pdf.Options
		want    string // pages that are repeated
		warning string
	}{
		"alike":      {[]pdftest.Page{textPage("same"), textPage("same"), {}, {}}, pdf.Options{}, "[]", ""},
		"repeated":   {[]pdftest.Page{textPage("a"), again, textPage("b"), again, again}, pdf.Options{}, "[2 4 5]", "Pages 2 and 4-5 repeat pages before them and are not paid for."},
		"forms":      {[]pdftest.Page{form, again}, pdf.Options{}, "[2]", "Page 2 repeats a page before it and is not paid for."},
		"recognised": {[]pdftest.Page{scan(), again, scan()}, pdf.Options{Tesseract: self(t)}, "[2]", "Page 2 repeats a page before it and is not paid for."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := pdftest.File{Pages: test.pages}
			doc, err := pdf.Read(t.Context(), started(t), file.Bytes(), test.options)
			if err != nil {
				t.Fatal(err)
			}
			repeated := []int{}
			for i := range doc.Pages {
				if doc.Pages[i].Repeated {
					repeated = append(repeated, doc.Pages[i].Number)
				}
			}
			if got := strings.Join(doc.Warnings, " "); fmt.Sprint(repeated) != test.want || got != test.warning || len(doc.Pages) != len(test.pages) {
				t.Errorf("repeated %v of %d, warnings %q", repeated, len(doc.Pages), got)
			}
		})
	}
}

// A file with more pages than there is time for is refused before the time is over:
// a quarter of what it takes on this machine.
func TestInsufficientTime(t *testing.T) {
	t.Parallel()
	var dense strings.Builder
	for i := range 60 {
		dense.WriteString(pdftest.Text("F1", 9, 40, float64(760-12*i), strings.Repeat("many words ", 10)))
	}
	const pages, few = 1500, 20
	repeat := func(n int) []byte {
		file := pdftest.File{Pages: slices.Repeat([]pdftest.Page{{Content: dense.String()}}, n)}
		return file.Bytes()
	}
	body, engine, limit := repeat(pages), started(t), time.Duration(math.MaxInt64)
	for range 3 {
		begin := time.Now()
		if _, err := pdf.Read(t.Context(), engine, repeat(few), pdf.Options{Mode: pdf.ModeFast}); err != nil {
			t.Fatal(err)
		}
		limit = min(limit, time.Since(begin)*pages/few/4)
	}
	for name, options := range map[string]pdf.Options{
		"text":        {Mode: pdf.ModeFast},
		"recognition": {Mode: pdf.ModeOCR, Tesseract: self(t)},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		_, err := pdf.Read(ctx, engine, body, options)
		if trawl.ErrorCode(err) != trawl.CodePDFTime || ctx.Err() != nil || !strings.Contains(err.Error(), "Insufficient time to process PDF") {
			t.Errorf("%s: %v, %v", name, err, ctx.Err())
		}
		cancel()
	}
}

// What a page tree says of its size is not believed. Pages that it has not are none;
// one that it lists between others, and that is missing, cannot be read.
func TestLyingPageTree(t *testing.T) {
	t.Parallel()
	text, gone := textPage("Some text of the page."), pdftest.Page{Missing: true}
	tests := map[string]struct {
		pages    []pdftest.Page
		count    int
		total    int
		statuses string
		warning  string
	}{
		"the truth":          {[]pdftest.Page{text, text}, 2, 2, "text text", ""},
		"one page":           {[]pdftest.Page{text}, 5000, 1, "text", "The PDF says that it has 5000 pages, but 1 is there."},
		"more than are read": {[]pdftest.Page{text, {}}, 900_000, 2, "text empty", "The PDF says that it has 900000 pages, but 2 are there."},
		"too few":            {[]pdftest.Page{text, text, text}, 1, 3, "text text text", ""},
		"none":               {[]pdftest.Page{text, text}, -1, 2, "text text", ""},
		"one is missing": {
			[]pdftest.Page{text, gone, text}, 3, 3, "text failed text", "Page 2 is damaged or too large and could not be read.",
		},
		"one is missing, and a lie": {
			[]pdftest.Page{text, gone, text, gone}, 400, 3, "text failed text",
			"Page 2 is damaged or too large and could not be read. The PDF says that it has 400 pages, but 3 are there.",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, asked := pdftest.File{Pages: test.pages, Count: test.count}, 0
			doc, err := pdf.Read(t.Context(), started(t), file.Bytes(), pdf.Options{Admit: func(total int) (int, error) {
				asked = total
				return total, nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			if got := statuses(doc); got != test.statuses || doc.TotalPages != test.total || asked != test.total {
				t.Errorf("statuses %s of %d pages, asked for %d", got, doc.TotalPages, asked)
			}
			if got := strings.Join(doc.Warnings, " "); got != test.warning {
				t.Errorf("warnings %q", got)
			}
		})
	}
}

// A recognition that is under way ends with the context.
func TestKilled(t *testing.T) {
	t.Parallel()
	folder, err := os.MkdirTemp("", "pdf") // t.TempDir can be too long a name for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	listener, err := net.Listen("unix", filepath.Join(folder, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		file := pdftest.File{Pages: []pdftest.Page{scan(), scan(), scan()}}
		_, err := pdf.Read(ctx, started(t), file.Bytes(), pdf.Options{Tesseract: self(t), Languages: []string{listener.Addr().String()}})
		done <- err
	}()
	c, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the recognition goes on")
	}
}

// A page that was scanned sideways is turned.
func TestSideways(t *testing.T) {
	t.Parallel()
	file := pdftest.File{Pages: []pdftest.Page{scan()}}
	doc, err := pdf.Read(t.Context(), started(t), file.Bytes(), pdf.Options{Tesseract: self(t), Languages: []string{"sideways"}})
	if err != nil {
		t.Fatal(err)
	}
	checkText(t, doc, []string{"recognised as sideways"})
	if p := doc.Pages[0]; p.Width != 792 || p.Height != 612 {
		t.Errorf("the page is %g by %g", p.Width, p.Height)
	}
}

// With the real Tesseract, a page that was drawn reads as before.
func TestTesseract(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("tesseract")
	if err != nil {
		t.Skip("not installed")
	}
	const text = "The quick brown fox jumps over the lazy dog"
	source := pdftest.File{Pages: []pdftest.Page{{Content: pdftest.Text("F3", 24, 60, 600, text)}}}
	drawn, err := started(t).Open(t.Context(), source.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	defer drawn.Close()
	picture, err := drawn.Render(0, 150)
	if err != nil {
		t.Fatal(err)
	}
	page := scan()
	page.Image = picture
	file := pdftest.File{Pages: []pdftest.Page{page}}
	doc, err := pdf.Read(t.Context(), started(t), file.Bytes(), pdf.Options{Tesseract: program, Languages: []string{"eng"}})
	if err != nil {
		t.Fatal(err)
	}
	checkText(t, doc, []string{text})
	b := doc.Pages[0].Blocks[0]
	if b.Confidence < 0.5 || b.Box[1] < 0.2 || b.Box[3] > 0.3 {
		t.Errorf("at %v with confidence %g", b.Box, b.Confidence)
	}
}
