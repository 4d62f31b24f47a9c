package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// style is how a document looks.
type style struct {
	random        *rand.Rand
	width, height float64 // of the paper, in inches
	margin        float64
	running       bool // there are headers and footers
	header        string
	footer        string
	css           string
	tables        []string // classes of tables to choose from
	columns       int
}

// tableStyles are the rules and shades of tables. Those that are only held out come
// last.
var tableStyles = []struct{ name, css string }{
	{"grid", "th,td{border:.7pt solid #000}"},
	{"grey", "th,td{border:.5pt solid #999} th{background:#ddd}"},
	{"rows", "th,td{border-bottom:.6pt solid #555}"},
	{"book", "{border-top:1.2pt solid #000;border-bottom:1.2pt solid #000} thead tr:last-child th{border-bottom:.7pt solid #000}"},
	{"headrule", "thead tr:last-child th{border-bottom:.8pt solid #000}"},
	{"zebra", "tbody tr:nth-child(even){background:#e8eef4} thead{background:#456;color:#fff}"},
	{"plain", ""},
	{"spaced", "{border-collapse:separate;border-spacing:1.5pt} th,td{border:.6pt solid #000}"},
	{"upright", "{border-top:1pt solid #000;border-bottom:1pt solid #000} th,td{border-left:.5pt solid #000;border-right:.5pt solid #000} thead tr:last-child th{border-bottom:.6pt solid #000}"},
	{"boxed", "{border:1pt solid #000} thead tr:last-child th{border-bottom:1pt solid #000}"},
	{"shaded", "thead{background:#ccc} tbody tr{border-bottom:.3pt solid #aaa}"},
	{"spanned", "{border-top:1pt solid #000;border-bottom:1pt solid #000} th{border-bottom:.5pt solid #000} th:empty{border:0}"},
	{"headbox", "{border:.7pt solid #000} th{border:.7pt solid #000} td{border-bottom:.5pt solid #000}"},
	{"stubrule", "{border:1pt solid #000} th,td{border-bottom:.5pt solid #000} td:first-child,th:first-child{border-right:.7pt solid #000}"},
	{"stubonly", "{border-top:1pt solid #000;border-bottom:1pt solid #000} thead tr:last-child th{border-bottom:.7pt solid #000} td:first-child,th:first-child{border-right:.7pt solid #000}"},
	{"framed", "{border:2.5pt double #000} th,td{border:.5pt solid #000}"},
	// only held out
	{"double", "th,td{border:2.2pt double #000}"},
	{"apart", "{border-collapse:separate;border-spacing:3pt;border:1pt solid #000} th,td{border:.6pt solid #777}"},
	{"dashed", "td{border-bottom:.5pt dashed #000} thead tr:last-child th{border-bottom:1pt solid #000}"},
	{"tiles", "{border-collapse:separate;border-spacing:1pt} td{background:#eef} th{background:#cce}"},
	{"sides", "td,th{border-left:.5pt solid #000} td:first-child,th:first-child{border-left:0} thead tr:last-child th{border-bottom:1pt solid #000}"},
}

const heldOut = 5

var fonts = []string{"Nimbus Roman", "Nimbus Sans", "DejaVu Sans", "DejaVu Serif", "C059", "Latin Modern Roman", "URW Gothic", "P052", "Bitstream Charter", "Nimbus Sans Narrow"}

func pick[T any](random *rand.Rand, list ...T) T { return list[random.IntN(len(list))] }

// newStyle chooses a style.
func newStyle(random *rand.Rand, hold bool) *style {
	s := &style{random: random, width: 8.27, height: 11.69, margin: pick(random, 0.6, 0.8, 1), columns: pick(random, 1, 1, 1, 1, 2, 2, 3)}
	if random.IntN(3) == 0 {
		s.width, s.height = 8.5, 11
	}
	if random.IntN(8) == 0 {
		s.width, s.height = s.height, s.width
	}
	known := tableStyles[:len(tableStyles)-heldOut]
	faces := fonts[:7]
	if hold {
		known, faces = tableStyles, fonts
	}
	for range 2 {
		s.tables = append(s.tables, pick(random, known...).name)
	}
	if hold && random.IntN(2) == 0 {
		s.tables[0] = tableStyles[len(tableStyles)-1-random.IntN(heldOut)].name
	}
	size := pick(random, 8.5, 9.5, 10, 10.5, 11, 12)
	if s.columns == 3 {
		size = pick(random, 7.5, 8, 8.5)
	}
	var css strings.Builder
	fmt.Fprintf(&css, "body{font-family:'%s';font-size:%.1fpt;line-height:%.2f;margin:0}\n", pick(random, faces...), size, pick(random, 1.15, 1.25, 1.35, 1.5))
	if s.columns > 1 {
		fmt.Fprintf(&css, "main{column-count:%d;column-gap:%.0fpt}\n", s.columns, pick(random, 14.0, 18, 26))
	}
	if random.IntN(2) == 0 {
		css.WriteString("p,li{text-align:justify}\n")
	}
	if random.IntN(2) == 0 {
		css.WriteString("p,li{hyphens:auto}\n")
	}
	if random.IntN(4) == 0 {
		css.WriteString("p{margin:0;text-indent:1.2em}\n")
	}
	if random.IntN(4) == 0 {
		css.WriteString("thead{display:table-row-group}\n") // is not repeated on the next page
	}
	fmt.Fprintf(&css, "h1,h2,h3,h4{font-family:'%s';break-after:avoid}\n", pick(random, faces...))
	if random.IntN(3) == 0 {
		css.WriteString("h1{font-size:1.5em} h2{font-size:1.2em} h3{font-size:1em}\n")
	}
	fmt.Fprintf(&css, "table{border-collapse:collapse;font-size:%.2fem;line-height:1.2;margin:.8em 0;%s}\n", pick(random, 0.8, 0.9, 1), pick(random, "width:100%", "width:auto", "width:auto"))
	fmt.Fprintf(&css, "th,td{padding:%s;text-align:left;vertical-align:%s;font-weight:normal} tr{break-inside:avoid}\n", pick(random, "1pt 3pt", "2pt 5pt", "4pt 8pt", "1pt 8pt"), pick(random, "top", "top", "middle", "bottom"))
	if random.IntN(3) > 0 {
		css.WriteString("th{font-weight:bold}\n")
	}
	fmt.Fprintf(&css, "th{text-align:%s;vertical-align:%s}\n", pick(random, "left", "center", "center"), pick(random, "top", "bottom", "middle"))
	css.WriteString("td.n{text-align:right;white-space:nowrap} th.n{text-align:" + pick(random, "right", "center", "center") + "} td.c{text-align:center} .total td{font-weight:bold}\n" +
		"td.i1{padding-left:1.4em} td.i2{padding-left:2.8em} pre,code{font-family:'DejaVu Sans Mono';font-size:.85em} pre{white-space:pre-wrap}\n" +
		".small{font-size:.75em;text-indent:0} .caption{font-weight:bold;text-indent:0;break-after:avoid} .wide{column-span:all} .toc{display:flex;margin:0;text-indent:0} .toc i{flex:1;overflow:hidden;font-style:normal;white-space:nowrap;margin:0 3pt} svg{display:block;break-inside:avoid}\n")
	for _, t := range tableStyles {
		for _, rule := range strings.SplitAfter(t.css, "}") {
			if rule = strings.TrimSpace(rule); rule != "" {
				selector, body, _ := strings.Cut(rule, "{")
				var list []string
				for _, part := range strings.Split(selector, ",") {
					list = append(list, strings.TrimSpace("table."+t.name+" "+part))
				}
				css.WriteString(strings.Join(list, ",") + "{" + body + "\n")
			}
		}
	}
	s.css = css.String()
	if s.running = random.IntN(2) == 0; s.running {
		s.header = `<div style="font-size:8px;width:100%;padding:0 60px;text-align:` + pick(random, "left", "center", "right") + `">` + title(random) + `</div>`
		s.footer = `<div style="font-size:8px;width:100%;padding:0 60px;text-align:` + pick(random, "left", "center", "right") + `">` + pick(random, "", "Page ", "– ") + `<span class="pageNumber"></span></div>`
	}
	return s
}

// page returns a whole page around its content.
func (s *style) page(main string) string {
	for strings.Contains(main, "<table>") {
		main = strings.Replace(main, "<table>", `<table class="`+s.table()+`">`, 1)
	}
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><style>` + s.css + `</style></head><body><main>` + main + `</main></body></html>`
}

func (s *style) table() string { return pick(s.random, s.tables...) }
