package mail

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/codepage"
)

// unwrap returns the HTML that RTF was made of, if it was: tags are in groups that
// other programs pass over, and what was added for those stands between the words
// htmlrtf and htmlrtf0.
func unwrap(body []byte) (html string, ok bool) {
	if !bytes.Contains(body[:min(len(body), 1024)], []byte(`\fromhtml`)) {
		return "", false
	}
	u := unwrapper{in: body, state: wrapped{skip: 1}, page: codepage.Western, fonts: map[int]int{}}
	for u.at < len(u.in) {
		u.step()
	}
	u.flush()
	return u.out.String(), true
}

// wrapped is the state that a group has for itself.
type wrapped struct {
	hidden bool // between htmlrtf and htmlrtf0
	left   bool // a destination that has no HTML
	tag    bool // of HTML
	fonts  bool // the table of fonts
	font   int
	skip   int // characters that stand for one of Unicode
}

// unwrapper goes over RTF.
type unwrapper struct {
	in    []byte
	at    int
	out   strings.Builder
	state wrapped
	stack []wrapped
	over  int // groups that are open beyond maxGroups
	page  int
	fonts map[int]int // code pages

	bytes  []byte // not decoded yet
	units  []uint16
	ignore int // characters to pass over
}

const (
	maxGroups = 1000
	maxFonts  = 10_000
)

// step reads a brace, a word or a character.
func (u *unwrapper) step() {
	c := u.in[u.at]
	u.at++
	switch c {
	case '{':
		u.flush()
		if len(u.stack) < maxGroups {
			u.stack = append(u.stack, u.state)
		} else {
			u.over++
		}
	case '}':
		u.flush()
		switch {
		case u.over > 0:
			u.over--
		case len(u.stack) > 0:
			u.state = u.stack[len(u.stack)-1]
			u.stack = u.stack[:len(u.stack)-1]
		}
	case '\\':
		u.control()
	case '\r', '\n':
	default:
		u.byte(c)
	}
}

// control reads what follows a backslash.
func (u *unwrapper) control() {
	if u.at >= len(u.in) {
		return
	}
	c := u.in[u.at]
	if c|0x20 < 'a' || c|0x20 > 'z' {
		u.at++
		u.sign(c)
		return
	}
	from := u.at
	for u.at < len(u.in) && u.in[u.at]|0x20 >= 'a' && u.in[u.at]|0x20 <= 'z' {
		u.at++
	}
	word := string(u.in[from:min(u.at, from+32)])
	from = u.at
	if u.at < len(u.in) && u.in[u.at] == '-' {
		u.at++
	}
	for u.at < len(u.in) && u.in[u.at] >= '0' && u.in[u.at] <= '9' {
		u.at++
	}
	number, err := strconv.Atoi(string(u.in[from:min(u.at, from+10)]))
	if u.at < len(u.in) && u.in[u.at] == ' ' {
		u.at++
	}
	u.word(word, number, err == nil)
}

// sign reads a backslash before something that is no letter.
func (u *unwrapper) sign(c byte) {
	switch c {
	case '\'':
		if u.at+2 <= len(u.in) {
			high, low := hexDigit(u.in[u.at]), hexDigit(u.in[u.at+1])
			u.at += 2
			if high >= 0 && low >= 0 {
				u.byte(byte(high<<4 | low))
			}
		}
	case '\\', '{', '}':
		u.byte(c)
	case '~':
		u.text("&nbsp;")
	case '_':
		u.text("&shy;")
	case '*':
		u.state.left = true // until it is known what this is
	}
}

// word reads a control word.
func (u *unwrapper) word(word string, number int, has bool) {
	switch word {
	case "htmltag":
		u.flush()
		u.state.left, u.state.tag, u.state.hidden = false, true, false
	case "htmlrtf":
		u.flush()
		u.state.hidden = !has || number != 0
	case "fonttbl":
		u.state.fonts, u.state.left = true, true
	case "colortbl", "stylesheet", "info", "pict", "mhtmltag", "object":
		u.state.left = true
	case "ansicpg":
		u.page = number
	case "f":
		u.flush()
		u.state.font = number
	case "fcharset":
		if u.state.fonts && len(u.fonts) < maxFonts {
			u.fonts[u.state.font] = codepage.OfCharset(number)
		}
	case "uc":
		u.state.skip = min(max(number, 0), 16)
	case "u":
		u.unicode(number)
	case "par", "line":
		u.text("\r\n")
	case "tab":
		u.text("\t")
	case "lquote":
		u.text("&lsquo;")
	case "rquote":
		u.text("&rsquo;")
	case "ldblquote":
		u.text("&ldquo;")
	case "rdblquote":
		u.text("&rdquo;")
	case "bullet":
		u.text("&bull;")
	case "endash":
		u.text("&ndash;")
	case "emdash":
		u.text("&mdash;")
	case "bin":
		u.at = min(u.at+max(number, 0), len(u.in))
	}
}

func (u *unwrapper) isLeft() bool { return u.state.left || u.state.hidden }

// byte adds a byte of text.
func (u *unwrapper) byte(c byte) {
	switch {
	case u.ignore > 0:
		u.ignore--
	case !u.isLeft():
		u.settle()
		u.bytes = append(u.bytes, c)
	}
}

// unicode adds a character by its number.
func (u *unwrapper) unicode(number int) {
	if !u.isLeft() {
		u.decode()
		u.units = append(u.units, uint16(number))
	}
	u.ignore = u.state.skip
}

// text adds HTML.
func (u *unwrapper) text(s string) {
	if !u.isLeft() {
		u.flush()
		u.out.WriteString(s)
	}
}

// flush decodes what was not yet, and forgets what was to be passed over.
func (u *unwrapper) flush() {
	u.settle()
	u.decode()
	u.ignore = 0
}

func (u *unwrapper) settle() {
	if len(u.units) > 0 {
		u.out.WriteString(string(utf16.Decode(u.units)))
		u.units = u.units[:0]
	}
}

func (u *unwrapper) decode() {
	if len(u.bytes) > 0 {
		page := u.fonts[u.state.font]
		if page == 0 || u.state.tag {
			page = u.page
		}
		u.out.WriteString(codepage.Decode(page, u.bytes))
		u.bytes = u.bytes[:0]
	}
}
