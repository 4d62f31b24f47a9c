// Package mail reads messages: those of the internet (.eml, RFC 5322 and MIME) and
// those of Outlook (.msg).
//
// Both become a [message]: who wrote to whom and when, what it says, and what is
// attached. The subject is the heading of the document, and a paragraph under it has
// the sender, the recipients and the date. Of a text in several forms the HTML is
// read, unless it says less than the plain one. Attachments are listed with their
// types and sizes; if that was asked for, those of kinds that have a reader are read
// too, one level deep. A message within a message is shown in it, one level deep.
//
// Messages come from strangers: parts, levels and header fields are counted, and all
// decoding takes memory in proportion to the message.
package mail

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/markup"
	"github.com/trawlhq/trawl/document/tree"
)

// What a message may have. What goes beyond is left out, with a warning.
const (
	maxParts       = 1000
	maxDepth       = 20 // of parts in parts
	maxWithin      = 1  // of messages in messages that are shown
	maxAttachments = 50 // that are read
	maxHTML        = 4 << 20
	maxPlain       = 8 << 20
)

// Options say how a message is read.
type Options struct {
	// Attachment reads an attachment; nil if only their names are wanted. For kinds that
	// have no reader it returns no document and no error.
	Attachment func(name, contentType string, body []byte) (*tree.Document, error)
}

// message is a message of either kind.
type message struct {
	subject, from, to, cc, replyTo string
	keywords, program, language    string
	when                           time.Time
	date                           string // as it is written, if it is not to be understood

	body        func(*writer) []tree.Block
	pictures    map[string]*attachment // by their identifiers
	attachments []*attachment
	encrypted   bool // there is nothing to be read but the header
}

// attachment is a file or a message that comes with a message.
type attachment struct {
	name, media string
	size        int
	content     func() []byte // nil if there is none
	message     *message
	used        bool // as a picture
}

// writer makes a document of a message.
type writer struct {
	doc      *tree.Document
	options  Options
	pictures tree.Pictures
	message  *message // that is being written
	within   int      // how many messages are around it
	read     int      // attachments
	formula  int
	said     bool // the message says something
}

// document makes the document of a message.
func document(m *message, warnings []string, o Options) (*tree.Document, error) {
	doc := &tree.Document{Warnings: warnings}
	doc.Info = tree.Info{Title: m.subject, Author: m.from, Keywords: m.keywords, Generator: m.program, Language: m.language, Created: m.when}
	w := &writer{doc: doc, options: o}
	doc.Body = w.write(m, 1)
	if m.encrypted && !w.said {
		return nil, fmt.Errorf("read message: %w", tree.ErrEncrypted)
	}
	doc.Shown(&w.pictures)
	doc.Formula(w.formula, markup.MaxFormula)
	return doc, nil
}

// write writes a message whose subject is a heading of a level.
func (w *writer) write(m *message, level int) []tree.Block {
	outer := w.message
	w.message = m
	var out []tree.Block
	if m.subject != "" {
		out = append(out, &tree.Heading{Level: level, Text: []tree.Span{{Text: m.subject}}})
	}
	if head := m.head(); len(head) > 0 {
		out = append(out, &tree.Paragraph{Text: head})
	}
	if m.body != nil {
		body := m.body(w)
		w.said = w.said || w.within == 0 && len(body) > 0
		out = append(out, body...)
	}
	out = append(out, w.attachments(m, level+1)...)
	w.message = outer
	return out
}

// head tells who wrote to whom and when, a line each.
func (m *message) head() []tree.Span {
	date := m.date
	if !m.when.IsZero() {
		date = m.when.Format("2006-01-02 15:04:05 -0700")
	}
	var line tree.Line
	for _, field := range [...]struct{ name, value string }{
		{"From", m.from}, {"Reply-To", m.replyTo}, {"To", m.to}, {"Cc", m.cc}, {"Date", date},
	} {
		if field.value == "" {
			continue
		}
		if !line.IsEmpty() {
			line.Write("\n", 0, "")
		}
		line.Write(field.name+":", tree.Bold, "")
		line.Write(" "+field.value, 0, "")
	}
	return line.Take()
}

// attachments lists what comes with a message, and reads it if that is wanted.
func (w *writer) attachments(m *message, level int) []tree.Block {
	list := &tree.List{}
	var contents []tree.Block
	for _, a := range m.attachments {
		if a.used {
			continue
		}
		if a.message != nil && w.within < maxWithin {
			w.within++
			contents = append(contents, &tree.Rule{})
			contents = append(contents, w.write(a.message, level)...)
			w.within--
			continue
		}
		list.Items = append(list.Items, tree.Item{Body: []tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: a.describe()}}}}})
		if w.within == 0 {
			contents = append(contents, w.readAttachment(a, level)...)
		}
	}
	if len(list.Items) == 0 {
		return contents
	}
	heading := &tree.Heading{Level: level, Text: []tree.Span{{Text: "Attachments"}}}
	return append([]tree.Block{heading, list}, contents...)
}

// describe tells the name, the type and the size of an attachment.
func (a *attachment) describe() string {
	name := a.name
	if name == "" && a.message != nil {
		name = a.message.subject
	}
	if name == "" {
		name = "attachment"
	}
	if a.message != nil && a.size == 0 {
		return name + " (message)"
	}
	return fmt.Sprintf("%s (%s, %s)", name, a.media, size(a.size))
}

// size writes a number of bytes as people read it.
func size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// readAttachment returns what is in an attachment, under its name.
func (w *writer) readAttachment(a *attachment, level int) []tree.Block {
	if w.options.Attachment == nil || a.content == nil {
		return nil
	}
	if w.read++; w.read > maxAttachments {
		w.doc.Warn(fmt.Sprintf("The message has more than %d attachments; those after are not read.", maxAttachments))
		return nil
	}
	doc, err := w.options.Attachment(a.name, a.media, a.content())
	switch {
	case errors.Is(err, tree.ErrEncrypted):
		w.doc.Warn(fmt.Sprintf("The attachment %q is encrypted and was not read.", a.name))
	case errors.Is(err, tree.ErrTooComplex):
		w.doc.Warn(fmt.Sprintf("The attachment %q is too complex and was not read.", a.name))
	case err != nil:
		w.doc.Warn(fmt.Sprintf("The attachment %q is damaged and was not read.", a.name))
	}
	if err != nil || doc == nil {
		return nil
	}
	for _, warning := range doc.Warnings {
		w.doc.Warn(fmt.Sprintf("The attachment %q: %s", a.name, warning))
	}
	body := doc.Body
	for i := range doc.Pages {
		for j := range doc.Pages[i].Blocks {
			body = append(body, doc.Pages[i].Blocks[j].Block)
		}
	}
	lower(body, level)
	prefix := fmt.Sprintf("%d/", w.read) // of the names of its notes
	rename(body, prefix)
	for i := range doc.Notes {
		rename(doc.Notes[i].Body, prefix)
		w.doc.Notes = append(w.doc.Notes, tree.Note{Name: prefix + doc.Notes[i].Name, Body: doc.Notes[i].Body})
	}
	return append([]tree.Block{&tree.Heading{Level: level, Text: []tree.Span{{Text: a.name}}}}, body...)
}

// clean returns a field of a header in one line.
func clean(s string) string { return strings.Join(strings.Fields(s), " ") }
