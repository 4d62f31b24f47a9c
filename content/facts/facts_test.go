package facts_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/facts"
)

const page = "https://shop.example/p/kettle?x=1"

func read(html string) *facts.Facts { return facts.Read(dom.Parse(html), page) }

func ld(json string) string { return `<script type="application/ld+json">` + json + `</script>` }

// written returns a value as JSON, which is easier to compare.
func written(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestThings(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ html, want string }{
		"nothing": {`<p>Plain`, `null`},
		"linked data": {
			ld(`{"@context":"https://schema.org","@type":"https://schema.org/Product","name":"Kettle &amp; lid","image":"/k.jpg",
				"offers":{"@type":"Offer","price":1299.00,"priceCurrency":"EUR"}}`),
			`[{"@type":["Product"],"image":"https://shop.example/k.jpg","name":"Kettle \u0026 lid",` +
				`"offers":{"@type":["Offer"],"price":1299.00,"priceCurrency":"EUR"}}]`,
		},
		"a graph, the main thing first, references resolved once": {
			ld(`{"@context":"https://schema.org","@graph":[
				{"@type":"WebSite","@id":"#site","name":"Site","publisher":{"@id":"#me"}},
				{"@type":"Person","@id":"#me","name":"Ann","knows":{"@id":"#site"}},
				{"@type":["Article","schema:Thing"],"headline":"On kettles","author":{"@id":"#me"}}]}`),
			`[{"@type":["Article","Thing"],"author":{"@id":"#me","@type":["Person"],"knows":{"@id":"#site"},"name":"Ann"},"headline":"On kettles"},` +
				`{"@id":"#me","@type":["Person"],"knows":{"@id":"#site","@type":["WebSite"],"name":"Site","publisher":{"@id":"#me"}},"name":"Ann"},` +
				`{"@id":"#site","@type":["WebSite"],"name":"Site","publisher":{"@id":"#me","@type":["Person"],"knows":{"@id":"#site"},"name":"Ann"}}]`,
		},
		"broken off, with line breaks and stray commas": {
			ld("<!-- //<![CDATA[\n[{\"@type\":\"Event\",,\"name\":\"Fair\nin town\",\"startDate\":\"2026-05-01\",},{\"@type\":\"Event\",\"name\":\"Sec"),
			`[{"@type":["Event"],"name":"Fair in town","startDate":"2026-05-01"}]`,
		},
		"markup in texts, values and lists in objects": {
			ld(`{"@type":"Recipe","description":"<p>Boil.</p><p>Serve</p>","name":{"@value":"Tea","@language":"en"},"tool":{"@list":["pot","cup"]}}`),
			`[{"@type":["Recipe"],"description":"Boil. Serve","name":"Tea","tool":["pot","cup"]}]`,
		},
		"main entity of a page": {
			ld(`{"@type":"WebPage","name":"P","mainEntity":{"@type":"Product","name":"Cup"}}`),
			`[{"@type":["Product"],"name":"Cup"},{"@type":["WebPage"],"mainEntity":{"@type":["Product"],"name":"Cup"},"name":"P"}]`,
		},
		"microdata": {
			`<div itemscope itemtype="http://schema.org/Product"><h2 itemprop="name">A <b>cup</b></h2><img itemprop="image" src="c.png">
			<a itemprop="url" href="/c">more</a><div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
			<meta itemprop="priceCurrency" content="USD"><span itemprop="price" content="12.50">$12.50</span><link itemprop="availability" href="https://schema.org/InStock"></div>
			<time itemprop="releaseDate" datetime="2026-01-02">today</time><i itemprop="color">red</i><i itemprop="color">blue</i></div>`,
			`[{"@type":["Product"],"color":["red","blue"],"image":"https://shop.example/p/c.png","name":"A cup","offers":{"@type":["Offer"],` +
				`"availability":"https://schema.org/InStock","price":"12.50","priceCurrency":"USD"},"releaseDate":"2026-01-02","url":"https://shop.example/c"}]`,
		},
		"links with names": {
			`<div itemscope itemtype="T"><a itemprop="author" href="/ann">Ann</a><a itemprop="url" href="/x">x</a><a itemprop="brand" href="/b"></a></div>`,
			`[{"@type":["T"],"author":"Ann","brand":"https://shop.example/b","url":"https://shop.example/x"}]`,
		},
		"one thing described both ways": {
			ld(`{"@type":"Product","name":"Cup","sku":"1"}`) +
				`<div itemscope itemtype="http://schema.org/Product"><b itemprop="name">cup</b><i itemprop="sku">2</i><i itemprop="color">red</i></div>`,
			`[{"@type":["Product"],"color":"red","name":"Cup","sku":"1"}]`,
		},
		"a template says nothing": {`<template>` + ld(`{"@type":"Product","name":"Cup"}`) + `</template>`, `null`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := written(t, read(tc.html).Things); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestSubjects(t *testing.T) {
	t.Parallel()
	two := ld(`[{"@type":"Product","name":"Cup","url":"/p/cup"},{"@type":"Product","name":"Kettle","url":"/p/kettle?x=1"}]`)
	tests := map[string]struct{ html, want string }{
		"one":                         {ld(`{"@type":"Product","name":"Cup"}`), "Cup"},
		"a product on a site":         {ld(`{"@type":"WebSite","name":"Shop"}`) + ld(`{"@type":"Organization","name":"Co"}`) + ld(`{"@type":"Product","name":"Cup"}`), "Cup"},
		"the one at this address":     {two, "Kettle"},
		"the one of the heading":      {`<h1>Plate</h1>` + ld(`[{"@type":"Product","name":"Cup"},{"@type":"Product","name":"Plate"}]`), "Plate"},
		"two of the same standing":    {ld(`[{"@type":"Product","name":"Cup"},{"@type":"Product","name":"Plate"}]`), "Cup Plate"},
		"an organization's own page":  {`<title>Co</title>` + ld(`[{"@type":"WebPage","name":"Home"},{"@type":"Organization","name":"Co"}]`), "Co"},
		"an organization on any page": {ld(`[{"@type":"WebSite","name":"Site"},{"@type":"Organization","name":"Co"}]`), ""},
		"only a site":                 {ld(`{"@type":"WebSite","name":"Site"}`), ""},
		"an article, and its author":  {ld(`[{"@type":"Person","name":"Ann"},{"@type":"NewsArticle","name":"News"}]`), "News"},
		"nothing":                     {``, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var names []string
			for _, thing := range read(tc.html).Subjects() {
				names = append(names, thing["name"].(string))
			}
			if got := strings.Join(names, " "); got != tc.want {
				t.Errorf("the page is about %q, want %q", got, tc.want)
			}
		})
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	f := read(`<title> A
		page </title><meta name="Description" content="about"><meta property="og:title" content="Own"><meta property="og:title" content="Second">
		<meta property="og:image" content="/i.png"><meta property="article:tag" content="a"><meta property="article:tag" content="b"><meta name="empty" content="">`)
	want := map[string]string{
		"description": "about", "og:title": "Own", "og:image": "https://shop.example/i.png", "article:tag": "a, b",
	}
	if f.Title != "A page" || f.Description != "about" || !reflect.DeepEqual(f.Tags, want) {
		t.Errorf("got %q, %q, %v", f.Title, f.Description, f.Tags)
	}
	if f := read(`<meta property="og:title" content="T"><meta property="og:description" content="D">`); f.Title != "T" || f.Description != "D" {
		t.Errorf("without a title and description of its own: %q, %q", f.Title, f.Description)
	}
}

func TestPairs(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		html string
		want []facts.Pair
	}{
		"definition list": {`<dl><dt>Brand:<dd>Acme<dt>Colour<dd>red<dd>blue</dl>`, []facts.Pair{{"Brand", "Acme"}, {"Colour", "red"}, {"Colour", "blue"}}},
		"grouped":         {`<dl><div><dt>Size</dt><dd>10 <b>cm</b></dd></div></dl>`, []facts.Pair{{"Size", "10 cm"}}},
		"table with row headers": {
			`<table><tr><th colspan=2>Body</th></tr><tr><th>Weight<td>2 kg<tr><th>Height<td>30 cm</table>`,
			[]facts.Pair{{"Weight", "2 kg"}, {"Height", "30 cm"}},
		},
		"plain two columns":            {`<table><tr><td>Weight</td><td>2 kg</td></tr></table>`, []facts.Pair{{"Weight", "2 kg"}}},
		"three columns are no pairs":   {`<table><tr><td>Weight</td><td>2 kg</td><td>x</td></tr></table>`, nil},
		"list items":                   {`<ul><li>Material: steel<li>Opens at 10:30<li>See https://a.example/<li>2: two</ul>`, []facts.Pair{{"Material", "steel"}}},
		"bold labels":                  {`<p><b>ISBN:</b> 978-3 <br><strong>Pages</strong>: 200</p>`, []facts.Pair{{"ISBN", "978-3"}, {"Pages", "200"}}},
		"a bold word is no label":      {`<p><b>Careful</b> with that: it is hot</p>`, nil},
		"a sentence is no label":       {`<ul><li>There is one thing that I have to say: no</ul>`, nil},
		"a list item with a list":      {`<ul><li><b>Parts:</b><ul><li>Lid: steel</li></ul></li></ul>`, []facts.Pair{{"Lid", "steel"}}},
		"titles of links":              {`<ul><li> <a href=/x>News: kettles are back</a></ul>`, nil},
		"footnotes":                    {`<dl><dt>Height<sup class=reference>[1]</sup><dd>10 m<sup class=reference>[2]</sup></dl>`, []facts.Pair{{"Height", "10 m"}}},
		"wide colons":                  {`<ul><li>重量：2kg</ul>`, []facts.Pair{{"重量", "2kg"}}},
		"layout tables say nothing":    {`<table><tr><td>Menu<td><table><tr><td>A<td>B</table></table>`, []facts.Pair{{"A", "B"}}},
		"paragraphs":                   {`<p>Price: $59.50</p><p>Call us at 10:30</p><p>One more thing to say: it is hot</p>`, []facts.Pair{{"Price", "$59.50"}}},
		"a paragraph of two lines":     {`<p>Price: $59.50<br>Size: 3</p>`, nil},
		"a long paragraph":             {`<p>Note: ` + strings.Repeat("it is hot ", 20) + `</p>`, nil},
		"several lines":                {`<dl><dt>Job<dd>Writer<br>Poet<dt>Town<dd><ul><li>York<li>Leeds</ul></dl>`, []facts.Pair{{"Job", "Writer\nPoet"}, {"Town", "York\nLeeds"}}},
		"scripts in values are unseen": {`<dl><dt>A<dd>1<script>x()</script></dl>`, []facts.Pair{{"A", "1"}}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := read(tc.html).Pairs; !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		html string
		want []facts.Table
	}{
		"head": {
			`<table><caption>Plans</caption><thead><tr><td>Name<td>Price<tbody><tr><td>A<td>1<tr><td>B<td>2</table>`,
			[]facts.Table{{"Plans", []string{"Name", "Price"}, [][]string{{"A", "1"}, {"B", "2"}}}},
		},
		"first row": {
			`<table><tr><th>Name<th>Price<th>Size<tr><th>A<td>1<td>x</table>`,
			[]facts.Table{{"", []string{"Name", "Price", "Size"}, [][]string{{"A", "1", "x"}}}},
		},
		"cells that reach down": {
			`<table><tr><th>Team<th>Name<th>Goals<tr><td rowspan=2>X<td>A<td>1<tr><td>B<td>2<tr><td>Y<td>C<td>3</table>`,
			[]facts.Table{{"", []string{"Team", "Name", "Goals"}, [][]string{{"X", "A", "1"}, {"X", "B", "2"}, {"Y", "C", "3"}}}},
		},
		"rows of another shape": {
			`<table><tr><th>Name<th>Goals<th>Caps<tr><td colspan=3>Keepers<tr><td>A<td>1<td>2<tr><td colspan=2>Sum<td>9<tr><td>only</table>`,
			[]facts.Table{{"", []string{"Name", "Goals", "Caps"}, [][]string{{"A", "1", "2"}}}},
		},
		"no header":     {`<table><tr><td>A<td>1<td>x<tr><td>B<td>2<td>y</table>`, nil},
		"only a header": {`<table><tr><th>A<th>B</table>`, nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := read(tc.html).Tables; !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// What is left out because there is too much of it is told.
func TestCut(t *testing.T) {
	t.Parallel()
	table := func(rows int) string {
		return `<table><tr><th>Name<th>Price<th>Size` + strings.Repeat(`<tr><td>A<td>1<td>x`, rows) + `</table>`
	}
	list := func(elements int) string {
		return ld(`{"@type":"ItemList","itemListElement":[` + strings.Repeat(`{"@type":"ListItem","item":{"@type":"Product","name":"x"}},`, elements) + `]}`)
	}
	tests := map[string]struct {
		html string
		cut  bool
	}{
		"a large table":         {table(10_000), false},
		"a table too large":     {table(10_001), true},
		"tables of many cells":  {strings.Repeat(table(9000), 4), true},
		"many tables":           {strings.Repeat(table(1), 51), true},
		"a long list":           {list(5000), false},
		"a list too long":       {list(50_000), true},
		"things":                {ld(`[` + strings.Repeat(`{"@type":"Product","name":"x"},`, 5001) + `]`), true},
		"microdata":             {strings.Repeat(`<p itemscope itemtype=T><b itemprop=name>x</b></p>`, 5001), true},
		"a script too long":     {ld(`{"@type":"Product","name":"` + strings.Repeat("x", 5<<20) + `"}`), true},
		"many scripts":          {strings.Repeat(ld(`{"@type":"Product","name":"x"}`), 21), true},
		"pairs":                 {`<dl>` + strings.Repeat(`<dt>a<dd>b`, 10_001), true},
		"an ordinary page":      {page, false},
		"nothing on the page":   {"", false},
		"a small list of pairs": {`<dl><dt>a<dd>b</dl>`, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if f := read(tc.html); f.Cut != tc.cut {
				t.Errorf("cut: %v, with %d things, %d pairs, %d tables", f.Cut, len(f.Things), len(f.Pairs), len(f.Tables))
			}
		})
	}
	if rows := len(read(table(2000)).Tables[0].Rows); rows != 2000 {
		t.Errorf("%d rows of 2000", rows)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	long := ld(`{"@type":"Product","name":"Cup","description":"` + strings.Repeat("long ", 500) + `"}`)
	small := ld(`{"@type":"WebSite","name":"Shop <b>"}`)
	f := read(long + small)
	if got := f.Text(10_000); strings.Count(got, "\n") != 2 || len(got) < 2500 {
		t.Errorf("with room for all: %q", got)
	}
	if got := f.Text(500); strings.Count(got, "\n") != 2 || !strings.Contains(got, "…") || len(got) > 500 {
		t.Errorf("with room for a part: %q", got)
	}
	if got := f.Text(60); got != `{"@type":["WebSite"],"name":"Shop <b>"}`+"\n" {
		t.Errorf("with little room: %q", got)
	}
	if got := read("").Text(100); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"deep linked data":  ld(`{"@type":"A","b":` + strings.Repeat(`[{"c":`, 20_000)),
		"many things":       strings.Repeat(ld(`[`+strings.Repeat(`{"@type":"Product","name":"x"},`, 5000)+`]`), 12),
		"a script too long": ld(`{"@type":"Product","name":"` + strings.Repeat("x", 5<<20) + `"}`),
		"references to all": ld(`{"@graph":[{"@type":"A","@id":"a","x":[` + strings.Repeat(`{"@id":"a"},`, 9000) + `]}]}`),
		"deep microdata":    strings.Repeat(`<div itemscope itemprop=a itemtype=T>`, 5000) + "x",
		"nested properties": strings.Repeat(`<div itemscope itemtype=T>`+strings.Repeat(`<div itemprop=a>text`, 400), 50),
		"many cells":        `<table>` + strings.Repeat(`<tr><th colspan=1000 rowspan=60000>x`, 3000),
		"nested tables":     strings.Repeat(`<table><tr><td>`, 3000),
		"nested lists":      strings.Repeat(`<ul><li><b>a:</b> b`, 3000),
		"many pairs":        `<dl>` + strings.Repeat(`<dt>a<dd>b`, 20_000),
		"many tags":         strings.Repeat(`<meta name=article:tag content="`+strings.Repeat("t", 500)+`">`, 5000),
	}
	for name, html := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := read(html)
			if len(f.Things) > 5000 || len(f.Pairs) > 10_000 || len(f.Tables) > 50 {
				t.Errorf("%d things, %d pairs, %d tables", len(f.Things), len(f.Pairs), len(f.Tables))
			}
			if text := written(t, f); len(text) > 8<<20 {
				t.Errorf("%d bytes of facts", len(text))
			}
		})
	}
	if facts.Read(nil, "") == nil {
		t.Error("no facts of no tree")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(ld(`{"@graph":[{"@type":"A","@id":"a","x":{"@id":"b"}},{"@id":"b","@type":"B","y":{"@id":"a"}}]}`), page)
	f.Add(`<dl><dt>a<dd>b</dl><table><tr><th>a<th>b<tr><td rowspan=2>1<td>2</table>`, "")
	f.Add(`<div itemscope itemtype=x/Y><b itemprop="a b">t<i itemprop=c itemscope><u itemprop=d>`, "http://a/")
	f.Fuzz(func(t *testing.T, html, base string) {
		got := facts.Read(dom.Parse(html), base)
		if _, err := json.Marshal(got); err != nil {
			t.Fatal(err)
		}
		if text := got.Text(1000); len(text) > 1000 {
			t.Fatalf("%d bytes of text", len(text))
		}
		got.Subjects()
	})
}
