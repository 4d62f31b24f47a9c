package compound

import (
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/codepage"
	"github.com/trawlhq/trawl/document/tree"
)

// Properties of a document by their numbers.
const (
	propertyPage     = 1
	propertyTitle    = 2
	propertySubject  = 3
	propertyAuthor   = 4
	propertyKeywords = 5
	propertyCreated  = 12
	propertyModified = 13
	propertyProgram  = 18

	maxProperties = 100
	maxText       = 1 << 16
)

// Info returns what the file says of itself, as far as it does. It stands in a set of
// properties: a list of their numbers and places, each with its type before its value.
func (f *File) Info() tree.Info {
	stream := data(f.Stream("\x05SummaryInformation"))
	set := stream.from(stream.u32(44))
	values := map[int]data{}
	for i := range min(set.u32(4), maxProperties) {
		values[set.u32(8+8*i)] = set.from(set.u32(12 + 8*i))
	}
	page := values[propertyPage].u16(4)
	text := func(id int) string { return text(values[id], page) }
	return tree.Info{
		Title: text(propertyTitle), Author: text(propertyAuthor), Subject: text(propertySubject), Keywords: text(propertyKeywords),
		Generator: text(propertyProgram), Created: moment(values[propertyCreated]), Modified: moment(values[propertyModified]),
	}
}

// text returns a property that is text, in the code page of the set or as UTF-16.
func text(v data, page int) string {
	n := min(v.u32(4), maxText)
	out := ""
	switch v.u16(0) {
	case 0x1E:
		out = codepage.Decode(page, v.cut(8, n))
	case 0x1F:
		out = codepage.Decode(codepage.UTF16, v.cut(8, 2*n))
	}
	out, _, _ = strings.Cut(out, "\x00")
	return strings.TrimSpace(out)
}

// moment returns a property that is a time, in tenths of microseconds since 1601.
func moment(v data) time.Time {
	ticks := int64(v.u32(4)) | int64(v.u32(8))<<32
	if v.u16(0) != 0x40 || ticks <= 0 {
		return time.Time{}
	}
	t := time.Unix(ticks/10_000_000-11_644_473_600, 0).UTC()
	if t.Year() < 1980 || t.Year() > 2200 {
		return time.Time{} // a file that was never saved, or the time spent on it
	}
	return t
}
