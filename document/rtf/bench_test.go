package rtf_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/rtf"
)

// BenchmarkRead reads text as word processors write it: more words of control than
// of text.
func BenchmarkRead(b *testing.B) {
	const piece = `\pard\plain \ltrpar\s15\ql \li0\ri0\widctlpar\wrapdefault\faauto\rin0\lin0\itap0 \rtlch\fcs1 \af0\afs24 \ltrch\fcs0 \fs24\lang1049 ` +
		`{\rtlch\fcs1 \af0 \ltrch\fcs0 \b\insrsid13328511 \'d2\'e0\'e1\'eb\'e8\'f6\'ff}{\insrsid1 and a few words of text\par }`
	file := []byte(`{\rtf1\ansi\ansicpg1251` + fonts + sheet + strings.Repeat(piece, 5000) + "}")
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rtf.Read(file); err != nil {
			b.Fatal(err)
		}
	}
}
