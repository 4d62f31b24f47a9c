package markdown_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/markdown"
)

// inventory counts what a page is made of, by kind: "heading" and so on.
type inventory map[string]map[string]int

func (v inventory) add(kind, key string) {
	if v[kind] == nil {
		v[kind] = map[string]int{}
	}
	v[kind][key]++
}

// TestStructure compares what pages are made of with what readers of their
// markdown find. With TRAWL_PAGES it does so for the HTML files in the folders
// beneath that folder too.
func TestStructure(t *testing.T) {
	t.Parallel()
	folders := []string{"testdata/structure"}
	if root := os.Getenv("TRAWL_PAGES"); root != "" {
		for _, set := range []string{"moz", "aeb", "traf"} {
			folders = append(folders, filepath.Join(root, set, "pages"))
		}
	}
	for _, folder := range folders {
		t.Run(filepath.Base(filepath.Dir(folder)), func(t *testing.T) {
			t.Parallel()
			compareFolder(t, folder)
		})
	}
}

func compareFolder(t *testing.T, folder string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d pages in %s, %v", len(files), folder, err)
	}
	sums, counts := map[string]float64{}, map[string]int{}
	total := 0.0
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		mean, kinds := 0.0, comparePage(t, strings.ToValidUTF8(string(page), "\ufffd"), filepath.Base(file))
		for kind, score := range kinds {
			sums[kind] += score
			counts[kind]++
			mean += score / float64(len(kinds))
		}
		if len(kinds) == 0 {
			mean = 1
		}
		total += mean
	}
	for kind := range sums {
		t.Logf("%-10s %.4f on %d pages", kind, sums[kind]/float64(counts[kind]), counts[kind])
	}
	mean := total / float64(len(files))
	t.Logf("mean %.4f on %d pages", mean, len(files))
	if mean < 0.995 {
		t.Errorf("structure of %s: %.4f", folder, mean)
	}
}

// comparePage returns for each kind how much of it is in the markdown and no
// more than that, from 0 to 1.
func comparePage(t *testing.T, page, name string) map[string]float64 {
	tree := dom.Parse(page)
	base := address.NewBase(pageURL, baseOf(tree))
	want := inventory{}
	want.survey(tree.Body(), base)
	text := writeTree(tree, nil)
	got, body := inventory{}, dom.Parse(render(t, text)).Body()
	removeBare(body, want, address.NewBase(pageURL, ""))
	got.survey(body, address.NewBase(pageURL, ""))
	for _, v := range []inventory{want, got} {
		delete(v, "bare")
		delete(v, "named")
		delete(v, "target")
	}
	scores := map[string]float64{}
	for kind := range want {
		scores[kind] = f1(want[kind], got[kind])
	}
	for kind := range got {
		scores[kind] = f1(want[kind], got[kind])
	}
	for kind, score := range scores {
		if score < 0.95 && testing.Verbose() {
			t.Logf("%s: %s %.3f\n  lost: %.300q\n  new:  %.300q", name, kind, score, missing(want[kind], got[kind]), missing(got[kind], want[kind]))
		}
	}
	return scores
}

// removeBare takes those links from a page made of markdown that have no text on the
// page it was written from: whether and how they are written is looked at elsewhere.
func removeBare(body *dom.Node, page inventory, base *address.Base) {
	links := map[string][]*dom.Node{}
	for n := body; n != nil; n = dom.Following(n, body, true) {
		if n.Is(atom.A) && letters(n) != "" {
			target := plain(string(base.AppendTarget(nil, n)))
			links[target] = append(links[target], n)
		}
	}
	for target, n := range page["bare"] {
		more := min(n, len(links[target])-page["target"][target])
		for _, link := range links[target] {
			if more > 0 && page["named"][target+" "+letters(link)] == 0 {
				link.Parent.RemoveChild(link)
				more--
			}
		}
	}
}

// f1 is the harmonic mean of precision and recall of two multisets.
func f1(want, got map[string]int) float64 {
	total, same := 0, 0
	for key, n := range want {
		total += n
		same += min(n, got[key])
	}
	for _, n := range got {
		total += n
	}
	return 2 * float64(same) / float64(total)
}

func missing(from, in map[string]int) []string {
	var list []string
	for key, n := range from {
		if n > in[key] {
			list = append(list, key)
		}
	}
	return list
}

// survey adds what is beneath n.
func (v inventory) survey(root *dom.Node, base *address.Base) {
	for n := root; n != nil; {
		descend := n.Type != dom.ElementNode || isRead(n)
		if n.Type == dom.ElementNode && descend {
			v.element(n, base)
		}
		if n.Type == dom.TextNode {
			v.text(n)
		}
		n = dom.Following(n, root, descend)
	}
}

// isRead reports whether an element is for readers. The numbers of notes and
// formulas are looked at elsewhere.
func isRead(n *dom.Node) bool {
	switch {
	case dom.IsInvisible(n) || n.Is(atom.Noscript) && markdown.IsDispensable(n):
		return false
	case n.Is(atom.A) && strings.Contains(n.Get("href"), "#") && len(n.Get("href")) > 1 && n.Inside(atom.Pre) == nil:
		text := strings.Trim(n.InnerText(1000), "[] \n")
		return text == "" || len(text) > 3 || strings.Trim(text, "0123456789") != ""
	}
	return !n.Is(atom.Math) && !n.HasClass("mwe-math-element", "mw-cite-backlink", "math", "linenos", "copy")
}

func (v inventory) element(n *dom.Node, base *address.Base) {
	text := letters(n)
	switch n.Atom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if text != "" && !inCell(n) {
			v.add("heading", n.Data+" "+text)
		}
	case atom.Li:
		if text != "" && !inCell(n) {
			v.add("item", text)
		}
	case atom.Td, atom.Th:
		if text != "" && inCell(n) {
			v.add("cell", text)
		}
	case atom.Pre:
		if text != "" && n.Inside(atom.Pre) == nil {
			v.add("code", text)
		}
	case atom.Blockquote:
		if text != "" && !inCell(n) {
			v.add("quote", text)
		}
	case atom.Div, atom.Aside, atom.Section: // notes are quoted
		if text != "" && !inCell(n) && n.HasClass("admonition", "markdown-alert", "theme-admonition", "custom-block") {
			v.add("quote", text)
		}
	case atom.A:
		v.link(n, plain(string(base.AppendTarget(nil, n))), text)
	case atom.Img:
		if src := address.ImageSource(n); isPicture(src) && !address.IsPixel(n) && n.Inside(atom.Pre) == nil {
			v.add("image", plain(base.Join(src)))
		}
	}
}

func (v inventory) link(n *dom.Node, target, text string) {
	switch {
	case target == "" || n.Inside(atom.Pre, atom.A) != nil:
	case text == "":
		v.add("bare", target)
	default:
		v.add("named", target+" "+text)
		v.add("target", target)
		if !strings.Contains(target, "#") {
			v.add("link", target)
		}
	}
}

// isPicture tells images from those embedded in the page, which are left out.
func isPicture(src string) bool {
	return src != "" && !address.IsData(src) && src != strings.Trim(address.Removed, "<>")
}

// plain returns an address in one spelling of those that renderers choose from.
func plain(target string) string {
	if unescaped, err := url.PathUnescape(target); err == nil {
		return unescaped
	}
	return target
}

// text adds the words that are emphasised.
func (v inventory) text(n *dom.Node) {
	if n.Inside(atom.Pre, atom.Script, atom.Style) != nil {
		return
	}
	if n.Inside(atom.Em, atom.I) != nil {
		v.words("em", n.Data)
	}
	if n.Inside(atom.Strong, atom.B, atom.Dt, atom.Summary) != nil && n.Inside(atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) == nil {
		v.words("strong", n.Data)
	}
}

// words adds text letter by letter, for markup may part words or join them.
func (v inventory) words(kind, text string) {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			v.add(kind, string(r))
		}
	}
}

// letters returns the letters and digits beneath n that are for readers.
func letters(root *dom.Node) string {
	var b strings.Builder
	for n := root.FirstChild; n != nil; {
		descend := n.Type != dom.ElementNode || isRead(n)
		if n.Type == dom.TextNode {
			for _, r := range n.Data {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					b.WriteRune(r)
				}
			}
		}
		n = dom.Following(n, root, descend)
	}
	return b.String()
}

// inCell reports whether n is in a table of data, or a cell of one.
func inCell(n *dom.Node) bool {
	table := n.Inside(atom.Table)
	return table != nil && isData(table)
}

// isData tells tables of data from those that arrange blocks.
func isData(table *dom.Node) bool {
	if role := table.Get("role"); role == "presentation" || role == "none" {
		return false
	}
	rows, cells, most, headers, blocks := 0, 0, 0, 0, 0
	for n := table.FirstChild; n != nil; n = dom.Following(n, table, true) {
		switch n.Atom {
		case atom.Table, atom.Pre:
			return false
		case atom.Tr:
			rows++
			cells = 0
		case atom.Th, atom.Td:
			cells++
			most = max(most, cells)
			if n.Is(atom.Th) {
				headers++
			}
		case atom.Ul, atom.Ol, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Form:
			blocks++
		}
	}
	return most > 1 && (headers > 0 || blocks == 0 && rows > 1)
}

func TestTablesOfDocuments(t *testing.T) {
	t.Parallel()
	const page = `<table><tr><th colspan="2">Year</th><th rowspan="2">Sum</th></tr><tr><td>1</td><td>2</td></tr></table>
<table><tr><th>alone</th></tr></table>
<table><tr><th>a</th><th>b</th></tr><tr><td colspan="2">a remark that is a whole sentence, which nobody wants to read twice</td></tr></table>`
	const remark = "\n\n| a | b |\n| --- | --- |\n| a remark that is a whole sentence, which nobody wants to read twice |  |"
	part := dom.Part{Roots: []*dom.Node{dom.Parse(page).Body()}}
	for _, test := range []struct {
		document bool
		want     string
	}{
		{false, "| Year |  | Sum |\n| --- | --- | --- |\n| 1 | 2 | Sum |\n\nalone" + remark},
		{true, "| Year | Year | Sum |\n| --- | --- | --- |\n| 1 | 2 | Sum |\n\n| alone |\n| --- |" + remark},
	} {
		if got := markdown.Write(part, markdown.Options{Document: test.document}); got != test.want {
			t.Errorf("document %v:\n%s\nwant\n%s", test.document, got, test.want)
		}
	}
}
