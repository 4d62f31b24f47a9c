package zipped

import "strings"

// prefixOf returns this package's prefix of a namespace, "?" for one that is unknown.
func prefixOf(url string) string {
	if p, ok := prefixes[strings.TrimSuffix(url, "/")]; ok {
		return p
	}
	return "?"
}

// prefixes are the namespaces that readers know. The strict and the transitional
// kind of Office Open XML differ in nothing that matters here.
var prefixes = map[string]string{
	"http://www.w3.org/XML/1998/namespace": "xml",

	"http://schemas.openxmlformats.org/wordprocessingml/2006/main":              "w",
	"http://purl.oclc.org/ooxml/wordprocessingml/main":                          "w",
	"http://schemas.openxmlformats.org/officeDocument/2006/relationships":       "r",
	"http://purl.oclc.org/ooxml/officeDocument/relationships":                   "r",
	"http://schemas.openxmlformats.org/drawingml/2006/main":                     "a",
	"http://purl.oclc.org/ooxml/drawingml/main":                                 "a",
	"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing":    "wp",
	"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing":                "wp",
	"http://schemas.openxmlformats.org/drawingml/2006/picture":                  "pic",
	"http://purl.oclc.org/ooxml/drawingml/picture":                              "pic",
	"http://schemas.openxmlformats.org/presentationml/2006/main":                "p",
	"http://purl.oclc.org/ooxml/presentationml/main":                            "p",
	"http://schemas.microsoft.com/office/drawing/2010/main":                     "a14",
	"http://schemas.microsoft.com/office/drawing/2014/chartex":                  "cx",
	"http://schemas.openxmlformats.org/drawingml/2006/chart":                    "c",
	"http://purl.oclc.org/ooxml/drawingml/chart":                                "c",
	"http://schemas.openxmlformats.org/drawingml/2006/diagram":                  "dgm",
	"http://purl.oclc.org/ooxml/drawingml/diagram":                              "dgm",
	"http://schemas.microsoft.com/office/drawing/2008/diagram":                  "dsp",
	"http://schemas.openxmlformats.org/officeDocument/2006/math":                "m",
	"http://purl.oclc.org/ooxml/officeDocument/math":                            "m",
	"http://schemas.openxmlformats.org/spreadsheetml/2006/main":                 "s",
	"http://purl.oclc.org/ooxml/spreadsheetml/main":                             "s",
	"urn:schemas-microsoft-com:vml":                                             "v",
	"urn:schemas-microsoft-com:office:office":                                   "o",
	"urn:schemas-microsoft-com:office:word":                                     "w10",
	"http://schemas.openxmlformats.org/markup-compatibility/2006":               "mc",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingShape":         "wps",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup":         "wpg",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas":        "wpc",
	"http://schemas.microsoft.com/office/word/2010/wordml":                      "w14",
	"http://schemas.microsoft.com/office/word/2012/wordml":                      "w15",
	"http://schemas.openxmlformats.org/package/2006/content-types":              "ct",
	"http://schemas.openxmlformats.org/package/2006/relationships":              "rel",
	"http://schemas.openxmlformats.org/package/2006/metadata/core-properties":   "cp",
	"http://purl.org/dc/elements/1.1":                                           "dc",
	"http://purl.org/dc/terms":                                                  "dcterms",
	"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties": "ep",
	"http://purl.oclc.org/ooxml/officeDocument/extendedProperties":              "ep",
	"urn:oasis:names:tc:opendocument:xmlns:office:1.0":                          "office",
	"urn:oasis:names:tc:opendocument:xmlns:style:1.0":                           "style",
	"urn:oasis:names:tc:opendocument:xmlns:text:1.0":                            "text",
	"urn:oasis:names:tc:opendocument:xmlns:table:1.0":                           "table",
	"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0":                         "draw",
	"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0":               "fo",
	"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0":                  "svg",
	"urn:oasis:names:tc:opendocument:xmlns:meta:1.0":                            "meta",
	"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0":                       "number",
	"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0":                    "presentation",
	"urn:oasis:names:tc:opendocument:xmlns:form:1.0":                            "form",
	"urn:oasis:names:tc:opendocument:xmlns:chart:1.0":                           "chart",
	"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0":                        "manifest",
	"urn:oasis:names:tc:opendocument:xmlns:config:1.0":                          "config",
	"urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0":      "loext",
	"urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0":      "calcext",
	"http://www.w3.org/1999/xlink":                                              "xlink",
	"http://www.w3.org/1998/Math/MathML":                                        "math",
	"http://www.w3.org/1999/xhtml":                                              "xhtml",
}

// binding is a prefix that the file declares, and ours in its place.
type binding struct{ theirs, ours string }

// maxBindings bounds how many prefixes are declared at a time, as they are looked
// through; maxNames bounds how many names are remembered.
const (
	maxBindings = 512
	maxNames    = 2048
)

// names turns names of the file into ours. Each is made once and then shared.
type names struct {
	bindings []binding
	elements map[string]string
	attrs    map[string]string
}

// bind declares a prefix. The names that were made are still right unless the
// prefix stood for something else.
func (n *names) bind(prefix, url string) {
	if len(n.bindings) == maxBindings {
		return
	}
	ours := prefixOf(url)
	if url == "" {
		ours = ""
	}
	was, bound := n.lookup(prefix)
	n.bindings = append(n.bindings, binding{prefix, ours})
	if !bound || was != ours {
		n.forget()
	}
}

// unbind forgets the declarations after the first left ones.
func (n *names) unbind(left int) {
	gone := n.bindings[left:]
	n.bindings = n.bindings[:left]
	for _, b := range gone {
		if was, bound := n.lookup(b.theirs); !bound || was != b.ours {
			n.forget()
			return
		}
	}
}

func (n *names) forget() {
	clear(n.elements)
	clear(n.attrs)
}

func (n *names) lookup(prefix string) (string, bool) {
	for i := len(n.bindings) - 1; i >= 0; i-- {
		if n.bindings[i].theirs == prefix {
			return n.bindings[i].ours, true
		}
	}
	return "", false
}

func (n *names) element(raw string) string {
	name, ok := n.elements[raw]
	if !ok {
		name = n.resolve(raw, true)
		remember(n.elements, raw, name)
	}
	return name
}

func (n *names) attr(raw string) string {
	name, ok := n.attrs[raw]
	if !ok {
		name = n.resolve(raw, false)
		remember(n.attrs, raw, name)
	}
	return name
}

func remember(known map[string]string, raw, name string) {
	if len(known) < maxNames {
		known[raw] = name
	}
}

// resolve makes our name. A prefix that the file forgot to declare is taken at its
// word.
func (n *names) resolve(raw string, element bool) string {
	prefix, local, found := strings.Cut(raw, ":")
	if !found {
		prefix, local = "", raw
	}
	if prefix == "" && !element {
		return strings.Clone(local)
	}
	ours, bound := n.lookup(prefix)
	if !bound {
		ours = prefix
	}
	if ours == "" {
		return strings.Clone(local)
	}
	return ours + ":" + local
}
