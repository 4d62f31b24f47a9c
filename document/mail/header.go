package mail

import (
	"bytes"
	"io"
	"mime"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/markup"
)

const (
	maxHeader = 1 << 20 // bytes of a header
	maxFields = 2000
	maxField  = 64 << 10 // bytes of a field
)

// header is the fields of a message or of a part, by their names in lower case. Of
// several the first counts.
type header map[string]string

// readHeader reads the fields in front of a body. Cut says that there are more than
// are read.
func readHeader(body []byte) (h header, rest []byte, cut bool) {
	h = header{}
	name, value := "", []byte(nil)
	add := func() {
		if _, known := h[name]; name != "" && !known {
			h[name] = string(bytes.TrimSpace(value))
		}
	}
	fields, size := 0, 0
	for len(body) > 0 {
		line, after, _ := bytes.Cut(body, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			body = after
			break
		}
		if len(line) > maxField {
			line, cut = line[:maxField], true
		}
		size += len(line)
		continued := line[0] == ' ' || line[0] == '\t'
		colon := bytes.IndexByte(line, ':')
		if !continued && (colon <= 0 || !isName(line[:colon])) {
			if fields == 0 && bytes.HasPrefix(line, []byte("From ")) {
				body = after
				continue
			}
			break // the body, without an empty line in front of it
		}
		body = after
		if fields > maxFields || size > maxHeader {
			cut = true
			continue
		}
		if continued {
			if len(value) < maxField {
				value = append(append(value, ' '), bytes.TrimLeft(line, " \t")...)
			} else {
				cut = true
			}
			continue
		}
		add()
		fields++
		name = strings.ToLower(string(bytes.TrimSpace(line[:colon])))
		value = append([]byte(nil), line[colon+1:]...)
	}
	add()
	return h, body, cut
}

func isName(name []byte) bool {
	name = bytes.TrimRight(name, " \t")
	for _, c := range name {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return len(name) > 0
}

// decoder decodes words of other encodings within fields.
var decoder = mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
	charset, _, _ = strings.Cut(charset, "*") // a language may follow
	body, err := io.ReadAll(in)
	return strings.NewReader(markup.Decode(body, charset)), err
}}

// text returns a field as it is to be read.
func (h header) text(name string) string { return decodeWords(h[name]) }

func decodeWords(s string) string {
	raw := markup.Decode([]byte(s), "") // some write what they like
	if text, err := decoder.DecodeHeader(raw); err == nil {
		raw = text
	}
	return clean(strings.ToValidUTF8(raw, "\ufffd"))
}

// addresses returns a field of addresses.
func (h header) addresses(name string) string {
	value := h[name]
	parser := mail.AddressParser{WordDecoder: &decoder}
	list, err := parser.ParseList(value)
	if err != nil {
		return decodeWords(value)
	}
	out := make([]string, 0, len(list))
	for _, a := range list {
		out = append(out, address(decodeWords(a.Name), a.Address))
	}
	return strings.Join(out, ", ")
}

// address writes a name with the address behind it.
func address(name, mailbox string) string {
	switch {
	case name == "" || strings.EqualFold(name, mailbox):
		return mailbox
	case mailbox == "":
		return name
	}
	return name + " <" + mailbox + ">"
}

// date returns when a message was sent.
func (h header) date() time.Time {
	when, err := mail.ParseDate(h["date"])
	if err != nil {
		return time.Time{}
	}
	return when
}

// value is a field with parameters.
type value struct {
	text       string // in lower case
	parameters map[string]string
}

// value returns a field such as the content type, with the parameters that follow.
func (h header) value(name string) value {
	field := h[name]
	text, rest, _ := strings.Cut(field, ";")
	v := value{strings.ToLower(strings.TrimSpace(text)), map[string]string{}}
	var pieces map[string][]string // of those that come in pieces
	for count := 0; rest != "" && count < 200; count++ {
		var key, content string
		key, content, rest = parameter(rest)
		key = strings.ToLower(strings.TrimSpace(key))
		if key == "" {
			continue
		}
		base, piece, split := strings.Cut(key, "*")
		switch n, err := strconv.Atoi(strings.TrimSuffix(piece, "*")); {
		case !split:
			if _, known := v.parameters[key]; !known {
				v.parameters[key] = decodeWords(content)
			}
		case piece == "":
			v.parameters[base] = extended(content)
		case err == nil && n >= 0 && n < 100:
			if pieces == nil {
				pieces = map[string][]string{}
			}
			for len(pieces[base]) <= n {
				pieces[base] = append(pieces[base], "")
			}
			if !strings.HasSuffix(piece, "*") {
				content = url.PathEscape(content)
			}
			pieces[base][n] = content
		}
	}
	for base, list := range pieces {
		v.parameters[base] = extended(strings.Join(list, ""))
	}
	return v
}

// parameter takes the first parameter from a list of them.
func parameter(s string) (key, content, rest string) {
	s = strings.TrimLeft(s, " \t;")
	end := strings.IndexAny(s, "=;")
	if end < 0 {
		return "", "", ""
	}
	if s[end] == ';' {
		return "", "", s[end+1:]
	}
	key, s = s[:end], strings.TrimLeft(s[end+1:], " \t")
	if !strings.HasPrefix(s, `"`) {
		content, rest, _ = strings.Cut(s, ";")
		return key, strings.TrimSpace(content), rest
	}
	var b strings.Builder
	i := 1
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return key, b.String(), s[min(i+1, len(s)):]
}

// extended decodes a parameter that says in which encoding it is: utf-8'en'%e2%82%ac.
func extended(s string) string {
	charset, after, ok := strings.Cut(s, "'")
	if _, text, also := strings.Cut(after, "'"); ok && also {
		s = text
	} else {
		charset = ""
	}
	if plain, err := url.PathUnescape(s); err == nil {
		s = plain
	}
	return clean(markup.Decode([]byte(s), charset))
}
