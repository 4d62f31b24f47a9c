package blocks

// tally counts what is kept and what is lost: of an item its blocks, of a list
// its items.
type tally struct {
	item       int32 // the innermost item that the container is or is in, or -1
	kept, lost int32
}

// keepItems keeps all items of a list of which at least half are kept: readers
// take a list for complete, and between two items that look alike the model may
// see a difference that is none. An item is kept if one of its blocks is; its
// other blocks stay lost. Lists of which less is kept stay as they are.
func (p *page) keepItems(text []int32) {
	tallies := p.findItems()
	if tallies == nil {
		return
	}
	p.countItems(tallies, text)
	for _, i := range text {
		b := &p.blocks[i]
		item := tallies[b.container].item
		if item < 0 || tallies[item].kept > 0 {
			continue
		}
		if list := &tallies[p.containers[item].parent]; list.kept >= list.lost {
			b.kept = true
		}
	}
}

// findItems returns a tally for each container, or nil if there are no lists.
func (p *page) findItems() []tally {
	var tallies []tally
	for i := range p.containers {
		c := &p.containers[i]
		if tallies == nil {
			if c.tag != tagList {
				continue
			}
			tallies = make([]tally, len(p.containers))
			for k := range i + 1 {
				tallies[k].item = -1
			}
			continue
		}
		tallies[i].item = tallies[c.parent].item
		if c.tag.isItem() && p.containers[c.parent].tag == tagList {
			tallies[i].item = int32(i)
		}
	}
	return tallies
}

// countItems fills the tallies of items and lists. A block counts for the
// innermost item around it.
func (p *page) countItems(tallies []tally, text []int32) {
	for _, i := range text {
		b := &p.blocks[i]
		item := tallies[b.container].item
		if item < 0 {
			continue
		}
		if b.kept {
			tallies[item].kept++
		} else {
			tallies[item].lost++
		}
	}
	for i := range tallies {
		item := &tallies[i]
		if item.item != int32(i) {
			continue
		}
		list := &tallies[p.containers[i].parent]
		switch {
		case item.kept > 0:
			list.kept++
		case item.lost > 0:
			list.lost++
		}
	}
}
