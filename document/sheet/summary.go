package sheet

import (
	"strings"
	"time"

	"github.com/trawlhq/trawl/document/tree"
)

// summary reads what a compound file says of itself, from a set of properties:
// a list of their numbers and places, each with its type before its value.
func summary(stream []byte) tree.Info {
	d := fields(stream)
	section := d.from(int(d.u32(44)))
	p := properties{section, codePage(1252)}
	for i := range int(min(section.u32(4), 100)) {
		if at := section.from(int(section.u32(12 + 8*i))); section.u32(8+8*i) == 1 && at.u32(0) == 2 {
			p.decode = codePage(at.u16(4))
		}
	}
	var info tree.Info
	for i := range int(min(section.u32(4), 100)) {
		at := section.from(int(section.u32(12 + 8*i)))
		switch section.u32(8 + 8*i) {
		case 2:
			info.Title = p.text(at)
		case 3:
			info.Subject = p.text(at)
		case 4:
			info.Author = p.text(at)
		case 5:
			info.Keywords = p.text(at)
		case 12:
			info.Created = fileTime(at)
		case 13:
			info.Modified = fileTime(at)
		case 18:
			info.Generator = p.text(at)
		}
	}
	return info
}

// properties is a set of properties.
type properties struct {
	section fields
	decode  func([]byte) string
}

// text returns a property that is text, in the code page of the set or as UTF-16.
func (p *properties) text(d fields) string {
	n := int(min(d.u32(4), 1<<16))
	value := d.from(8)
	switch d.u32(0) {
	case 30:
		text := p.decode(value[:min(n, len(value))])
		text, _, _ = strings.Cut(text, "\x00")
		return strings.TrimSpace(text)
	case 31:
		return strings.TrimSpace(wideText(value, n))
	}
	return ""
}

// fileTime returns a property that is a time, which is counted from the year 1601
// in tenths of microseconds.
func fileTime(d fields) time.Time {
	ticks := int64(d.u32(4)) | int64(d.u32(8))<<32
	const since1601 = 11_644_473_600
	if d.u32(0) != 64 || ticks/1e7 <= since1601 {
		return time.Time{}
	}
	return time.Unix(ticks/1e7-since1601, ticks%1e7*100).UTC()
}
