package blocks

// Rules need no model, but names deceive: a rule takes at most a small share of
// what is kept. Where it would take more, the page is not as the rule supposes.

// dropWhere drops the blocks that a rule is against, if they are at most one in
// so many words of what is kept. It reports whether it did.
func (p *page) dropWhere(text []int32, oneIn int32, against func(*block) bool) bool {
	var words, all int32
	for _, i := range text {
		if b := &p.blocks[i]; b.kept {
			all += b.words
			if against(b) {
				words += b.words
			}
		}
	}
	if words*oneIn > all {
		return false
	}
	for _, i := range text {
		if b := &p.blocks[i]; against(b) {
			b.kept = false
		}
	}
	return true
}

// in returns a rule against what is in one of the groups.
func (p *page) in(groups uint64) func(*block) bool {
	return func(b *block) bool { return p.containers[b.container].above&groups != 0 }
}

// dropConsent drops what asks for consent to cookies.
func (p *page) dropConsent(text []int32) {
	if !p.dropWhere(text, 4, p.in(1<<groupConsent)) {
		p.doubtful = true
	}
}

// dropHidden drops what is hidden unless it is more than an eighth of what is
// kept: then a script may show it. What is hidden within the content of a manual is
// folded up.
func (p *page) dropHidden(text []int32) {
	hidden := p.in(1 << groupUnseen)
	p.dropWhere(text, 8, func(b *block) bool { return hidden(b) && !(p.region > 0 && p.holds(p.region, b.container)) })
}

// besideArticle are the groups of what comes with articles: comments, and forms to
// subscribe or sign up.
const besideArticle = 1<<groupComment | 1<<groupAccount

// dropComments drops what comes with an article, on pages that say that they are
// one and have a text besides. On forums the comments are the content. It is the one
// rule without a bound, for comments are often longer than what they are about.
func (p *page) dropComments(text []int32) {
	if p.hints&(hintArticle|hintForum) != hintArticle || p.kinds[kindForum] > 0 {
		return
	}
	var other int32 // length of the text besides
	for _, i := range text {
		if b := &p.blocks[i]; b.kept && p.containers[b.container].above&besideArticle == 0 {
			other += b.weight()
		}
	}
	if other >= minArticle {
		p.dropWhere(text, 1, p.in(besideArticle))
	}
}

// minArticle is how long a text is that can have comments.
const minArticle = 400

// dropCopies drops long texts that were kept before, elsewhere on the page, where
// much of the page is there twice: some pages repeat themselves for machines, or in
// another layout. Single texts are repeated for readers, and so is code, and manuals
// say the same of many things.
func (p *page) dropCopies(text []int32) {
	if p.isManual() {
		return
	}
	seen := map[uint32]*block{} // the first with this content
	var copies []*block
	var words, all int32
	for _, i := range text {
		b := &p.blocks[i]
		if !b.kept {
			continue
		}
		all += b.words
		if b.words < minCopy || p.containers[b.container].tag == tagPre {
			continue
		}
		switch first := seen[b.content]; {
		case first == nil:
			seen[b.content] = b
		case first.words == b.words && p.containers[first.container].parent != p.containers[b.container].parent:
			copies = append(copies, b)
			words += b.words
		}
	}
	if words*copyShare < all {
		return
	}
	for _, b := range copies {
		b.kept = false
	}
}

const (
	copyShare = 5  // one in so many words of a page is in a copy at least
	minCopy   = 25 // words of a text that is not repeated by chance
)
