package blocks

import (
	"math/bits"
	"strings"

	"github.com/trawlhq/trawl/content/chars"
)

// hints is what a page says of its kind.
type hints uint16

const (
	hintArticle hints = 1 << iota
	hintProduct
	hintForum
	hintList
	hintPage
	hintVideo
	hintJob
	hintEvent
	hintRecipe
	hintWebsite
	hintLinked // has linked data at all
	hintManual
	hintQuestion
	hintEnd
)

// hintCount is how many hints there are.
var hintCount = bits.TrailingZeros16(uint16(hintEnd))

// kind reads the type that a page declares for previews.
func (h *hints) kind(kind string) {
	switch {
	case strings.HasPrefix(kind, "article"), strings.HasPrefix(kind, "blog"), strings.HasPrefix(kind, "news"):
		*h |= hintArticle
	case strings.Contains(kind, "product"):
		*h |= hintProduct
	case strings.HasPrefix(kind, "website"):
		*h |= hintWebsite
	case strings.HasPrefix(kind, "video"):
		*h |= hintVideo
	default:
		*h |= hintPage
	}
}

// generators are the programs that make one kind of page.
var generators = []struct {
	name string
	hint hints
}{
	{"docbook", hintManual}, {"doxygen", hintManual}, {"sphinx", hintManual}, {"docutils", hintManual}, {"javadoc", hintManual}, {"rustdoc", hintManual},
	{"makeinfo", hintManual}, {"texinfo", hintManual}, {"gtk-doc", hintManual}, {"asciidoc", hintManual}, {"docusaurus", hintManual}, {"mkdocs", hintManual},
	{"vitepress", hintManual}, {"gitbook", hintManual}, {"pandoc", hintManual}, {"tex4ht", hintManual}, {"latex2html", hintManual}, {"hevea", hintManual},
	{"pdoc", hintManual}, {"exdoc", hintManual}, {"antora", hintManual}, {"starlight", hintManual}, {"mintlify", hintManual}, {"mdbook", hintManual},
	{"docfx", hintManual}, {"gi-docgen", hintManual}, {"typedoc", hintManual}, {"crystal docs", hintManual}, {"bookdown", hintManual}, {"epydoc", hintManual},
	{"phpdocumentor", hintManual},
	{"discourse", hintForum}, {"phpbb", hintForum}, {"vbulletin", hintForum}, {"discuz", hintForum}, {"invision", hintForum}, {"xenforo", hintForum},
	{"mybb", hintForum}, {"woocommerce", hintProduct}, {"mediawiki", hintManual},
}

// generator reads what made the page.
func (h *hints) generator(name string) {
	name = strings.ToLower(chars.Truncate(name, maxTitle))
	for _, g := range generators {
		if strings.Contains(name, g.name) {
			*h |= g.hint
		}
	}
}

// assets are parts of the addresses of the scripts and style sheets that programs
// that make documentation put beside its pages. Many say no more of themselves.
var assets = []string{
	"_static/pygments.css", "_static/documentation_options.js", "_static/doctools.js", // Sphinx
	"search/main.js", "_mkdocstrings.css", // MkDocs
	"haddock", "quick-jump.css", "scribble.css", "nimdoc", "rustdoc", "typedoc", "jsdoc-default.css", "darkfish.js", "pkgdown.js", "just-the-docs", "mdbook",
}

// asset reads the address of a script or style sheet.
func (h *hints) asset(address string) {
	if *h&hintManual != 0 || len(address) > maxTitle {
		return
	}
	for _, part := range assets {
		if strings.Contains(address, part) {
			*h |= hintManual
			return
		}
	}
}

// linkedTypes are the types of linked data that tell kinds of pages apart.
var linkedTypes = []struct {
	name string
	hint hints
}{
	{"Article\"", hintArticle}, {"BlogPosting\"", hintArticle}, {"Product\"", hintProduct}, {"ProductGroup\"", hintProduct},
	{"DiscussionForumPosting\"", hintForum}, {"QAPage\"", hintForum | hintQuestion}, {"Question\"", hintQuestion}, {"ItemList\"", hintList},
	{"CollectionPage\"", hintList}, {"JobPosting\"", hintJob}, {"Event\"", hintEvent}, {"Recipe\"", hintRecipe},
	{"VideoObject\"", hintVideo}, {"Organization\"", hintPage}, {"LocalBusiness\"", hintPage}, {"Service\"", hintPage},
}

// linked reads the types of linked data.
func (h *hints) linked(text string) {
	*h |= hintLinked
	if len(text) > maxLinkedData {
		text = text[:maxLinkedData]
	}
	for range maxLinkedTypes {
		_, rest, found := strings.Cut(text, `"@type"`)
		if !found {
			return
		}
		value := strings.TrimLeft(rest, " :[\n\t\r")
		if len(value) > 60 {
			value = value[:60]
		}
		if i := strings.IndexByte(strings.TrimPrefix(value, `"`), '"'); i >= 0 {
			value = value[:i+2]
		}
		for _, t := range linkedTypes {
			if strings.HasSuffix(value, t.name) {
				*h |= t.hint
			}
		}
		text = rest
	}
}

const (
	maxLinkedData  = 64 << 10
	maxLinkedTypes = 100
)
