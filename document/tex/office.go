// Package tex writes formulas of documents as TeX: those of Office, and those in MathML.
package tex

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/zipped"
	"github.com/trawlhq/trawl/internal/mathml"
)

// MaxLength bounds how long a formula may become. One that is longer was cut.
const MaxLength = 50_000

// Office writes a formula of Office, which is the element m:oMath.
func Office(n *zipped.Node) string {
	var t office
	t.children(n)
	return strings.Join(strings.Fields(t.String()), " ")
}

// office is a formula that is being written.
type office struct {
	strings.Builder
	aligned int // how many arrays of equations are around
}

// group returns what is in an element.
func (t *office) group(n *zipped.Node) string {
	inner := office{aligned: t.aligned}
	inner.children(n)
	return inner.String()
}

func (t *office) children(n *zipped.Node) {
	for c := range n.All() {
		if t.Len() > MaxLength {
			return
		}
		t.element(c)
	}
}

// write writes pieces, one after the other.
func (t *office) write(pieces ...string) {
	for _, p := range pieces {
		t.WriteString(p)
	}
}

func (t *office) element(n *zipped.Node) {
	e := n.Child("m:e")
	switch n.Name {
	case "m:r":
		t.run(n)
	case "m:f":
		t.fraction(n)
	case "m:rad":
		t.radical(n)
	case "m:sSup":
		t.write(t.base(e), "^{", t.group(n.Child("m:sup")), "}")
	case "m:sSub":
		t.write(t.base(e), "_{", t.group(n.Child("m:sub")), "}")
	case "m:sSubSup":
		t.write(t.base(e), "_{", t.group(n.Child("m:sub")), "}^{", t.group(n.Child("m:sup")), "}")
	case "m:sPre":
		t.write("{}_{", t.group(n.Child("m:sub")), "}^{", t.group(n.Child("m:sup")), "}", t.base(e))
	case "m:nary":
		t.nary(n)
	case "m:d":
		t.delimiters(n)
	case "m:m":
		t.matrix(n)
	case "m:eqArr":
		t.array(n)
	case "m:acc":
		t.accent(n)
	case "m:bar":
		t.bar(n)
	case "m:groupChr":
		t.braces(n)
	case "m:limLow":
		t.limit(n)
	case "m:limUpp":
		t.write(`\overset{`, t.group(n.Child("m:lim")), "}{", t.group(e), "}")
	case "m:func":
		t.function(n)
	case "m:borderBox":
		t.write(`\boxed{`, t.group(e), "}")
	case "m:phant":
		if show := n.Child("m:phantPr").Child("m:show"); show == nil || mathOn(show) {
			t.children(e)
		}
	case "w:del", "w:moveFrom", "m:ctrlPr":
	default:
		t.children(n)
	}
}

// mathOn tells whether a property of formulas is on.
func mathOn(n *zipped.Node) bool {
	if n == nil {
		return false
	}
	switch n.Get("m:val") {
	case "0", "off", "false":
		return false
	}
	return true
}

// sole returns the only element of n that is no property, else nil.
func sole(n *zipped.Node) *zipped.Node {
	var only *zipped.Node
	for c := range n.All() {
		if c.Name == "" || c.Name == "m:ctrlPr" || c.Name == "m:argPr" {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// base returns what scripts stand at, in braces unless it holds together.
func (t *office) base(e *zipped.Node) string {
	s := t.group(e)
	only := sole(e)
	if s != "" && only != nil && (only.Name == "m:r" || only.Name == "m:d" || only.Name == "m:acc") {
		return s
	}
	return "{" + s + "}"
}

func (t *office) fraction(n *zipped.Node) {
	num, den := t.group(n.Child("m:num")), t.group(n.Child("m:den"))
	switch n.Child("m:fPr").Child("m:type").Get("m:val") {
	case "lin":
		t.write(num, "/", den)
	case "noBar":
		t.write(`\genfrac{}{}{0pt}{}{`, num, "}{", den, "}")
	default:
		t.write(`\frac{`, num, "}{", den, "}")
	}
}

func (t *office) radical(n *zipped.Node) {
	degree := t.group(n.Child("m:deg"))
	t.write(`\sqrt`)
	if strings.TrimSpace(degree) != "" && !mathOn(n.Child("m:radPr").Child("m:degHide")) {
		t.write("[", degree, "]")
	}
	t.write("{", t.group(n.Child("m:e")), "}")
}

// nary writes a sum, a product, an integral or the like.
func (t *office) nary(n *zipped.Node) {
	pr := n.Child("m:naryPr")
	char, ok := pr.Child("m:chr").Lookup("m:val")
	if !ok {
		char = "∫"
	}
	t.write(strings.TrimSpace(command(char)))
	if sub := t.group(n.Child("m:sub")); sub != "" && !mathOn(pr.Child("m:subHide")) {
		t.write("_{", sub, "}")
	}
	if sup := t.group(n.Child("m:sup")); sup != "" && !mathOn(pr.Child("m:supHide")) {
		t.write("^{", sup, "}")
	}
	t.argument(n.Child("m:e"))
}

// argument writes what an operator applies to, apart from its name.
func (t *office) argument(e *zipped.Node) {
	s := t.group(e)
	if s == "" {
		return
	}
	if written := t.String(); mathml.IsLetter(written[len(written)-1]) && mathml.IsLetter(s[0]) {
		t.write(" ")
	}
	t.write(s)
}

// delimiters writes what is in parentheses of any kind.
func (t *office) delimiters(n *zipped.Node) {
	pr := n.Child("m:dPr")
	char := func(name, usual string) string {
		if s, ok := pr.Child(name).Lookup("m:val"); ok {
			return s
		}
		return usual
	}
	t.write(`\left`, mathml.Delimiter(char("m:begChr", "(")))
	between := ""
	for e := range n.All() {
		if e.Name == "m:e" {
			t.write(between, t.group(e))
			between = command(char("m:sepChr", "|"))
		}
	}
	t.write(`\right`, mathml.Delimiter(char("m:endChr", ")")))
}

func (t *office) matrix(n *zipped.Node) {
	t.write(`\begin{matrix}`)
	first := true
	for row := range n.All() {
		if row.Name != "m:mr" {
			continue
		}
		if !first {
			t.write(` \\ `)
		}
		first = false
		between := ""
		for e := range row.All() {
			if e.Name == "m:e" {
				t.write(between, t.group(e))
				between = " & "
			}
		}
	}
	t.write(`\end{matrix}`)
}

// array writes equations below each other. An ampersand in them says where they
// are aligned.
func (t *office) array(n *zipped.Node) {
	t.aligned++
	var lines []string
	for e := range n.All() {
		if e.Name == "m:e" {
			lines = append(lines, t.group(e))
		}
	}
	t.aligned--
	if len(lines) == 1 {
		t.write(strings.ReplaceAll(lines[0], " & ", " "))
		return
	}
	t.write(`\begin{aligned}`, strings.Join(lines, ` \\ `), `\end{aligned}`)
}

func (t *office) accent(n *zipped.Node) {
	char, ok := n.Child("m:accPr").Child("m:chr").Lookup("m:val")
	if !ok {
		char = "\u0302"
	}
	t.write(cmp.Or(mathml.Accent(char), `\hat`), "{", t.group(n.Child("m:e")), "}")
}

func (t *office) bar(n *zipped.Node) {
	name := `\underline{`
	if n.Child("m:barPr").Child("m:pos").Get("m:val") == "top" {
		name = `\overline{`
	}
	t.write(name, t.group(n.Child("m:e")), "}")
}

// braces writes a brace or an arrow above or below something.
func (t *office) braces(n *zipped.Node) {
	pr := n.Child("m:groupChrPr")
	char, ok := pr.Child("m:chr").Lookup("m:val")
	if !ok {
		char = "⏟"
	}
	top := pr.Child("m:pos").Get("m:val") == "top"
	e := t.group(n.Child("m:e"))
	switch {
	case char == "⏟" || char == "⏞" && !top:
		t.write(`\underbrace{`, e, "}")
	case char == "⏞":
		t.write(`\overbrace{`, e, "}")
	case top:
		t.write(`\overset{`, strings.TrimSpace(command(char)), "}{", e, "}")
	default:
		t.write(`\underset{`, strings.TrimSpace(command(char)), "}{", e, "}")
	}
}

// limit writes something with a condition below it.
func (t *office) limit(n *zipped.Node) {
	e := n.Child("m:e")
	lim := t.group(n.Child("m:lim"))
	if only := sole(e); only != nil && only.Name == "m:groupChr" {
		t.write(t.group(e), "_{", lim, "}")
		return
	}
	t.write(functionName(t.group(e)), "_{", lim, "}")
}

func (t *office) function(n *zipped.Node) {
	name := n.Child("m:fName")
	if only := sole(name); only != nil && only.Name == "m:r" {
		t.write(functionName(t.group(name)))
	} else {
		t.children(name)
	}
	t.argument(n.Child("m:e"))
}

// functionName returns the name of a function as TeX sets it, upright.
func functionName(name string) string {
	trimmed := strings.TrimSpace(name)
	if mathml.IsFunction(trimmed) {
		return `\` + trimmed
	}
	for i := range len(trimmed) {
		if !mathml.IsLetter(trimmed[i]) {
			return name
		}
	}
	if len(trimmed) < 2 {
		return name
	}
	return `\operatorname{` + trimmed + "}"
}

// run writes the characters of a formula.
func (t *office) run(n *zipped.Node) {
	var text strings.Builder
	for c := range n.All() {
		if c.Name == "m:t" || c.Name == "w:t" {
			text.WriteString(c.Content())
		}
	}
	pr := n.Child("m:rPr")
	if mathOn(pr.Child("m:nor")) && hasWord(text.String()) {
		t.write(mathml.Text(text.String()))
		return
	}
	if alphabet, ok := alphabets[pr.Child("m:scr").Get("m:val")]; ok {
		t.write(alphabet, "{", t.characters(text.String()), "}")
		return
	}
	t.write(t.characters(text.String()))
}

// hasWord tells whether a text has two letters in a row.
func hasWord(s string) bool {
	before := false
	for _, r := range s {
		letter := unicode.IsLetter(r)
		if letter && before {
			return true
		}
		before = letter
	}
	return false
}

// characters writes characters as TeX. Blanks between words would be lost.
func (t *office) characters(text string) string {
	var b strings.Builder
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case r == '&' && t.aligned > 0:
			b.WriteString(" & ")
		case unicode.IsSpace(r) && i > 0 && i+1 < len(runes) && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]):
			b.WriteString(`\ `)
		default:
			b.WriteString(command(string(r)))
		}
	}
	return b.String()
}

// command returns how TeX writes characters. A command stands apart from what is
// around it.
func command(text string) string {
	var b strings.Builder
	for _, r := range text {
		s := mathml.Sign(r)
		if mathml.IsCommand(s) {
			s = " " + s + " "
		}
		b.WriteString(s)
	}
	return b.String()
}

// alphabets are the commands for the alphabets that Office knows.
var alphabets = map[string]string{
	"double-struck": `\mathbb`, "script": `\mathcal`, "fraktur": `\mathfrak`, "sans-serif": `\mathsf`, "monospace": `\mathtt`,
}
