package document

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"strings"
)

const (
	maxEntries  = 10_000
	maxTypes    = 1 << 20 // bytes of the part that lists the types of the others
	maxMimetype = 256
)

// entry is a file in an archive.
type entry struct {
	name           string
	method         uint16
	packed, offset int64
}

// sniffArchive tells what an archive is: by the types of its parts, by its own type,
// and if neither can be read, by the names of what is in it.
func sniffArchive(body []byte, claimed Kind) Kind {
	entries, whole := listArchive(body)
	named := Unknown
	for _, e := range entries {
		switch name := strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(e.name, `\`, "/"), "/")); {
		case name == "mimetype":
			return ofMimetype(string(e.read(body, maxMimetype)))
		case name == "[content_types].xml":
			if types := e.read(body, maxTypes); len(types) > 0 {
				return ofTypes(types)
			}
		case strings.HasPrefix(name, "word/"):
			named = DOCX
		case name == "xl/workbook.bin":
			return XLSB
		case strings.HasPrefix(name, "xl/"):
			named = XLSX
		case strings.HasPrefix(name, "ppt/"):
			named = PPTX
		case name == "meta-inf/container.xml" && named == Unknown:
			named = EPUB
		case name == "content.xml" && (claimed == ODT || claimed == ODS || claimed == ODP):
			named = claimed
		}
	}
	if named == Unknown && !whole {
		switch claimed {
		case DOCX, XLSX, PPTX, ODT, ODS, ODP, XLSB, EPUB:
			return claimed // it is damaged, of which its reader tells
		}
	}
	return named
}

// ofMimetype tells what a file of OpenDocument or a book is.
func ofMimetype(mimetype string) Kind {
	mimetype = strings.TrimSuffix(strings.TrimSpace(mimetype), "-template")
	switch mimetype {
	case ODT.ContentType():
		return ODT
	case ODS.ContentType():
		return ODS
	case ODP.ContentType():
		return ODP
	case EPUB.ContentType():
		return EPUB
	}
	return Unknown
}

// ofTypes tells what a file of Office is by the type of its main part.
func ofTypes(types []byte) Kind {
	types = bytes.ToLower(bytes.ReplaceAll(types, []byte{0}, nil)) // they may be in UTF-16
	has := func(s string) bool { return bytes.Contains(types, []byte(s)) }
	switch {
	case has("wordprocessingml.document.main+xml"), has("wordprocessingml.template.main+xml"),
		has("ms-word.document.macroenabled.main+xml"), has("ms-word.template.macroenabledtemplate.main+xml"):
		return DOCX
	case has("spreadsheetml.sheet.main+xml"), has("spreadsheetml.template.main+xml"),
		has("ms-excel.sheet.macroenabled.main+xml"), has("ms-excel.template.macroenabled.main+xml"):
		return XLSX
	case has("presentationml.presentation.main+xml"), has("presentationml.slideshow.main+xml"), has("presentationml.template.main+xml"),
		has("ms-powerpoint.presentation.macroenabled.main+xml"), has("ms-powerpoint.slideshow.macroenabled.main+xml"), has("ms-powerpoint.template.macroenabled.main+xml"):
		return PPTX
	case has("ms-excel.sheet.binary.macroenabled.main"):
		return XLSB
	}
	return Unknown
}

// listArchive lists the files in an archive, from the list at its end or, if that is
// missing, by what stands in front of each. Whole says which.
func listArchive(body []byte) (entries []entry, whole bool) {
	if entries, ok := listEnd(body); ok {
		return entries, true
	}
	for at := 0; len(entries) < maxEntries; {
		e, next, ok := localEntry(body, at)
		if !ok {
			break
		}
		entries = append(entries, e)
		at = next
	}
	return entries, false
}

// listEnd reads the list at the end of an archive.
func listEnd(body []byte) (entries []entry, ok bool) {
	const size = 22
	last := body[max(0, len(body)-size-1<<16):]
	end := bytes.LastIndex(last, []byte("PK\x05\x06"))
	if end < 0 || len(last)-end < size {
		return nil, false
	}
	at := int64(binary.LittleEndian.Uint32(last[end+16:]))
	for len(entries) < maxEntries && at+46 <= int64(len(body)) {
		head := body[at:]
		if !bytes.HasPrefix(head, []byte("PK\x01\x02")) {
			break
		}
		name := int64(binary.LittleEndian.Uint16(head[28:]))
		more := int64(binary.LittleEndian.Uint16(head[30:])) + int64(binary.LittleEndian.Uint16(head[32:]))
		if 46+name > int64(len(head)) {
			break
		}
		entries = append(entries, entry{
			name: string(head[46 : 46+name]), method: binary.LittleEndian.Uint16(head[10:]),
			packed: int64(binary.LittleEndian.Uint32(head[20:])), offset: int64(binary.LittleEndian.Uint32(head[42:])),
		})
		at += 46 + name + more
	}
	return entries, len(entries) > 0
}

// localEntry reads what stands in front of a file, and where the next one begins.
func localEntry(body []byte, at int) (e entry, next int, ok bool) {
	if at < 0 || len(body)-at < 30 || !bytes.HasPrefix(body[at:], []byte("PK\x03\x04")) {
		return entry{}, 0, false
	}
	head := body[at:]
	name := 30 + int(binary.LittleEndian.Uint16(head[26:]))
	if name > len(head) {
		return entry{}, 0, false
	}
	e = entry{
		name: string(head[30:name]), method: binary.LittleEndian.Uint16(head[8:]),
		packed: int64(binary.LittleEndian.Uint32(head[18:])), offset: int64(at),
	}
	data := at + name + int(binary.LittleEndian.Uint16(head[28:]))
	if e.packed > 0 {
		return e, data + int(e.packed), true
	}
	if found := bytes.Index(body[min(data, len(body)):], []byte("PK\x03\x04")); found >= 0 { // its size comes after it
		e.packed = int64(found)
		return e, data + found, true
	}
	e.packed = int64(max(0, len(body)-data))
	return e, len(body), true
}

// read returns the first bytes of a file in an archive, as many as can be read.
func (e entry) read(body []byte, most int64) []byte {
	if e.offset+30 > int64(len(body)) {
		return nil
	}
	head := body[e.offset:]
	data := 30 + int(binary.LittleEndian.Uint16(head[26:])) + int(binary.LittleEndian.Uint16(head[28:]))
	if data > len(head) {
		return nil
	}
	packed := head[data:][:min(e.packed, int64(len(head)-data))]
	switch e.method {
	case 0:
		return packed[:min(int64(len(packed)), most)]
	case 8:
		content, _ := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), most)) // as far as it goes
		return content
	}
	return nil
}
