package address_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/trawlhq/trawl/content/address"
)

// reference joins by the library alone.
func reference(page, ref string) string {
	base, err := whatwg.Parse(page)
	if err != nil || page == "" {
		base = nil
	}
	var u *whatwg.Url
	if base == nil {
		u, err = whatwg.Parse(ref)
	} else {
		u, err = base.Parse(ref)
	}
	if err != nil {
		return ""
	}
	if href := u.Href(false); href != ref+"/" {
		return href
	}
	return ref // a site by its mere name
}

// TestJoin has an address for each kind of thing that happens to addresses.
func TestJoin(t *testing.T) {
	t.Parallel()
	const page = "https://example.com/docs/guide/page.html?v=2#top"
	for _, c := range []struct{ name, ref, want string }{
		{"nothing", "", "https://example.com/docs/guide/page.html?v=2"},
		{"absolute", "http://other.example/a/b?c=d#e", "http://other.example/a/b?c=d#e"},
		{"no path", "https://other.example", "https://other.example"},
		{"no path but a query", "https://other.example?x", "https://other.example/?x"},
		{"no scheme", "//cdn.example/x.js", "https://cdn.example/x.js"},
		{"no scheme, only a query", "//cdn.example?x", "https://cdn.example/?x"},
		{"from the root", "/x/y", "https://example.com/x/y"},
		{"beside the page", "other.html", "https://example.com/docs/guide/other.html"},
		{"here", "./x", "https://example.com/docs/guide/x"},
		{"up", "../x", "https://example.com/docs/x"},
		{"up beyond the root", "../../../../x", "https://example.com/x"},
		{"the folder itself", ".", "https://example.com/docs/guide/"},
		{"dots in the middle", "/a/./b/../c", "https://example.com/a/c"},
		{"encoded dots", "/a/%2e%2E/c", "https://example.com/c"},
		{"a query", "?page=2", "https://example.com/docs/guide/page.html?page=2"},
		{"a fragment", "#part", "https://example.com/docs/guide/page.html?v=2#part"},
		{"a colon in a later segment", "x/y:z", "https://example.com/docs/guide/x/y:z"},
		{"a colon that makes a scheme", "mailto:a@b.example", "mailto:a@b.example"},
		{"capitals", "HTTPS://Other.EXAMPLE/Path", "https://other.example/Path"},
		{"a default port", "http://other.example:80/x", "http://other.example/x"},
		{"another port", "http://other.example:8080/x", "http://other.example:8080/x"},
		{"back slashes", `\x\y`, "https://example.com/x/y"},
		{"white space around", " \n/x\t", "https://example.com/x"},
		{"white space within", "/a\nb", "https://example.com/ab"},
		{"characters to escape", `/a b"<>?q='"`, "https://example.com/a%20b%22%3C%3E?q=%27%22"},
		{"other scripts", "/é?ü#ß", "https://example.com/%C3%A9?%C3%BC#%C3%9F"},
		{"a name in another script", "http://bücher.example/", "http://xn--bcher-kva.example/"},
		{"a loose percent sign", "/100%", "https://example.com/100%"},
		{"numbers that are a host", "http://0x7f.1/", "http://127.0.0.1/"},
		{"a host in brackets", "http://[::1]:3000/x", "http://[::1]:3000/x"},
		{"a host that is none", "http://a b/", ""},
		{"brackets that are not closed", "http://[", ""},
		{"a scheme alone", "http:x", "http://x/"},
		{"too long", "/" + strings.Repeat("x", address.MaxLength), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			base := address.NewBase(page, "")
			if got := base.Join(c.ref); got != c.want {
				t.Errorf("%q: got %q, want %q", c.ref, got, c.want)
			}
			if got := string(base.Append([]byte("x "), c.ref)); got != "x "+c.want {
				t.Errorf("%q appended: got %q, want %q", c.ref, got, "x "+c.want)
			}
		})
	}
}

// TestShortWay compares many joins with what the library alone makes of them.
func TestShortWay(t *testing.T) {
	t.Parallel()
	bases := []string{
		"https://example.com/", "https://example.com/a/b/c", "http://example.com:8080/a/?q=1#f", "https://user:pw@example.com/a/b",
		"http://192.168.0.1/x/y/", "https://xn--bcher-kva.example/x", "https://example.com/a/b/?x=/../y",
	}
	refs := []string{
		"", "x", "x/y", "./x", "../x", "../../x", "../../../../x", "./", "../", ".", "..", "x/../y", "x/./y", "x/..", ".x", "..x/y", "...",
		"/x", "/x/../y", "/./x", "/x/.", "//other.example", "//other.example/x", "///x", "////x", `\x`, `/\x`, `x\y`, "?q", "?q=a b", "?q='x'",
		"?a?b", "#f", "#f g", "#a#b", "x?q#f", "x#f?q", "http://a.b", "http://a.b?x", "http://a.b#x", "http://a.b/x y", "HTTP://A.B/X", "http://A.b/",
		"https://a.b:443/x", "http://a.b:80/", "http://a.b:8080/", "http://1.2.3.4/", "http://1.2.3/", "http://0x7f.1/", "http://a.b.0x10/", "http://a.1/", "http://a.b./",
		"http://a..b/", "http://-a.b/", "http://xn--a/", "http://a_b.c/", "http://ä.example/ö?ü#ß", "http://a.b/%2e%2E/c", "http://a.b/a/%2e/c", "/a%2e/b", "/%", "/%zz",
		"http:x", "https:x", "http:/x", "https:///x", "mailto:a@b.c", "tel:+1", "urn:x", "x:y", "a:1/b", "x/y:z", "1:2", "javascript:x", "data:,x", "blob:x",
		"/a|b", "/a^b", "/a{b}", "/a`b", `/a"b`, "/a<b>", "/a'b", "/a(b)", "/a[b]", "/a;b=c,d", "/a@b:c", "?a|b", "?a^b", "?{x}", "#a|b", "#`", "/a\tb", "/a\nb",
		"http://a.b/?x=1&y=%20", "http://user@a.b/", "http://a.b@c/", "//", "http://", "http:///", " x ", "/ü", "?ü", "/.well-known/x", "/a/.b", "x/.", "x/.y/..",
		"/é x?a \"b'c<d>#e f\"<g>`'ü", "x y/ü?ü", "http://a.b/ü x", "//a.b/ü", "http://a.b?ü", "//a.b?ü", "/\xff", "?\xc3", "/a\u2028\U0001f600",
	}
	for _, page := range bases {
		base := address.NewBase(page, "")
		for _, ref := range refs {
			if got, want := base.Join(ref), reference(page, ref); got != want {
				t.Errorf("%q on %q: got %q, want %q", ref, page, got, want)
			}
		}
	}
}

func TestBase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, href, ref, want string }{
		{"a base element", "https://example.com/a/", "https://other.example/b/", "x", "https://other.example/b/x"},
		{"a relative base element", "https://example.com/a/", "/b/", "x", "https://example.com/b/x"},
		{"a base element that runs code", "https://example.com/a/", "javascript:x", "x", "https://example.com/a/x"},
		{"a base element of data", "https://example.com/a/", "data:,x", "x", "https://example.com/a/x"},
		{"a page without an address", "", "", "x", ""},
		{"an absolute address on such a page", "", "", "https://example.com", "https://example.com"},
		{"a base element on such a page", "", "https://example.com/b/", "x", "https://example.com/b/x"},
		{"an address that is none", "http://[", "", "x", ""},
		{"a file", "file:///a/b.html", "", "c.html", "file:///a/c.html"},
		{"a name and password", "https://u:p@example.com/a/", "", "x", "https://u:p@example.com/a/x"},
		{"a port", "http://example.com:8080/a/b", "", "/x", "http://example.com:8080/x"},
		{"an empty query", "http://example.com/a?#x", "", "", "http://example.com/a?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := address.NewBase(c.page, c.href).Join(c.ref); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestVectors joins the addresses of the web platform tests, urltestdata.json in
// the folder TRAWL_VECTORS: those of the web, and those that are no addresses.
func TestVectors(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("TRAWL_VECTORS")
	if folder == "" {
		t.Skip("TRAWL_VECTORS is not set")
	}
	data, err := os.ReadFile(filepath.Join(folder, "urltestdata.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		t.Fatal(err)
	}
	passed, missed := 0, 0
	for _, entry := range entries {
		var v struct {
			Input, Base, Href string
			Failure           bool
		}
		if json.Unmarshal(entry, &v) != nil || !v.Failure && !address.IsWeb(v.Href) {
			continue // a comment, or an address that is not of the web
		}
		if got := address.NewBase(v.Base, "").Join(v.Input); got != v.Href {
			missed++
			t.Logf("%q on %q: got %q, want %q", v.Input, v.Base, got, v.Href)
		} else {
			passed++
		}
	}
	if passed < 498 || missed > 7 {
		t.Errorf("%d vectors passed, %d missed", passed, missed)
	}
}

// FuzzJoin checks that the short way leads where the long one does.
func FuzzJoin(f *testing.F) {
	for _, page := range []string{"https://example.com/a/b/?x=/../y", "http://192.168.0.1:8080/x", "file:///a", "http://h/%2e%2e/|^", ""} {
		for _, ref := range []string{"x", "../x#y?z", "//a.b", "http://a.b:80", "?'", "/%2e/x", "https://a-b.c?d", "#\x00", "a:b"} {
			f.Add(page, ref)
		}
	}
	f.Fuzz(func(t *testing.T, page, ref string) {
		if len(ref) > address.MaxLength {
			return
		}
		if got, want := address.NewBase(page, "").Join(ref), reference(page, ref); got != want {
			t.Errorf("%q on %q: got %q, want %q", ref, page, got, want)
		}
	})
}
