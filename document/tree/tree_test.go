package tree_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/document/tree"
)

// write returns a document as HTML without its frame.
func write(doc *tree.Document) string {
	_, body, _ := strings.Cut(string(tree.Write(doc, 1<<20).HTML), "<body>\n")
	body, _, _ = strings.Cut(body, "</body>")
	return strings.ReplaceAll(body, "\n", "")
}

// markdown returns what content makes of a document.
func markdown(t *testing.T, doc *tree.Document) string {
	t.Helper()
	page := content.Parse(content.Source{Body: tree.Write(doc, 1<<20).HTML, ContentType: "text/html; charset=utf-8"})
	part, err := page.Select(content.Options{RemoveBase64: true, Document: true})
	if err != nil {
		t.Fatal(err)
	}
	return part.Markdown()
}

func body(blocks ...tree.Block) *tree.Document { return &tree.Document{Body: blocks} }

func spans(text string) []tree.Span { return []tree.Span{{Text: text}} }

func para(text string) *tree.Paragraph { return &tree.Paragraph{Text: spans(text)} }

func items(labels ...string) *tree.List {
	l := &tree.List{}
	for _, label := range labels {
		l.Items = append(l.Items, tree.Item{Label: label, Body: []tree.Block{para("x")}})
	}
	return l
}

func TestSpans(t *testing.T) {
	t.Parallel()
	const b, i, s = tree.Bold, tree.Italic, tree.Strike
	tests := map[string]struct {
		spans []tree.Span
		want  string
	}{
		"escaped":            {[]tree.Span{{Text: "<a> & \"b\"\x00"}}, `&lt;a&gt; &amp; &quot;b&quot;`},
		"nested":             {[]tree.Span{{Text: "a", Style: b}, {Text: "b", Style: b | i}, {Text: "c", Style: b}}, "<strong>a<em>b</em>c</strong>"},
		"overlapping":        {[]tree.Span{{Text: "a", Style: b}, {Text: "b", Style: b | i}, {Text: "c", Style: i}}, "<strong>a<em>b</em></strong><em>c</em>"},
		"all at once":        {[]tree.Span{{Text: "a", Style: b | i | s | tree.Underline | tree.Super | tree.Mono}}, "<strong><em><s><u><sup><code>a</code></sup></u></s></em></strong>"},
		"one link":           {[]tree.Span{{Text: "a", Link: "/x"}, {Text: "b", Link: "/x", Style: b}, {Text: "c"}}, `<a href="/x">a<strong>b</strong></a>c`},
		"two links":          {[]tree.Span{{Text: "a", Link: "/x"}, {Text: "b", Link: "/y"}}, `<a href="/x">a</a><a href="/y">b</a>`},
		"address with marks": {[]tree.Span{{Text: "a", Link: `"><script>`}}, `<a href="&quot;&gt;&lt;script&gt;">a</a>`},
		"no text":            {[]tree.Span{{Text: "a\x01\x1fb\ufdd01\ufdd0"}}, "ab1"},
		"no link":            {[]tree.Span{{Text: "a", Link: "javascript:x"}, {Text: "b", Link: "/y"}}, `a<a href="/y">b</a>`},
		"no picture":         {[]tree.Span{{Image: &tree.Image{Source: "file:///x", Alt: "a"}}}, "a"},
		"breaks":             {[]tree.Span{{Text: "a\nb", Style: b}}, "<strong>a<br>b</strong>"},
		"empty between":      {[]tree.Span{{Text: "a", Style: b}, {Style: i}, {Text: "c", Style: b}}, "<strong>ac</strong>"},
		"picture":            {[]tree.Span{{Image: &tree.Image{Source: "/p.png", Alt: "P"}, Style: b}}, `<img src="/p.png" alt="P">`},
		"picture of nothing": {[]tree.Span{{Image: &tree.Image{Alt: "<P>"}}}, `&lt;P&gt;`},
		"formula":            {[]tree.Span{{TeX: "a<b"}}, `<math alttext="a&lt;b"><mtext>a&lt;b</mtext></math>`},
		"unknown note":       {[]tree.Span{{Text: "a"}, {Note: "n"}}, "a"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, want := write(body(&tree.Paragraph{Text: test.spans})), "<p>"+test.want+"</p>"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		block tree.Block
		want  string
	}{
		"heading":           {&tree.Heading{Level: 2, Text: spans("a")}, "<h2>a</h2>"},
		"heading too deep":  {&tree.Heading{Level: 9, Text: spans("a")}, "<h6>a</h6>"},
		"empty":             {&tree.Paragraph{Text: spans(" \t")}, ""},
		"code":              {&tree.Code{Language: "go", Text: "a <b\n\n"}, `<pre><code class="language-go">a &lt;b</code></pre>`},
		"quote":             {&tree.Quote{Body: []tree.Block{para("a")}}, "<blockquote><p>a</p></blockquote>"},
		"group":             {&tree.Group{Name: "footer", Body: []tree.Block{para("a")}}, "<footer><p>a</p></footer>"},
		"empty group":       {&tree.Group{Name: "footer"}, ""},
		"rule":              {&tree.Rule{}, "<hr>"},
		"bullets":           {items("", ""), "<ul><li>x</li><li>x</li></ul>"},
		"numbers":           {items("1.", "2."), "<ol><li>x</li><li>x</li></ol>"},
		"numbers from afar": {items("3)", "4)", "7)"), `<ol start="3"><li>x</li><li>x</li><li value="7">x</li></ol>`},
		"labels":            {items("a)", "§ <1>"), "<ul><li>a) x</li><li>§ &lt;1&gt; x</li></ul>"},
		"mixed":             {items("1.", "", "2."), `<ol><li>x</li></ol><ul><li>x</li></ul><ol start="2"><li>x</li></ol>`},
		"a year":            {items("20251", "-1"), "<ul><li>20251 x</li><li>-1 x</li></ul>"},
		"more in an item":   {&tree.List{Items: []tree.Item{{Body: []tree.Block{para("a"), para("b"), items("")}}}}, "<ul><li>a<p>b</p><ul><li>x</li></ul></li></ul>"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := write(body(test.block)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	got := string(tree.Write(&tree.Document{Info: tree.Info{Title: "A & B", Author: "Ann", Language: "de", Created: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)}}, 1000).HTML)
	for _, want := range []string{`<html lang="de">`, "<title>A &amp; B</title>", `<meta name="author" content="Ann">`, `<meta name="dcterms.created" content="2024-05-06T07:08:09Z">`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "keywords") {
		t.Error("says what it does not know")
	}
}

func TestExtents(t *testing.T) {
	t.Parallel()
	placed := func(text string) tree.Placed { return tree.Placed{Block: para(text)} }
	out := tree.Write(&tree.Document{Pages: []tree.Page{{Number: 1, Blocks: []tree.Placed{placed("one"), placed("two")}}, {Number: 2}, {Number: 3, Blocks: []tree.Placed{placed("three")}}}}, 1<<20)
	if len(out.Pages) != 3 {
		t.Fatalf("%d pages", len(out.Pages))
	}
	at := func(e [2]int) string { return strings.TrimSpace(string(out.HTML[e[0]:e[1]])) }
	if got := at(out.Pages[0].Blocks[1]); got != "<p>two</p>" {
		t.Errorf("second block is %q", got)
	}
	if got := at([2]int{out.Pages[2].From, out.Pages[2].To}); got != "<p>three</p>" {
		t.Errorf("third page is %q", got)
	}
	if got := at([2]int{out.Pages[1].From, out.Pages[1].To}); got != "" {
		t.Errorf("empty page is %q", got)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	many := body()
	rows := &tree.Table{}
	for range 1000 {
		many.Body = append(many.Body, para("some text of a paragraph"))
		rows.Rows = append(rows.Rows, tree.Row{Cells: []tree.Cell{{Text: "some text of a cell"}, {Text: "b"}}})
	}
	long := strings.Repeat("ä ", 5000)
	docs := map[string]*tree.Document{
		"blocks": many, "rows": body(rows), "text": body(para(long)), "code": body(&tree.Code{Text: long}),
		"a cell": body(&tree.Table{Rows: []tree.Row{row("a", long)}}),
	}
	for name, doc := range docs {
		out := tree.Write(doc, 2000)
		if !out.Cut || len(out.HTML) > 2200 || !utf8.Valid(out.HTML) || !strings.HasSuffix(string(out.HTML), "</html>\n") {
			t.Errorf("%s: cut %v, %d bytes", name, out.Cut, len(out.HTML))
		}
	}
	if tree.Write(many, 1<<20).Cut {
		t.Error("cut without need")
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	var quote, list, table tree.Block = para("x"), para("x"), para("x")
	for range 1000 {
		quote = &tree.Quote{Body: []tree.Block{quote}}
		list = &tree.List{Items: []tree.Item{{Body: []tree.Block{para("a"), list}}}}
		table = &tree.Table{Rows: []tree.Row{{Cells: []tree.Cell{{Body: []tree.Block{table}}, {Text: "b"}}}}}
	}
	for name, b := range map[string]tree.Block{"quotes": quote, "lists": list, "tables": table} {
		out := tree.Write(body(b), 1<<20)
		if !out.Cut || !strings.HasSuffix(string(out.HTML), "</body>\n</html>\n") {
			t.Errorf("%s: cut %v", name, out.Cut)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://a.example/b?c:d": "https://a.example/b?c:d", "HTTP://a.example": "HTTP://a.example", "mailto:a@b.example": "mailto:a@b.example",
		"#note": "#note", "b/c.docx": "b/c.docx", "?q=a:b": "?q=a:b", "//a.example": "//a.example", " http://a.example\n": "http://a.example",
		"javascript:alert(1)": "", "JavaScript:x": "", " \x01java\tscript:x": "", "\u00a0javascript:x": "", "vbscript:x": "", "blob:x": "",
		"data:text/html,x": "", "file:///etc/passwd": "", `C:\a.doc`: "", "": "",
	} {
		if got := tree.Address(in); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

// TestWriteOneLargeParagraph has a paragraph of links whose addresses would make it
// a hundred times as long as may be.
func TestWriteOneLargeParagraph(t *testing.T) {
	t.Parallel()
	address := "http://a.example/" + strings.Repeat("x", 10_000)
	var text []tree.Span
	for i := range 1000 {
		text = append(text, tree.Span{Text: "a", Link: address}, tree.Span{Text: "b", Image: &tree.Image{Source: address, Alt: "c"}}, tree.Span{Text: strings.Repeat("d", i)})
	}
	out := tree.Write(body(&tree.Paragraph{Text: text}), 100_000)
	if !out.Cut || len(out.HTML) > 150_000 || !strings.Contains(string(out.HTML), "</p>") {
		t.Errorf("%d bytes, cut %v", len(out.HTML), out.Cut)
	}
}

// TestWriteLargeInfo has a title for which there is no room beside the text.
func TestWriteLargeInfo(t *testing.T) {
	t.Parallel()
	doc := body(para("text"))
	doc.Info = tree.Info{Title: strings.Repeat("&", 1<<20), Language: strings.Repeat("e", 1<<20), Author: strings.Repeat("é", 1<<20)}
	out := tree.Write(doc, 1<<20)
	if html := string(out.HTML); out.Cut || !strings.Contains(html, "<p>text</p>") || !utf8.ValidString(html) {
		t.Errorf("cut %v, %d bytes", out.Cut, len(html))
	}
}
