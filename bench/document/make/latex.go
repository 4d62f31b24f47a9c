package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// typeset prints reports with pdflatex, if there is one.
func typeset(ctx context.Context, out string, seed uint64, reports int) error {
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		fmt.Fprintln(os.Stderr, "pdflatex is not installed: there is no set latex")
		return nil
	}
	folder, err := os.MkdirTemp("", "make-latex")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for half, name := range halves {
		for i := range reports {
			random := rand.New(rand.NewPCG(seed+1, uint64(i*2+half)))
			r := makeReport(random)
			source := filepath.Join(folder, "report.tex")
			if err := os.WriteFile(source, []byte(r.latex(random, half == 1)), 0o644); err != nil {
				return err
			}
			command := exec.CommandContext(ctx, program, "-interaction=batchmode", "-output-directory="+folder, source)
			_ = command.Run() // it complains of tables that are too wide, and makes a file all the same
			pdf, err := os.ReadFile(filepath.Join(folder, "report.pdf"))
			if err != nil {
				return err
			}
			if err := os.Remove(filepath.Join(folder, "report.pdf")); err != nil {
				return err
			}
			if err := save(out, "latex-"+name, fmt.Sprintf("article%03d", i), pdf, markdown(r.html(nil))); err != nil {
				return err
			}
		}
	}
	return nil
}

// rules are where the tables of an article have rules.
type rules int

const (
	booktabs rules = iota
	allRules
	uprightRules
	headRules
	noRules
	doubleRules // only held out
	lastRules
)

// latex writes a report as an article.
func (r *report) latex(random *rand.Rand, hold bool) string {
	rule := rules(random.IntN(int(doubleRules)))
	if hold {
		rule = rules(random.IntN(int(lastRules)))
	}
	two := random.IntN(3) == 0 && !slices.ContainsFunc(r.blocks, func(b block) bool { return b.table != nil && b.table.columns > 6 })
	var out strings.Builder
	options := pick(random, "10pt", "11pt", "12pt")
	if two {
		options = "10pt,twocolumn"
	}
	fmt.Fprintf(&out, "\\documentclass[%s,a4paper]{article}\n\\usepackage[utf8]{inputenc}\\usepackage[T1]{fontenc}%s\n\\usepackage{booktabs,multirow,array,tikz}\n\\usepackage[margin=%s]{geometry}\n",
		options, pick(random, "\\usepackage{lmodern}", "\\usepackage{lmodern}", "\\usepackage{mathptmx}", "\\usepackage{helvet}\\renewcommand{\\familydefault}{\\sfdefault}"), pick(random, "2cm", "2.5cm"))
	out.WriteString("\\begin{document}\n")
	for i := range r.blocks {
		b := &r.blocks[i]
		text := texEscape(b.text)
		switch b.kind {
		case heading:
			fmt.Fprintf(&out, "\\%s*{%s}\n", []string{"", "section", "subsection"}[b.level], text)
		case paragraph:
			out.WriteString(text + "\n\n")
		case caption:
			fmt.Fprintf(&out, "\\par\\medskip\\noindent\\textbf{%s}\\par\n", text)
		case small:
			fmt.Fprintf(&out, "\\noindent{\\footnotesize %s}\\par\\medskip\n", text)
		case list:
			out.WriteString("\\begin{itemize}\n")
			for _, l := range b.lines {
				out.WriteString("\\item " + texEscape(l) + "\n")
			}
			out.WriteString("\\end{itemize}\n")
		case code:
			out.WriteString("\\begin{verbatim}\n" + strings.Join(b.lines, "\n") + "\n\\end{verbatim}\n")
		case contents:
			for _, l := range b.lines {
				name, page, _ := strings.Cut(l, "\t")
				fmt.Fprintf(&out, "\\noindent %s\\dotfill %s\\par\n", texEscape(name), page)
			}
		case gridBlock:
			b.table.latex(&out, rule, two)
		case chart:
			drawBars(&out, b.bars)
		}
	}
	out.WriteString("\\end{document}\n")
	return out.String()
}

var texEscape = strings.NewReplacer("%", `\%`, "$", `\$`, "&", `\&`, "_", `\_`, "#", `\#`, "\u00a0", "~", "–", "--").Replace

// latex writes a table. Those that would be too wide are set smaller.
func (g *grid) latex(out *strings.Builder, rule rules, two bool) {
	spec := make([]string, g.columns)
	for i := range spec {
		switch width := 16.0; {
		case len(g.widths) > 0:
			if two {
				width = 7.5
			}
			spec[i] = fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%.1fcm}", g.widths[i]*width*.85)
		case g.columns == 2:
			spec[i] = []string{"l", "p{4cm}"}[i]
		default:
			spec[i] = g.align(i)
		}
	}
	between := ""
	if rule == allRules || rule == uprightRules || rule == doubleRules {
		between = "|"
	}
	if rule == doubleRules {
		spec[0] += "|"
	}
	out.WriteString("\\par\\medskip\\noindent")
	if g.columns > 5 || two && g.columns > 2 {
		out.WriteString("\\resizebox{\\columnwidth}{!}{")
		defer out.WriteString("}\\par\\medskip\n")
	} else {
		defer out.WriteString("\\par\\medskip\n")
	}
	fmt.Fprintf(out, "\\begin{tabular}{%s%s%s}\n", between, strings.Join(spec, between), between)
	line := func(first, inner, last string, i int) string {
		switch {
		case i == 0:
			return first
		case i == len(g.rows):
			return last
		case i == g.header:
			return inner
		}
		return ""
	}
	open := make([]int, g.columns) // how many more rows the cell above spans
	for i := 0; i <= len(g.rows); i++ {
		switch rule {
		case booktabs:
			out.WriteString(line(`\toprule`, `\midrule`, `\bottomrule`, i))
		case uprightRules:
			out.WriteString(line(`\hline`, `\hline`, `\hline`, i))
		case headRules:
			out.WriteString(line("", `\hline`, "", i))
		case allRules, doubleRules:
			switch {
			case rule == doubleRules && (i == g.header || i == 0):
				out.WriteString(`\hline\hline`)
			case i == 0 || i == len(g.rows) || max(open[0], open[len(open)-1]) == 0:
				out.WriteString(`\hline`)
			default:
				fmt.Fprintf(out, `\cline{2-%d}`, g.columns)
			}
		}
		out.WriteString("\n")
		if i < len(g.rows) {
			g.latexRow(out, i, open, between, rule == booktabs)
		}
	}
	out.WriteString("\\end{tabular}")
}

// latexRow writes a row. In those of the header, lines go below cells that span columns.
func (g *grid) latexRow(out *strings.Builder, i int, open []int, between string, lines bool) {
	var cells []string
	var below strings.Builder
	at := 0
	skip := func() {
		for at < g.columns && open[at] > 0 {
			open[at]--
			cells = append(cells, "")
			at++
		}
	}
	for k := range g.rows[i] {
		skip()
		c := &g.rows[i][k]
		text := strings.Repeat(`\quad `, c.indent) + texEscape(c.text)
		if c.total {
			text = `\textbf{` + text + "}"
		}
		if c.rows > 1 {
			open[at] = c.rows - 1
			text = fmt.Sprintf(`\multirow{%d}{*}{%s}`, c.rows, text)
		}
		n := max(c.columns, 1)
		if n > 1 {
			align := "c"
			if !c.center {
				align = "l"
			}
			left := between
			if at > 0 {
				left = ""
			}
			text = fmt.Sprintf(`\multicolumn{%d}{%s%s%s}{%s}`, n, left, align, between, text)
			if lines && i < g.header {
				fmt.Fprintf(&below, `\cmidrule(lr){%d-%d}`, at+1, at+n)
			}
		}
		cells = append(cells, text)
		at += n
	}
	skip()
	out.WriteString(strings.Join(cells, " & ") + ` \\ ` + below.String())
}

// align is how a column is set: as its last cell is.
func (g *grid) align(column int) string {
	last := g.rows[len(g.rows)-1]
	c := &last[max(len(last)-g.columns+column, 0)]
	switch {
	case c.number:
		return "r"
	case c.center:
		return "c"
	}
	return "l"
}

func drawBars(out *strings.Builder, bars []bar) {
	out.WriteString("\\par\\noindent\\begin{tikzpicture}[font=\\scriptsize]\n\\draw (0,0) -- (6,0);\n")
	for i, b := range bars {
		y := -0.45 * float64(i+1)
		fmt.Fprintf(out, "\\fill[gray!60] (0,%.2f) rectangle (%.2f,%.2f);\\node[left] at (0,%.2f) {%s};\\node[right] at (%.2f,%.2f) {%d};\n", y, float64(b.value)/18, y+0.3, y+0.15, b.label, float64(b.value)/18, y+0.15, b.value)
	}
	out.WriteString("\\end{tikzpicture}\\par\n")
}
