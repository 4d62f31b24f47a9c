package mail

import (
	"bytes"
	"encoding/base64"
	"path"
	"strings"

	"github.com/trawlhq/trawl/document/markup"
)

// part is a part of a message, which may have parts itself.
type part struct {
	header      header
	media       string
	parameters  map[string]string
	disposition string
	name        string
	body        []byte // as it is written
	parts       []*part
	within      *part // the message that it is, if it is one
}

// parser takes messages apart.
type parser struct {
	parts int
	cut   bool   // there is more than was read
	usual string // type of parts that do not say theirs
}

// parse reads a part with its header.
func (p *parser) parse(body []byte, depth int) *part {
	h, rest, cut := readHeader(body)
	p.cut = p.cut || cut
	return p.open(h, rest, depth)
}

// open takes apart what follows a header.
func (p *parser) open(h header, body []byte, depth int) *part {
	kind, disposition := h.value("content-type"), h.value("content-disposition")
	if kind.text == "" {
		kind.text = p.usual
	}
	p.usual = ""
	out := &part{header: h, media: kind.text, parameters: kind.parameters, disposition: disposition.text, body: body}
	if !strings.Contains(out.media, "/") {
		out.media = "text/plain"
	}
	out.name = disposition.parameters["filename"]
	if out.name == "" {
		out.name = kind.parameters["name"]
	}
	if i := strings.LastIndexAny(out.name, `/\`); i >= 0 {
		out.name = out.name[i+1:]
	}
	multiple, message := strings.HasPrefix(out.media, "multipart/"), out.media == "message/rfc822" || out.media == "message/global"
	if (multiple || message) && depth >= maxDepth {
		p.cut = true
		return out
	}
	switch {
	case multiple:
		p.split(out, depth)
	case message:
		if p.parts++; p.parts <= maxParts {
			out.within = p.parse(out.content(), depth+1)
		}
	}
	return out
}

// split takes the parts of a part apart.
func (p *parser) split(out *part, depth int) {
	mark := []byte("--" + out.parameters["boundary"])
	if len(mark) == 2 {
		if mark = firstMark(out.body); mark == nil {
			out.media = "text/plain"
			return
		}
	}
	usual := ""
	if out.media == "multipart/digest" {
		usual = "message/rfc822"
	}
	for body := after(out.body, mark); body != nil; {
		if bytes.HasPrefix(body, []byte("--")) {
			break
		}
		_, body, _ = bytes.Cut(body, []byte("\n")) // the rest of the line
		next := after(body, mark)
		piece := body[:len(body)-len(next)]
		if next != nil {
			piece = bytes.TrimSuffix(piece, mark)
			piece = bytes.TrimSuffix(bytes.TrimSuffix(piece, []byte("\n")), []byte("\r"))
		}
		if p.parts++; p.parts > maxParts {
			p.cut = true
			break
		}
		p.usual = usual
		out.parts = append(out.parts, p.parse(piece, depth+1))
		body = next
	}
}

// firstMark returns a line that looks like one between parts, nil if there is none.
func firstMark(body []byte) []byte {
	for line := range bytes.Lines(body[:min(len(body), 4096)]) {
		line = bytes.TrimRight(line, "\r\n \t")
		if len(line) > 4 && bytes.HasPrefix(line, []byte("--")) && !bytes.ContainsAny(line, " \t") {
			return line
		}
	}
	return nil
}

// after returns what follows a mark at the beginning of a line, nil if there is none.
func after(body, mark []byte) []byte {
	for from := 0; ; {
		i := bytes.Index(body[from:], mark)
		if i < 0 {
			return nil
		}
		i += from
		end := i + len(mark)
		if (i == 0 || body[i-1] == '\n') && (end == len(body) || bytes.IndexByte([]byte("\r\n -\t"), body[end]) >= 0) {
			return body[end:len(body):len(body)]
		}
		from = end
	}
}

// content returns what a part holds, decoded.
func (p *part) content() []byte {
	switch strings.ToLower(strings.TrimSpace(p.header["content-transfer-encoding"])) {
	case "base64":
		return decodeBase64(p.body)
	case "quoted-printable":
		return decodeQuoted(p.body)
	}
	return p.body
}

// text returns what a part holds as text.
func (p *part) text(most int) (text string, cut bool) {
	body := p.content()
	if len(body) > most {
		body, cut = body[:most], true
	}
	return markup.Decode(body, p.parameters["charset"]), cut
}

// fileName returns a name for a part that has none.
func (p *part) fileName() string {
	if p.name != "" {
		return p.name
	}
	_, kind, _ := strings.Cut(p.media, "/")
	return "attachment." + path.Base("/"+kind)
}

// decodeBase64 decodes what there is, whatever stands between it.
func decodeBase64(body []byte) []byte {
	letters := make([]byte, 0, len(body))
	for _, c := range body {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			letters = append(letters, c)
		}
	}
	if len(letters)%4 == 1 {
		letters = letters[:len(letters)-1]
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(letters)))
	n, _ := base64.RawStdEncoding.Decode(out, letters) // as far as it goes
	return out[:n]
}

// decodeQuoted decodes bytes that are written as "=E9". What is no such thing is
// left as it is.
func decodeQuoted(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == ' ' || c == '\t' { // at the end of a line there are none
			end := i
			for end < len(body) && (body[end] == ' ' || body[end] == '\t') {
				end++
			}
			if end == len(body) || body[end] != '\r' && body[end] != '\n' {
				out = append(out, body[i:end]...)
			}
			i = end - 1
			continue
		}
		if c != '=' {
			out = append(out, c)
			continue
		}
		if i+2 < len(body) {
			high, low := hexDigit(body[i+1]), hexDigit(body[i+2])
			if high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		end := i + 1
		for end < len(body) && (body[end] == ' ' || body[end] == '\t' || body[end] == '\r') {
			end++
		}
		if end == len(body) || body[end] == '\n' { // the line goes on
			i = end
			continue
		}
		out = append(out, c)
	}
	return out
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
