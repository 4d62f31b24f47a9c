package content

import (
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// fillSlots moves the children of an element with a declared shadow root to
// where the shadow root shows them, so that the tree has the order that readers
// see. Children for which there is no slot stay behind the shadow root.
func fillSlots(template *dom.Node) {
	slots := findSlots(template)
	if len(slots) == 0 || template.Parent == nil {
		return
	}
	filled := make(map[*dom.Node]bool, len(slots))
	for c := template.NextSibling; c != nil; {
		child := c
		c = c.NextSibling
		slot := slots[child.Get("slot")]
		if slot == nil {
			continue
		}
		if !filled[slot] {
			filled[slot] = true
			for slot.FirstChild != nil {
				slot.RemoveChild(slot.FirstChild) // what it shows without children
			}
		}
		template.Parent.RemoveChild(child)
		slot.AppendChild(child)
	}
}

// findSlots returns the slots of a shadow root by their names, the first of each.
func findSlots(template *dom.Node) map[string]*dom.Node {
	var slots map[string]*dom.Node
	for n := template.FirstChild; n != nil; {
		slot := n.Is(atom.Slot)
		if slot && depthOf(n) <= maxFrameDepth {
			if slots == nil {
				slots = map[string]*dom.Node{}
			}
			if name := n.Get("name"); slots[name] == nil {
				slots[name] = n
			}
		}
		n = dom.Following(n, template, !slot && !n.Is(atom.Template))
	}
	return slots
}
