package blocks

import (
	"slices"
	"strconv"
)

// pageFeatures returns the names of the features that are the same for all blocks
// of a page.
func pageFeatures() []string {
	names := []string{
		"pageChars", "pageBlocks", "pageLinkShare", "pageProseShare", "pageParagraph", "pageFields", "pageImages",
		"pageMain", "pageArticles", "pageCJK", "pageForum", "pageProduct", "pageItems", "pageHeadings",
	}
	for _, g := range pageGroups {
		names = append(names, "pageGroup"+strconv.Itoa(int(g)))
	}
	for h := range hintCount {
		names = append(names, "hint"+strconv.Itoa(h))
	}
	return names
}

// kindFeatures returns the names of the features that tell kinds of pages apart.
func kindFeatures() []string {
	names := pageFeatures()
	for v := range int(vocabularies) {
		names = append(names, "pageVocab"+strconv.Itoa(v))
	}
	names = append(names, "pageMoney", "pageDigits", "pageStops", "pageCopies", "pathDepth")
	for _, g := range namedGroups {
		names = append(names, "bodyGroup"+strconv.Itoa(int(g)), "pathGroup"+strconv.Itoa(int(g)))
	}
	return names
}

// namedGroups are those that the names of a page's body and of its address tell
// its kind by.
var namedGroups = []group{
	groupArticle, groupProduct, groupForum, groupItem, groupTopic, groupAnswer, groupManual, groupSearch, groupPlace, groupSummary, groupDetail, groupReview,
}

// pageGroups are those whose share of the whole text says what a page is.
var pageGroups = []group{
	groupNav, groupHeader, groupFooter, groupSide, groupMain, groupArticle, groupContent, groupComment, groupRelated, groupItem,
	groupProduct, groupReview, groupForum, groupUser, groupList, groupTable, groupParagraph, groupCode, groupCell,
	groupAnswer, groupManual, groupDefinition,
}

// fillPage describes the page as a whole.
func (x *extractor) fillPage() {
	var main, articles, cjk, forum, product, items, paragraphs, headings int32
	for i := range x.containers {
		c := &x.containers[i]
		switch c.tag {
		case tagMain:
			main++
		case tagArticle:
			articles++
		case tagParagraph:
			paragraphs++
		}
		if c.tag.isHeading() {
			headings++
		}
		if c.own&(1<<groupForum) != 0 {
			forum++
		}
		if c.own&(1<<groupProduct) != 0 {
			product++
		}
		if c.alike > items && c.chars > 0 && c.sums.blocks > 1 {
			items = c.alike
		}
	}
	var inGroup [groups]int32
	for _, i := range x.text {
		b := &x.blocks[i]
		cjk += b.cjk
		for _, g := range pageGroups {
			if x.containers[b.container].above&(1<<g) != 0 {
				inGroup[g] += b.chars
			}
		}
	}
	t := &x.total
	x.pageRow = append(x.pageRow,
		clamp(t.chars/4), clamp(t.blocks), share(t.linkChars, t.chars), share(t.longChars, t.chars), clamp(paragraphs),
		clamp(t.fields), clamp(t.images), clamp(main), clamp(articles), share(cjk, t.chars), clamp(forum), clamp(product),
		clamp(items), clamp(headings),
	)
	for _, g := range pageGroups {
		x.pageRow = append(x.pageRow, share(inGroup[g], t.chars))
	}
	for h := range hintCount {
		x.pageRow = append(x.pageRow, int16(x.hints>>h&1))
	}
}

// fillKind describes what tells the kind of page: besides the page as a whole what
// its words are, in parts of 1000, and what its names say.
func (x *extractor) fillKind() {
	x.kindRow = append(x.kindRow, x.pageRow...)
	var vocab [vocabularies]int32
	var words, money, digits, stops, copies int32
	for _, i := range x.text {
		b := &x.blocks[i]
		words += b.words
		money += b.money
		digits += b.digits
		stops += b.stops
		for v := range vocab {
			vocab[v] += int32(b.vocab[v])
		}
		if x.copies.get(uint64(b.content)) > 1 {
			copies += b.words
		}
	}
	words = max(words, 1)
	for _, n := range vocab {
		x.kindRow = append(x.kindRow, clamp(n*1000/words))
	}
	x.kindRow = append(x.kindRow, clamp(money*1000/words), share(digits, max(x.total.chars, 1)), clamp(stops*1000/words), share(copies, words), x.pathDepth)
	for _, g := range namedGroups {
		x.kindRow = append(x.kindRow, int16(x.bodyGroups>>g&1), int16(x.pathGroups>>g&1))
	}
	x.kindRow = slices.Grow(x.kindRow, maxFeatures)
}
