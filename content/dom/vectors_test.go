package dom_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// exceptions are the vectors that are not met, with the reason.
var exceptions = map[string]string{
	`<select><button><selectedcontent></button><option>X`:                   noSelectedContent,
	`<select><button><selectedcontent></button><option>x<i>i<b>ib</i>b`:     noSelectedContent,
	`<select><button><selectedcontent></button><option>X<option>Y`:          noSelectedContent,
	`<select><button><selectedcontent></button><option>X<option selected>Y`: noSelectedContent,
	`<!DOCTYPE &gt; PUBLIC "&gt;" "&gt;">`:                                  "doctypes have no character references; x/net alone sees some",
}

const noSelectedContent = "the selected option is not repeated in selectedcontent: it would be there twice for readers"

// vector is a case of the html5lib tests for tree construction.
type vector struct {
	data, document string
	fragment       bool // needs another entry than Parse
	scripting      bool // only for parsers that run scripts
}

// TestVectors runs the html5lib tests that come with the module of x/net.
func TestVectors(t *testing.T) {
	t.Parallel()
	root := vectorFolder(t)
	var files []string
	for _, pattern := range []string{"webkit/*.dat", "html5lib-tests/tree-construction/*.dat", "go/*.dat"} {
		found, _ := filepath.Glob(filepath.Join(root, pattern))
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Skip("the module comes without the vectors")
	}
	ran, skipped, excepted := 0, 0, 0
	for _, file := range files {
		for i, v := range readVectors(t, file) {
			if v.fragment || v.scripting {
				skipped++
				continue
			}
			if exceptions[v.data] != "" {
				excepted++
				continue
			}
			ran++
			if got := dump(dom.ParseWithComments(v.data)); got != v.document {
				t.Errorf("%s, case %d\n%s\ngot\n%s\nwant\n%s", filepath.Base(file), i, v.data, got, v.document)
			}
		}
	}
	t.Logf("%d vectors ran, %d for fragments or scripting were skipped, %d are exceptions", ran, skipped, excepted)
	if ran < 1000 {
		t.Errorf("only %d vectors were found", ran)
	}
	if excepted != len(exceptions) {
		t.Errorf("%d of %d exceptions were found", excepted, len(exceptions))
	}
}

// vectorFolder returns where x/net has its vectors.
func vectorFolder(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Skip("no go command to find the vectors with")
	}
	return filepath.Join(strings.TrimSpace(string(out)), "html", "testdata")
}

func readVectors(t *testing.T, file string) []vector {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	for section := range strings.SplitSeq("\n"+string(text), "\n#data\n") {
		if section == "" {
			continue
		}
		var v vector
		head, document, ok := strings.Cut("\n"+section, "\n#document\n")
		if !ok {
			t.Fatalf("%s: a case without a document: %q", file, section)
		}
		v.data, head, _ = strings.Cut(head, "\n#errors")
		v.data = strings.TrimPrefix(v.data, "\n")
		head = "\n" + head + "\n"
		v.fragment = strings.Contains(head, "\n#document-fragment\n")
		v.scripting = strings.Contains(head, "\n#script-on\n")
		v.document = strings.TrimRight(document, "\n") + "\n"
		vectors = append(vectors, v)
	}
	return vectors
}

// dump writes a tree in the form of the vectors.
func dump(t *dom.Tree) string {
	var b strings.Builder
	for n := t.Root.FirstChild; n != nil; n = n.NextSibling {
		dumpNode(&b, n, "| ")
	}
	return b.String()
}

func dumpNode(b *strings.Builder, n *dom.Node, indent string) {
	b.WriteString(indent)
	indent += "  "
	switch n.Type {
	case dom.DoctypeNode:
		fmt.Fprintf(b, "<!DOCTYPE %s", n.Data)
		if n.Attr != nil {
			fmt.Fprintf(b, ` "%s" "%s"`, n.Get("public"), n.Get("system"))
		}
		b.WriteString(">\n")
	case dom.CommentNode:
		fmt.Fprintf(b, "<!-- %s -->\n", n.Data)
	case dom.TextNode:
		fmt.Fprintf(b, "\"%s\"\n", n.Data)
	case dom.ElementNode:
		fmt.Fprintf(b, "<%s%s>\n", map[dom.Namespace]string{dom.SVG: "svg ", dom.MathML: "math "}[n.Space], n.Data)
		for _, line := range attributeLines(n) {
			b.WriteString(indent + line + "\n")
		}
		if n.Is(atom.Template) && n.Space == dom.HTML {
			b.WriteString(indent + "content\n")
			indent += "  "
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		dumpNode(b, c, indent)
	}
}

// attributeLines writes the attributes of an element in the order of their
// names. The vectors show namespaces of attributes, which the tree has not.
func attributeLines(n *dom.Node) []string {
	var lines []string
	for _, a := range n.Attr {
		key := a.Key
		switch key {
		case "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type",
			"xml:lang", "xml:space", "xmlns:xlink":
			if n.Space != dom.HTML {
				key = strings.Replace(key, ":", " ", 1)
			}
		}
		lines = append(lines, key+`="`+a.Val+`"`)
	}
	slices.Sort(lines)
	return lines
}
