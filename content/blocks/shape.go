package blocks

import "strings"

// shape is what the text of a block looks like.
type shape struct {
	chars   int32 // characters, runs of white space as one
	words   int32
	letters int32
	upper   int32 // capital letters
	digits  int32
	cjk     int32 // characters of scripts without spaces
	commas  int32
	stops   int32 // ends of sentences
	marks   int32 // signs between the items of menus: | • · » > /
	money   int32
	others  int32 // all other punctuation
	capital int32 // words that begin with a capital

	titled    int32 // of the first words, those that are in the page's title
	slugged   int32 // those that are in the page's address
	described int32 // those that are in the title and description for previews
	told      int32 // words that stand in the same order in the linked data

	content uint32 // hash of all words
	lead    uint32 // hash of the first words
	first   uint16 // vocabularies of the first word, as bits
	start   byte   // first byte of the text
	last    byte   // last byte that is not white space
	vocab   [vocabularies]uint8

	breaksOff bool // ends in an ellipsis
}

// reader reads texts into a shape.
type reader struct {
	shape
	hash   uint32 // of the word at hand
	length int32  // and its letters
	space  bool   // white space came last
	begun  bool
	known  *known  // what the page says of itself; may be nil
	fill   *words  // gets the words instead
	learn  pairs   // gets pairs of words in a row
	before uint32  // hash of the word before
	glyph  [3]byte // the character before, of a script without spaces
	tail   string  // the text that came last, up to its last character
}

// known is what the head of a page says of its content.
type known struct {
	title   words
	slug    words // of the address
	preview words // of the title and description for previews
	linked  pairs // of the text in the linked data, or nil
}

// Kinds of bytes.
const (
	kindLetter = iota
	kindUpper
	kindDigit
	kindSpace
	kindComma
	kindStop
	kindMark
	kindMoney
	kindOther
	kindMore // goes on with a character of several bytes
	kindLead // begins one that is a letter like others
	kindWide // begins one of a script without spaces
	kindSign // begins one that is punctuation, or white space
)

var byteKinds = func() (kinds [256]uint8) {
	for c := range 256 {
		switch b := byte(c); {
		case 'a' <= b && b <= 'z':
			kinds[c] = kindLetter
		case 'A' <= b && b <= 'Z':
			kinds[c] = kindUpper
		case '0' <= b && b <= '9':
			kinds[c] = kindDigit
		case b <= ' ':
			kinds[c] = kindSpace
		case b == ',' || b == ';':
			kinds[c] = kindComma
		case b == '.' || b == '!' || b == '?':
			kinds[c] = kindStop
		case b == '|' || b == '>' || b == '/' || b == '<':
			kinds[c] = kindMark
		case b == '$':
			kinds[c] = kindMoney
		case b >= 0xe3 && b <= 0xed:
			kinds[c] = kindWide
		case b == 0xe2 || b == 0xc2 || b == 0xef:
			kinds[c] = kindSign
		case b >= 0xc0:
			kinds[c] = kindLead
		case b >= 0x80:
			kinds[c] = kindMore
		default:
			kinds[c] = kindOther
		}
	}
	return kinds
}()

// blankText reports whether a text is white space.
func blankText(s string) bool {
	for i := range len(s) {
		if s[i] > ' ' {
			return false
		}
	}
	return true
}

// read adds a text to the shape and returns how many characters it has.
func (s *reader) read(text string) int32 {
	before := s.chars
	for i := 0; i < len(text); i++ {
		c := text[i]
		kind := byteKinds[c]
		if kind == kindSpace {
			s.endWord()
			s.space = true
			continue
		}
		if s.space && s.begun {
			s.chars++
		}
		s.space = false
		if !s.begun {
			s.begun, s.start = true, c
		}
		switch kind {
		case kindLetter, kindLead:
			s.letter(c)
			s.chars++
		case kindUpper:
			if s.length == 0 {
				s.capital++
			}
			s.upper++
			s.letter(c | 0x20)
			s.chars++
		case kindMore:
			s.letter(c)
			continue
		case kindDigit:
			s.digits++
			s.letter(c)
			s.chars++
		case kindWide:
			s.endWord()
			i += s.wide(text[i:])
			s.chars++
		case kindSign:
			i += s.sign(text[i:])
		default:
			s.endWord()
			s.chars++
			s.punctuation(kind)
		}
		s.last = c
	}
	end := len(text)
	for end > 0 && text[end-1] <= ' ' {
		end--
	}
	if end > 0 {
		s.tail = text[:end]
	}
	return s.chars - before
}

func (s *reader) letter(c byte) {
	if s.length == 0 {
		s.hash = hashStart
	}
	s.hash = (s.hash ^ uint32(c)) * hashPrime
	s.length++
	s.letters++
}

func (s *reader) punctuation(kind uint8) {
	switch kind {
	case kindComma:
		s.commas++
	case kindStop:
		s.stops++
	case kindMark:
		s.marks++
	case kindMoney:
		s.money++
	default:
		s.others++
	}
}

// wide counts a character of a script without spaces, or its punctuation, and
// returns how many more bytes it has.
func (s *reader) wide(text string) int {
	if len(text) < 3 {
		return 0
	}
	s.hash = uint32(text[0])<<16 ^ uint32(text[1])<<8 ^ uint32(text[2])
	if text[0] == 0xe3 && text[1] == 0x80 {
		switch text[2] {
		case 0x81, 0x80: // ideographic comma and space
			s.commas++
		case 0x82: // ideographic full stop
			s.stops++
		default:
			s.others++
		}
		s.glyph = [3]byte{}
		return 2
	}
	s.cjk++
	s.length = 1
	s.vocabulary(text[:3])
	return 2
}

// vocabulary ends a character that is a word of its own. Words of its script are
// looked up as pairs of characters.
func (s *reader) vocabulary(char string) {
	before := s.glyph
	s.glyph = [3]byte{char[0], char[1], char[2]}
	s.endWord()
	if s.words > maxVocab || before[0] == 0 {
		return
	}
	pair := hashBytes(hashBytes(hashStart, before), s.glyph)
	s.count(vocabIndex.lists(pair))
}

// sign counts a character of the blocks where most are punctuation, and returns
// how many more bytes it has.
func (s *reader) sign(text string) int {
	switch {
	case text[0] == 0xc2 && len(text) > 1:
		s.latinSign(text[1])
		return 1
	case len(text) < 3:
		s.chars++
		return 0
	case text[0] == 0xe2:
		s.endWord()
		s.chars++
		switch {
		case text[1] == 0x80 && (text[2] == 0xa2 || text[2] == 0xba): // bullet, single angle quote
			s.marks++
		case text[1] == 0x82 && text[2] == 0xac: // euro
			s.money++
		case text[1] == 0x80 && text[2] == 0x99: // apostrophe
		default:
			s.others++
		}
		return 2
	}
	return s.fullWidth(text)
}

// fullWidth counts punctuation in full width, and compatibility characters.
func (s *reader) fullWidth(text string) int {
	s.endWord()
	s.chars++
	if text[1] != 0xbc {
		s.others++
		return 2
	}
	switch text[2] {
	case 0x8c, 0x9b:
		s.commas++
	case 0x81, 0x9f, 0x8e:
		s.stops++
	case 0x8f, 0x9e:
		s.marks++
	default:
		s.others++
	}
	return 2
}

func (s *reader) latinSign(second byte) {
	switch second {
	case 0xa0:
		s.endWord()
		s.space = true
		return
	case 0xa9, 0xae:
		s.vocab[wordsLegal]++
	case 0xb7, 0xbb, 0xab:
		s.marks++
	case 0xa3, 0xa5:
		s.money++
	default:
		s.others++
	}
	s.endWord()
	s.chars++
}

// leadWords is how many words in a row hardly occur twice by chance.
const leadWords = 6

// maxVocab is how many words of a block are looked up: what a text is for shows
// at its start.
const maxVocab = 24

// endWord counts the word that is over.
func (s *reader) endWord() {
	if s.length == 0 {
		return
	}
	s.length = 0
	s.words++
	s.content = (s.content ^ s.hash) * hashPrime
	if s.words == leadWords {
		s.lead = s.content
	}
	switch {
	case s.known != nil && s.known.linked != nil:
		if s.known.linked.has(s.before, s.hash) {
			s.told++
		}
		s.before = s.hash
	case s.learn != nil:
		s.learn.add(s.before, s.hash)
		s.before = s.hash
	}
	if s.words > maxVocab {
		return
	}
	if s.fill != nil {
		s.fill.add(s.hash)
		return
	}
	if k := s.known; k != nil && (k.title.bits|k.slug.bits|k.preview.bits)&(1<<(s.hash&63)) != 0 {
		s.titled += k.title.counts(s.hash)
		s.slugged += k.slug.counts(s.hash)
		s.described += k.preview.counts(s.hash)
	}
	bits := vocabIndex.lists(s.hash)
	if s.words == 1 {
		s.first = uint16(bits)
	}
	s.count(bits)
}

// count counts a word of these vocabularies.
func (s *reader) count(bits uint64) {
	for ; bits != 0; bits &= bits - 1 {
		s.vocab[trailingZeros(bits)]++
	}
}

// close ends the text.
func (s *reader) close() {
	s.endWord()
	if s.words < leadWords {
		s.lead = s.content
	}
	s.breaksOff = strings.HasSuffix(s.tail, "…") || strings.HasSuffix(s.tail, "...") || strings.HasSuffix(s.tail, "…]") || strings.HasSuffix(s.tail, "...]")
	s.tail = ""
}

// words is a small set of words, by hash.
type words struct {
	hashes [maxKnown]uint32
	count  int
	bits   uint64 // of the hashes, to miss quickly
}

const maxKnown = 48

// read adds the first words of a text.
func (w *words) read(text string) {
	collector := reader{fill: w}
	collector.read(text)
	collector.close()
}

func (w *words) add(hash uint32) {
	if w.count < maxKnown {
		w.hashes[w.count] = hash
		w.count++
		w.bits |= 1 << (hash & 63)
	}
}

// counts returns 1 for a word of the set, else 0.
func (w *words) counts(hash uint32) int32 {
	if w.bits&(1<<(hash&63)) == 0 {
		return 0
	}
	for _, h := range w.hashes[:w.count] {
		if h == hash {
			return 1
		}
	}
	return 0
}

// pairs is a set of two words in a row, by a few bits of their hash: now and then
// it has one that was not added.
type pairs []uint64

const pairBits = 15

func pairHash(a, b uint32) uint32 { return (a*31 ^ b) * 0x9e3779b1 >> (32 - pairBits) }

func (p pairs) has(a, b uint32) bool {
	h := pairHash(a, b)
	return p[h/64]&(1<<(h%64)) != 0
}

// read adds the pairs of a text.
func (p pairs) read(text string) {
	collector := reader{learn: p}
	collector.read(text)
	collector.close()
}

func (p pairs) add(a, b uint32) {
	h := pairHash(a, b)
	p[h/64] |= 1 << (h % 64)
}
