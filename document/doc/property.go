package doc

import "github.com/trawlhq/trawl/document/tree"

// char is how characters are set.
type char struct {
	style      tree.Style
	hidden     bool
	deleted    bool
	data       bool // the picture is none, but data of a field
	hasPicture bool
	picture    int // place in the stream Data
	isSymbol   bool
	symbol     rune // in place of the character; 0 if there is none like it
	font       int
	language   int
}

// para is how a paragraph is set.
type para struct {
	style     int
	outline   int // 0 to 8, 9 for text, -1 if not said
	level     int // in its list
	list      int // from 1; 0 for none
	old       data
	oldLevel  int
	inTable   bool
	rowEnd    bool
	innerCell bool
	innerRow  bool
	depth     int
	row       row
}

// row is how a row of a table is set.
type row struct {
	header   bool
	cells    data
	vertical []data // later changes of merged cells
}

// maxWork is how many properties are read in all. Beyond, text comes unadorned.
const maxWork = 20_000_000

// applyChar changes c by the properties of a list. Values that are relative are so to base.
func (r *reader) applyChar(c *char, base char, list data) {
	for op, v := range sprms(list, r.old) {
		if r.work--; r.work < 0 {
			return
		}
		switch op {
		case charBold:
			c.toggle(tree.Bold, base, v)
		case charItalic:
			c.toggle(tree.Italic, base, v)
		case charStrike:
			c.toggle(tree.Strike, base, v)
		case charDouble:
			c.set(tree.Strike, c.style&tree.Strike != 0 || v.u8(0) != 0)
		case charUnderline:
			c.set(tree.Underline, v.u8(0) != 0)
		case charRaised:
			c.set(tree.Super, v.u8(0) == 1)
			c.set(tree.Sub, v.u8(0) == 2)
		case charHidden:
			c.hidden = toggled(base.hidden, v)
		case charDeleted:
			c.deleted = toggled(base.deleted, v)
		case charData, charOLE:
			c.data = c.data || v.u8(0) != 0
		case charPicture:
			c.picture, c.hasPicture = v.u32(0), true
		case charSymbol:
			c.symbol, c.isSymbol = r.symbol(v), true
		case charFont:
			c.font = v.u16(0)
		case charLanguage, charLanguage2:
			c.language = v.u16(0)
		case charPlain:
			plain := base
			plain.symbol, plain.isSymbol, plain.picture, plain.hasPicture = c.symbol, c.isSymbol, c.picture, c.hasPicture
			*c = plain
		case charStyle:
			r.applyStyle(c, v.u16(0))
			base = *c
		}
	}
}

func (c *char) set(s tree.Style, on bool) {
	c.style &^= s
	if on {
		c.style |= s
	}
}

func (c *char) toggle(s tree.Style, base char, v data) {
	c.set(s, toggled(base.style&s != 0, v))
}

func toggled(base bool, v data) bool {
	switch v.u8(0) {
	case 0x80:
		return base
	case 0x81:
		return !base
	}
	return v.u8(0) != 0
}

// symbol returns the character that a property names by font and code.
func (r *reader) symbol(v data) rune {
	if r.old {
		return r.fonts.symbol(v.u16(0), rune(v.u8(2)))
	}
	return r.fonts.symbol(v.u16(0), rune(v.u16(2)))
}

// applyPara changes p by the properties of a list.
func (r *reader) applyPara(p *para, list data, huge bool) {
	for op, v := range sprms(list, r.old) {
		if r.work--; r.work < 0 {
			return
		}
		on := v.u8(0) != 0
		switch op {
		case paraHuge, paraHuge2, paraHuge3:
			if at := v.u32(0); huge {
				r.applyPara(p, r.data.cut(at+2, r.data.u16(at)), false)
			}
		case paraStyle:
			r.restyle(p, v.u16(0))
		case paraLevel:
			p.level = min(v.u8(0), 8)
		case paraList:
			p.list = v.u16(0)
		case paraOldList:
			p.old = v
		case paraOldLevel:
			p.oldLevel = v.u8(0)
		case paraOutline:
			p.outline = v.u8(0)
		case paraInTable:
			p.inTable = on
		case paraRowEnd:
			p.rowEnd = on
		case paraInnerCell:
			p.innerCell = on
		case paraInnerRow:
			p.innerRow = on
		case paraDepth:
			p.depth = v.i32(0)
		case paraDeeper:
			p.depth += v.i32(0)
		case rowHeader:
			p.row.header = on
		case rowCells, rowOld:
			p.row.cells = v
		case rowVertical:
			if len(p.row.vertical) < 64 {
				p.row.vertical = append(p.row.vertical, v)
			}
		}
	}
}

// restyle gives a paragraph another style.
func (r *reader) restyle(p *para, i int) {
	if i < len(r.styles) {
		s := &r.styles[i].para
		p.style, p.outline, p.level, p.list = i, s.outline, s.level, s.list
	}
}
