package rtf_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/trawlhq/trawl/document/internal/treetest"
	"github.com/trawlhq/trawl/document/rtf"
	"github.com/trawlhq/trawl/document/tree"
)

// body returns what is in a file.
func body(t *testing.T, file string) string {
	t.Helper()
	doc, err := rtf.Read([]byte(file))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return treetest.Show(doc)
}

// fonts is a table with a font for each code page that the tests use.
const fonts = `{\fonttbl{\f0\froman\fcharset0 Times New Roman{\*\falt Times};}{\f1\fnil\fcharset128 MS Mincho;}{\f2\fnil\fcharset134 SimSun;}` +
	`{\f3\fnil\fcharset136 PMingLiU;}{\f4\fnil\fcharset129 Batang;}{\f5\froman\fcharset204 Times New Roman;}{\f6\froman\fcharset2 Symbol;}` +
	`{\f7\fnil\fcharset2 Wingdings;}{\f8\fnil\fcharset77 Geneva;}{\f9\fswiss\fcharset238 Arial CE;}}`

func TestText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, want string }{
		{"plain", `{\rtf1 Hello, \{World\}\\}`, `<p>Hello, {World}\</p>`},
		{"line ends mean nothing", "{\\rtf1 Hel\r\nlo\n}", `<p>Hello</p>`},
		{"paragraphs", `{\rtf1 One\par Two\par\par Three}`, `<p>One</p><p>Two</p><p>Three</p>`},
		{"escaped line end is a paragraph", "{\\rtf1 One\\\nTwo\\\r\nThree}", `<p>One</p><p>Two</p><p>Three</p>`},
		{"line break and tab", `{\rtf1 One\line Two\tab Three}`, "<p>One<br>Two\tThree</p>"},
		{"characters by name", `{\rtf1 \ldblquote a\rdblquote\~\endash  b\rquote s\emdash\bullet}`, "<p>“a”\u00a0– b’s—•</p>"},
		{"hyphens", `{\rtf1 op\-tion\_al}`, "<p>option\u2011al</p>"},
		{"value ends at the first other sign", `{\rtf1 a\b1 b\b0c}`, `<p>a<b>b</b>c</p>`},
		{"groups bring the state back", `{\rtf1 a{\b b{\i c}}d}`, `<p>a<b>b</b><i><b>c</b></i>d</p>`},
		{"styles of text", `{\rtf1 {\strike a}{\ul b}{\super c}{\sub d}{\up6 e}{\b\plain f}}`,
			`<p><s>a</s><u>b</u><sup>c</sup><sub>d</sub><sup>e</sup>f</p>`},
		{"hidden and deleted", `{\rtf1 a{\v hidden}{\deleted gone}b\v no\v0 c}`, `<p>abc</p>`},
		{"ignorable destination", `{\rtf1 a{\*\unheardof secret {\b more}}b}`, `<p>ab</p>`},
		{"mark of such a destination within a group", `{\rtf1 a{\b\*\unheardof b\*c}{\*\unheardof no}d}`, `<p>a<b>bc</b>d</p>`},
		{"equation with an empty result", `{\rtf1 a {\field{\*\fldinst {EQ \\f(1,2)}}{\fldrslt {}}}}`, `<p>a 1/2</p>`},
		{"equation with a result", `{\rtf1 a {\field{\*\fldinst EQ \\f(1,2)}{\fldrslt {half}}}}`, `<p>a half</p>`},
		{"equation without a result", `{\rtf1 a {\field{\*\fldinst EQ \\f(1,2)}}}`, `<p>a 1/2</p>`},
		{"binary data", "{\\rtf1 a{\\*\\x\\bin5 }}}}}b}c}", `<p>ac</p>`},
		{"header, comment and index entry", `{\rtf1{\header Top}{\footerf Bottom}a{\*\annotation note}{\xe index}b}`, `<p>ab</p>`},
		{"two documents in one file", `{\rtf1 One\par}` + "\n" + `{\rtf1 Two\par}`, `<p>One</p><p>Two</p>`},
		{"nothing behind the end", `{\rtf1 One\par} and so on`, `<p>One</p>`},
		{"before the header", "\ufeff \n{\\rtf1 a}", `<p>a</p>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := body(t, test.file); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestCharacters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, want string }{
		{"ansi", `{\rtf1\ansi caf\'e9 \'80}`, "café €"},
		{"code page of the file", `{\rtf1\ansi\ansicpg1250 za\'bf\'f3\'b3\'e6}`, "zażółć"},
		{"code page 0 is none", `{\rtf1\ansi\ansicpg0 \'e9}`, "é"},
		{"mac", `{\rtf1\mac \'8e}`, "é"},
		{"pc", `{\rtf1\pc \'82}`, "é"},
		{"raw utf-8", `{\rtf1\ansi\ansicpg1252 naïve – Ω}`, "naïve – Ω"},
		{"utf-8 and escapes", `{\rtf1\ansi\ansicpg1252 ï\'ef}`, "ïï"},
		{"raw bytes", "{\\rtf1\\ansi caf\xe9}", "café"},
		{"shift-jis", `{\rtf1\ansi` + fonts + `\f1 \'93\'fa\'96\'7b}`, "日本"},
		{"second byte as it is", `{\rtf1\ansi` + fonts + `\f1 \'83A}`, "ア"},
		{"gbk", `{\rtf1\ansi` + fonts + `\f2 \'d3\'a1\'cb\'a2}`, "印刷"},
		{"big5", `{\rtf1\ansi` + fonts + `\f3 \'a4\'a4\'a4\'e5}`, "中文"},
		{"korean", `{\rtf1\ansi` + fonts + `\f4 \'c7\'d1\'b1\'db}`, "한글"},
		{"cyrillic font", `{\rtf1\ansi` + fonts + `a{\f5 \'e4\'e0}\'e4}`, "aдаä"},
		{"font of the mac", `{\rtf1\ansi` + fonts + `\f8 \'8e}`, "é"},
		{"default font", `{\rtf1\ansi\deff9` + fonts + `\'b3}`, "ł"},
		{"symbol", `{\rtf1\ansi` + fonts + `{\f6 abS\'b3}}`, "αβΣ≥"},
		{"symbol by unicode", `{\rtf1\ansi` + fonts + `{\f6 \u-3999\'61}x}`, "αx"},
		{"wingdings", `{\rtf1\ansi` + fonts + `{\f7 \'fc\'a7}}`, "✓▪"},
		{"unicode with fallback", `{\rtf1 a\u8804?b\u8805\'3fc}`, "a≤b≥c"},
		{"fallback of two", `{\rtf1\uc2 a\u26085\'93\'fab}`, "a日b"},
		{"no fallback", `{\rtf1\uc0 \u8804 b\u8805 c}`, "≤b≥c"},
		{"fallback forgotten", `{\rtf1 \u8804\par b}`, "≤ b"},
		{"fallback ends with the group", `{\rtf1 {\u8804}b}`, "≤b"},
		{"uc is the group's", `{\rtf1 {\uc0 \u8804 x}\u8805 ?y}`, "≤x≥y"},
		{"negative", `{\rtf1 \u-10187 ?}`, ""},
		{"surrogates", `{\rtf1 \u-10179 ?\u-8704 ?}`, "😀"},
		{"unicode half of upr", `{\rtf1 a{\upr{ansi}{\*\ud{u\u8804 ?}}}b}`, "au≤b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := strings.ReplaceAll(body(t, test.file), "</p><p>", " ")
			if got = strings.TrimSuffix(strings.TrimPrefix(got, "<p>"), "</p>"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// sheet is a table of styles.
const sheet = `{\stylesheet{\ql Normal;}{\s1\outlinelevel0 heading 1;}{\s2 heading 2,Kapitel;}{\s3\b Caption;}{\s4 Title;}{\s5\outlinelevel2 My own;}{\*\cs10 Default;}}`

func TestHeadings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, want string }{
		{"by style", `{\rtf1` + sheet + `\pard\s1 A\par\pard\s2{\b B}\par\pard\s3 c\par\pard d\par}`, `<h1>A</h1><h2>B</h2><p>c</p><p>d</p>`},
		{"by outline of the style", `{\rtf1` + sheet + `\pard\s5 A\par}`, `<h3>A</h3>`},
		{"in another language", `{\rtf1\ansi{\stylesheet{\s7 \'dcberschrift 3;}}\pard\s7 A\par}`, `<h3>A</h3>`},
		{"by own outline", `{\rtf1\pard\outlinelevel1 A\par\pard b\par}`, `<h2>A</h2><p>b</p>`},
		{"body text", `{\rtf1` + sheet + `\pard\s5\outlinelevel9 A\par}`, `<p>A</p>`},
		{"below the title", `{\rtf1` + sheet + `\pard\s4 T\par\pard\s1 A\par\pard\s2 B\par}`, `<h1>T</h1><h2>A</h2><h3>B</h3>`},
		{"with its number", `{\rtf1` + sheet + `{\listtext 1.2\tab}\pard\s2\ls1\ilvl1 B\par}`, `<h2>1.2 B</h2>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := body(t, test.file); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	const table = `{\*\listtable{\list{\listlevel\levelnfc0\levelstartat3{\leveltext\'02\'00.;}{\levelnumbers\'01;}}` +
		`{\listlevel\levelnfc4\levelstartat1{\leveltext\'04\'00.\'01);}}\listid77}` +
		`{\list{\listlevel\levelnfc23\levelstartat1{\leveltext\'01\'b7;}}\listid88}` +
		`{\list{\listlevel\levelnfc255\levelstartat1{\leveltext\'00;}}\listid99}}` +
		`{\*\listoverridetable{\listoverride\listid77\listoverridecount0\ls1}{\listoverride\listid88\ls2}{\listoverride\listid99\ls3}}`
	for _, test := range []struct{ name, file, want string }{
		{"numbers as shown", `{\rtf1{\listtext 3.\tab}\pard\ls1 a\par{\listtext 4.\tab}b\par\pard c\par}`,
			`<list><item 3.><p>a</p><item 4.><p>b</p></list><p>c</p>`},
		{"word 6", `{\rtf1\pard{\pntext\f6\'b7\tab}{\*\pn\pnlvlblt\pnf6{\pntxtb\'b7}}a\par{\pntext\f6\'b7\tab}b\par}`, `<list><item><p>a</p><item><p>b</p></list>`},
		{"a letter as a bullet", `{\rtf1` + table + `{\listtext o\tab}\pard\ls2 a\par\pard{\pntext n\tab}{\*\pn\pnlvlblt}b\par}`,
			`<list><item><p>a</p><item><p>b</p></list>`},
		{"nested", `{\rtf1{\listtext 1.\tab}\pard\ls1\ilvl0 a\par{\listtext a)\tab}\pard\ls1\ilvl1 b\par{\listtext 2.\tab}\pard\ls1\ilvl0 c\par}`,
			`<list><item 1.><p>a</p><list><item a)><p>b</p></list><item 2.><p>c</p></list>`},
		{"begins deep", `{\rtf1{\listtext *\tab}\pard\ls1\ilvl2 a\par{\listtext *\tab}\pard\ls1\ilvl0 b\par}`, `<list><item><p>a</p><item><p>b</p></list>`},
		{"numbers from the table", `{\rtf1` + table + `\pard\ls1 a\par\pard\ls1\ilvl1 b\par\ilvl1 c\par\pard\ls1 d\par}`,
			`<list><item 3.><p>a</p><list><item 3.a)><p>b</p><item 3.b)><p>c</p></list><item 4.><p>d</p></list>`},
		{"bullets from the table", `{\rtf1` + table + `\pard\ls2 a\par}`, `<list><item><p>a</p></list>`},
		{"a label that is empty", `{\rtf1{\listtext\tab}\pard\ls1 a\par}`, `<p>a</p>`},
		{"no list at all", `{\rtf1` + table + `\pard\ls3 a\par}`, `<p>a</p>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := body(t, test.file); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, want string }{
		{"simple", `{\rtf1\trowd\cellx1000\cellx2000\pard\intbl a\cell b\cell\row\trowd\cellx1000\cellx2000\intbl c\cell d\cell\row\pard e\par}`,
			`<table><tr><td>a<td>b<tr><td>c<td>d</table><p>e</p>`},
		{"intbl comes late", `{\rtf1\trowd\cellx1000\cellx2000 a\intbl\cell b\intbl\cell\row}`, `<table><tr><td>a<td>b</table>`},
		{"no row at the end", `{\rtf1\trowd\cellx1000\pard\intbl a\cell\pard b\par}`, `<table><tr><td>a</table><p>b</p>`},
		{"paragraphs in a cell", `{\rtf1\trowd\cellx1000\pard\intbl a\par b\cell\row}`, `<table><tr><td><p>a</p><p>b</p></table>`},
		{"two header rows", `{\rtf1\trowd\trhdr\cellx1\pard\intbl a\cell\row\trowd\trhdr\cellx1 b\cell\row\trowd\cellx1 c\cell\row}`,
			`<table><tr><th>a<tr><th>b<tr><td>c</table>`},
		{"merged columns", `{\rtf1\trowd\clmgf\cellx1000\clmrg\cellx2000\cellx3000\pard\intbl a\cell\cell b\cell\row}`,
			`<table><tr><td 2x1>a<td>b</table>`},
		{"wider than those below", `{\rtf1\trowd\cellx2000\pard\intbl a\cell\row\trowd\cellx1000\cellx2010\intbl b\cell c\cell\row}`,
			`<table><tr><td 2x1>a<tr><td>b<td>c</table>`},
		{"merged rows", `{\rtf1\trowd\clvmgf\cellx1000\cellx2000\pard\intbl a\cell b\cell\row\trowd\clvmrg\cellx1000\cellx2000\cell c\cell\row}`,
			`<table><tr><td 1x2>a<td>b<tr><td>c</table>`},
		{"nested", `{\rtf1\trowd\cellx2000\pard\intbl x\par\pard\intbl\itap2 a\nestcell b\nestcell{\*\nesttableprops\trowd\cellx500\cellx1000\nestrow}` +
			`{\nonesttables\par}\pard\intbl y\cell\row}`,
			`<table><tr><td><p>x</p><table><tr><td>a<td>b</table><p>y</p></table>`},
		{"another begins", `{\rtf1\trowd\irow0\cellx1\pard\intbl a\cell\row\trowd\irow0\cellx1\intbl b\cell\row}`,
			`<table><tr><td>a</table><table><tr><td>b</table>`},
		{"more cells than said", `{\rtf1\trowd\cellx1000\pard\intbl a\cell b\cell\row}`, `<table><tr><td>a<td>b</table>`},
		{"rows without cells", `{\rtf1\trowd\cellx1000\row\row\row a}`, `<p>a</p>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := body(t, test.file); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, want string }{
		{"link", `{\rtf1{\field{\*\fldinst{HYPERLINK "https://example.com/a b"}}{\fldrslt{\ul here}}} x}`,
			`<p><a https://example.com/a b><u>here</u></a> x</p>`},
		{"anchor", `{\rtf1{\field{\*\fldinst HYPERLINK \\l "part" \\o "tip"}{\fldrslt here}}}`, `<p><a #part>here</a></p>`},
		{"address and anchor", `{\rtf1{\field{\*\fldinst HYPERLINK "https://example.com" \\l "part"}{\fldrslt here}}}`,
			`<p><a https://example.com#part>here</a></p>`},
		{"no quotes", `{\rtf1{\field{\*\fldinst HYPERLINK mailto:a@example.com }{\fldrslt here}}}`, `<p><a mailto:a@example.com>here</a></p>`},
		{"number of the page", `{\rtf1{\field{\*\fldinst PAGE}{\fldrslt 7}}}`, `<p>7</p>`},
		{"nested in the instruction", `{\rtf1{\field{\*\fldinst HYPERLINK "{\field{\*\fldinst DOCPROPERTY x}{\fldrslt https://a.example}}"}{\fldrslt here}}}`,
			`<p><a https://a.example>here</a></p>`},
		{"nested in the result", `{\rtf1{\field{\*\fldinst TOC}{\fldrslt{\field{\*\fldinst HYPERLINK \\l "a"}{\fldrslt One}}\par Two}}}`,
			`<p><a #a>One</a></p><p>Two</p>`},
		{"symbol", `{\rtf1\ansi` + fonts + `{\field{\*\fldinst SYMBOL 97 \\f "Symbol" \\s 10}}}`, `<p>α</p>`},
		{"boxes", `{\rtf1{\field{\*\fldinst FORMCHECKBOX{\*\formfield{\fftype1\ffres1}}}} a{\field{\*\fldinst FORMCHECKBOX{\*\formfield{\fftype1\ffres25\ffdefres0}}}} b}`,
			`<p>☒ a☐ b</p>`},
		{"a box in front", `{\rtf1{\field{\*\fldinst FORMCHECKBOX{\*\formfield{\fftype1\ffres1}}}} a\par\u9744? b\par}`, `<list><item [x]><p>a</p><item [ ]><p>b</p></list>`},
		{"note", `{\rtf1 a{\super\chftn}{\footnote\pard{\super\chftn} The {\i note}\par}b}`,
			`<p>a[1]b</p>[1]: <p>The <i>note</i></p>`},
		{"text box", `{\rtf1 a{\shp{\*\shpinst\shpleft1{\sp{\sn shapeType}{\sv 202}}{\shptxt\pard In the {\b box}\par}}{\shprslt{\*\do\dptxbx{\dptxbxtext twice}}}}b\par}`,
			`<p>ab</p><p>In the <b>box</b></p>`},
		{"formula", `{\rtf1 a {\mmath{\*\moMath{\mr x{\i =}}{\mf{\mfPr{\mtype bar}}{\mnum{\mr 1}}{\mden{\msSup{\me{\mr a}}{\msup{\mr 2}}}}}}{\mmathPict{\pict\pngblip 89}}} b}`,
			`<p>a $x=\frac{1}{a^{2}}$ b</p>`},
		{"formula on its own", `{\rtf1{\mmath{\*\moMathPara{\*\moMath{\mnary{\mnaryPr{\mchr \u8721?}}{\msub{\mr i=1}}{\msup{\mr n}}{\me{\mrad{\mdeg}{\me{\mr i}}}}}` +
			`{\md{\mdPr{\mbegChr [}{\mendChr ]}}{\me{\mm{\mmr{\me{\mr a}}{\me{\mr b}}}{\mmr{\me{\mr c}}{\me{\mr d}}}}}}{\mfunc{\mfName{\mr sin}}{\me{\macc{\me{\mr x}}}}}}}}\par}`,
			`$$\sum_{i=1}^{n}\sqrt{i}\left[\begin{matrix}a & b \\ c & d\end{matrix}\right]\sin\hat{x}$$`},
		{"object", `{\rtf1 a{\object\objemb{\*\objclass Excel}{\*\objdata 0105}{\result shown}}b}`, `<p>ashownb</p>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := body(t, test.file); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestPictures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, want string }{
		{"digits", `{\rtf1 a{\pict\pngblip\picw1 8950` + "\n" + `4e470d0a1a0a}b}`, `<p>a![](data:image/png;base64,iVBORw0KGgo=)b</p>`},
		{"binary", "{\\rtf1{\\pict\\jpegblip\\bin4 \xff\xd8\xff}}}", `<p>![](data:image/jpeg;base64,/9j/fQ==)</p>`},
		{"twice", `{\rtf1{\*\shppict{\pict\pngblip 89504e470d0a1a0a}}{\nonshppict{\pict\wmetafile8 0102}}}`, `<p>![](data:image/png;base64,iVBORw0KGgo=)</p>`},
		{"with a description", `{\rtf1{\pict{\*\picprop{\sp{\sn wzDescription}{\sv A\u10?dog}}}\pngblip 89504e470d0a1a0a}}`,
			`<p>![A dog](data:image/png;base64,iVBORw0KGgo=)</p>`},
		{"in a drawing", `{\rtf1{\shp{\*\shpinst{\sp{\sn fillBlip}{\sv{\pict\pngblip 00}}}{\sp{\sn pib}{\sv{\pict\pngblip 89504e470d0a1a0a}}}}}}`,
			`<p>![](data:image/png;base64,iVBORw0KGgo=)</p>`},
		{"nothing to show", `{\rtf1 a{\pict\wmetafile8 0102}b}`, `<p>ab</p>`},
		{"too large", `{\rtf1 a{\pict\pngblip ` + strings.Repeat("00", 1<<20+1) + `}b}`, `<p>ab</p>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := body(t, test.file); got != test.want {
				t.Errorf("got  %.300s\nwant %s", got, test.want)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	doc, err := rtf.Read([]byte(`{\rtf1\ansi\deflang1031{\*\generator Writer 1.0;}{\info{\title The \'e9nd}{\author A. Author}{\subject S}{\keywords k, l}` +
		`{\operator nobody}{\creatim\yr2018\mo3\dy26\hr8\min51}{\revtim\yr2019\mo13\dy1}{\doccomm none}}Text\par{\lang2057 Some English text here}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := tree.Info{
		Title: "The énd", Author: "A. Author", Subject: "S", Keywords: "k, l", Language: "en-GB", Generator: "Writer 1.0",
		Created: time.Date(2018, 3, 26, 8, 51, 0, 0, time.UTC),
	}
	if doc.Info != want {
		t.Errorf("got  %+v\nwant %+v", doc.Info, want)
	}
	if got, want := treetest.Show(doc), "<p>Text</p><p>Some English text here</p>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, file string
		want       error
	}{
		{"empty", "", tree.ErrDamaged},
		{"no rtf", "Hello", tree.ErrDamaged},
		{"nothing but braces", `{\rtf1` + strings.Repeat("{", 1_000_000) + strings.Repeat("}", 1_000_000) + "}", tree.ErrTooComplex},
	} {
		if _, err := rtf.Read([]byte(test.file)); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
	for _, test := range []struct{ name, file, want string }{
		{"cut", `{\rtf1 Hello {\b wor`, `<p>Hello <b>wor</b></p>`},
		{"cut in a word", `{\rtf1 Hello\`, `<p>Hello</p>`},
		{"cut in a table", `{\rtf1\trowd\cellx1\pard\intbl a\cell b`, `<table><tr><td>a</table><p>b</p>`},
		{"cut in a note", `{\rtf1 a{\footnote b`, `<p>a[1]</p>[1]: <p>b</p>`},
		{"more data than there is", `{\rtf1 hello\bin2147483647 xxxx`, `<p>hello</p>`},
		{"too deep", `{\rtf1 a` + strings.Repeat("{", 2000) + "gone" + strings.Repeat("}", 2000) + `b}`, `<p>ab</p>`},
		{"a brace too many", `{\rtf1 a}b\par}`, `<p>ab</p>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			doc, err := rtf.Read([]byte(test.file))
			if err != nil {
				t.Fatal(err)
			}
			if got := treetest.Show(doc); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if len(doc.Warnings) == 0 && test.name != "a brace too many" {
				t.Error("no warning")
			}
		})
	}
}

// A file may hold more than a worker can keep: it is cut, and says so.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	doc, err := rtf.Read([]byte(`{\rtf1 ` + strings.Repeat(`a\par `, 1_050_000) + "}"))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Warnings) != 1 || len(doc.Body) >= 1_050_000 || len(doc.Body) < 100_000 {
		t.Errorf("got %d blocks and %q", len(doc.Body), doc.Warnings)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{\rtf1\ansi` + fonts + sheet + `\pard\s1 A\par{\f1\'93\'fa}\u8804?{\field{\*\fldinst HYPERLINK "a"}{\fldrslt b}}{\footnote c}}`))
	f.Add([]byte(`{\rtf1\trowd\clvmgf\cellx9\clmgf\cellx20\pard\intbl a\cell\pard\itap2 n\nestcell{\*\nesttableprops\trowd\cellx5\nestrow}\cell\row{\pict\pngblip 89}}`))
	f.Add([]byte(`{\rtf1{\*\listtable{\list{\listlevel\levelnfc0{\leveltext\'02\'00.;}}\listid7}}{\*\listoverridetable{\listoverride\listid7\ls1}}\pard\ls1 a\par}`))
	f.Add([]byte(`{\rtf1{\info{\title a}{\creatim\yr2018}}{\shp{\*\shpinst{\sp{\sn pib}{\sv{\pict\bin1 x}}}{\shptxt b}}}{\upr{c}{\*\ud d}}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		doc, err := rtf.Read(file)
		if err == nil {
			tree.Write(doc, 1<<20)
		}
	})
}

// TestCorpus compares words with those that the files are known to have.
func TestCorpus(t *testing.T) {
	for name, file := range treetest.Corpus(t, "*/*.rtf") {
		doc, err := rtf.Read(file)
		known, missing := os.ReadFile(name + ".ref.txt")
		if missing != nil {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		split := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) }
		got := map[string]bool{}
		for _, word := range strings.FieldsFunc(treetest.Show(doc), split) {
			got[word] = true
		}
		total, found := 0, 0
		for _, word := range strings.FieldsFunc(strings.ReplaceAll(string(known), "\u00ad", ""), split) {
			total++
			if got[word] {
				found++
			}
		}
		if found*1000 < total*985 {
			t.Errorf("%s: %d of %d words", name, found, total)
		}
	}
}
