package doc

import "iter"

// Codes of the properties that are read. Bits 13 to 15 tell the size of the operand.
const (
	charDeleted   = 0x0800
	charPicture   = 0x6A03
	charData      = 0x0806
	charSymbol    = 0x6A09
	charOLE       = 0x080A
	charStyle     = 0x4A30
	charPlain     = 0x2A33
	charBold      = 0x0835
	charItalic    = 0x0836
	charStrike    = 0x0837
	charHidden    = 0x083C
	charFont      = 0x4A4F
	charUnderline = 0x2A3E
	charRaised    = 0x2A48
	charDouble    = 0x2A53
	charLanguage  = 0x486D
	charLanguage2 = 0x4873

	paraStyle     = 0x4600
	paraLevel     = 0x260A
	paraList      = 0x460B
	paraOldList   = 0xC63E
	paraOldLevel  = 0x10000 // of old files: no code of new ones
	paraInTable   = 0x2416
	paraRowEnd    = 0x2417
	paraOutline   = 0x2640
	paraDepth     = 0x6649
	paraDeeper    = 0x664A
	paraInnerCell = 0x244B
	paraInnerRow  = 0x244C
	paraHuge      = 0x6645
	paraHuge2     = 0x6646
	paraHuge3     = 0x646B
	paraTabs      = 0xC615

	sectionFirst = 0x300A
	sectionHas   = 0x10001 // of old files as well

	rowHeader   = 0x3404
	rowCells    = 0xD608
	rowOld      = 0xD606
	rowVertical = 0xD62B
)

// operandSizes by bits 13 to 15; 0 means that the operand tells itself.
var operandSizes = [8]int{1, 1, 2, 4, 2, 2, 0, 3}

// sprms returns the properties of a list, each with its code and operand. Those
// of old files come with the codes of new ones, or 0.
func sprms(list data, old bool) iter.Seq2[int, data] {
	if old {
		return oldSprms(list)
	}
	return func(yield func(int, data) bool) {
		for len(list) > 2 {
			op := list.u16(0)
			head, n := 2, operandSizes[op>>13]
			if n == 0 {
				head, n = variable(op, list.from(2))
			}
			if !yield(op, list.cut(head, n)) {
				return
			}
			list = list.from(head + n)
		}
	}
}

// variable returns where an operand that tells its size begins in a property, and
// its size.
func variable(op int, rest data) (head, n int) {
	n = rest.u8(0)
	switch {
	case op == rowCells || op == rowOld:
		return 4, max(0, rest.u16(0)-1)
	case op == paraTabs && n == 255:
		deleted := rest.u8(1)
		return 3, 2 + 4*deleted + 3*rest.u8(2+4*deleted)
	}
	return 3, n
}

// Sizes of the operands in old files that are not of one byte.
const (
	sizeVariable = -1
	sizeLong     = -2 // variable with two bytes of size
)

var oldSizes = map[int]int{
	0: 0, 2: 2, 3: sizeVariable, 12: sizeVariable, 15: sizeVariable, 16: 2, 17: 2, 18: 2, 19: 2, 20: 4, 21: 2, 22: 2, 23: sizeVariable,
	26: 2, 27: 2, 28: 2, 30: 2, 31: 2, 32: 2, 33: 2, 34: 2, 35: 2, 36: 2, 38: 2, 39: 2, 40: 2, 41: 2, 42: 2, 43: 2, 45: 2, 46: 2, 47: 2,
	48: 2, 49: 2, 52: 0, 64: sizeVariable, 68: sizeVariable, 69: 2, 70: 4, 72: 2, 73: 3, 74: sizeVariable, 80: 2, 81: sizeVariable,
	82: sizeVariable, 83: 0, 93: 2, 95: 3, 96: 2, 97: 2, 99: 2, 101: 2, 103: sizeVariable, 105: sizeVariable, 106: sizeVariable, 107: 2,
	108: sizeVariable, 109: 2, 110: 2, 120: sizeVariable, 121: 2, 122: 2, 123: 2, 124: 2, 136: 2, 140: 2, 141: 2, 144: 2, 145: 2,
	148: 2, 149: 2, 154: 2, 155: 2, 156: 2, 157: 2, 160: 2, 161: 2, 164: 2, 165: 2, 166: 2, 167: 2, 168: 2, 169: 2, 170: 2, 171: 2,
	182: 2, 183: 2, 184: 2, 187: 12, 188: sizeLong, 189: 2, 190: sizeLong, 191: sizeVariable, 192: 4, 193: 5, 194: 4, 195: 2, 196: 4,
	197: 2, 198: 2, 199: 5, 200: 4, 207: sizeVariable,
}

// oldCodes are the codes of old files that matter, as those of new ones.
var oldCodes = map[int]int{
	2: paraStyle, 12: paraOldList, 13: paraOldLevel, 24: paraInTable, 25: paraRowEnd, 65: charDeleted, 68: charPicture, 71: charData,
	74: charSymbol, 75: charOLE, 80: charStyle, 83: charPlain, 85: charBold, 86: charItalic, 87: charStrike, 92: charHidden, 93: charFont,
	94: charUnderline, 97: charLanguage, 104: charRaised, 115: charDouble, 138: sectionFirst, 153: sectionHas, 186: rowHeader, 188: rowOld, 190: rowCells,
}

func oldSprms(list data) iter.Seq2[int, data] {
	return func(yield func(int, data) bool) {
		for len(list) > 0 {
			op := list.u8(0)
			head := 1
			n, known := oldSizes[op]
			switch {
			case !known:
				n = 1
			case n == sizeVariable:
				head, n = 2, list.u8(1)
			case n == sizeLong:
				head, n = 3, max(0, list.u16(1)-1)
			}
			if !yield(oldCodes[op], list.cut(head, n)) {
				return
			}
			list = list.from(head + n)
		}
	}
}
