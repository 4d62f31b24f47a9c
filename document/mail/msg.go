package mail

import (
	"fmt"
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/codepage"
	"github.com/trawlhq/trawl/document/compound"
	"github.com/trawlhq/trawl/document/markup"
	"github.com/trawlhq/trawl/document/rtf"
	"github.com/trawlhq/trawl/document/tree"
)

// Properties of messages, recipients and attachments by their numbers.
const (
	propClass        = 0x001A
	propSubject      = 0x0037
	propSubmitted    = 0x0039
	propSentForName  = 0x0042
	propSentForMail  = 0x0065
	propHeaders      = 0x007D
	propKind         = 0x0C15 // of a recipient
	propSenderName   = 0x0C1A
	propSenderMail   = 0x0C1F
	propShownCc      = 0x0E03
	propShownTo      = 0x0E04
	propDelivered    = 0x0E06
	propBody         = 0x1000
	propRTF          = 0x1009
	propHTML         = 0x1013
	propName         = 0x3001
	propMail         = 0x3003
	propData         = 0x3701
	propShortFile    = 0x3704
	propMethod       = 0x3705
	propLongFile     = 0x3707
	propMedia        = 0x370E
	propContentID    = 0x3712
	propSMTP         = 0x39FE
	propBodyPage     = 0x3FDE
	propPage         = 0x3FFD
	propSenderSMTP   = 0x5D01
	propSentForSMTP  = 0x5D02
	methodMessage    = 5
	maxRecipients    = 2000
	maxMSGAttachment = 1000
)

// ReadMSG reads a message of Outlook.
func ReadMSG(body []byte, o Options) (*tree.Document, error) {
	file, err := compound.Open(body)
	if err != nil {
		return nil, fmt.Errorf("read message: %w", err)
	}
	if !file.Has("__properties_version1.0") {
		return nil, fmt.Errorf("read message: no properties: %w", tree.ErrDamaged)
	}
	s := &outlook{}
	m := s.message(storage{file, 32, 0}, 0)
	var warnings []string
	if s.cut {
		warnings = append(warnings, "The message has more recipients or attachments than are read; the rest is left out.")
	}
	return document(m, warnings, o)
}

// outlook reads the messages of one file.
type outlook struct {
	attachments int
	cut         bool
}

// storage is a folder of the file with the properties of one thing.
type storage struct {
	*compound.File
	head int // bytes in front of its properties of fixed size
	page int // code page of its texts
}

// text returns a property that is text.
func (s storage) text(id int) string {
	if b := s.Stream(fmt.Sprintf("__substg1.0_%04X001F", id)); b != nil {
		return strings.TrimRight(codepage.Decode(codepage.UTF16, b), "\x00")
	}
	return strings.TrimRight(codepage.Decode(s.page, s.Stream(fmt.Sprintf("__substg1.0_%04X001E", id))), "\x00")
}

// line returns a property that is text of one line.
func (s storage) line(id int) string { return clean(s.text(id)) }

// binary returns a property that is bytes.
func (s storage) binary(id int) []byte { return s.Stream(fmt.Sprintf("__substg1.0_%04X0102", id)) }

// maxProperties is how many properties of fixed size are looked through.
const maxProperties = 10_000

// fixed returns a property of fixed size, 0 if there is none.
func (s storage) fixed(id int) uint64 {
	stream := s.Stream("__properties_version1.0")
	for at, n := s.head, 0; at+16 <= len(stream) && n < maxProperties; at, n = at+16, n+1 {
		if little(stream[at+2:at+4]) == uint64(id) {
			return little(stream[at+8 : at+16])
		}
	}
	return 0
}

func little(b []byte) uint64 {
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// moment returns a property that is a time, in tenths of microseconds since 1601.
func (s storage) moment(id int) time.Time {
	ticks := int64(s.fixed(id))
	if ticks <= 0 {
		return time.Time{}
	}
	t := time.Unix(ticks/10_000_000-11_644_473_600, 0).UTC()
	if t.Year() < 1980 || t.Year() > 2200 {
		return time.Time{}
	}
	return t
}

// message reads a message, which may be within another.
func (o *outlook) message(s storage, within int) *message {
	s.page = int(s.fixed(propPage) & 0xFFFF)
	m := &message{subject: s.line(propSubject), when: s.moment(propSubmitted), pictures: map[string]*attachment{}}
	if m.when.IsZero() {
		m.when = s.moment(propDelivered)
	}
	m.from = address(first(s, propSenderName, propSentForName), mailbox(s, propSenderSMTP, propSenderMail, propSentForSMTP, propSentForMail))
	o.recipients(m, s)
	if h, _, _ := readHeader([]byte(s.text(propHeaders))); len(h) > 0 {
		m.complete(h)
	}
	m.body = func(w *writer) []tree.Block { return w.outlook(s) }
	signed := o.attach(m, s, within)
	class := strings.ToUpper(s.line(propClass))
	switch {
	case signed != nil:
		m.collect(signed)
		m.body = func(w *writer) []tree.Block { return w.part(signed) }
	case class == "IPM.NOTE.SMIME" && len(s.text(propBody)) == 0 && s.binary(propRTF) == nil && s.html() == "":
		m.encrypted = true
	}
	return m
}

// complete takes what properties lack from the header that the message came with.
func (m *message) complete(h header) {
	for _, field := range [...]struct {
		to   *string
		from string
	}{
		{&m.from, h.addresses("from")}, {&m.to, h.addresses("to")}, {&m.cc, h.addresses("cc")}, {&m.subject, h.text("subject")},
	} {
		if *field.to == "" {
			*field.to = field.from
		}
	}
	if m.when.IsZero() {
		m.when = h.date()
	}
	m.program = h.text("x-mailer")
}

// first returns the first of several properties that says something.
func first(s storage, ids ...int) string {
	for _, id := range ids {
		if text := s.line(id); text != "" {
			return text
		}
	}
	return ""
}

// mailbox returns the first of several properties that is an address. Those of an
// Exchange server look different.
func mailbox(s storage, ids ...int) string {
	for _, id := range ids {
		if text := s.line(id); strings.Contains(text, "@") {
			return text
		}
	}
	return ""
}

// recipients reads to whom the message goes.
func (o *outlook) recipients(m *message, s storage) {
	var to, cc []string
	for _, name := range s.Folders("__recip_version1.0_#") {
		if len(to)+len(cc) == maxRecipients {
			o.cut = true
			break
		}
		r := storage{s.Folder(name), 8, s.page}
		text := address(r.line(propName), mailbox(r, propSMTP, propMail))
		switch {
		case text == "":
		case r.fixed(propKind)&0xF == 2:
			cc = append(cc, text)
		case r.fixed(propKind)&0xF != 3:
			to = append(to, text)
		}
	}
	m.to, m.cc = strings.Join(to, ", "), strings.Join(cc, ", ")
	if m.to == "" {
		m.to = s.line(propShownTo)
	}
	if m.cc == "" {
		m.cc = s.line(propShownCc)
	}
}

// attach reads what is attached. If the message is signed as a whole, that is the
// message itself.
func (o *outlook) attach(m *message, s storage, within int) (signed *part) {
	for _, name := range s.Folders("__attach_version1.0_#") {
		if o.attachments++; o.attachments > maxMSGAttachment {
			o.cut = true
			break
		}
		f := storage{s.Folder(name), 8, s.page}
		a := &attachment{name: first(f, propLongFile, propShortFile, propName), media: strings.ToLower(f.line(propMedia))}
		if a.media == "" {
			a.media = "application/octet-stream"
		}
		m.attachments = append(m.attachments, a)
		inner := f.Folder(fmt.Sprintf("__substg1.0_%04X000D", propData))
		if f.fixed(propMethod)&0xFFFFFFFF == methodMessage && inner != nil {
			if a.message = (&message{subject: a.name}); within < maxWithin {
				a.message = o.message(storage{inner, 24, s.page}, within+1)
			}
			continue
		}
		content := f.binary(propData)
		a.size, a.content = len(content), func() []byte { return content }
		if a.media == "multipart/signed" {
			p := &parser{}
			signed = p.parse(content, 0)
			m.attachments = m.attachments[:len(m.attachments)-1]
		}
		if id := strings.Trim(f.line(propContentID), "<>"); id != "" {
			m.pictures[id] = a
		}
	}
	return signed
}

// html returns the body of a message as HTML, "" if it is not kept so.
func (s storage) html() string {
	if b := s.binary(propHTML); len(b) > 0 {
		page := int(s.fixed(propBodyPage) & 0xFFFF)
		if page == 0 || page == codepage.UTF8 || !codepage.Known(page) {
			return markup.Decode(b, "")
		}
		return codepage.Decode(page, b)
	}
	return s.text(propHTML)
}

// outlook writes the body of a message: as HTML if there is some, as RTF, as text.
func (w *writer) outlook(s storage) []tree.Block {
	text := s.text(propBody)
	if html := s.html(); strings.TrimSpace(html) != "" {
		w.cut(len(html) > maxHTML)
		return w.html(strings.ToValidUTF8(html[:min(len(html), maxHTML)], ""))
	}
	if packed := s.binary(propRTF); len(packed) > 0 {
		if rich, err := unpack(packed); err == nil {
			if blocks := w.rich(rich); len(blocks) > 0 {
				return blocks
			}
		} else if strings.TrimSpace(text) == "" {
			w.doc.Incomplete(err)
		}
	}
	w.cut(len(text) > maxPlain)
	return plain(strings.ToValidUTF8(text[:min(len(text), maxPlain)], ""), false, false)
}

// rich reads the body of a message in RTF, which mostly is HTML in disguise.
func (w *writer) rich(body []byte) []tree.Block {
	if html, ok := unwrap(body); ok {
		w.cut(len(html) > maxHTML)
		return w.html(strings.ToValidUTF8(html[:min(len(html), maxHTML)], ""))
	}
	doc, err := rtf.Read(body)
	if err != nil {
		return nil
	}
	for _, warning := range doc.Warnings {
		w.doc.Warn(warning)
	}
	w.doc.Notes = append(w.doc.Notes, doc.Notes...)
	return doc.Body
}
