package docx_test

import (
	"strings"
	"testing"
)

// numbering is what the documents of the tests have for lists: 1 has bullets, 2 and
// 3 count on in one series, 4 is like them and begins anew, 5 has letters and
// romans, 6 is defined by a style.
var numbering = part{"word/numbering.xml", "<w:numbering" + names + ">" +
	abstract("0", "", lvl(0, "bullet", "·", 720)+lvl(1, "bullet", "o", 1440)) +
	abstract("1", "", lvl(0, "decimal", "%1.", 720)+lvl(1, "decimal", "%1.%2.", 1440)+lvl(2, "decimal", "%1.%2.%3", 2160)) +
	abstract("2", "", lvl(0, "lowerLetter", "%1)", 720)+lvl(1, "upperRoman", "(%2)", 1440)) +
	abstract("3", `<w:numStyleLink w:val="Linked"/>`, "") +
	abstract("4", `<w:styleLink w:val="Linked"/>`, `<w:lvl w:ilvl="0"><w:start w:val="7"/><w:numFmt w:val="decimalZero"/><w:lvlText w:val="§ %1"/></w:lvl>`) +
	`<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>` +
	`<w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>` +
	`<w:num w:numId="5"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="6"><w:abstractNumId w:val="3"/></w:num>` +
	abstract("5", "", `<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>`+lvl(1, "none", "%1.%2", 1440)+lvl(2, "none", "", 1440)+lvl(3, "bullet", "-", 1440)+lvl(4, "decimal", "%1.%4.%5", 1440)) +
	`<w:num w:numId="7"><w:abstractNumId w:val="5"/></w:num></w:numbering>`}

func abstract(id, link, levels string) string {
	return `<w:abstractNum w:abstractNumId="` + id + `">` + link + levels + "</w:abstractNum>"
}

func lvl(level int, format, text string, indent int) string {
	return `<w:lvl w:ilvl="` + number(level) + `"><w:start w:val="1"/><w:numFmt w:val="` + format + `"/><w:lvlText w:val="` + text + `"/><w:pPr><w:ind w:left="` + number(indent) + `"/></w:pPr></w:lvl>`
}

func number(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return number(n/10) + number(n%10)
}

// item makes an item of a list.
func item(num, level int, text string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + number(level) + `"/><w:numId w:val="` + number(num) + `"/></w:numPr></w:pPr>` + r("", text) + "</w:p>"
}

func TestLists(t *testing.T) {
	t.Parallel()
	check(t, map[string]test{
		"bullets":      {item(1, 0, "a") + item(1, 0, "b"), "<ul><li>a</li><li>b</li></ul>"},
		"by style":     {p("Bullets", r("", "a")), "<ul><li>a</li></ul>"},
		"nested":       {item(1, 0, "a") + item(1, 1, "b") + item(1, 0, "c"), "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"},
		"numbers":      {item(2, 0, "a") + item(2, 1, "b") + item(2, 1, "c") + item(2, 0, "d") + item(2, 1, "e"), "<ol><li>a<ul><li>1.1. b</li><li>1.2. c</li></ul></li><li>d<ul><li>2.1. e</li></ul></li></ol>"},
		"a gap":        {item(2, 0, "a") + p("", "") + item(2, 0, "b"), "<ol><li>a</li><li>b</li></ol>"},
		"text between": {item(2, 0, "a") + p("", r("", "text")) + item(2, 0, "b"), `<ol><li>a</li></ol><p>text</p><ol start="2"><li>b</li></ol>`},
		"one series":   {item(2, 0, "a") + item(3, 0, "b"), "<ol><li>a</li><li>b</li></ol>"},
		"begins anew":  {item(2, 0, "a") + item(4, 0, "b") + item(4, 0, "c"), `<ol><li>a</li></ol><ol start="5"><li>b</li><li>c</li></ol>`},
		"bullets in numbers, by indent": {item(2, 0, "a") + strings.Replace(item(1, 0, "b"), "</w:numPr>", `</w:numPr><w:ind w:left="1440"/>`, 1) + item(2, 0, "c"),
			"<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"},
		"bullets between numbers": {item(2, 0, "a") + item(1, 0, "b") + item(2, 0, "c"), `<ol><li>a</li></ol><ul><li>b</li></ul><ol start="2"><li>c</li></ol>`},
		"a skipped level":         {item(2, 2, "a") + item(2, 1, "b"), "<ul><li>1.1.1 a</li></ul><ul><li>1.2. b</li></ul>"},
		"letters and romans":      {item(5, 0, "a") + item(5, 1, "b") + item(5, 1, "c"), "<ul><li>a) a<ul><li>(I) b</li><li>(II) c</li></ul></li></ul>"},
		"defined by a style":      {item(6, 0, "a") + item(6, 0, "b"), "<ul><li>§ 07 a</li><li>§ 08 b</li></ul>"},
		"none any more":           {`<w:p><w:pPr><w:pStyle w:val="Bullets"/><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>` + r("", "a") + "</w:p>", "<p>a</p>"},
		"typed bullets":           {p("", r("", "•\tone")) + p("", r("", "• ")+r("<w:b/>", "two")) + p("", r("", "•")) + p("", r("", "·five")), "<ul><li>one</li><li><strong>two</strong></li></ul><p>•</p><p>·five</p>"},
		"typed and indented":      {p("", r("", "• one")) + `<w:p><w:pPr><w:ind w:left="720"/></w:pPr>` + r("", "◦ two") + "</w:p>", "<ul><li>one<ul><li>two</li></ul></li></ul>"},
		"of an unknown kind":      {item(9, 0, "a"), "<p>a</p>"},
		"from zero":               {item(7, 0, "a") + item(7, 0, "b"), `<ol start="0"><li>a</li><li>b</li></ol>`},
		"the number above":        {item(7, 0, "a") + item(7, 1, "b"), `<ol start="0"><li>a<ol start="0"><li>b</li></ol></li></ol>`},
		"no number at all":        {item(7, 2, "a"), "<p>a</p>"},
		"bullets are no numbers":  {item(7, 4, "a"), "<ul><li>0..1 a</li></ul>"},
		"numbered headings":       {p("Numbered", r("", "a")) + p("Numbered", r("", "b")), "<h3>1 a</h3><h3>2 b</h3>"},
		"levels beyond all":       {strings.Replace(item(1, 1, "a"), `ilvl w:val="1"`, `ilvl w:val="99"`, 1), "<ul><li>a</li></ul>"},
	}, numbering)
}

func TestBoxes(t *testing.T) {
	t.Parallel()
	box := func(on string) string {
		return `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="` + on + `"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>?</w:t></w:r></w:sdtContent></w:sdt>`
	}
	const ticked, empty = `<li><input type="checkbox" checked disabled> `, `<li><input type="checkbox" disabled> `
	check(t, map[string]test{
		"controls": {p("", box("1")+r("", " a")) + p("", box("0")+r("<w:b/>", " b")), "<ul>" + ticked + "a</li>" + empty + "<strong>b</strong></li></ul>"},
		"a form": {p("", `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`+r("", " a")),
			"<ul>" + ticked + "a</li></ul>"},
		"a choice":  {p("", `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="x"/><w:listEntry w:val="y"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`), "<p>y</p>"},
		"signs":     {p("", r("", "☐ a")) + p("", r("", "☑ b")), "<ul>" + empty + "a</li>" + ticked + "b</li></ul>"},
		"several":   {p("", r("", "☐ yes ☒ no")), "<p>☐ yes ☒ no</p>"},
		"in a list": {strings.Replace(item(1, 0, "x"), "<w:r>", box("1")+"<w:r>", 1), "<ul>" + ticked + "x</li></ul>"},
	}, numbering)
}

func tc(properties, text string) string {
	return "<w:tc><w:tcPr>" + properties + "</w:tcPr>" + p("", r("", text)) + "</w:tc>"
}

func TestTables(t *testing.T) {
	t.Parallel()
	tr := func(cells ...string) string { return "<w:tr>" + strings.Join(cells, "") + "</w:tr>" }
	tbl := func(rows ...string) string { return "<w:tbl>" + strings.Join(rows, "") + "</w:tbl>" }
	const top, more = `<w:vMerge w:val="restart"/>`, `<w:vMerge/>`
	check(t, map[string]test{
		"plain":   {tbl(tr(tc("", "a"), tc("", "b")), tr(tc("", "c"), tc("", "d"))), "<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>"},
		"columns": {tbl(tr(tc(`<w:gridSpan w:val="2"/>`, "a")), tr(tc("", "c"), tc("", "d"))), `<table><tr><th colspan="2">a</th></tr><tr><td>c</td><td>d</td></tr></table>`},
		"rows": {tbl(tr(tc(top, "a"), tc("", "b")), tr(tc(more, ""), tc("", "c")), tr(tc(more, ""), tc("", "d"))),
			`<table><tr><th rowspan="3">a</th><th>b</th></tr><tr><td>c</td></tr><tr><td>d</td></tr></table>`},
		"rows behind columns": {tbl(tr(tc(`<w:gridSpan w:val="2"/>`, "a"), tc(top, "b")), tr(tc("", "c"), tc("", "d"), tc(more, ""))),
			`<table><tr><th colspan="2">a</th><th rowspan="2">b</th></tr><tr><td>c</td><td>d</td></tr></table>`},
		"cells beside": {tbl(tr(tc(`<w:hMerge w:val="restart"/>`, "a"), tc(`<w:hMerge/>`, "b"), tc("", "c")), tr(tc("", "d"), tc("", "e"), tc("", "f"))),
			`<table><tr><th colspan="2">a<br>b</th><th>c</th></tr><tr><td>d</td><td>e</td><td>f</td></tr></table>`},
		"goes on from nothing": {tbl(tr(tc(more, "a"), tc("", "b"))), `<table><tr><th>a</th><th>b</th></tr></table>`},
		"begins late":          {tbl(tr(tc("", "a"), tc("", "b")), `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>`+tc("", "c")+"</w:tr>"), "<table><tr><th>a</th><th>b</th></tr><tr><td></td><td>c</td></tr></table>"},
		"header rows":          {tbl(strings.Repeat(`<w:tr><w:trPr><w:tblHeader/></w:trPr>`+tc("", "h")+tc("", "i")+"</w:tr>", 2), tr(tc("", "a"), tc("", "b"))), "<table><tr><th>h</th><th>i</th></tr><tr><th>h</th><th>i</th></tr><tr><td>a</td><td>b</td></tr></table>"},
		"deleted rows":         {tbl(tr(tc("", "a"), tc("", "b")), `<w:tr><w:trPr><w:del/></w:trPr>`+tc("", "c")+"</w:tr>"), "<table><tr><th>a</th><th>b</th></tr></table>"},
		"controls":             {tbl("<w:sdt><w:sdtContent>" + tr("<w:sdt><w:sdtContent>"+tc("", "a")+"</w:sdtContent></w:sdt>", tc("", "b")) + "</w:sdtContent></w:sdt>"), "<table><tr><th>a</th><th>b</th></tr></table>"},
		"lines":                {tbl(tr("<w:tc>"+p("", r("", "a"))+item(1, 0, "b")+"</w:tc>", tc("", "c"))), "<table><tr><th>a<br>- b</th><th>c</th></tr></table>"},
		"a table within":       {tbl(tr("<w:tc>"+tbl(tr(tc("", "a"), tc("", "b")))+p("", "")+"</w:tc>", tc("", "c")), tr(tc("", "d"), tc("", "e"))), "<table><tr><th>a, b</th><th>c</th></tr><tr><td>d</td><td>e</td></tr></table>"},
		"absurd spans":         {tbl(tr(tc(`<w:gridSpan w:val="99999999"/>`, "a"), tc(`<w:gridSpan w:val="-4"/>`, "b"))), `<table><tr><th colspan="100">a</th><th>b</th></tr></table>`},
		"no rows":              {tbl(), ""},
	}, numbering)
}

func TestNotes(t *testing.T) {
	t.Parallel()
	notes := func(kind string) part {
		return part{"word/" + kind + "s.xml", "<w:" + kind + "s" + names + ">" +
			`<w:` + kind + ` w:id="0" w:type="separator">` + p("", r("", "line")) + "</w:" + kind + ">" +
			`<w:` + kind + ` w:id="1">` + p("", "<w:r><w:"+kind+"Ref/></w:r>"+`<w:hyperlink r:id="n">`+r("", kind+" text")+"</w:hyperlink>") + "</w:" + kind + "></w:" + kind + "s>"}
	}
	reference := func(kind, id string) string { return `<w:r><w:` + kind + `Reference w:id="` + id + `"/></w:r>` }
	noteRels := rels("n", "hyperlink", "https://example.com/note")
	noteRels.name = "word/_rels/footnotes.xml.rels"
	doc := read(t, document(t, p("", r("", "a")+reference("endnote", "1")+r("", "b")+reference("footnote", "1")+reference("footnote", "1")+reference("footnote", "8")),
		notes("footnote"), notes("endnote"), noteRels))
	want := `<p>a<sup><a href="#note-1" role="doc-noteref">1</a></sup>b<sup><a href="#note-2" role="doc-noteref">2</a></sup><sup><a href="#note-2" role="doc-noteref">2</a></sup></p>` +
		`<section role="doc-endnotes"><ol><li id="note-1"><p>endnote text</p></li><li id="note-2"><p><a href="https://example.com/note">footnote text</a></p></li></ol></section>`
	if got := show(doc); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestMargins(t *testing.T) {
	t.Parallel()
	margin := func(name, text string) part {
		return part{"word/" + name + ".xml", "<w:hdr" + names + ">" + text + "</w:hdr>"}
	}
	page := p("", r("", "Page ")+`<w:fldSimple w:instr=" PAGE ">`+r("", "3")+"</w:fldSimple>"+r("", " of ")+`<w:fldSimple w:instr="NUMPAGES">`+r("", "9")+"</w:fldSimple>")
	section := `<w:sectPr><w:headerReference w:type="default" r:id="h1"/><w:headerReference w:type="first" r:id="h2"/><w:headerReference w:type="even" r:id="h3"/><w:footerReference w:type="default" r:id="f1"/><w:footerReference w:type="first" r:id="f2"/><w:titlePg/></w:sectPr>`
	last := `<w:sectPr><w:headerReference w:type="default" r:id="h4"/></w:sectPr>`
	file := document(t, "<w:p><w:pPr>"+section+"</w:pPr>"+r("", "body")+"</w:p><w:p><w:pPr>"+section+"</w:pPr></w:p>"+last,
		rels("h1", "header", "header1.xml", "h2", "header", "header2.xml", "h3", "header", "header3.xml", "h4", "header", "header4.xml", "f1", "footer", "footer1.xml", "f2", "footer", "footer2.xml"),
		margin("header1", p("Heading1", r("", "Usual"))), margin("header2", p("", r("", "First"))), margin("header3", p("", r("", "Even"))), margin("header4", p("", drawing("inline", "Logo", blip(`r:link="logo"`)))),
		margin("footer1", page), margin("footer2", p("", r("", "Contract ")+`<w:fldSimple w:instr=" PAGE ">`+r("", "3")+"</w:fldSimple>")))
	want := "<header><p>First</p></header><header><p>Usual</p></header><p>body</p><footer><p>Contract</p></footer>"
	if got := show(read(t, file)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
