package blocks

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

	titled int32 // of the first words, those that are in the page's title

	content uint32 // hash of all words
	lead    uint32 // hash of the first words
	first   uint16 // vocabularies of the first word, as bits
	start   byte   // first byte of the text
	last    byte   // last byte that is not white space
	vocab   [vocabularies]uint8
}

// reader reads texts into a shape.
type reader struct {
	shape
	hash   uint32 // of the word at hand
	length int32  // and its letters
	space  bool   // white space came last
	begun  bool
	title  *words // words of the page's title
	fill   bool   // fill the title instead of asking it
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
	s.content = (s.content ^ s.hash) * hashPrime
	if text[0] == 0xe3 && text[1] == 0x80 {
		switch text[2] {
		case 0x81, 0x80: // ideographic comma and space
			s.commas++
		case 0x82: // ideographic full stop
			s.stops++
		default:
			s.others++
		}
		return 2
	}
	s.cjk++
	if s.words++; s.words == leadWords {
		s.lead = s.content
	}
	if s.words <= maxVocab {
		if s.fill {
			s.title.add(s.hash)
		} else if s.title != nil && s.title.has(s.hash) {
			s.titled++
		}
	}
	return 2
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
	if s.words > maxVocab {
		return
	}
	if s.fill {
		s.title.add(s.hash)
	} else if s.title != nil && s.title.has(s.hash) {
		s.titled++
	}
	bits := vocabIndex.find(s.hash).value
	if bits == 0 {
		return
	}
	if s.words == 1 {
		s.first = uint16(bits)
	}
	for bits != 0 {
		v := trailingZeros(bits)
		bits &^= 1 << v
		s.vocab[v]++
	}
}

// close ends the text.
func (s *reader) close() {
	s.endWord()
	if s.words < leadWords {
		s.lead = s.content
	}
}

// words is a small set of words, by hash.
type words struct {
	hashes [maxTitleWords]uint32
	count  int
	bits   uint64 // of the hashes, to miss quickly
}

const maxTitleWords = 24

// read takes the words of a title.
func (w *words) read(text string) {
	if w.count > 0 {
		return
	}
	collector := reader{title: w, fill: true}
	collector.read(text)
	collector.close()
}

func (w *words) add(hash uint32) {
	if w.count < maxTitleWords {
		w.hashes[w.count] = hash
		w.count++
		w.bits |= 1 << (hash & 63)
	}
}

func (w *words) has(hash uint32) bool {
	if w.bits&(1<<(hash&63)) == 0 {
		return false
	}
	for _, h := range w.hashes[:w.count] {
		if h == hash {
			return true
		}
	}
	return false
}
