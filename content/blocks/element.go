package blocks

import (
	"math/bits"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// tag is the kind of a container, by its name.
type tag uint8

const (
	tagInline tag = iota // no container
	tagOther
	tagDiv
	tagParagraph
	tagItem
	tagHeading1
	tagHeading2
	tagHeading3
	tagHeading4
	tagHeading5
	tagHeading6
	tagCell
	tagHeadCell
	tagTerm
	tagDefinition
	tagPre
	tagQuote
	tagCaption
	tagSection
	tagArticle
	tagMain
	tagNav
	tagHeader
	tagFooter
	tagAside
	tagForm
	tagList
	tagTable
	tagRow
	tagFigure
	tagAddress
	tagSummary
	tagBody
	tagCustom
)

func (k tag) isHeading() bool { return tagHeading1 <= k && k <= tagHeading6 }

// isItem reports whether a container is part of a list.
func (k tag) isItem() bool { return k == tagItem || k == tagTerm || k == tagDefinition }

// level returns 1 to 6 for headings and 0 for all others.
func (k tag) level() int16 {
	if k.isHeading() {
		return int16(k-tagHeading1) + 1
	}
	return 0
}

func tagOf(name atom.Atom) tag {
	switch name {
	case atom.Div:
		return tagDiv
	case atom.P:
		return tagParagraph
	case atom.Li:
		return tagItem
	case atom.H1:
		return tagHeading1
	case atom.H2:
		return tagHeading2
	case atom.H3:
		return tagHeading3
	case atom.H4:
		return tagHeading4
	case atom.H5:
		return tagHeading5
	case atom.H6:
		return tagHeading6
	case atom.Td:
		return tagCell
	case atom.Th:
		return tagHeadCell
	case atom.Dt:
		return tagTerm
	case atom.Dd:
		return tagDefinition
	case atom.Pre, atom.Xmp, atom.Listing, atom.Plaintext:
		return tagPre
	case atom.Blockquote:
		return tagQuote
	case atom.Figcaption, atom.Caption:
		return tagCaption
	case atom.Section:
		return tagSection
	case atom.Article:
		return tagArticle
	case atom.Main:
		return tagMain
	case atom.Nav:
		return tagNav
	case atom.Header:
		return tagHeader
	case atom.Footer:
		return tagFooter
	case atom.Aside:
		return tagAside
	case atom.Form:
		return tagForm
	case atom.Ul, atom.Ol, atom.Menu, atom.Dl, atom.Dir:
		return tagList
	case atom.Table:
		return tagTable
	case atom.Tr:
		return tagRow
	case atom.Figure:
		return tagFigure
	case atom.Address:
		return tagAddress
	case atom.Summary, atom.Legend:
		return tagSummary
	case atom.Body:
		return tagBody
	case atom.Html, atom.Center, atom.Details, atom.Dialog, atom.Fieldset, atom.Frameset, atom.Hgroup, atom.Hr, atom.Optgroup,
		atom.Option, atom.Tbody, atom.Tfoot, atom.Thead, atom.Noscript, atom.Template:
		return tagOther
	case 0:
		return tagCustom
	}
	return tagInline
}

// isBeside reports whether an element says of itself that it is not what the page
// is about.
func isBeside(n *dom.Node) bool {
	switch n.Atom {
	case atom.Nav, atom.Dialog:
		return true
	case atom.Footer:
		return n.Inside(atom.Article, atom.Main, atom.Blockquote, atom.Figure, atom.Section, atom.Li) == nil
	}
	switch n.Get("role") {
	case "navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog", "alertdialog":
		return true
	}
	return false
}

// tagGroups are what tags say by themselves.
func tagGroups(n *dom.Node, k tag) uint64 {
	switch k {
	case tagNav:
		return 1 << groupNav
	case tagHeader:
		return 1 << groupHeader
	case tagFooter:
		return 1 << groupFooter
	case tagAside:
		return 1 << groupSide
	case tagMain:
		return 1 << groupMain
	case tagArticle:
		return 1 << groupArticle
	case tagSection:
		return 1 << groupSection
	case tagList:
		if n.Atom == atom.Dl {
			return 1 << groupDefinition
		}
		return 1 << groupList
	case tagItem:
		return 1 << groupListItem
	case tagTable:
		return 1 << groupTable
	case tagCell, tagHeadCell:
		return 1 << groupCell
	case tagForm:
		return 1 << groupForm
	case tagFigure:
		return 1<<groupFigure | 1<<groupMedia
	case tagCaption:
		return 1 << groupMedia
	case tagQuote:
		return 1 << groupQuote
	case tagParagraph:
		return 1 << groupParagraph
	case tagSummary:
		return 1 << groupFold
	case tagPre:
		return 1 << groupCode
	}
	switch n.Atom {
	case atom.Details:
		return 1 << groupFold
	case atom.Dialog:
		return 1 << groupOverlay
	case atom.Noscript:
		return 1 << groupNoscript
	}
	return 0
}

// ownGroups returns the groups of a container as bits, and a hash of the first
// word of its class.
func ownGroups(n *dom.Node, k tag) (own uint64, first uint32) {
	own = tagGroups(n, k)
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key == "class" {
			first = firstWord(a.Val)
		}
		own |= attributeGroups(n, a)
	}
	return own, first
}

// inlineGroups returns the groups of an element that stands in a line.
func inlineGroups(n *dom.Node) (own uint64) {
	switch n.Atom {
	case atom.A:
		own = 1 << groupLink
	case atom.Button:
		own = 1 << groupButton
	case atom.Label:
		own = 1 << groupLabel
	case atom.Time:
		own = 1 << groupMeta
	case atom.Code, atom.Samp, atom.Kbd:
		own = 1 << groupCode
	}
	for i := range n.Attr {
		own |= attributeGroups(n, &n.Attr[i])
	}
	return own
}

func attributeGroups(n *dom.Node, a *dom.Attribute) uint64 {
	switch a.Key {
	case "class", "id":
		if n.Atom == atom.Body || n.Atom == atom.Html {
			return 0
		}
		return wordGroups(a.Val)
	case "role":
		return roleGroups(a.Val)
	case "itemprop":
		return propertyGroups(a.Val)
	case "itemtype":
		return typeGroups(a.Val)
	case "hidden":
		if a.Val != "until-found" {
			return 1 << groupUnseen
		}
	case "aria-hidden":
		if a.Val == "true" {
			return 1 << groupHidden
		}
	case "style":
		if hidesItself(a.Val) {
			return 1 << groupUnseen
		}
	}
	return 0
}

func roleGroups(role string) uint64 {
	switch role {
	case "navigation", "menu", "menubar", "menuitem", "tablist":
		return 1 << groupNav
	case "banner":
		return 1 << groupHeader
	case "contentinfo":
		return 1 << groupFooter
	case "complementary":
		return 1 << groupSide
	case "main":
		return 1 << groupMain
	case "article":
		return 1 << groupArticle
	case "search":
		return 1 << groupSearch
	case "dialog", "alertdialog", "alert":
		return 1 << groupOverlay
	case "button":
		return 1 << groupButton
	case "list", "listbox":
		return 1 << groupList
	case "listitem":
		return 1 << groupListItem
	case "heading":
		return 1 << groupTitle
	}
	return 0
}

func propertyGroups(property string) uint64 {
	switch property {
	case "articleBody", "text", "description", "reviewBody", "mainContentOfPage", "blogPost", "recipeInstructions", "recipeIngredient", "mainEntity", "acceptedAnswer":
		return 1 << groupBodyProp
	case "author", "datePublished", "dateModified", "publisher", "dateCreated":
		return 1 << groupMeta
	case "headline", "name":
		return 1 << groupTitle
	case "comment":
		return 1 << groupComment
	case "offers", "price":
		return 1 << groupProduct
	case "review", "aggregateRating", "ratingValue":
		return 1 << groupReview
	case "itemListElement":
		return 1 << groupItem
	}
	return 0
}

// typeGroups returns the groups of a type of microdata.
func typeGroups(address string) uint64 {
	switch address[strings.LastIndexByte(address, '/')+1:] {
	case "Question", "Answer", "QAPage":
		return 1 << groupAnswer
	case "Comment", "UserComments":
		return 1 << groupComment
	case "Product", "Offer":
		return 1 << groupProduct
	case "Article", "BlogPosting", "NewsArticle":
		return 1 << groupArticle
	case "Review", "AggregateRating":
		return 1 << groupReview
	case "DiscussionForumPosting":
		return 1 << groupForum
	case "BreadcrumbList":
		return 1 << groupBreadcrumb
	case "SiteNavigationElement", "WPHeader":
		return 1 << groupNav
	case "WPFooter":
		return 1 << groupFooter
	case "WPSideBar":
		return 1 << groupSide
	}
	return 0
}

// hidesItself reports whether a style takes its element off the page.
func hidesItself(style string) bool {
	const property, value = "display", "none"
	for i := 0; i+len(property) < len(style); i++ {
		if style[i] != 'd' || style[i:i+len(property)] != property {
			continue
		}
		i += len(property)
		for i < len(style) && (style[i] == ' ' || style[i] == ':') {
			i++
		}
		return len(style)-i >= len(value) && style[i:i+len(value)] == value
	}
	return false
}

// firstWord hashes the first word of a class, digits left out: they count the
// items of lists.
func firstWord(class string) uint32 {
	h := uint32(hashStart)
	for i := range len(class) {
		c := class[i]
		if c <= ' ' {
			if h != hashStart {
				break
			}
			continue
		}
		if c < '0' || c > '9' {
			h = (h ^ uint32(c)) * hashPrime
		}
	}
	return h
}

func trailingZeros(set uint64) int { return bits.TrailingZeros64(set) }
