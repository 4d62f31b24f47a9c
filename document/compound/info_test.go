package compound_test

import (
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/tree"
)

// property is a property of a document: its number, and its type and value.
type property struct {
	id    uint32
	value []byte
}

// text is a property that is text, in bytes (0x1E) or in UTF-16 (0x1F).
func text(id, kind uint32, s string) property {
	n := len(s)
	if kind == 0x1F {
		n /= 2
	}
	return property{id, append(le.AppendUint32(le.AppendUint32(nil, kind), uint32(n)), s...)}
}

// moment is a property that is a time.
func moment(id uint32, t time.Time) property {
	return property{id, le.AppendUint64([]byte{0x40, 0, 0, 0}, uint64(t.Unix()+11_644_473_600)*10_000_000)}
}

// properties builds a set of properties.
func properties(page uint16, list ...property) []byte {
	list = append(list, property{1, le.AppendUint16([]byte{2, 0, 0, 0}, page)})
	set := le.AppendUint32(make([]byte, 4), uint32(len(list)))
	var values []byte
	for _, p := range list {
		set = le.AppendUint32(le.AppendUint32(set, p.id), uint32(8+8*len(list)+len(values)))
		values = append(values, p.value...)
	}
	return append(append(le.AppendUint32(make([]byte, 44), 48), set...), values...)
}

func TestInfo(t *testing.T) {
	t.Parallel()
	day := time.Date(2024, 2, 29, 12, 30, 1, 0, time.UTC)
	for name, test := range map[string]struct {
		stream []byte
		want   tree.Info
	}{
		"all": {
			properties(1252, text(2, 0x1E, "Title\x00"), text(3, 0x1E, "Subject"), text(4, 0x1E, "Ada "), text(5, 0x1E, "a, b"), text(18, 0x1E, "Word"), moment(12, day), moment(13, day.AddDate(0, 0, 1))),
			tree.Info{Title: "Title", Subject: "Subject", Author: "Ada", Keywords: "a, b", Generator: "Word", Created: day, Modified: day.AddDate(0, 0, 1)},
		},
		"Cyrillic":     {properties(1251, text(2, 0x1E, "\xCF\xF0\xE8\x00junk")), tree.Info{Title: "При"}},
		"UTF-8":        {properties(65001, text(2, 0x1E, "При")), tree.Info{Title: "При"}},
		"UTF-16":       {properties(1200, text(2, 0x1E, "\x1F\x04\x00\x00")), tree.Info{Title: "П"}},
		"wide":         {properties(1252, text(2, 0x1F, "\x1F\x04@\x048\x04\x00\x00")), tree.Info{Title: "При"}},
		"unknown page": {properties(1, text(2, 0x1E, "Caf\xE9")), tree.Info{Title: "Café"}},
		"a number":     {properties(1252, property{2, []byte{3, 0, 0, 0, 7, 0, 0, 0}}), tree.Info{}},
		"never saved":  {properties(1252, moment(13, time.Date(1601, 1, 1, 0, 30, 0, 0, time.UTC))), tree.Info{}},
		"cut":          {properties(1252, text(2, 0x1E, "Title"))[:60], tree.Info{}},
		"empty":        {nil, tree.Info{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := open(t, build(9, []stream{{"\x05SummaryInformation", test.stream}})).Info(); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	if got := open(t, build(9, []stream{{"A", nil}})).Info(); got != (tree.Info{}) {
		t.Errorf("without the stream: got %+v", got)
	}
}
