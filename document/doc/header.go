package doc

import "github.com/trawlhq/trawl/document/tree"

// Kinds of headers.
const (
	evenHeader = iota
	oddHeader
	evenFooter
	oddFooter
	firstHeader
	firstFooter
	headerKinds
	noHeader // a line above notes
)

// readHeaders reads what stands at the top and the bottom of pages, each text once.
func (r *reader) readHeaders() tree.Margins {
	var out tree.Margins
	from, to := r.story(storyHeaders)
	list := r.part(partHeaders)
	even := r.part(partProperties).u8(0)&1 != 0
	last := from
	for i, h := range r.headers(len(list)/4 - 1) {
		start, end := from+list.u32(4*i), from+list.u32(4*i+4)
		if start < last || end < start || end > to {
			break
		}
		last = end
		switch h.kind {
		case noHeader:
			continue
		case evenHeader, evenFooter:
			if !even {
				continue
			}
		case firstHeader, firstFooter:
			if !h.first {
				continue
			}
		}
		body := r.blocks(r.paragraphs(start, end), 0)
		switch h.kind {
		case evenHeader, oddHeader, firstHeader:
			out.AddHeader(body)
		default:
			out.AddFooter(body)
		}
	}
	return out
}

// header is one of the texts among the headers: its kind, and whether the first
// page of its section has its own.
type header struct {
	kind  int
	first bool
}

// headers tells what the texts among the headers are. After the lines above notes
// come those of the sections: in new files one of each kind, in old files those
// that the section says it has.
func (r *reader) headers(count int) []header {
	count = r.most(count)
	const all = 1<<headerKinds - 1
	var out []header
	add := func(has int, h header) {
		for kind := range headerKinds {
			if has>>kind&1 != 0 && len(out) < count {
				if h.kind != noHeader {
					h.kind = kind
				}
				out = append(out, h)
			}
		}
	}
	lines := all
	if r.old {
		lines = r.part(partProperties).u8(1)
	}
	add(lines, header{kind: noHeader})
	sections := r.part(partSections).plc(12)
	for i := 0; i < sections.count && len(out) < count; i++ {
		has, first := r.section(sections.record(i).u32(2))
		if !r.old {
			has = all
		}
		add(has, header{first: first})
	}
	return out
}

// section reads the properties of a section: which headers it has, in old files,
// and whether its first page has its own.
func (r *reader) section(at int) (has int, first bool) {
	for op, v := range sprms(r.main.cut(at+2, r.main.u16(at)), r.old) {
		if r.work--; r.work < 0 {
			break
		}
		switch op {
		case sectionFirst:
			first = v.u8(0) != 0
		case sectionHas:
			has = v.u8(0)
		}
	}
	return has, first
}
