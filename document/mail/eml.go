package mail

import (
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// ReadEML reads a message of the internet.
func ReadEML(body []byte, o Options) (*tree.Document, error) {
	p := &parser{}
	root := p.parse(body, 0)
	if len(root.header) == 0 {
		return nil, fmt.Errorf("read message: no header: %w", tree.ErrDamaged)
	}
	m := root.message()
	var warnings []string
	if p.cut {
		warnings = append(warnings, "The message has more parts or header fields, or parts nested deeper, than are read; the rest is left out.")
	}
	return document(m, warnings, o)
}

// message makes a message of a part that has the header of one.
func (p *part) message() *message {
	h := p.header
	m := &message{
		subject: h.text("subject"), from: h.addresses("from"), to: h.addresses("to"), cc: h.addresses("cc"), replyTo: h.addresses("reply-to"),
		keywords: h.text("keywords"), program: h.text("x-mailer"), language: h.text("content-language"), when: h.date(), date: h.text("date"),
		pictures: map[string]*attachment{},
	}
	if m.program == "" {
		m.program = h.text("user-agent")
	}
	if m.replyTo == m.from {
		m.replyTo = ""
	}
	m.collect(p)
	m.body = func(w *writer) []tree.Block { return w.part(p) }
	return m
}

// collect finds what is attached.
func (m *message) collect(p *part) {
	switch {
	case p.media == "multipart/encrypted", isEnveloped(p):
		m.encrypted = true
	case p.within != nil:
		m.attachments = append(m.attachments, &attachment{name: p.name, media: p.media, size: len(p.body), message: p.within.message()})
	case len(p.parts) > 0:
		for _, c := range p.parts {
			m.collect(c)
		}
	case isText(p) || strings.HasPrefix(p.media, "multipart/"):
	default:
		a := &attachment{name: p.fileName(), media: p.media, content: p.content}
		a.size = p.size()
		m.attachments = append(m.attachments, a)
		if id := strings.Trim(strings.TrimSpace(p.header["content-id"]), "<>"); id != "" {
			m.pictures[id] = a
		}
		if location := strings.TrimSpace(p.header["content-location"]); location != "" {
			m.pictures[location] = a
		}
	}
}

// size is how many bytes a part has, decoded.
func (p *part) size() int {
	if strings.EqualFold(strings.TrimSpace(p.header["content-transfer-encoding"]), "base64") {
		letters := 0
		for _, c := range p.body {
			if c > ' ' && c != '=' {
				letters++
			}
		}
		return letters * 3 / 4
	}
	return len(p.content())
}

// isText tells whether a part is text of the message and not a file.
func isText(p *part) bool {
	switch p.media {
	case "text/plain", "text/html", "message/delivery-status", "text/enriched", "text/richtext", "application/xhtml+xml":
		return p.disposition != "attachment" && !hasExtension(p.name)
	}
	return false
}

// hasExtension tells whether a name is that of a file.
func hasExtension(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && len(name)-dot <= 6
}

// isEnveloped tells whether a part is encrypted by S/MIME.
func isEnveloped(p *part) bool {
	if p.media != "application/pkcs7-mime" && p.media != "application/x-pkcs7-mime" {
		return false
	}
	kind := strings.ToLower(p.parameters["smime-type"])
	return kind == "enveloped-data" || kind == "authenveloped-data" || kind == "" && strings.HasSuffix(strings.ToLower(p.name), ".p7m")
}

// part writes what a part says.
func (w *writer) part(p *part) []tree.Block {
	switch {
	case p.media == "multipart/alternative" && len(p.parts) > 0:
		return w.alternative(p.parts)
	case p.media == "multipart/related" && len(p.parts) > 0:
		return w.part(root(p))
	case len(p.parts) > 0:
		var out []tree.Block
		for _, c := range p.parts {
			out = append(out, w.part(c)...)
		}
		return out
	case !isText(p):
		return nil
	case p.media == "text/html", p.media == "application/xhtml+xml":
		text, cut := p.text(maxHTML)
		w.cut(cut)
		return w.html(text)
	}
	text, cut := p.text(maxPlain)
	w.cut(cut)
	return plain(text, strings.EqualFold(p.parameters["format"], "flowed"), strings.EqualFold(p.parameters["delsp"], "yes"))
}

func (w *writer) cut(cut bool) {
	if cut {
		w.doc.Incomplete(tree.ErrTooComplex)
	}
}

// root returns the part of related ones that the others are for.
func root(p *part) *part {
	if start := p.parameters["start"]; start != "" {
		for _, c := range p.parts {
			if strings.TrimSpace(c.header["content-id"]) == start {
				return c
			}
		}
	}
	return p.parts[0]
}

// alternative writes one of several forms of the same text: the last that is HTML,
// unless the plain one says much more.
func (w *writer) alternative(parts []*part) []tree.Block {
	var rich, simple *part
	var others []tree.Block
	for _, c := range parts {
		switch {
		case isRich(c):
			rich = c
		case simple == nil && c.media == "text/plain" && isText(c):
			simple = c
		case len(c.parts) > 0:
			others = append(others, w.part(c)...)
		}
	}
	switch {
	case rich == nil && simple == nil:
		return others
	case rich == nil:
		return w.part(simple)
	case simple == nil:
		return w.part(rich)
	}
	html, text := w.part(rich), w.part(simple)
	if length(text) > 100 && 2*length(html) < length(text) {
		return text
	}
	return html
}

// isRich tells whether there is HTML in a part.
func isRich(p *part) bool {
	if p.media == "text/html" && isText(p) {
		return true
	}
	for _, c := range p.parts {
		if isRich(c) {
			return true
		}
	}
	return false
}

// length counts the letters of blocks.
func length(blocks []tree.Block) int {
	n := 0
	count := func(text []tree.Span) {
		for i := range text {
			n += len(strings.TrimSpace(text[i].Text))
		}
	}
	walk(blocks, func(b tree.Block) {
		switch b := b.(type) {
		case *tree.Heading:
			count(b.Text)
		case *tree.Paragraph:
			count(b.Text)
		case *tree.Code:
			n += len(b.Text)
		case *tree.Table:
			for i := range b.Rows {
				for j := range b.Rows[i].Cells {
					n += len(b.Rows[i].Cells[j].Text)
				}
			}
		}
	})
	return n
}
