package dom

// ParseWithComments is Parse with comments in the tree.
func ParseWithComments(text string) *Tree { return parse(text, true) }
