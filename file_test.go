package trawl_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

var (
	fileSecret = []byte("a secret of the nodes that is 32 b")
	fileExpiry = time.Unix(1_800_000_000, 0)
)

func file(contentType string) trawl.File {
	return trawl.File{ID: "01a1ddae-2dbf-7bfd-aab3-3a19c588cbfc", ContentType: contentType, ExpiresAt: fileExpiry}
}

// parts takes the address of a file apart as a server does.
func parts(t *testing.T, address string) (name, expires, signature string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	name, ok := strings.CutPrefix(u.Path, "/base/v2/files/")
	if u.Scheme != "https" || u.Host != "trawl.example" || !ok || len(u.Query()) != 2 {
		t.Fatalf("address %s", address)
	}
	return name, u.Query().Get("expires"), u.Query().Get("signature")
}

func TestFileAddress(t *testing.T) {
	t.Parallel()
	for contentType, ending := range map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "application/pdf": ".pdf"} {
		f := file(contentType)
		address := f.Address("https://trawl.example/base", fileSecret)
		if again := file(contentType); again.Address("https://trawl.example/base", fileSecret) != address {
			t.Errorf("%s is not the same twice", address)
		}
		name, expires, signature := parts(t, address)
		if name != f.ID+ending || expires != "1800000000" || len(signature) != 43 {
			t.Errorf("address %s", address)
		}
		id, served, err := trawl.CheckFile(fileSecret, name, expires, signature, fileExpiry.Add(-time.Second))
		if id != f.ID || served != contentType || err != nil {
			t.Errorf("%s: got %q as %q, %v", address, id, served, err)
		}
	}
}

func TestCheckFileRefuses(t *testing.T) {
	t.Parallel()
	picture, other := file(trawl.TypePNG), file(trawl.TypePNG)
	other.ID = "01a1ddae-2dbf-7bfd-aab3-3a19c588cbfd"
	name, expires, signature := parts(t, picture.Address("https://trawl.example/base", fileSecret))
	_, _, foreign := parts(t, other.Address("https://trawl.example/base", fileSecret))
	text := file("text/html")
	page, _, signedPage := parts(t, text.Address("https://trawl.example/base", fileSecret))
	before := fileExpiry.Add(-time.Second)
	for _, test := range []struct {
		what, name, expires, signature string
		secret                         []byte
		now                            time.Time
		want                           trawl.Code
	}{
		{"at the last moment", name, expires, signature, fileSecret, before.Add(999 * time.Millisecond), ""},
		{"expired", name, expires, signature, fileSecret, fileExpiry, trawl.CodeGone},
		{"expired and not signed", name, expires, foreign, fileSecret, fileExpiry, trawl.CodeNotFound},
		{"nothing at all", "", "", "", fileSecret, before, trawl.CodeNotFound},
		{"no signature", name, expires, "", fileSecret, before, trawl.CodeNotFound},
		{"signature of another file", name, expires, foreign, fileSecret, before, trawl.CodeNotFound},
		{"end of the signature left out", name, expires, signature[:42], fileSecret, before, trawl.CodeNotFound},
		{"signature with a filler", name, expires, signature + "=", fileSecret, before, trawl.CodeNotFound},
		{"another file", other.ID + ".png", expires, signature, fileSecret, before, trawl.CodeNotFound},
		{"another ending", picture.ID + ".pdf", expires, signature, fileSecret, before, trawl.CodeNotFound},
		{"no ending", picture.ID, expires, signature, fileSecret, before, trawl.CodeNotFound},
		{"later", name, "1900000000", signature, fileSecret, before, trawl.CodeNotFound},
		{"the same time otherwise", name, "+1800000000", signature, fileSecret, before, trawl.CodeNotFound},
		{"another secret", name, expires, signature, []byte("another"), before, trawl.CodeNotFound},
		{"a type that is not served", page, expires, signedPage, fileSecret, before, trawl.CodeNotFound},
	} {
		id, contentType, err := trawl.CheckFile(test.secret, test.name, test.expires, test.signature, test.now)
		if test.want == "" && err != nil || test.want != "" && (err == nil || trawl.ErrorCode(err) != test.want || id+contentType != "") {
			t.Errorf("%s: %q, %q, %v", test.what, id, contentType, err)
		}
	}
}

// FuzzCheckFile looks for an address that is taken though it was not made.
func FuzzCheckFile(f *testing.F) {
	picture := file(trawl.TypePNG)
	address := picture.Address("", fileSecret)
	signature := address[strings.LastIndexByte(address, '=')+1:]
	f.Add(picture.ID+".png", "1800000000", signature)
	f.Add(picture.ID+".pdf", "1800000000", signature)
	f.Add(picture.ID+".png\n1800000000", "", signature)
	f.Add("", "-1", "")
	f.Fuzz(func(t *testing.T, name, expires, given string) {
		id, contentType, err := trawl.CheckFile(fileSecret, name, expires, given, fileExpiry.Add(-time.Hour))
		if (err == nil) != (name == picture.ID+".png" && expires == "1800000000" && given == signature) {
			t.Errorf("%q, %q, %q is taken for %s of type %s: %v", name, expires, given, id, contentType, err)
		}
	})
}

func TestFileDataURI(t *testing.T) {
	t.Parallel()
	f := trawl.File{ContentType: trawl.TypeJPEG, Data: []byte{0xff, 0xd8, 0xff}}
	if got := f.DataURI(); got != "data:image/jpeg;base64,/9j/" {
		t.Errorf("got %s", got)
	}
}

func TestDocumentFilesJSON(t *testing.T) {
	t.Parallel()
	address := "https://trawl.example/v2/files/a.png?expires=1&signature=s"
	for _, test := range []struct {
		name string
		doc  trawl.Document
		want string
	}{
		{"a screenshot", trawl.Document{Images: &[]string{"i"}, Screenshot: &address}, `"images":["i"],"screenshot":"` + address + `",`},
		{"no results", trawl.Document{Actions: &trawl.ActionResults{}},
			`"actions":{"screenshots":[],"scrapes":[],"javascriptReturns":[],"pdfs":[]},`},
		{"all results", trawl.Document{Screenshot: &address, Actions: &trawl.ActionResults{
			Screenshots: []string{"a", "b"}, Scrapes: []trawl.ActionPage{{URL: "u", HTML: "<p>\"\n"}, {}},
			JavascriptReturns: []trawl.ActionReturn{
				{Type: "object", Value: json.RawMessage(`{"n":1}`)}, {Type: "undefined"}, {Type: "number", Value: json.RawMessage(`NaN`)},
			},
			PDFs: []string{"c"},
		}}, `"screenshot":"` + address + `","actions":{"screenshots":["a","b"],"scrapes":[{"url":"u","html":"<p>\"\n"},{"url":"","html":""}],` +
			`"javascriptReturns":[{"type":"object","value":{"n":1}},{"type":"undefined","value":null},{"type":"number","value":null}],"pdfs":["c"]},`},
	} {
		want := "{" + test.want + `"metadata":{`
		if got := test.doc.Seal(); string(got) != want {
			t.Errorf("%s: %s, want %s", test.name, got, want)
		}
		whole, err := test.doc.MarshalJSON()
		if err != nil || !bytes.HasPrefix(whole, []byte(want)) || !json.Valid(whole) {
			t.Errorf("%s: %s, %v", test.name, whole, err)
		}
	}
}
