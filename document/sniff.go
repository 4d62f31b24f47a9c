package document

import (
	"bytes"
	"encoding/binary"
	"mime"
	"path"
	"strings"

	"github.com/trawlhq/trawl/document/compound"
)

const (
	sniffBytes = 1024     // how far into a file its beginning is looked at
	rootBytes  = 16 << 10 // and if that is the one element of an OpenDocument file
)

// Sniff tells what a file is. What it holds counts more than its name, which may be
// an address or a path, and the name more than its content type. It is Unknown for
// all that no reader is for, as archives and programs, whatever they are called.
//
// All pages that are scraped pass through here: of what is not a file of an office
// program only the beginning is looked at.
func Sniff(body []byte, name, contentType string) Kind {
	head := body[:min(len(body), sniffBytes)]
	claimed := claim(name, contentType)
	switch {
	case len(bytes.TrimLeft(head, "\x00 \t\r\n")) == 0:
		return Unknown
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return PDF
	case bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return sniffArchive(body, claimed)
	case bytes.HasPrefix(head, []byte(compound.Magic)):
		return sniffCompound(body, claimed)
	case isImage(head):
		return Image
	case isForeign(head):
		return Unknown
	case claimed == PDF && bytes.Contains(head, []byte("%PDF-")):
		return PDF // some servers put their complaints in front of it
	}
	text := narrow(head)
	if bytes.Contains(text, []byte("<office:document")) {
		text = narrow(body[:min(len(body), rootBytes)]) // whose type comes after many namespaces
	}
	if kind, ok := sniffText(text); ok {
		return kind
	}
	if isMessage(text, claimed) {
		return EML
	}
	if hasLine(head, "%PDF-") {
		return PDF
	}
	return believe(claimed, text)
}

// believe returns what a file claims to be, if it can be that: files of text are
// text, and others are not. Pages may have control characters, as in comments and
// scripts, if they have tags as well.
func believe(claimed Kind, head []byte) Kind {
	text := isText(head)
	switch claimed {
	case HTML:
		if !text && !hasTag(head) {
			return Unknown
		}
	case CSV:
		if !text {
			return Unknown
		}
	case EML:
		return Unknown // it has no header
	default:
		if text {
			return Unknown
		}
	}
	return claimed
}

// claim tells what a file is by its name, else by its content type.
func claim(name, contentType string) Kind {
	if i := strings.IndexAny(name, "?#"); i >= 0 && strings.Contains(name, "://") {
		name = name[:i]
	}
	name = strings.ReplaceAll(name, `\`, "/")
	switch strings.ToLower(strings.TrimPrefix(path.Ext(strings.TrimSpace(name)), ".")) {
	case "pdf":
		return PDF
	case "docx", "docm", "dotx", "dotm":
		return DOCX
	case "doc", "dot":
		return DOC
	case "odt", "ott", "fodt":
		return ODT
	case "ods", "ots", "fods":
		return ODS
	case "odp", "otp", "fodp":
		return ODP
	case "rtf":
		return RTF
	case "xlsx", "xlsm", "xltx", "xltm":
		return XLSX
	case "xls", "xlt":
		return XLS
	case "pptx", "pptm", "ppsx", "ppsm", "potx", "potm":
		return PPTX
	case "ppt", "pps", "pot":
		return PPT
	case "csv":
		return CSV
	case "html", "htm", "xhtml", "xht":
		return HTML
	case "xlsb":
		return XLSB
	case "epub":
		return EPUB
	case "eml":
		return EML
	case "msg", "oft":
		return MSG
	}
	return claimType(contentType)
}

// claimType tells what a file is by its content type.
func claimType(contentType string) Kind {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(strings.ToLower(contentType), ";")
		media = strings.TrimSpace(media)
	}
	switch media {
	case "application/x-pdf", "text/pdf":
		return PDF
	case "application/vnd.ms-word.document.macroenabled.12", "application/vnd.openxmlformats-officedocument.wordprocessingml.template":
		return DOCX
	case "application/vnd.ms-word", "application/x-msword":
		return DOC
	case "text/rtf", "text/richtext":
		return RTF
	case "application/vnd.ms-excel.sheet.macroenabled.12", "application/vnd.openxmlformats-officedocument.spreadsheetml.template":
		return XLSX
	case "application/msexcel", "application/x-msexcel", "application/x-excel":
		return XLS
	case "application/vnd.ms-powerpoint.presentation.macroenabled.12", "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
		"application/vnd.openxmlformats-officedocument.presentationml.slideshow", "application/vnd.openxmlformats-officedocument.presentationml.template":
		return PPTX
	case "application/mspowerpoint", "application/x-mspowerpoint", "application/powerpoint":
		return PPT
	case "application/csv", "text/comma-separated-values":
		return CSV
	case "application/xhtml+xml":
		return HTML
	}
	for _, kind := range []Kind{PDF, DOCX, DOC, ODT, ODS, ODP, RTF, XLSX, XLS, PPTX, PPT, CSV, HTML, XLSB, EPUB, EML, MSG} {
		if media == kind.ContentType() {
			return kind
		}
	}
	return Unknown
}

// sniffText tells what a text is by how it begins.
func sniffText(text []byte) (kind Kind, ok bool) {
	text = bytes.ToLower(bytes.TrimLeft(text, "\x00 \t\r\n\f"))
	switch {
	case bytes.HasPrefix(text, []byte(`{\rtf`)):
		return RTF, true
	case !bytes.HasPrefix(text, []byte("<")):
		return Unknown, false
	case bytes.HasPrefix(text, []byte("<?xml")):
		return sniffXML(text)
	}
	for strings.HasPrefix(string(text[:min(4, len(text))]), "<!--") {
		end := bytes.Index(text, []byte("-->"))
		if end < 0 {
			return HTML, true
		}
		text = bytes.TrimLeft(text[end+3:], " \t\r\n\f")
	}
	for _, start := range htmlStarts {
		if rest, ok := bytes.CutPrefix(text, []byte("<"+start)); ok && (len(rest) == 0 || !isNameByte(rest[0])) {
			return HTML, true
		}
	}
	if bytes.HasPrefix(text, []byte("<workbook")) || bytes.HasPrefix(text, []byte("<office:document")) {
		return sniffXML(text)
	}
	return Unknown, false
}

// htmlStarts are the elements that pages begin with, also those that pose as files of
// office programs.
var htmlStarts = []string{
	"!doctype html", "html", "head", "body", "title", "meta", "link", "style", "script", "noscript", "base", "iframe",
	"table", "div", "p", "h1", "h2", "h3", "h4", "a", "b", "br", "font", "center", "span", "ul", "ol", "pre", "form", "img",
	"main", "article", "section", "header", "nav",
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == ':' || c == '_'
}

// sniffXML tells what a file of XML is. XML that is neither a page nor a file of an
// office program is not known here.
func sniffXML(text []byte) (Kind, bool) {
	has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	switch {
	case has("<!doctype html") || has("<html"):
		return HTML, true
	case has("urn:schemas-microsoft-com:office:spreadsheet"):
		return XLS, true
	case has("<office:document") && has("opendocument.text"):
		return ODT, true
	case has("<office:document") && has("opendocument.spreadsheet"):
		return ODS, true
	case has("<office:document") && has("opendocument.presentation"):
		return ODP, true
	}
	return Unknown, false
}

// hasLine reports whether there is a line that begins so.
func hasLine(head []byte, start string) bool {
	for from := 0; ; from++ {
		i := bytes.Index(head[from:], []byte(start))
		if i < 0 {
			return false
		}
		if from += i; from == 0 || head[from-1] < ' ' || head[from-1] >= 0x7f {
			return true
		}
	}
}

// narrow makes one byte of each character of text in UTF-16, and removes marks of
// the byte order.
func narrow(head []byte) []byte {
	if rest, ok := bytes.CutPrefix(head, []byte("\xef\xbb\xbf")); ok {
		return rest
	}
	little, big := bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff"))
	if !little && !big {
		return head
	}
	narrowed := make([]byte, 0, len(head)/2)
	for i := 2; i+1 < len(head); i += 2 {
		low, high := head[i], head[i+1]
		if big {
			low, high = high, low
		}
		if high != 0 {
			low = '?'
		}
		narrowed = append(narrowed, low)
	}
	return narrowed
}

// isText reports whether there is nothing that text does not have.
func isText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b && c != 0x1a {
			return false
		}
	}
	return true
}

// hasTag reports whether a tag or a comment begins somewhere.
func hasTag(head []byte) bool {
	for i, c := range head {
		if i > 0 && head[i-1] == '<' && (c|0x20 >= 'a' && c|0x20 <= 'z' || c == '!') {
			return true
		}
	}
	return false
}

// isImage reports whether a file is a picture of a type that is read.
func isImage(head []byte) bool {
	for _, magic := range images {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	switch {
	case len(head) < 12:
		return false
	case string(head[:4]) == "RIFF":
		return string(head[8:12]) == "WEBP"
	case string(head[:2]) == "BM" && len(head) >= 18: // which may begin a text, but not with the size of a header there
		size := binary.LittleEndian.Uint32(head[14:])
		return size == 40 || size == 52 || size == 56 || size == 108 || size == 124
	}
	return false
}

// images are the beginnings of pictures.
var images = []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "II*\x00", "MM\x00*"}

// isForeign reports whether a file is of a kind that is known but not read.
func isForeign(head []byte) bool {
	for _, magic := range foreign {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	if len(head) < 12 {
		return false
	}
	switch string(head[8:12]) {
	case "WAVE", "AVI ":
		return string(head[:4]) == "RIFF"
	}
	return string(head[4:8]) == "ftyp"
}

// foreign are the beginnings of files that may come under any name.
var foreign = []string{
	"\x00\x00\x01\x00", "8BPS", "AT&TFORM", "\xff\x0a", "\x00\x00\x00\x0cJXL ",
	"\x00\x00\x00\x0cjP  ", "\x1f\x8b", "BZh91AY&SY", "\xfd7zXZ\x00", "7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07", "\x28\xb5\x2f\xfd", "\x7fELF", "MZ\x90\x00",
	"\xfe\xed\xfa", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00asm", "wOFF", "wOF2", "OTTO\x00", "\x00\x01\x00\x00\x00", "OggS\x00", "fLaC\x00", "ID3\x02", "ID3\x03", "ID3\x04", "\x1aE\xdf\xa3",
	"%!PS", "\xc5\xd0\xd3\xc6", "SQLite format 3\x00", "MSCF\x00", "\x00\x00\x01\xba", "\x00\x00\x01\xb3",
}
