package dom

import "golang.org/x/net/html/atom"

// tag numbers the names of elements for the parser, so that rules compare and
// index numbers. Elements of SVG and MathML have numbers of their own: a node
// with tagTable is always HTML's table.
type tag uint8

const (
	tagOther tag = iota // a name without a number
	tagDocument
	tagForeign        // SVG and MathML, if none of the next
	tagTextPoint      // a MathML text integration point
	tagHTMLPoint      // an HTML integration point
	tagAnnotation     // MathML's annotation-xml, if not with HTML inside
	tagAnnotationHTML // the same as an HTML integration point
	tagA
	tagAddress
	tagApplet
	tagArea
	tagArticle
	tagAside
	tagB
	tagBase
	tagBasefont
	tagBgsound
	tagBig
	tagBlockquote
	tagBody
	tagBr
	tagButton
	tagCaption
	tagCenter
	tagCode
	tagCol
	tagColgroup
	tagDd
	tagDetails
	tagDialog
	tagDir
	tagDiv
	tagDl
	tagDt
	tagEm
	tagEmbed
	tagFieldset
	tagFigcaption
	tagFigure
	tagFont
	tagFooter
	tagForm
	tagFrame
	tagFrameset
	tagH1
	tagH2
	tagH3
	tagH4
	tagH5
	tagH6
	tagHead
	tagHeader
	tagHgroup
	tagHr
	tagHTML
	tagI
	tagIframe
	tagImage
	tagImg
	tagInput
	tagKeygen
	tagLabel
	tagLi
	tagLink
	tagListing
	tagMain
	tagMarquee
	tagMath
	tagMenu
	tagMeta
	tagNav
	tagNobr
	tagNoembed
	tagNoframes
	tagNoscript
	tagObject
	tagOl
	tagOptgroup
	tagOption
	tagP
	tagParam
	tagPicture
	tagPlaintext
	tagPre
	tagRb
	tagRp
	tagRt
	tagRtc
	tagRuby
	tagS
	tagScript
	tagSearch
	tagSection
	tagSelect
	tagSmall
	tagSource
	tagSpan
	tagStrike
	tagStrong
	tagStyle
	tagSub
	tagSummary
	tagSup
	tagSvg
	tagTable
	tagTbody
	tagTd
	tagTemplate
	tagTextarea
	tagTfoot
	tagTh
	tagThead
	tagTime
	tagTitle
	tagTr
	tagTrack
	tagTt
	tagU
	tagUl
	tagVar
	tagWbr
	tagXmp
	tagCount
)

// flags are the sets of the standard that a tag belongs to.
type flags uint16

const (
	special     flags = 1 << iota // the category "special"
	scope                         // bounds an element's scope,
	listScope                     // … list item scope,
	pScope                        // … button scope,
	tableScope                    // … table scope
	rowContext                    // bounds "clear the stack back to a table row context",
	bodyContext                   // … table body context
	implied                       // has an implied end tag
	formatting                    // is a formatting element
	heading                       // h1 to h6
	cell                          // td and th
	rowGroup                      // tbody, thead and tfoot
	fosters                       // what is put beneath it wrongly is foster parented
	breakout                      // ends SVG and MathML

	scopes   = scope | listScope | pScope
	contexts = tableScope | rowContext | bodyContext
)

// rule says what "in body" does with a start or an end tag.
type rule uint8

const (
	startOther rule = iota
	startBlock
	startFormatting
	startA
	startVoid
	startLi
	startHeading
	startHead
	startHTML
	startBody
	startFrameset
	startPre
	startForm
	startItem
	startPlaintext
	startButton
	startNobr
	startObject
	startTable
	startInput
	startParam
	startHr
	startImage
	startTextarea
	startXmp
	startIframe
	startNoembed
	startSelect
	startOption
	startOptgroup
	startRb
	startRt
	startForeign
	startIgnored
)

const (
	endOther rule = iota
	endBlock
	endFormatting
	endP
	endLi
	endItem
	endHeading
	endForm
	endObject
	endBr
	endBody
	endHTML
	endTemplate
)

// kind is what the parser knows of a tag.
type kind struct {
	name       string
	flags      flags
	start, end rule
	atom       atom.Atom
}

var kinds = [tagCount]kind{
	tagDocument:       {flags: scopes | contexts},
	tagTextPoint:      {flags: special | scopes},
	tagHTMLPoint:      {flags: special | scopes},
	tagAnnotation:     {flags: special | scopes},
	tagAnnotationHTML: {flags: special | scopes},

	tagA:          {"a", formatting, startA, endFormatting, atom.A},
	tagAddress:    {"address", special, startBlock, endBlock, atom.Address},
	tagApplet:     {"applet", special | scopes, startObject, endObject, atom.Applet},
	tagArea:       {"area", special, startVoid, endOther, atom.Area},
	tagArticle:    {"article", special, startBlock, endBlock, atom.Article},
	tagAside:      {"aside", special, startBlock, endBlock, atom.Aside},
	tagB:          {"b", formatting | breakout, startFormatting, endFormatting, atom.B},
	tagBase:       {"base", special, startHead, endOther, atom.Base},
	tagBasefont:   {"basefont", special, startHead, endOther, atom.Basefont},
	tagBgsound:    {"bgsound", special, startHead, endOther, atom.Bgsound},
	tagBig:        {"big", formatting | breakout, startFormatting, endFormatting, atom.Big},
	tagBlockquote: {"blockquote", special | breakout, startBlock, endBlock, atom.Blockquote},
	tagBody:       {"body", special | breakout, startBody, endBody, atom.Body},
	tagBr:         {"br", special | breakout, startVoid, endBr, atom.Br},
	tagButton:     {"button", special | pScope, startButton, endBlock, atom.Button},
	tagCaption:    {"caption", special | scopes, startIgnored, endOther, atom.Caption},
	tagCenter:     {"center", special | breakout, startBlock, endBlock, atom.Center},
	tagCode:       {"code", formatting | breakout, startFormatting, endFormatting, atom.Code},
	tagCol:        {"col", special, startIgnored, endOther, atom.Col},
	tagColgroup:   {"colgroup", special, startIgnored, endOther, atom.Colgroup},
	tagDd:         {"dd", special | implied | breakout, startItem, endItem, atom.Dd},
	tagDetails:    {"details", special, startBlock, endBlock, atom.Details},
	tagDialog:     {"dialog", 0, startBlock, endBlock, atom.Dialog},
	tagDir:        {"dir", special, startBlock, endBlock, atom.Dir},
	tagDiv:        {"div", special | breakout, startBlock, endBlock, atom.Div},
	tagDl:         {"dl", special | breakout, startBlock, endBlock, atom.Dl},
	tagDt:         {"dt", special | implied | breakout, startItem, endItem, atom.Dt},
	tagEm:         {"em", formatting | breakout, startFormatting, endFormatting, atom.Em},
	tagEmbed:      {"embed", special | breakout, startVoid, endOther, atom.Embed},
	tagFieldset:   {"fieldset", special, startBlock, endBlock, atom.Fieldset},
	tagFigcaption: {"figcaption", special, startBlock, endBlock, atom.Figcaption},
	tagFigure:     {"figure", special, startBlock, endBlock, atom.Figure},
	tagFont:       {"font", formatting, startFormatting, endFormatting, atom.Font},
	tagFooter:     {"footer", special, startBlock, endBlock, atom.Footer},
	tagForm:       {"form", special, startForm, endForm, atom.Form},
	tagFrame:      {"frame", special, startIgnored, endOther, atom.Frame},
	tagFrameset:   {"frameset", special, startFrameset, endOther, atom.Frameset},
	tagH1:         {"h1", special | heading | breakout, startHeading, endHeading, atom.H1},
	tagH2:         {"h2", special | heading | breakout, startHeading, endHeading, atom.H2},
	tagH3:         {"h3", special | heading | breakout, startHeading, endHeading, atom.H3},
	tagH4:         {"h4", special | heading | breakout, startHeading, endHeading, atom.H4},
	tagH5:         {"h5", special | heading | breakout, startHeading, endHeading, atom.H5},
	tagH6:         {"h6", special | heading | breakout, startHeading, endHeading, atom.H6},
	tagHead:       {"head", special | breakout, startIgnored, endOther, atom.Head},
	tagHeader:     {"header", special, startBlock, endBlock, atom.Header},
	tagHgroup:     {"hgroup", special, startBlock, endBlock, atom.Hgroup},
	tagHr:         {"hr", special | breakout, startHr, endOther, atom.Hr},
	tagHTML:       {"html", special | scopes | contexts, startHTML, endHTML, atom.Html},
	tagI:          {"i", formatting | breakout, startFormatting, endFormatting, atom.I},
	tagIframe:     {"iframe", special, startIframe, endOther, atom.Iframe},
	tagImage:      {"image", 0, startImage, endOther, atom.Image},
	tagImg:        {"img", special | breakout, startVoid, endOther, atom.Img},
	tagInput:      {"input", special, startInput, endOther, atom.Input},
	tagKeygen:     {"keygen", special, startVoid, endOther, atom.Keygen},
	tagLabel:      {"label", 0, startOther, endOther, atom.Label},
	tagLi:         {"li", special | implied | breakout, startLi, endLi, atom.Li},
	tagLink:       {"link", special, startHead, endOther, atom.Link},
	tagListing:    {"listing", special | breakout, startPre, endBlock, atom.Listing},
	tagMain:       {"main", special, startBlock, endBlock, atom.Main},
	tagMarquee:    {"marquee", special | scopes, startObject, endObject, atom.Marquee},
	tagMath:       {"math", 0, startForeign, endOther, atom.Math},
	tagMenu:       {"menu", special | breakout, startBlock, endBlock, atom.Menu},
	tagMeta:       {"meta", special | breakout, startHead, endOther, atom.Meta},
	tagNav:        {"nav", special, startBlock, endBlock, atom.Nav},
	tagNobr:       {"nobr", formatting | breakout, startNobr, endFormatting, atom.Nobr},
	tagNoembed:    {"noembed", special, startNoembed, endOther, atom.Noembed},
	tagNoframes:   {"noframes", special, startHead, endOther, atom.Noframes},
	tagNoscript:   {"noscript", special, startOther, endOther, atom.Noscript},
	tagObject:     {"object", special | scopes, startObject, endObject, atom.Object},
	tagOl:         {"ol", special | listScope | breakout, startBlock, endBlock, atom.Ol},
	tagOptgroup:   {"optgroup", implied, startOptgroup, endOther, atom.Optgroup},
	tagOption:     {"option", implied, startOption, endOther, atom.Option},
	tagP:          {"p", special | implied | breakout, startBlock, endP, atom.P},
	tagParam:      {"param", special, startParam, endOther, atom.Param},
	tagPicture:    {"picture", 0, startOther, endOther, atom.Picture},
	tagPlaintext:  {"plaintext", special, startPlaintext, endOther, atom.Plaintext},
	tagPre:        {"pre", special | breakout, startPre, endBlock, atom.Pre},
	tagRb:         {"rb", implied, startRb, endOther, atom.Rb},
	tagRp:         {"rp", implied, startRt, endOther, atom.Rp},
	tagRt:         {"rt", implied, startRt, endOther, atom.Rt},
	tagRtc:        {"rtc", implied, startRb, endOther, atom.Rtc},
	tagRuby:       {"ruby", breakout, startOther, endOther, atom.Ruby},
	tagS:          {"s", formatting | breakout, startFormatting, endFormatting, atom.S},
	tagScript:     {"script", special, startHead, endOther, atom.Script},
	tagSearch:     {"search", special, startBlock, endBlock, atom.Search},
	tagSection:    {"section", special, startBlock, endBlock, atom.Section},
	tagSelect:     {"select", special | scopes, startSelect, endBlock, atom.Select},
	tagSmall:      {"small", formatting | breakout, startFormatting, endFormatting, atom.Small},
	tagSource:     {"source", special, startParam, endOther, atom.Source},
	tagSpan:       {"span", breakout, startOther, endOther, atom.Span},
	tagStrike:     {"strike", formatting | breakout, startFormatting, endFormatting, atom.Strike},
	tagStrong:     {"strong", formatting | breakout, startFormatting, endFormatting, atom.Strong},
	tagStyle:      {"style", special, startHead, endOther, atom.Style},
	tagSub:        {"sub", breakout, startOther, endOther, atom.Sub},
	tagSummary:    {"summary", special, startBlock, endBlock, atom.Summary},
	tagSup:        {"sup", breakout, startOther, endOther, atom.Sup},
	tagSvg:        {"svg", 0, startForeign, endOther, atom.Svg},
	tagTable:      {"table", special | scopes | tableScope | fosters | breakout, startTable, endOther, atom.Table},
	tagTbody:      {"tbody", special | rowGroup | bodyContext | fosters, startIgnored, endOther, atom.Tbody},
	tagTd:         {"td", special | scopes | cell, startIgnored, endOther, atom.Td},
	tagTemplate:   {"template", special | scopes | contexts, startHead, endTemplate, atom.Template},
	tagTextarea:   {"textarea", special, startTextarea, endOther, atom.Textarea},
	tagTfoot:      {"tfoot", special | rowGroup | bodyContext | fosters, startIgnored, endOther, atom.Tfoot},
	tagTh:         {"th", special | scopes | cell, startIgnored, endOther, atom.Th},
	tagThead:      {"thead", special | rowGroup | bodyContext | fosters, startIgnored, endOther, atom.Thead},
	tagTime:       {"time", 0, startOther, endOther, atom.Time},
	tagTitle:      {"title", special, startHead, endOther, atom.Title},
	tagTr:         {"tr", special | rowContext | fosters, startIgnored, endOther, atom.Tr},
	tagTrack:      {"track", special, startParam, endOther, atom.Track},
	tagTt:         {"tt", formatting | breakout, startFormatting, endFormatting, atom.Tt},
	tagU:          {"u", formatting | breakout, startFormatting, endFormatting, atom.U},
	tagUl:         {"ul", special | listScope | breakout, startBlock, endBlock, atom.Ul},
	tagVar:        {"var", breakout, startOther, endOther, atom.Var},
	tagWbr:        {"wbr", special, startVoid, endOther, atom.Wbr},
	tagXmp:        {"xmp", special, startXmp, endOther, atom.Xmp},
}

// tagHashes finds tags by the hash of their name; collisions move on by one.
var tagHashes = hashTags()

const hashSize = 1024

func hashTags() (table [hashSize]tag) {
	for t := tagA; t < tagCount; t++ {
		h := uint32(0)
		for i := range len(kinds[t].name) {
			h = hashByte(h, kinds[t].name[i])
		}
		for table[h%hashSize] != tagOther {
			h++
		}
		table[h%hashSize] = t
	}
	return table
}

// hashByte adds a byte of a name to its hash, with letters of either case alike.
func hashByte(h uint32, c byte) uint32 { return h*37 + uint32(c|0x20) }

// findTag returns the tag of a name of any case with the given hash.
func findTag(name string, h uint32) tag {
	for ; ; h++ {
		t := tagHashes[h%hashSize]
		if t == tagOther || equalLower(name, kinds[t].name) {
			return t
		}
	}
}

// equalLower reports whether s is lower, except for the case of ASCII letters.
func equalLower(s, lower string) bool {
	if s == lower {
		return true
	}
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
