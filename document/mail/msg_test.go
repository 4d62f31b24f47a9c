package mail_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/internal/treetest"
	"github.com/trawlhq/trawl/document/mail"
	"github.com/trawlhq/trawl/document/tree"
)

// node is a stream or, if it has children, a folder of a compound file.
type node struct {
	name     string
	data     []byte
	children []node
}

// compound writes a compound file. All streams are in sectors of the large kind,
// which takes that they have at least 4,096 bytes; those that are shorter are in one
// stream of small sectors.
func compound(root []node) []byte {
	const sector, none, end = 512, 0xFFFFFFFF, 0xFFFFFFFE
	var directory, small []byte
	var smallTable []uint32
	entry := func(name string, kind byte) int {
		e := make([]byte, 128)
		units := utf16.Encode([]rune(name))
		for i, u := range units {
			binary.LittleEndian.PutUint16(e[2*i:], u)
		}
		binary.LittleEndian.PutUint16(e[64:], uint16(2*len(units)+2))
		e[66] = kind
		for _, at := range []int{68, 72, 76} {
			binary.LittleEndian.PutUint32(e[at:], none)
		}
		directory = append(directory, e...)
		return len(directory)/128 - 1
	}
	var large []struct {
		at   int
		data []byte
	}
	var add func(list []node, parent int)
	add = func(list []node, parent int) {
		last := -1
		for _, n := range list {
			kind := byte(2)
			if n.children != nil {
				kind = 1
			}
			at := entry(n.name, kind)
			if last < 0 {
				binary.LittleEndian.PutUint32(directory[128*parent+76:], uint32(at))
			} else {
				binary.LittleEndian.PutUint32(directory[128*last+72:], uint32(at)) // a chain of siblings
			}
			last = at
			switch {
			case n.children != nil:
				add(n.children, at)
			case len(n.data) >= 4096:
				large = append(large, struct {
					at   int
					data []byte
				}{at, n.data})
			case len(n.data) > 0:
				binary.LittleEndian.PutUint32(directory[128*at+116:], uint32(len(small)/64))
				binary.LittleEndian.PutUint32(directory[128*at+120:], uint32(len(n.data)))
				small = append(small, n.data...)
				for len(small)%64 != 0 {
					small = append(small, 0)
				}
				for len(smallTable) < len(small)/64-1 {
					smallTable = append(smallTable, uint32(len(smallTable)+1))
				}
				smallTable = append(smallTable, end)
			}
		}
	}
	add(root, entry("Root Entry", 5))
	var body []byte
	var table []uint32
	put := func(data []byte) uint32 {
		if len(data) == 0 {
			return end
		}
		first := len(table)
		body = append(body, data...)
		for len(body)%sector != 0 {
			body = append(body, 0)
		}
		for len(table) < len(body)/sector-1 {
			table = append(table, uint32(len(table)+1))
		}
		table = append(table, end)
		return uint32(first)
	}
	words := func(list []uint32) []byte {
		var out []byte
		for _, v := range list {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
		return out
	}
	for _, s := range large {
		binary.LittleEndian.PutUint32(directory[128*s.at+116:], put(s.data))
		binary.LittleEndian.PutUint32(directory[128*s.at+120:], uint32(len(s.data)))
	}
	binary.LittleEndian.PutUint32(directory[116:], put(small))
	binary.LittleEndian.PutUint32(directory[120:], uint32(len(small)))
	smallAt := put(words(smallTable))
	directoryAt := put(directory)
	tableAt := len(table)
	sectors := (len(table)*4+4*32)/sector + 1
	for range sectors {
		table = append(table, 0xFFFFFFFD)
	}
	header := make([]byte, sector)
	copy(header, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	header[26], header[30], header[32] = 3, 9, 6
	binary.LittleEndian.PutUint32(header[48:], directoryAt)
	binary.LittleEndian.PutUint32(header[60:], smallAt)
	binary.LittleEndian.PutUint32(header[68:], end)
	for i := range 109 {
		binary.LittleEndian.PutUint32(header[76+4*i:], none)
	}
	for i := range sectors {
		binary.LittleEndian.PutUint32(header[76+4*i:], uint32(tableAt+i))
	}
	list := words(table)
	for len(list)%sector != 0 {
		list = append(list, 0xFF)
	}
	for len(list) < sectors*sector {
		list = append(list, 0xFF)
	}
	return append(append(header, body...), list...)
}

// text is a property that is text.
func text(id int, s string) node {
	var data []byte
	for _, u := range utf16.Encode([]rune(s)) {
		data = binary.LittleEndian.AppendUint16(data, u)
	}
	return node{name: fmt.Sprintf("__substg1.0_%04X001F", id), data: data}
}

func bytesOf(id int, data string) node {
	return node{name: fmt.Sprintf("__substg1.0_%04X0102", id), data: []byte(data)}
}

// fixed are properties of fixed size behind a head of some size.
func fixed(head int, values map[int]uint64) node {
	data := make([]byte, head)
	for id, v := range values {
		e := make([]byte, 16)
		binary.LittleEndian.PutUint16(e[2:], uint16(id))
		binary.LittleEndian.PutUint64(e[8:], v)
		data = append(data, e...)
	}
	return node{name: "__properties_version1.0", data: data}
}

func folder(name string, children ...node) node { return node{name: name, children: children} }

func readMSG(t *testing.T, nodes ...node) *tree.Document {
	t.Helper()
	doc, err := mail.ReadMSG(compound(nodes), mail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

const sent = (1_136_214_245 + 11_644_473_600) * 10_000_000 // 2006-01-02 15:04:05

func TestMSG(t *testing.T) {
	t.Parallel()
	doc := readMSG(t, fixed(32, map[int]uint64{0x0039: sent, 0x3FDE: 1252}), text(0x0037, "Subject ü"), text(0x0C1A, "Ann"), text(0x5D01, "ann@a.test"),
		bytesOf(0x1013, "<p>Caf\xe9 <img src=\"cid:pic\"></p>"+strings.Repeat(" ", 5000)), text(0x1000, "plain"),
		folder("__recip_version1.0_#00000000", fixed(8, map[int]uint64{0x0C15: 1}), text(0x3001, "Bob"), text(0x39FE, "bob@b.test")),
		folder("__recip_version1.0_#00000001", fixed(8, map[int]uint64{0x0C15: 2}), text(0x3001, "carol@c.test"), text(0x3003, "carol@c.test")),
		folder("__recip_version1.0_#00000002", fixed(8, map[int]uint64{0x0C15: 3}), text(0x3001, "hidden@c.test")),
		folder("__attach_version1.0_#00000000", fixed(8, map[int]uint64{0x3705: 1}), text(0x3707, "p.gif"), text(0x370E, "image/gif"), text(0x3712, "pic"), bytesOf(0x3701, gif)),
		folder("__attach_version1.0_#00000001", fixed(8, map[int]uint64{0x3705: 1}), text(0x3707, "long name.bin"), bytesOf(0x3701, strings.Repeat("x", 5000))),
		folder("__attach_version1.0_#00000002", fixed(8, map[int]uint64{0x3705: 5}), text(0x3001, "Inner"),
			folder("__substg1.0_3701000D", fixed(24, map[int]uint64{0x0039: sent}), text(0x0037, "Inner"), text(0x1000, "inner text"),
				folder("__attach_version1.0_#00000000", fixed(8, map[int]uint64{0x3705: 5}), text(0x3001, "Deeper"), folder("__substg1.0_3701000D", fixed(24, nil), text(0x1000, "too deep"))))),
	)
	want := "<h1>Subject ü</h1><p><b>From:</b> Ann <ann@a.test><br><b>To:</b> Bob <bob@b.test><br><b>Cc:</b> carol@c.test<br><b>Date:</b> 2006-01-02 15:04:05 +0000</p>" +
		"<p>Café ![](data:image/gif;base64,R0lGODlhAQABAA==)</p><h2>Attachments</h2><list><item><p>long name.bin (application/octet-stream, 4.9 KiB)</p></list>" +
		"<hr><h2>Inner</h2><p><b>Date:</b> 2006-01-02 15:04:05 +0000</p><p>inner text</p><h3>Attachments</h3><list><item><p>Deeper (message)</p></list>"
	if got := treetest.Show(doc); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// stored is RTF as Outlook keeps it, not packed.
func stored(rtf string) string {
	head := make([]byte, 16)
	binary.LittleEndian.PutUint32(head[4:], uint32(len(rtf)))
	copy(head[8:], "MELA")
	return string(head) + rtf
}

func TestRTF(t *testing.T) {
	t.Parallel()
	const html = `{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}{\colortbl\red0;}` +
		`{\*\htmltag18 <html>}{\*\htmltag50 <body>}{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Caf\'e9 {\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 bold\u8364 ?{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0  ` +
		`{\f1 \'cf\'f0\'e8} \{x\}{\*\htmltag72 </p>}\htmlrtf \par}\htmlrtf0 {\*\htmltag58 </body>}{\*\mhtmltag64 <p>no}}`
	// The example of the specification.
	packed := "\x2d\x00\x00\x00\x2b\x00\x00\x00LZFu\xf1\xc5\xc7\xa7\x03\x00\x0a\x00rcpg125B2\x0a\xf3 hel\x09\x00 bw\x05\xb0ld}\x0a\x80\x0f\xa0"
	for _, test := range []struct{ name, rtf, want string }{
		{"HTML in RTF", stored(html), "<p>Café <b>bold€</b> При {x}</p>"},
		{"RTF", stored(`{\rtf1\ansi Hello {\b bold}\par}`), "<p>Hello <b>bold</b></p>"},
		{"damaged", "LZFu", "<p>plain</p>"},
		{"of no kind", strings.Repeat("x", 100), "<p>plain</p>"},
		{"packed", packed, "<p>hello world</p>"},
	} {
		doc := readMSG(t, fixed(32, nil), text(0x1000, "plain"), bytesOf(0x1009, test.rtf))
		if got := treetest.Show(doc); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestEncryptedMSG(t *testing.T) {
	t.Parallel()
	body := compound([]node{fixed(32, nil), text(0x001A, "IPM.Note.SMIME"), folder("__attach_version1.0_#00000000", fixed(8, nil), text(0x3707, "smime.p7m"), bytesOf(0x3701, "x"))})
	if _, err := mail.ReadMSG(body, mail.Options{}); !errors.Is(err, tree.ErrEncrypted) {
		t.Errorf("got %v", err)
	}
	signed := "Content-Type: multipart/signed; boundary=B\r\n\r\n--B\r\n\r\nhello\r\n--B\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nxyz\r\n--B--"
	doc := readMSG(t, fixed(32, nil), text(0x001A, "IPM.Note.SMIME.MultipartSigned"),
		folder("__attach_version1.0_#00000000", fixed(8, nil), text(0x3707, "smime.p7m"), text(0x370E, "multipart/signed"), bytesOf(0x3701, signed)))
	if got := treetest.Show(doc); !strings.HasPrefix(got, "<p>hello</p>") {
		t.Errorf("signed: got %s", got)
	}
	for name, body := range map[string][]byte{"nothing": nil, "no properties": compound([]node{{name: "x", data: []byte("y")}})} {
		if _, err := mail.ReadMSG(body, mail.Options{}); !errors.Is(err, tree.ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzMSG(f *testing.F) {
	f.Add(compound([]node{fixed(32, map[int]uint64{0x0039: sent}), text(0x0037, "s"), text(0x1000, "plain"), bytesOf(0x1009, stored(`{\rtf1\fromhtml1{\*\htmltag64 <p>}a\'e9\u8364 ?}`)),
		folder("__recip_version1.0_#00000000", fixed(8, nil), text(0x3001, "Bob")), folder("__attach_version1.0_#00000000", fixed(8, map[int]uint64{0x3705: 5}), folder("__substg1.0_3701000D", fixed(24, nil), text(0x1000, "x")))}))
	if body, err := os.ReadFile(os.Getenv("TRAWL_MSG")); err == nil {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) { check(t, mail.ReadMSG, body) })
}

// FuzzRTF fuzzes what is packed within a message rather than the message.
func FuzzRTF(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x0c\x00\x00\x00LZFu\x00\x00\x00\x00\x18abc\x0c\xf7\x0d\xb0"))
	f.Add([]byte(stored(`{\rtf1\ansicpg1252\fromhtml1 {\fonttbl{\f1\fcharset204 x;}}{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 a\'e9\f1 \u-10179 ?\u-8704 ?\uc2{\bin3 abc}}`)))
	f.Fuzz(func(t *testing.T, packed []byte) {
		check(t, mail.ReadMSG, compound([]node{fixed(32, nil), bytesOf(0x1009, string(packed))}))
	})
}
