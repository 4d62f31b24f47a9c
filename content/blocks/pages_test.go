package blocks_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/blocks"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/markdown"
)

// TestPages finds the main content of the pages in testdata. The file beside
// each that ends in .txt lists what belongs to it, in lines that start with a
// plus sign, and what does not, in lines that start with a minus sign.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, file := range pages(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			t.Parallel()
			whole := oneLine(write(wholeOf(dom.Parse(read(t, file)))))
			got := mainOf(read(t, file))
			for line := range strings.Lines(read(t, strings.TrimSuffix(file, ".html")+".txt")) {
				sign, text, _ := strings.Cut(strings.TrimSpace(line), " ")
				if !strings.Contains(whole, text) {
					t.Errorf("the page does not say %q", text)
				}
				switch has := strings.Contains(got, text); {
				case sign == "+" && !has:
					t.Errorf("main content lacks %q", text)
				case sign == "-" && has:
					t.Errorf("main content has %q", text)
				case sign != "+" && sign != "-":
					t.Errorf("line without a sign: %q", line)
				}
			}
		})
	}
}

const prose = `<p>The mill on the upper brook has ground flour for the three villages since the bridge was built, and it still does so on
the first Saturday of every month.</p><p>Visitors can watch the stones at work from a small gallery, and take home a bag of what was ground
that morning, while the miller explains why the wheel turns more slowly in summer than in spring.</p>`

const moreProse = `<p>The wheel itself is younger than it looks. Its forty paddles were replaced ten years ago by two carpenters from the
valley, who had never built one before and used the rotten pieces as their pattern.</p>`

// TestGuardRails holds what Main promises for pages that have little to choose
// from.
func TestGuardRails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, page string
		has, lacks []string
	}{
		{"only links", `<body><nav><ul><li><a href=/a>Kitchen</a></li><li><a href=/b>Garden</a></li><li><a href=/c>Workshop</a></li></ul></nav></body>`,
			[]string{"Kitchen", "Garden", "Workshop"}, nil},
		{"links in a footer", `<body><footer><a href=/a>Kitchen</a> <a href=/b>Garden</a> <a href=/c>Workshop</a></footer></body>`,
			[]string{"Kitchen", "Garden", "Workshop"}, nil},
		{"one short sentence", `<body><p>The shop is closed today.</p></body>`, []string{"The shop is closed today."}, nil},
		{"one word", `<body>Closed</body>`, []string{"Closed"}, nil},
		{"only images", `<body><img src=/a.jpg alt="A mill"><div><img src=/b.jpg alt="A brook"></div></body>`, []string{"/a.jpg", "/b.jpg"}, nil},
		{"an image between paragraphs", `<body><main>` + prose + `<figure><img src=/wheel.jpg alt="The wheel"></figure>` + moreProse + `</main></body>`,
			[]string{"/wheel.jpg"}, nil},
		{"main holds a notice only", `<body><main><p>We use cookies. <button>Accept</button></p></main><div class=page>` + prose + moreProse + `</div></body>`,
			[]string{"The mill on the upper brook", "Visitors can watch the stones"}, []string{"We use cookies"}},
		{"article is a teaser", `<body><div id=content><h1>The mill</h1>` + prose + `</div><article class=teaser><a href=/x>Read on: the bakery</a></article></body>`,
			[]string{"The mill on the upper brook", "Visitors can watch the stones"}, []string{"Read on"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := mainOf(c.page)
			for _, text := range c.has {
				if !strings.Contains(got, text) {
					t.Errorf("lacks %q: %q", text, got)
				}
			}
			for _, text := range c.lacks {
				if strings.Contains(got, text) {
					t.Errorf("has %q: %q", text, got)
				}
			}
		})
	}
}

func TestEmptyPages(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"", " \n", "<!doctype html>", "<body></body>", "<script>let x</script>", "<div><p></p><br></div>", "<table><tr><td></td></tr></table>"} {
		if got := mainOf(page); got != "" {
			t.Errorf("main content of %q is %q", page, got)
		}
	}
}

// TestRootIsKept asks for a part of a page that is no main content: a caller
// who names it gets it.
func TestRootIsKept(t *testing.T) {
	t.Parallel()
	tree := dom.Parse(`<body><nav><a href=/a>Kitchen</a> <a href=/b>Garden</a></nav><main><h1>The mill</h1>` + prose + moreProse + `</main></body>`)
	part := dom.Part{Roots: []*dom.Node{first(tree, atom.Nav)}}
	got := write(dom.Part{Roots: part.Roots, Drop: dropOf(tree, part)})
	for _, text := range []string{"Kitchen", "Garden"} {
		if !strings.Contains(got, text) {
			t.Errorf("lacks %q: %q", text, got)
		}
	}
}

// TestDropStaysOut leaves out elements of the class gone.
func TestDropStaysOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, page, want string
		root             atom.Atom
	}{
		{"a paragraph", `<main><p class=gone>Gone.</p><p>The mill on the upper brook has ground flour for the three villages.</p></main>`,
			"The mill on the upper brook has ground flour for the three villages.", atom.Body},
		{"a cell of a row that stays", `<table><tr><th>Month</th><th>Hours</th><th>Guide</th></tr><tr><td>April</td><td class=gone>10</td><td>Anna</td></tr></table>`,
			"| Month | Hours | Guide | | --- | --- | --- | | April | | Anna |", atom.Body},
		{"a link of a root that is no main content", `<nav><a href=/a>Kitchen</a> <a class=gone href=/b>Garden</a></nav><main>` + prose + `</main>`,
			"[Kitchen](https://example.com/a)", atom.Nav},
		{"all but links, which then are the best there is", `<nav><a href=/a>Kitchen</a></nav><main class=gone>` + prose + `</main>`,
			"[Kitchen](https://example.com/a)", atom.Body},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := dom.Parse(c.page)
			part := dom.Part{Roots: []*dom.Node{first(tree, c.root)}, Drop: gone(tree)}
			part.Drop = dropOf(tree, part)
			if got := oneLine(write(part)); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// gone returns the elements of the class gone.
func gone(tree *dom.Tree) dom.Set {
	drop := tree.NewSet()
	for n := tree.Root; n != nil; n = dom.Following(n, tree.Root, true) {
		if n.HasClass("gone") {
			drop.Add(n)
		}
	}
	return drop
}

// TestRows checks that no row of a table loses some of its cells: what is left
// would stand in the wrong columns.
func TestRows(t *testing.T) {
	t.Parallel()
	page := `<body><nav><a href=/>Home</a> <a href=/about>About us</a></nav><main><h1>Opening hours of the mill</h1>` + prose + `<table>
<tr><th>Month</th><th>Hours</th><th>Guide</th><th></th></tr>
<tr><td>April</td><td>10 to 12</td><td><a href=/anna>Anna</a></td><td><a href=/login>Log in</a></td></tr>
<tr><td>May</td><td>10 to 16</td><td><a href=/bert>Bert</a></td><td><a href=/login>Log in</a></td></tr>
<tr><td>June</td><td></td><td>none, the mill is closed for repairs to the wheel</td><td>Share</td></tr>
</table>` + moreProse + `</main><footer>All rights reserved</footer></body>`
	tree := dom.Parse(page)
	drop := dropOf(tree, wholeOf(tree))
	kept := 0
	for n := tree.Root; n != nil; n = dom.Following(n, tree.Root, true) {
		if n.Atom != atom.Tr {
			continue
		}
		if !drop.Has(n) {
			kept++
		}
		for text := n; text != nil; text = dom.Following(text, n, true) {
			if drop.Has(text) != drop.Has(n) {
				t.Errorf("row of %q: %q has a fate of its own", n.InnerText(100), text.Data)
			}
		}
	}
	if kept == 0 {
		t.Error("no row is left")
	}
}

// TestLists checks that a list does not lose single items.
func TestLists(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, list string
		items      []string
	}{
		{"links", `<ul><li><a href=/a>/a</a></li><li><a href=/b>/b</a></li><li><a href=/blog/1>/blog/1</a></li>
<li><a href=/blog/2>/blog/2</a></li><li><a href=/blog/3>/blog/3</a></li><li><a href=/blog/4>/blog/4</a></li>
<li><a href=/blog/5>/blog/5</a></li><li><a href=/slow>/slow</a></li><li><a href=/missing>/missing</a></li></ul>`,
			[]string{"[/a]", "[/b]", "[/blog/1]", "[/blog/2]", "[/blog/3]", "[/blog/4]", "[/blog/5]", "[/slow]", "[/missing]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := mainOf(`<!doctype html><html lang=en><head><title>Home</title><meta name=description content="A page on Home."></head>
<body><main><h1>Home</h1><p>Welcome to a small site that is made for tests.</p>` + c.list + `</main></body></html>`)
			for _, item := range c.items {
				if !strings.Contains(got, item) {
					t.Errorf("lacks %q: %q", item, got)
				}
			}
		})
	}
}

// TestSameEveryTime runs over each tree several times at once: the result is the
// same, and nobody writes what another reads.
func TestSameEveryTime(t *testing.T) {
	t.Parallel()
	for _, file := range pages(t) {
		tree := dom.Parse(read(t, file))
		want := dropOf(tree, wholeOf(tree))
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if got := dropOf(tree, wholeOf(tree)); !slices.Equal(got, want) {
					t.Errorf("%s: another run gives something else", file)
				}
			})
		}
		group.Wait()
	}
}

// FuzzMain checks that any page is survived, and that what the caller leaves out
// stays out.
func FuzzMain(f *testing.F) {
	for _, file := range pages(f) {
		f.Add(read(f, file))
	}
	f.Add("<p class=gone>a<p>b<nav class=gone>c")
	f.Add("<table><tr><td><table><tr><td>a<td>b</table>c<br><br>d<hr><pre>e<div>f")
	f.Fuzz(func(t *testing.T, page string) {
		tree := dom.Parse(page)
		part := wholeOf(tree)
		part.Drop = gone(tree)
		drop := dropOf(tree, part)
		for i := range part.Drop {
			if part.Drop[i]&^drop[i] != 0 {
				t.Fatal("what was left out is back")
			}
		}
		if whole := write(part); whole != "" && write(dom.Part{Roots: part.Roots, Drop: drop}) == "" {
			t.Errorf("nothing is left of %q", whole)
		}
	})
}

// pages returns the pages in testdata.
func pages(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	return files
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mainOf returns the main content of a page as markdown in one line.
func mainOf(page string) string {
	tree := dom.Parse(page)
	part := wholeOf(tree)
	part.Drop = dropOf(tree, part)
	return oneLine(write(part))
}

func wholeOf(tree *dom.Tree) dom.Part { return dom.Part{Roots: []*dom.Node{tree.Body()}} }

func write(part dom.Part) string {
	return markdown.Write(part, markdown.Options{Base: address.NewBase("https://example.com/", "")})
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// first returns the first element of a name.
func first(tree *dom.Tree, name atom.Atom) *dom.Node {
	for n := tree.Root; n != nil; n = dom.Following(n, tree.Root, true) {
		if n.Atom == name {
			return n
		}
	}
	return nil
}

// dropOf returns what Main leaves out.
func dropOf(tree *dom.Tree, part dom.Part) dom.Set {
	drop, _ := blocks.Main(tree, part, "")
	return drop
}
