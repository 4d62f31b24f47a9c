package pdfium

import (
	"strings"

	"github.com/trawlhq/trawl/document/layout"
)

const (
	maxLinks = 5000 // of a page
	maxQuads = 64   // areas of a link
	actionGo = 3    // the library's number for actions that lead to an address
)

// links reads the areas of a page that lead to an address. They are not all if the
// page has too many.
func (m *module) links(document, page uint64, to matrix) (list []layout.Link, all bool) {
	next, found := uint64(m.scratch), uint64(m.scratch)+4
	position := uint32(0)
	for range maxLinks {
		m.memory.WriteUint32Le(uint32(next), position)
		if m.call(linkNext, page, next, found) == 0 {
			return list, true
		}
		position, _ = m.memory.ReadUint32Le(uint32(next))
		handle, _ := m.memory.ReadUint32Le(uint32(found))
		link := uint64(handle)
		action := m.call(linkAction, link)
		if action == 0 || m.number(actionType, action) != actionGo {
			continue
		}
		uri := strings.TrimSpace(strings.ToValidUTF8(m.ascii(actionURI, document, action), ""))
		if uri == "" {
			continue
		}
		for _, box := range m.areas(link, to) {
			list = append(list, layout.Link{Box: box, URI: uri})
		}
	}
	return list, false
}

// areas returns the parts of a link, one for each line of its text.
func (m *module) areas(link uint64, to matrix) []layout.Box {
	var areas []layout.Box
	for i := range min(m.number(linkQuads, link), maxQuads) {
		var v [8]float32
		if m.call(linkQuad, link, uint64(i), uint64(m.scratch)) == 0 {
			break
		}
		m.floats(m.scratch, v[:])
		if finite(v[:]...) {
			areas = append(areas, to.box(min(v[0], v[2], v[4], v[6]), min(v[1], v[3], v[5], v[7]),
				max(v[0], v[2], v[4], v[6]), max(v[1], v[3], v[5], v[7])))
		}
	}
	var v [4]float32
	if len(areas) == 0 && m.call(linkBox, link, uint64(m.scratch)) != 0 {
		m.floats(m.scratch, v[:])
		if finite(v[:]...) {
			areas = append(areas, to.box(v[0], v[3], v[2], v[1]))
		}
	}
	return areas
}
