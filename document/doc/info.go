package doc

import (
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"github.com/trawlhq/trawl/document/tree"
)

// summaryName is the name of the stream that tells what the document is.
const summaryName = "\x05SummaryInformation"

// Properties of a document.
const (
	infoCodePage = 1
	infoTitle    = 2
	infoSubject  = 3
	infoAuthor   = 4
	infoKeywords = 5
	infoCreated  = 12
	infoModified = 13
	infoProgram  = 18
)

// readInfo reads the properties of a document.
func readInfo(d data) tree.Info {
	set := d.from(d.u32(44))
	values := map[int]data{}
	for i := range min(set.u32(4), 64) {
		values[set.u32(8+8*i)] = set.from(set.u32(12 + 8*i))
	}
	page := values[infoCodePage].u16(4)
	text := func(id int) string { return infoText(values[id], page) }
	return tree.Info{
		Title: text(infoTitle), Author: text(infoAuthor), Subject: text(infoSubject), Keywords: text(infoKeywords),
		Generator: text(infoProgram), Created: infoTime(values[infoCreated]), Modified: infoTime(values[infoModified]),
	}
}

func infoText(v data, page int) string {
	n := min(v.u32(4), 4096)
	text := ""
	switch b := v.cut(8, n); {
	case v.u16(0) == 0x1F:
		text = wide(v.cut(8, 2*n))
	case v.u16(0) != 0x1E:
	case page == 1200:
		text = wide(b)
	case page == 65001:
		text = strings.ToValidUTF8(string(b), "")
	default:
		decoder := charmap.Windows1252.NewDecoder()
		if known := codePages[page]; known != nil {
			decoder = known.NewDecoder()
		}
		decoded, _ := decoder.Bytes(b)
		text = string(decoded)
	}
	text, _, _ = strings.Cut(text, "\x00")
	return strings.TrimSpace(text)
}

// infoTime returns a time, which is in tenths of microseconds since 1601.
func infoTime(v data) time.Time {
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

// languages are those of Windows' numbers.
var languages = map[int]string{
	0x01: "ar", 0x02: "bg", 0x03: "ca", 0x04: "zh", 0x05: "cs", 0x06: "da", 0x07: "de", 0x08: "el", 0x09: "en", 0x0A: "es", 0x0B: "fi",
	0x0C: "fr", 0x0D: "he", 0x0E: "hu", 0x0F: "is", 0x10: "it", 0x11: "ja", 0x12: "ko", 0x13: "nl", 0x14: "no", 0x15: "pl", 0x16: "pt",
	0x18: "ro", 0x19: "ru", 0x1B: "sk", 0x1C: "sq", 0x1D: "sv", 0x1E: "th", 0x1F: "tr", 0x20: "ur", 0x21: "id", 0x22: "uk", 0x23: "be",
	0x24: "sl", 0x25: "et", 0x26: "lv", 0x27: "lt", 0x29: "fa", 0x2A: "vi", 0x2B: "hy", 0x2C: "az", 0x2D: "eu", 0x2F: "mk", 0x36: "af",
	0x37: "ka", 0x39: "hi", 0x3E: "ms", 0x3F: "kk", 0x56: "gl",
}

// language returns the language of the normal style.
func (r *reader) language() string {
	if len(r.styles) == 0 {
		return ""
	}
	return languages[r.styles[0].char.language&0x3FF]
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }
