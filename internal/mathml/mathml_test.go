package mathml_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/mathml"
)

// parse reads a formula.
func parse(t *testing.T, formula string) *mathml.Element {
	t.Helper()
	open := []*mathml.Element{{}}
	for d := xml.NewDecoder(strings.NewReader(formula)); ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			top.Children = append(top.Children, mathml.Element{Name: token.Name.Local, Get: func(name string) (string, bool) {
				for _, a := range token.Attr {
					if a.Name.Local == name {
						return a.Value, true
					}
				}
				return "", false
			}})
			open = append(open, &top.Children[len(top.Children)-1])
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.Children = append(top.Children, mathml.Element{Text: string(token)})
		}
	}
	return &open[0].Children[0]
}

func TestTeX(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ mathml, want string }{
		"power":       {"<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E=mc^{2}"},
		"fraction":    {"<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", `\frac{a}{b+1}`},
		"roots":       {"<msqrt><mi>x</mi></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>", `\sqrt{x}\sqrt[3]{y}`},
		"sum":         {"<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>", `\sum_{i=1}^{n}i`},
		"function":    {"<mi>sin</mi><mi>x</mi>", `\sin x`},
		"word":        {"<mi>rank</mi>", `\mathrm{rank}`},
		"accent":      {"<mover><mi>v</mi><mo>→</mo></mover><mover><mi>x</mi><mo>¯</mo></mover>", `\vec{v}\overline{x}`},
		"above":       {"<mover><mi>x</mi><mn>2</mn></mover>", `x^{2}`},
		"brackets":    {`<mo fence="true" stretchy="true" form="prefix">⟨</mo><mi>x</mi><mo fence="true" stretchy="true" form="postfix">⟩</mo>`, `\left\langle x\right\rangle`},
		"fenced":      {`<mfenced open="{" close=""><mi>a</mi><mi>b</mi></mfenced>`, `\left\{a,b\right.`},
		"matrix":      {"<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable>", `\begin{matrix} a & b \\ c & d \end{matrix}`},
		"text":        {"<mtext>50% of</mtext>", `\text{50\% of}`},
		"signs":       {"<mi>α</mi><mi>x</mi><mo>≤</mo><mn>5</mn><mo>%</mo>", `\alpha x\leq5\%`},
		"left empty":  {"<mi>❑</mi><mo>+</mo><mi>x</mi>", "+x"},
		"bare text":   {"a<mi>b</mi>", "ab"},
		"bare roots":  {"<mroot><mi>a</mi></mroot><mroot/>", `\sqrt{a}`},
		"parts amiss": {"<mfrac><mi>a</mi></mfrac><munderover/>", `\frac{a}{}{}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			formula := `<math xmlns="http://www.w3.org/1998/Math/MathML">` + test.mathml + "</math>"
			if got := mathml.TeX(parse(t, formula)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
