package mail_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/internal/treetest"
	"github.com/trawlhq/trawl/document/mail"
	"github.com/trawlhq/trawl/document/tree"
)

// lines makes a message of lines.
func lines(s ...string) []byte { return []byte(strings.Join(s, "\r\n")) }

func readEML(t *testing.T, body []byte) *tree.Document {
	t.Helper()
	doc, err := mail.ReadEML(body, mail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

const gif = "GIF89a\x01\x00\x01\x00"

func TestHeader(t *testing.T) {
	t.Parallel()
	doc := readEML(t, lines(
		"Received: from x", "\tby y", "From: =?iso-8859-1?Q?J=FCrgen?= <j@a.test>", "To: \"Doe, Jane\" <jane@b.test>, bob@c.test",
		"Cc: =?utf-8?B?5pel5pys?= <jp@d.test>", "Subject: =?utf-8?q?Caf=C3=A9?=", " =?utf-8?q?_au_lait?=", "Date: Mon, 02 Jan 2006 15:04:05 -0700",
		"X-Mailer: Pine", "Keywords: a, b", "", "Hello"))
	want := "<h1>Café au lait</h1><p><b>From:</b> Jürgen <j@a.test><br><b>To:</b> Doe, Jane <jane@b.test>, bob@c.test<br><b>Cc:</b> 日本 <jp@d.test><br><b>Date:</b> 2006-01-02 15:04:05 -0700</p><p>Hello</p>"
	if got := treetest.Show(doc); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	info := doc.Info
	if info.Title != "Café au lait" || info.Author != "Jürgen <j@a.test>" || info.Generator != "Pine" || info.Keywords != "a, b" || !info.Created.Equal(time.Date(2006, 1, 2, 22, 4, 5, 0, time.UTC)) {
		t.Errorf("got %+v", info)
	}
}

func TestBody(t *testing.T) {
	t.Parallel()
	part := func(kind, body string) string { return "--B\r\nContent-Type: " + kind + "\r\n\r\n" + body + "\r\n" }
	multipart := func(kind string, parts ...string) string {
		return "Content-Type: multipart/" + kind + "; boundary=B\r\n\r\nignored\r\n" + strings.Join(parts, "") + "--B--\r\nignored"
	}
	picture := "--B\r\nContent-Type: image/gif\r\nContent-ID: <p@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(gif)) + "\r\n"
	for _, test := range []struct{ name, message, want string }{
		{"plain", "Content-Type: text/plain; charset=iso-8859-1\r\n\r\nCaf\xe9", "<p>Café</p>"},
		{"without a type", "MIME-Version: 1.0\r\n\r\nHello\r\n\r\nworld", "<p>Hello</p><p>world</p>"},
		{"quoted-printable", "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nCaf=C3=A9 =\r\nau lait=20=\r\n=XY", "<p>Café au lait =XY</p>"},
		{"base64", "Content-Type: text/plain; charset=koi8-r\r\nContent-Transfer-Encoding: BASE64\r\n\r\n8NL J\r\n18XU", "<p>Привет</p>"},
		{"flowed", "Content-Type: text/plain; format=flowed\r\n\r\nOne \r\nline.\r\n> quoted \r\n> too\r\n  Two\r\nthree", "<p>One line.</p><quote><p>quoted too</p></quote><p>Two<br>three</p>"},
		{"quotes in quotes", "X: y\r\n\r\n> > a\r\n> b\r\nc", "<quote><quote><p>a</p></quote><p>b</p></quote><p>c</p>"},
		{"a signature and a link", "X: y\r\n\r\nSee https://h.test/x.\r\n-- \r\nMe", "<p>See <a https://h.test/x>https://h.test/x</a>.</p><hr><p>Me</p>"},
		{"a list", "X: y\r\n\r\n- one\r\n  more\r\n- two", "<list><item><p>one more</p><item><p>two</p></list>"},
		{"a table in spaces", "X: y\r\n\r\na     b\r\n1     2", "<pre>a     b\n1     2</pre>"},
		{"wrapped", "X: y\r\n\r\n" + strings.Repeat("word ", 14) + "end\r\nof it", "<p>" + strings.Repeat("word ", 14) + "end of it</p>"},
		{"HTML before plain", multipart("alternative", part("text/plain", "plain"), part("text/html", "<p><b>rich</b></p>")), "<p><b>rich</b></p>"},
		{"HTML that says less", multipart("alternative", part("text/plain", strings.Repeat("all that is said ", 10)), part("text/html", "<p>See the text.</p>")), "<p>" + strings.TrimSpace(strings.Repeat("all that is said ", 10)) + "</p>"},
		{"HTML with a picture", multipart("related", part("text/html", `<p>a<img src="cid:p@x" alt="g"></p>`), picture), "<p>a![g](data:image/gif;base64," + base64.StdEncoding.EncodeToString([]byte(gif)) + ")</p>"},
		{"hidden text", multipart("mixed", part("text/html", `<div style="display: none">secret</div><p>a</p>`)), "<p>a</p>"},
		{"tables that arrange", multipart("mixed", part("text/html", `<table><tr><td><table><tr><td>a</td></tr></table></td><td><p>b</p></td></tr></table>`)), "<p>a</p><p>b</p>"},
		{"tables of data", multipart("mixed", part("text/html", `<table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>`)), "<table><tr><td>a<td>1<tr><td>b<td>2</table>"},
		{"several texts", multipart("mixed", part("text/plain", "one"), part("text/plain", "two")), "<p>one</p><p>two</p>"},
		{"an attachment", multipart("mixed", part("text/plain", "one"), picture), "<p>one</p><h2>Attachments</h2><list><item><p>attachment.gif (image/gif, 10 bytes)</p></list>"},
		{"a name in pieces", multipart("mixed", part("text/plain", "one"), "--B\r\nContent-Type: application/x-y\r\nContent-Disposition: attachment;\r\n filename*0*=utf-8''%e2%82%ac;\r\n filename*1=\" x.bin\"\r\n\r\nab\r\n"),
			"<p>one</p><h2>Attachments</h2><list><item><p>€ x.bin (application/x-y, 2 bytes)</p></list>"},
		{"a message in it", multipart("mixed", part("text/plain", "see"), part("message/rfc822", "From: a@b.test\r\nSubject: Inner\r\n\r\nhello")), "<p>see</p><hr><h2>Inner</h2><p><b>From:</b> a@b.test</p><p>hello</p>"},
		{"a digest", multipart("digest", "--B\r\n\r\nSubject: Inner\r\n\r\nhello\r\n"), "<hr><h2>Inner</h2><p>hello</p>"},
		{"no boundary", "Content-Type: multipart/mixed\r\n\r\n--Bound\r\n\r\nhello\r\n--Bound--", "<p>hello</p>"},
	} {
		if got := treetest.Show(readEML(t, []byte(test.message))); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestAttachments(t *testing.T) {
	t.Parallel()
	attached := func(name, body string) string {
		return "--B\r\nContent-Type: application/octet-stream; name=\"" + name + "\"\r\n\r\n" + body + "\r\n"
	}
	body := []byte("Subject: S\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n\r\nhello\r\n" + attached("a.x", "A") + attached("b.x", "B") + attached("c.x", "C") + "--B--")
	var asked []string
	doc, err := mail.ReadEML(body, mail.Options{Attachment: func(name, contentType string, content []byte) (*tree.Document, error) {
		asked = append(asked, name+contentType+string(content))
		switch name {
		case "a.x":
			return &tree.Document{
				Body:  []tree.Block{&tree.Heading{Level: 1, Text: []tree.Span{{Text: "Title"}}}, &tree.Paragraph{Text: []tree.Span{{Text: "text"}, {Note: "n"}}}},
				Notes: []tree.Note{{Name: "n", Body: []tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: "note"}}}}}}, Warnings: []string{"Hm."},
			}, nil
		case "b.x":
			return nil, tree.ErrEncrypted
		}
		return nil, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := "<h1>S</h1><p>hello</p><h2>Attachments</h2><list><item><p>a.x (application/octet-stream, 1 byte)</p><item><p>b.x (application/octet-stream, 1 byte)</p>" +
		"<item><p>c.x (application/octet-stream, 1 byte)</p></list><h2>a.x</h2><h3>Title</h3><p>text[1/n]</p>[1/n]: <p>note</p>"
	if got := treetest.Show(doc); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if fmt.Sprint(asked) != "[a.xapplication/octet-streamA b.xapplication/octet-streamB c.xapplication/octet-streamC]" {
		t.Errorf("asked for %q", asked)
	}
	if len(doc.Warnings) != 2 || !strings.Contains(doc.Warnings[1], "encrypted") {
		t.Errorf("got warnings %q", doc.Warnings)
	}
}

func TestEncryptedMessage(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"OpenPGP": "From: a@b.test\r\nContent-Type: multipart/encrypted; boundary=B\r\n\r\n--B\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--B\r\nContent-Type: application/octet-stream\r\n\r\nxyz\r\n--B--",
		"S/MIME":  "From: a@b.test\r\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\r\n\r\nxyz",
	} {
		if _, err := mail.ReadEML([]byte(body), mail.Options{}); !errors.Is(err, tree.ErrEncrypted) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestBadMessages is about messages that nobody should write.
func TestBadMessages(t *testing.T) {
	t.Parallel()
	var nested strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&nested, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
	}
	for _, test := range []struct {
		name, body string
		warned     bool
	}{
		{"parts in parts", "From: a\r\n" + nested.String() + "\r\nhello", true},
		{"messages in messages", "From: a\r\n" + strings.Repeat("Content-Type: message/rfc822\r\n\r\n", 5000) + "hello", true},
		{"many parts", "From: a\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n" + strings.Repeat("--B\r\n\r\nx\r\n", 50_000), true},
		{"many fields", strings.Repeat("X-A: b\r\n", 500_000) + "\r\nhello", true},
		{"a long field", "Subject: " + strings.Repeat("=?utf-8?q?x?= ", 1_000_000) + "\r\n\r\nhello", true},
		{"a field of many lines", "Subject: x\r\n" + strings.Repeat(" y\r\n", 1_000_000) + "\r\nhello", true},
		{"one line", "From: a\r\n\r\n" + strings.Repeat("x", 20<<20), true},
		{"one line of signs", "From: a\r\n\r\n" + strings.Repeat(">", 4<<20), false},
		{"flowed for ever", "From: a\r\nContent-Type: text/plain; format=flowed\r\n\r\n" + strings.Repeat("word \r\n", 1_000_000), false},
		{"lines that go on", "From: a\r\n\r\n- x\r\n" + strings.Repeat("  y\r\n", 1_000_000), false},
		{"quotes in quotes in quotes", "From: a\r\n\r\n" + strings.Repeat(strings.Repeat("> ", 100)+"x\r\n> y\r\n", 10_000), false},
		{"soft lines", "From: a\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + strings.Repeat("=\r\n", 1_000_000) + strings.Repeat("= ", 1_000_000), false},
	} {
		doc, err := mail.ReadEML([]byte(test.body), mail.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if (len(doc.Warnings) > 0) != test.warned {
			t.Errorf("%s: got warnings %q", test.name, doc.Warnings)
		}
		tree.Write(doc, 1<<20)
	}
	for _, body := range []string{"", "no header\r\n\r\ntext", "\r\n\r\n"} {
		if _, err := mail.ReadEML([]byte(body), mail.Options{}); !errors.Is(err, tree.ErrDamaged) {
			t.Errorf("%q: got %v", body, err)
		}
	}
}

func check(t *testing.T, read func([]byte, mail.Options) (*tree.Document, error), body []byte) {
	doc, err := read(body, mail.Options{Attachment: func(string, string, []byte) (*tree.Document, error) { return nil, nil }})
	if err != nil {
		if !errors.Is(err, tree.ErrDamaged) && !errors.Is(err, tree.ErrTooComplex) && !errors.Is(err, tree.ErrEncrypted) {
			t.Errorf("an error of no kind: %v", err)
		}
		return
	}
	tree.Write(doc, 1<<20)
}

func FuzzEML(f *testing.F) {
	f.Add(lines("From: =?utf-8?q?a?= <a@b>", "Content-Type: multipart/alternative; boundary=\"B\"", "", "--B", "Content-Transfer-Encoding: quoted-printable", "", "> a=20", "b=C3=A9", "--B",
		"Content-Type: text/html; charset=x", "", "<p>a<img src=cid:x></p><table><td>b</table>", "--B--"))
	f.Add(lines("Subject: x", "Content-Type: multipart/mixed; boundary=B", "", "--B", "Content-Type: message/rfc822", "", "From: a", "", "- b", "-- ", "c", "--B", "Content-Disposition: attachment; filename*0*=utf-8'en'%20;filename*1=a", "Content-Transfer-Encoding: base64", "", "YWJj"))
	f.Add(lines("X: y", "Content-Type: text/plain; format=flowed; delsp=yes", "", ">> a ", ">> b", " c "))
	f.Fuzz(func(t *testing.T, body []byte) { check(t, mail.ReadEML, body) })
}
