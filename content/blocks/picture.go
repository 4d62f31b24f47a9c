package blocks

import (
	"strconv"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// keepSilent keeps what has no text, pictures for the most part: where the texts
// before and behind it are kept, and pictures that belong to a part of the page of
// which most is kept, such as the cover of a book beside its title.
func (p *page) keepSilent() {
	var words *wordCounts // made for the first picture
	before := false
	for i := 0; i < len(p.blocks); i++ {
		if p.blocks[i].chars > 0 {
			before = p.blocks[i].kept
			continue
		}
		first := i
		for i+1 < len(p.blocks) && p.blocks[i+1].chars == 0 {
			i++
		}
		between := before && i+1 < len(p.blocks) && p.blocks[i+1].kept
		for k := first; k <= i; k++ {
			b := &p.blocks[k]
			b.kept = between
			if !between && p.isPicture(b) {
				if words == nil {
					words = p.countWords()
				}
				b.kept = p.mostlyKept(b.container, words)
			}
		}
	}
}

// wordCounts is how many words there are up to each block, and how many of them
// are kept.
type wordCounts struct{ all, kept []int32 }

func (p *page) countWords() *wordCounts {
	w := &wordCounts{make([]int32, len(p.blocks)+1), make([]int32, len(p.blocks)+1)}
	for i := range p.blocks {
		b := &p.blocks[i]
		w.all[i+1], w.kept[i+1] = w.all[i]+b.words, w.kept[i]
		if b.kept {
			w.kept[i+1] += b.words
		}
	}
	return w
}

// mostlyKept reports whether two thirds of the nearest container with text around
// a place are kept.
func (p *page) mostlyKept(at int32, words *wordCounts) bool {
	for at > 0 && p.containers[at].chars == 0 {
		at = p.containers[at].parent
	}
	c := &p.containers[at]
	all, kept := words.all[c.after]-words.all[c.first], words.kept[c.after]-words.kept[c.first]
	return c.tag != tagBody && kept > 0 && kept*3 >= all*2
}

// besidePicture are the groups of pictures that decorate, sell or show who wrote.
const besidePicture = 1<<groupNav | 1<<groupHeader | 1<<groupFooter | 1<<groupSide | 1<<groupShare | 1<<groupAd | 1<<groupOverlay |
	1<<groupAccount | 1<<groupRelated | 1<<groupUser | 1<<groupTool | 1<<groupComment | 1<<groupMeta | 1<<groupUnseen

// isPicture reports whether a block without text shows something that readers came
// for: a picture that has a description or a place of its own, and is no icon.
func (p *page) isPicture(b *block) bool {
	c := &p.containers[b.container]
	if b.images == 0 || (c.above|b.groups)&besidePicture != 0 || c.beside {
		return false
	}
	for _, n := range p.leaves[b.first:b.end] {
		if n.Atom == atom.Img && !isSmall(n) && (n.Get("alt") != "" || c.above&(1<<groupMedia|1<<groupFigure) != 0) {
			return true
		}
	}
	return false
}

// isSmall reports whether an image says that it is an icon, or that it is not
// there to be seen.
func isSmall(n *dom.Node) bool {
	for _, side := range [...]string{n.Get("width"), n.Get("height")} {
		if size, err := strconv.Atoi(side); err == nil && size < smallImage {
			return true
		}
	}
	return n.Get("role") == "presentation" || n.Get("aria-hidden") == "true"
}

// smallImage is up to which width and height a picture is an icon.
const smallImage = 64
