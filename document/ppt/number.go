package ppt

// numbering is how lines are numbered; its name is "" if they have bullets.
type numbering struct {
	name  string
	start int
}

// schemes are the names of numberings by their numbers.
var schemes = [...]string{
	"alphaLcPeriod", "alphaUcPeriod", "arabicParenR", "arabicPeriod", "romanLcParenBoth", "romanLcParenR", "romanLcPeriod", "romanUcPeriod",
	"alphaLcParenBoth", "alphaLcParenR", "alphaUcParenBoth", "alphaUcParenR", "arabicParenBoth", "arabicPlain", "romanUcParenBoth", "romanUcParenR",
}

// taggedData returns what PowerPoint 2000 added to a record, in which those before it
// do not look.
func taggedData(list data) data {
	for rec := range list.records() {
		if rec.kind == binaryTag && wide(rec.child(cString)) == "___PPT9" {
			return rec.child(binaryData)
		}
	}
	return nil
}

// readNumbers notes the numberings of the texts that stand where slides are listed.
func (r *reader) readNumbers(list data) {
	for rec := range list.records() {
		if rec.kind != outlineNumbers {
			continue
		}
		var of outlineText
		for c := range rec.records() {
			switch c.kind {
			case outlineHeader:
				of = outlineText{c.u32(0), c.u32(4)}
			case textNumbers:
				r.numbers[of] = c.data
			}
		}
	}
}

// maxNumberings is how many numberings a text has: the looks of its characters refer to
// them by four bits.
const maxNumberings = 16

// readNumbers reads the numberings of a text.
func readNumbers(d data) []numbering {
	var out []numbering
	for c := (&cursor{data: d}); !c.ends() && len(out) < maxNumberings; {
		var n numbering
		numbered, scheme := true, -1
		mask := c.u32()
		c.skip(mask, [2]int{1 << 23, 2})
		if mask&(1<<25) != 0 {
			numbered = c.u16() != 0
		}
		if mask&(1<<24) != 0 {
			scheme, n.start = c.u16(), c.u16()
		}
		switch {
		case !numbered || mask&(3<<24) == 0:
		case scheme >= 0 && scheme < len(schemes):
			n.name = schemes[scheme]
		default:
			n.name = "arabicPeriod"
		}
		c.skip(c.u32(), [2]int{1 << 20, 4})
		mask = c.u32()
		c.skip(mask, [2]int{1, 2}, [2]int{1 << 1, 2}, [2]int{1 << 2, 2}, [2]int{1 << 5, 4}, [2]int{1 << 6, 2})
		if mask&(1<<9) != 0 {
			c.at += 4 * c.u32()
		}
		out = append(out, n)
	}
	return out
}
