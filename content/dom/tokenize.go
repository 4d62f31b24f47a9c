package dom

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// tagToken is a start or end tag.
type tagToken struct {
	name        string // in lower case
	attr        []Attribute
	atom        atom.Atom
	tag         tag
	selfClosing bool
}

// maxAttributes bounds the attributes of an element; those beyond are dropped.
const maxAttributes = 256

// class is what a byte is to the tokenizer.
type class uint8

const (
	isSpace   class = 1 << iota // white space
	isLetter                    // ASCII letter
	isUpper                     // ASCII capital
	isWord                      // ASCII letter or digit
	endsName                    // ends a tag's name
	endsKey                     // ends an attribute's name
	endsValue                   // ends a value without quotes
)

var classes = classify()

func classify() (table [256]class) {
	for c := range 256 {
		b := byte(c)
		switch {
		case 'A' <= b && b <= 'Z':
			table[c] = isLetter | isWord | isUpper
		case 'a' <= b && b <= 'z':
			table[c] = isLetter | isWord
		case '0' <= b && b <= '9':
			table[c] = isWord
		}
	}
	for _, c := range " \n\t\f" {
		table[c] = isSpace | endsName | endsKey | endsValue
	}
	table['/'] = endsName | endsKey
	table['>'] = endsName | endsKey | endsValue
	table['='] = endsKey
	return table
}

// markup reads what begins with the "<" at the current position. It reports
// whether that is markup; otherwise the "<" is text.
func (p *parser) markup() bool {
	if p.pos+1 >= len(p.src) {
		return false
	}
	switch c := p.src[p.pos+1]; {
	case classes[c]&isLetter != 0:
		if p.readTag(p.pos + 1) {
			p.startTag()
		}
	case c == '/':
		return p.closing()
	case c == '!':
		p.declaration()
	case c == '?':
		p.bogusComment(p.pos + 1)
	default:
		return false
	}
	return true
}

// closing reads what begins with "</".
func (p *parser) closing() bool {
	i := p.pos + 2
	switch {
	case i >= len(p.src):
		return false
	case classes[p.src[i]]&isLetter != 0:
		used := len(p.attrs)
		if p.readTag(i) {
			p.attrs = p.attrs[:min(used, len(p.attrs))]
			p.endTag()
		}
	case p.src[i] == '>':
		p.pos = i + 1
	default:
		p.bogusComment(i)
	}
	return true
}

// declaration reads what begins with "<!".
func (p *parser) declaration() {
	rest := p.src[p.pos+2:]
	switch {
	case strings.HasPrefix(rest, "--"):
		p.readComment()
	case len(rest) >= 7 && equalLower(rest[:7], "doctype"):
		p.readDoctype()
	case p.top().Space != HTML && strings.HasPrefix(rest, "[CDATA["):
		text, after, _ := strings.Cut(rest[7:], "]]>")
		p.pos = len(p.src) - len(after)
		if text != "" {
			p.text(text)
		}
	default:
		p.bogusComment(p.pos + 2)
	}
}

// characters reads a run of text, which begins with any character.
func (p *parser) characters() {
	src, start, i := p.src, p.pos, p.pos
	escaped := false
	if src[i] == '<' {
		i++
	}
	for {
		end, has := find(src, i, '<')
		escaped = escaped || has
		i = end
		if i+1 >= len(src) {
			i = len(src)
			break
		}
		if c := src[i+1]; classes[c]&isLetter != 0 || c == '/' || c == '!' || c == '?' {
			break
		}
		i++
	}
	p.pos = i
	text := src[start:i]
	if escaped {
		text = p.unescape(text, false)
	}
	p.text(text)
}

// find returns where the next byte like end is from i on, or the length of s,
// and whether an "&" stands before it.
func find(s string, i int, end byte) (at int, escaped bool) {
	n := strings.IndexByte(s[i:], end)
	if n < 0 {
		n = len(s) - i
	}
	return i + n, strings.IndexByte(s[i:i+n], '&') >= 0
}

// readTag reads a tag whose name begins at i. It reports false, with nothing
// left to read, if the tag does not end.
func (p *parser) readTag(i int) bool {
	src, start, hash, seen := p.src, i, uint32(0), class(0)
	for i < len(src) {
		c := src[i]
		if classes[c]&endsName != 0 {
			break
		}
		seen |= classes[c]
		hash = hashByte(hash, c)
		i++
	}
	name := src[start:i]
	p.tok.selfClosing = false
	p.tok.attr = nil
	if t := findTag(name, hash); t != tagOther {
		p.tok.tag, p.tok.name, p.tok.atom = t, kinds[t].name, kinds[t].atom
	} else {
		p.tok.tag, p.tok.name = tagOther, name
		if p.hasNUL || seen&isUpper != 0 {
			p.tok.name = p.name(name)
		}
		p.tok.atom = atom.Lookup([]byte(p.tok.name))
	}
	if i < len(src) && src[i] == '>' {
		p.pos = i + 1
		return true
	}
	return p.readAttributes(i)
}

// readAttributes reads the rest of a tag behind its name.
func (p *parser) readAttributes(i int) bool {
	src, start, seen := p.src, len(p.attrs), uint64(0)
	for i < len(src) {
		switch c := src[i]; {
		case classes[c]&isSpace != 0:
			i++
		case c == '>':
			p.pos = i + 1
			p.tok.attr = p.attrs[start:len(p.attrs):len(p.attrs)]
			return true
		case c == '/':
			i++
			p.tok.selfClosing = i < len(src) && src[i] == '>'
		default:
			if len(p.attrs) == cap(p.attrs) {
				start = p.growAttributes(start)
			}
			n := len(p.attrs)
			p.attrs = p.attrs[:n+1]
			a := &p.attrs[n]
			i = p.readAttribute(a, i)
			bit := uint64(1) << ((uint(len(a.Key))*7 + uint(a.Key[0])) % 64)
			if n-start >= maxAttributes || seen&bit != 0 && hasKey(p.attrs[start:n], a.Key) {
				p.attrs = p.attrs[:n]
			}
			seen |= bit
		}
	}
	p.attrs = p.attrs[:start]
	p.pos = len(src)
	return false
}

// readAttribute reads an attribute that begins at i and returns where it ends.
func (p *parser) readAttribute(a *Attribute, i int) int {
	src, start, seen := p.src, i, classes[p.src[i]]
	for i++; i < len(src); i++ { // the first character may be "="
		c := classes[src[i]]
		if c&endsKey != 0 {
			break
		}
		seen |= c
	}
	a.Key, a.Val = src[start:i], ""
	if p.hasNUL || seen&isUpper != 0 {
		a.Key = p.name(a.Key)
	}
	for i < len(src) && classes[src[i]]&isSpace != 0 {
		i++
	}
	if i >= len(src) || src[i] != '=' {
		return i
	}
	for i++; i < len(src) && classes[src[i]]&isSpace != 0; i++ {
	}
	if i >= len(src) {
		return i
	}
	if quote := src[i]; quote == '"' || quote == '\'' {
		end, escaped := find(src, i+1, quote)
		if end < len(src) {
			a.Val = src[i+1 : end]
			if escaped || p.hasNUL {
				a.Val = p.value(a.Val)
			}
		}
		return end + 1
	}
	start = i
	for i < len(src) && classes[src[i]]&endsValue == 0 {
		i++
	}
	a.Val = p.value(src[start:i])
	return i
}

// growAttributes makes a new slab and moves the attributes of the current tag
// there.
func (p *parser) growAttributes(start int) int {
	current := p.attrs[start:]
	slab := make([]Attribute, len(current), len(p.src)/attrSpacing+2*len(current)+minChunk)
	copy(slab, current)
	p.attrs = slab
	return 0
}

func hasKey(attrs []Attribute, key string) bool {
	for i := range attrs {
		if attrs[i].Key == key {
			return true
		}
	}
	return false
}

// name returns the name of a tag or attribute in lower case.
func (p *parser) name(s string) string {
	s = p.plain(s)
	start := p.reserve(len(s))
	for i := range len(s) {
		c := s[i]
		if classes[c]&isUpper != 0 {
			c |= 0x20
		}
		p.arena.WriteByte(c)
	}
	return p.arena.String()[start:]
}

// value returns the value of an attribute.
func (p *parser) value(s string) string { return p.unescape(p.plain(s), true) }

// plain returns a text that has no character references.
func (p *parser) plain(s string) string {
	if p.hasNUL {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return s
}

// reserve makes room in the arena for a string of about n bytes, and returns
// where it will begin. What was written before stays valid: a full arena is
// left to its strings, and a new one begun.
func (p *parser) reserve(n int) int {
	if p.arena.Cap()-p.arena.Len() < n {
		size := max(n, min(2*p.arena.Cap(), 64<<10), 1<<10)
		p.arena = strings.Builder{}
		p.arena.Grow(size)
	}
	return p.arena.Len()
}
