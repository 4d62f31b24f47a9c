package zipped_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

// show writes a tree in short.
func show(n *zipped.Node) string {
	if n == nil {
		return "nil"
	}
	if n.Name == "" {
		return fmt.Sprintf("%q", n.Text)
	}
	s := n.Name
	for _, a := range n.Attr {
		s += fmt.Sprintf(" %s=%q", a.Name, a.Value)
	}
	var inner []string
	for c := range n.All() {
		inner = append(inner, show(c))
	}
	return s + "[" + strings.Join(inner, " ") + "]"
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ xml, want string }{
		"plain":                {`<a b="1" c='2'>x<d/>y</a>`, `a b="1" c="2"["x" d[] "y"]`},
		"own prefixes":         {`<x:p xmlns:x="` + word + `" x:val="1"/>`, `w:p w:val="1"[]`},
		"default namespace":    {`<p xmlns="` + word + `" val="1"><q xmlns=""/></p>`, `w:p val="1"[q[]]`},
		"strict":               {`<w:p xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"/>`, `w:p[]`},
		"unknown namespace":    {`<z:p xmlns:z="urn:z" z:a="1"/>`, `?:p ?:a="1"[]`},
		"declared for a while": {`<a xmlns:k="urn:k"><k:b xmlns:k="` + word + `"/><k:b/></a>`, `a[w:b[] ?:b[]]`},
		"never declared":       {`<w:p w:val="1"/>`, `w:p w:val="1"[]`},
		"xml:space":            {`<a xml:space="preserve"> </a>`, `a xml:space="preserve"[" "]`},
		"entities":             {`<a b="&lt;&#65;">&amp;&#x42;&nbsp;&;&#0;&#xD800;</a>`, `a b="<A"["&B&nbsp;&;&#0;�"]`},
		"cdata":                {`<a><![CDATA[<&amp;>]]></a>`, `a["<&amp;>"]`},
		"comments":             {"<?xml version='1.0'?><!-- <z> --><a>1<!-- 2 --><?x y?>3</a><!-- end -->", `a["1" "3"]`},
		"line ends":            {"<a>1\r\n2\r3</a>", `a["1\n2\n3"]`},
		"wrong end tags":       {`<a><b><c>1</b></x>2</a>`, `a[b[c["1"]] "2"]`},
		"a second root":        {`<a/><b/>`, `a[]`},
		"an unended tag":       {`<a><b c="1"<d/></a>`, `a[b c="1"[d[]]]`},
		"invalid bytes":        {"<a>\xff</a>", `a["�"]`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, err := zipped.Parse([]byte(test.xml))
			if got := show(n); got != test.want || err != nil {
				t.Errorf("got %s, %v\nwant %s", got, err, test.want)
			}
		})
	}
}

func TestParseEncodings(t *testing.T) {
	t.Parallel()
	encode := func(e interface{ Bytes([]byte) ([]byte, error) }, s string) []byte {
		b, err := e.Bytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	tests := map[string][]byte{
		"utf-8 with a mark": []byte("\ufeff<a>Grüße</a>"),
		"utf-16 with a mark": encode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder(),
			`<?xml version="1.0" encoding="utf-16"?><a>Grüße</a>`),
		"utf-16 without":      encode(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder(), `<a>Grüße</a>`),
		"utf-16, but is not":  []byte(`<?xml version="1.0" encoding="UTF-16"?><a>Grüße</a>`),
		"windows-1252":        encode(charmap.Windows1252.NewEncoder(), `<?xml version='1.0' encoding = 'windows-1252'?><a>Grüße</a>`),
		"one that is no name": []byte(`<?xml version="1.0" encoding="klingon"?><a>Grüße</a>`),
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if n, err := zipped.Parse(body); n.Content() != "Grüße" || err != nil {
				t.Errorf("got %q, %v", n.Content(), err)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<a>", 300) + "lost" + strings.Repeat("</a>", 300)
	tests := map[string]struct {
		xml  string
		want error
		text string // that is read all the same
	}{
		"nothing":           {"", tree.ErrDamaged, ""},
		"no markup":         {"text", tree.ErrDamaged, ""},
		"type declaration":  {`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, tree.ErrDamaged, ""},
		"ends in text":      {`<a><b>kept</b> and`, tree.ErrDamaged, "kept and"},
		"ends in a tag":     {`<a>kept<b c="`, tree.ErrDamaged, "kept"},
		"too deep":          {"<a>kept" + deep + " too</a>", tree.ErrTooComplex, "kept too"},
		"too many nodes":    {"<a>kept" + strings.Repeat("<b/>", 5_000_000) + "</a>", tree.ErrTooComplex, "kept"},
		"too many values":   {"<a>kept<b" + strings.Repeat(" c=''", 5_000_001) + "/></a>", tree.ErrTooComplex, "kept"},
		"too many prefixes": {"<a" + strings.Repeat(` xmlns:p="urn:q"`, 100_000) + ">kept</a>", nil, "kept"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && len(test.xml) > 10<<20 {
				t.Skip("reads much")
			}
			n, err := zipped.Parse([]byte(test.xml))
			if !errors.Is(err, test.want) || n.Content() != test.text {
				t.Errorf("got %q, %v; want %q, %v", n.Content(), err, test.text, test.want)
			}
		})
	}
}

func TestNode(t *testing.T) {
	t.Parallel()
	n, err := zipped.Parse([]byte(`<a x=""><b>1</b><c>2<d>3</d></c><b>4</b></a>`))
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Content() + "|" + n.Child("c").Content() + "|" + n.Child("b").First.Content(); got != "1234|23|1" {
		t.Errorf("content %q", got)
	}
	if _, there := n.Lookup("x"); !there || n.Get("y") != "" {
		t.Error("attributes are not told apart")
	}
	var none *zipped.Node
	if none.Child("a").Get("b") != "" || none.Content() != "" {
		t.Error("nothing has something")
	}
	for range none.All() {
		t.Error("nothing has children")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0" encoding="utf-8"?><w:p xmlns:w="` + word + `" w:a="&lt;">x<![CDATA[y]]><!-- z --></w:p>`))
	f.Add([]byte(`<a xmlns:b="urn:b" xmlns="urn:c"><b:d e='f'/></g></a>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		n, err := zipped.Parse(body)
		if n == nil && err == nil {
			t.Error("neither a tree nor an error")
		}
		if len(n.Content()) > 3*len(body)+10 {
			t.Error("more text than there was")
		}
	})
}

func BenchmarkParse(b *testing.B) {
	body := bytes.Repeat([]byte(`<w:p w:rsidR="00A77B3E"><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>Some text of a run</w:t></w:r></w:p>`), 10_000)
	body = append(append([]byte(`<w:body xmlns:w="`+word+`">`), body...), "</w:body>"...)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := zipped.Parse(body); err != nil {
			b.Fatal(err)
		}
	}
}
