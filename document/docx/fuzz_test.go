package docx_test

import (
	"testing"

	"github.com/trawlhq/trawl/document/docx"
	"github.com/trawlhq/trawl/document/tree"
)

// FuzzBody reads what may be in a body.
func FuzzBody(f *testing.F) {
	f.Add(p("H2", r("<w:b/>", "text")) + item(2, 1, "item"))
	f.Add("<w:tbl><w:tr>" + tc(`<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>`, "a") + "</w:tr><w:tr>" + tc("<w:vMerge/>", "") + "</w:tr></w:tbl>")
	f.Add(p("", `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "x" \l y</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>`+r("", "go")))
	f.Add(p("", textBox(p("", r("", "b")))+drawing("anchor", "x", blip(`r:embed="a"`))+`<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>`))
	f.Add(p("", m("oMath", m("f", m("num", mr("a")), m("den", mr("b"))), m("nary", m("e", mr("x"))), m("eqArr", m("e", mr("&"))))))
	f.Add(`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>` + r("", "☐ a") + `</w:p><w:sdt><w:sdtContent>` + p("Code", "") + `</w:sdtContent></w:sdt>`)
	f.Fuzz(func(t *testing.T, body string) {
		doc, err := docx.Read(document(t, body, numbering))
		if err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}

// FuzzParts reads styles and numberings.
func FuzzParts(f *testing.F) {
	f.Add(`<w:style w:styleId="a"><w:name w:val="heading 1"/><w:basedOn w:val="a"/></w:style>`, `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:lvlText w:val="%1%9%"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`)
	f.Fuzz(func(t *testing.T, styles, lists string) {
		file := pack(t,
			part{"word/document.xml", "<w:document" + names + "><w:body>" + p("a", r("", "text")) + item(1, 0, "one") + item(1, 3, "two") + "</w:body></w:document>"},
			part{"word/styles.xml", "<w:styles" + names + ">" + styles + "</w:styles>"},
			part{"word/numbering.xml", "<w:numbering" + names + ">" + lists + "</w:numbering>"})
		if doc, err := docx.Read(file); err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}
