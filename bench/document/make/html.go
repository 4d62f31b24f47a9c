package main

import (
	"fmt"
	"html"
	"strings"
)

// html writes a report in a style, or as plain as can be without one: that is what
// the expected text is made of.
func (r *report) html(s *style) string {
	var out strings.Builder
	for i := range r.blocks {
		b := &r.blocks[i]
		text := html.EscapeString(b.text)
		switch b.kind {
		case heading:
			fmt.Fprintf(&out, "<h%d>%s</h%d>\n", b.level, text, b.level)
		case paragraph:
			fmt.Fprintf(&out, "<p>%s</p>\n", text)
		case caption:
			fmt.Fprintf(&out, "<p class=caption>%s</p>\n", text)
		case small:
			fmt.Fprintf(&out, "<p class=small>%s</p>\n", text)
		case list:
			out.WriteString("<ul>\n")
			for _, l := range b.lines {
				fmt.Fprintf(&out, "<li>%s</li>\n", html.EscapeString(l))
			}
			out.WriteString("</ul>\n")
		case code:
			fmt.Fprintf(&out, "<pre>%s</pre>\n", html.EscapeString(strings.Join(b.lines, "\n")))
		case contents:
			form := "<p class=toc><span>%s</span><i>" + strings.Repeat(".", 250) + "</i><span>%s</span></p>\n"
			if s == nil {
				form = "<li>%s %s</li>\n"
				out.WriteString("<ul>\n")
			}
			for _, l := range b.lines {
				name, page, _ := strings.Cut(l, "\t")
				fmt.Fprintf(&out, form, html.EscapeString(name), page)
			}
			if s == nil {
				out.WriteString("</ul>\n")
			}
		case gridBlock:
			b.table.html(&out, s)
		case chart:
			if s != nil {
				drawChart(&out, b.bars, s.random.IntN(2) == 0)
			}
		}
	}
	if s == nil {
		return "<main>" + out.String() + "</main>"
	}
	return s.page(out.String())
}

func (g *grid) html(out *strings.Builder, s *style) {
	class := ""
	if s != nil {
		class = s.table()
		if g.wide && s.columns > 1 {
			class += " wide"
		}
	}
	fmt.Fprintf(out, "<table class=\"%s\">", class)
	if s != nil && len(g.widths) > 0 {
		for _, w := range g.widths {
			fmt.Fprintf(out, "<col style=\"width:%.0f%%\">", w*100)
		}
	}
	out.WriteString("<thead>\n")
	for i, row := range g.rows {
		name := "th"
		if i >= g.header {
			name = "td"
		}
		if i == g.header {
			out.WriteString("</thead><tbody>\n")
		}
		if len(row) > 0 && row[0].total {
			out.WriteString("<tr class=total>")
		} else {
			out.WriteString("<tr>")
		}
		for k := range row {
			row[k].html(out, name)
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</tbody></table>\n")
}

func (c *cell) html(out *strings.Builder, name string) {
	var classes []string
	if c.number {
		classes = append(classes, "n")
	}
	if c.center {
		classes = append(classes, "c")
	}
	if c.indent > 0 {
		classes = append(classes, fmt.Sprintf("i%d", c.indent))
	}
	fmt.Fprintf(out, "<%s class=\"%s\"", name, strings.Join(classes, " "))
	if c.columns > 1 {
		fmt.Fprintf(out, " colspan=%d", c.columns)
	}
	if c.rows > 1 {
		fmt.Fprintf(out, " rowspan=%d", c.rows)
	}
	fmt.Fprintf(out, ">%s</%s>", html.EscapeString(c.text), name)
}

// drawChart draws bars with their names, and lines behind them.
func drawChart(out *strings.Builder, bars []bar, upright bool) {
	const width, height = 300, 150
	fmt.Fprintf(out, `<svg width="%dpt" viewBox="0 0 %d %d" font-size="7">`, width, width+70, height+40)
	step := height / len(bars)
	if upright {
		step = width / len(bars)
	}
	for i := 0; i <= 100; i += 20 {
		if upright {
			y := height - i*height/100
			fmt.Fprintf(out, `<line x1="30" x2="%d" y1="%d" y2="%d" stroke="#999" stroke-width=".5"/><text x="12" y="%d">%d</text>`, width+30, y, y, y+3, i)
		} else {
			x := 70 + i*(width-10)/100
			fmt.Fprintf(out, `<line x1="%d" x2="%d" y1="0" y2="%d" stroke="#999" stroke-width=".5"/><text x="%d" y="%d">%d</text>`, x, x, height, x-4, height+10, i)
		}
	}
	for i, b := range bars {
		if upright {
			h := b.value * height / 100
			fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="#68a"/><text x="%d" y="%d">%s</text>`, 34+i*step, height-h, step*6/10, h, 32+i*step, height+10, html.EscapeString(b.label[:min(len(b.label), 7)]))
		} else {
			fmt.Fprintf(out, `<rect x="70" y="%d" width="%d" height="%d" fill="#a86"/><text x="2" y="%d">%s</text><text x="%d" y="%d">%d</text>`, i*step+2, b.value*(width-10)/100, step*6/10, i*step+step/2, html.EscapeString(b.label[:min(len(b.label), 16)]), 74+b.value*(width-10)/100, i*step+step/2, b.value)
		}
	}
	out.WriteString("</svg>\n")
}
