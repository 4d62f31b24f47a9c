package crawl_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
)

func TestSitemapCandidates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, base, robots string
		want               []string
	}{
		{"the top", "https://example.com/", "", []string{"https://example.com/sitemap.xml"}},
		{"www", "https://www.example.com/", "", []string{"https://www.example.com/sitemap.xml", "https://example.com/sitemap.xml"}},
		{"a path on a subdomain", "http://www.docs.example.co.uk/a/b?x#y", "", []string{
			"http://www.docs.example.co.uk/a/b/sitemap.xml", "http://www.docs.example.co.uk/sitemap.xml", "http://docs.example.co.uk/sitemap.xml", "http://example.co.uk/sitemap.xml",
		}},
		{"a file", "https://example.com/a/index.html", "", []string{"https://example.com/a/sitemap.xml", "https://example.com/sitemap.xml"}},
		{"a port", "http://127.0.0.1:8080/a/", "", []string{"http://127.0.0.1:8080/a/sitemap.xml", "http://127.0.0.1:8080/sitemap.xml"}},
		{"localhost", "http://x.localhost:3000/", "", []string{"http://x.localhost:3000/sitemap.xml"}},
		{"robots first", "https://example.com/", "Sitemap: HTTPS://cdn.example.net/s.xml.gz\nSitemap: /relative.xml\nSitemap: ftp://example.com/s.xml\nSitemap: https://u:p@example.com/s.xml\nSitemap: https://example.com/sitemap.xml",
			[]string{"https://cdn.example.net/s.xml.gz", "https://example.com/sitemap.xml"}},
		{"no base", "", "Sitemap: https://example.com/s.xml", []string{"https://example.com/s.xml"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := crawl.SitemapCandidates(c.base, crawl.ParseRobots([]byte(c.robots))); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if got := crawl.SitemapCandidates("https://example.com/", nil); len(got) != 1 {
		t.Errorf("without robots: %q", got)
	}
	var robots strings.Builder
	for i := range 500 {
		fmt.Fprintf(&robots, "Sitemap: https://example.com/%d.xml\n", i)
	}
	if got := crawl.SitemapCandidates("https://example.com/", crawl.ParseRobots([]byte(robots.String()))); len(got) != 20 || got[19] != "https://example.com/19.xml" {
		t.Errorf("of 500 sitemaps: %q", got)
	}
}

// readSitemap returns the entries, those that are sitemaps marked with a star.
func readSitemap(body []byte) ([]string, error) {
	var list []string
	err := crawl.ReadSitemap(body, func(loc string, index bool) bool {
		if index {
			loc = "*" + loc
		}
		list = append(list, loc)
		return true
	})
	return list, err
}

func TestReadSitemap(t *testing.T) {
	t.Parallel()
	const xml = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	const space = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"pages", xml + `<urlset ` + space + `><url><loc>https://a.com/1</loc><lastmod>2024-01-01</lastmod></url>` + "\n<url>\n<loc>\n https://a.com/2 \n</loc>\n</url></urlset>", []string{"https://a.com/1", "https://a.com/2"}},
		{"an index", xml + `<sitemapindex ` + space + `><sitemap><loc>https://a.com/s1.xml</loc></sitemap><sitemap><loc>https://a.com/s2.xml.gz</loc></sitemap></sitemapindex>`, []string{"*https://a.com/s1.xml", "*https://a.com/s2.xml.gz"}},
		{"both in one", `<sitemapindex><sitemap><loc>https://a.com/s.xml</loc></sitemap><url><loc>https://a.com/1</loc></url></sitemapindex>`, []string{"*https://a.com/s.xml", "https://a.com/1"}},
		{"empty", xml + `<urlset></urlset>`, nil},
		{"prefixes", `<sm:urlset><sm:url><sm:loc>https://a.com/1</sm:loc><loc>https://a.com/other</loc></sm:url></sm:urlset>`, []string{"https://a.com/1"}},
		{"images and videos are no pages", `<urlset><url><loc>https://a.com/1</loc><image:image><image:loc>https://a.com/1.png</image:loc></image:image><video:content_loc>https://a.com/v</video:content_loc></url></urlset>`, []string{"https://a.com/1"}},
		{"wrong case", `<URLSET><Url><LOC>https://a.com/1</LOC></Url></URLSET>`, []string{"https://a.com/1"}},
		{"byte order mark and white space", "\ufeff \r\n\t" + xml + `<urlset><url><loc>https://a.com/1</loc></url></urlset>`, []string{"https://a.com/1"}},
		{"junk in front", "<br />\n<b>Warning</b>: x > y in <i>z</i>\n" + xml + `<urlset><url><loc>https://a.com/1</loc></url></urlset>`, []string{"https://a.com/1"}},
		{"entities", `<urlset><url><loc>https://a.com/?a=1&amp;b=&#50;&#x33;&copy=4&lt;&gt;&quot;&apos;&x;&#0;&#99999999;&</loc></url></urlset>`, []string{`https://a.com/?a=1&b=23&copy=4<>"'&x;&#0;&#99999999;&`}},
		{"character data", `<urlset><url><loc> <![CDATA[ https://a.com/?a=1&b=<2> ]]> </loc></url><![CDATA[<loc>https://a.com/no</loc>]]></urlset>`, []string{"https://a.com/?a=1&b=<2>"}},
		{"comments", `<!-- <html> --><urlset><!-- <url><loc>https://a.com/no</loc></url> --><url><loc>https://a.com/<!-- no -->1</loc></url></urlset>`, []string{"https://a.com/1"}},
		{"document type", `<!DOCTYPE urlset SYSTEM "x"><urlset><url><loc>https://a.com/1</loc></url></urlset>`, []string{"https://a.com/1"}},
		{"attributes", `<urlset><url><loc xml:lang="de">https://a.com/1</loc><xhtml:link rel="alternate" href="https://a.com/2"/></url></urlset>`, []string{"https://a.com/1"}},
		{"no text", `<urlset><url><loc/></url><url><loc></loc></url><url><loc>https://a.com/1</loc></url></urlset>`, []string{"https://a.com/1"}},
		{"broken off", `<urlset><url><loc>https://a.com/1</loc></url><url><lo`, []string{"https://a.com/1"}},
		{"broken off in an address", `<urlset><url><loc>https://a.com/1</loc></url><url><loc>https://a.com/hal`, []string{"https://a.com/1"}},
		{"far too long", `<urlset><url><loc>https://a.com/` + strings.Repeat("a", 1<<17) + `</loc></url><url><loc>https://a.com/1</loc></url></urlset>`, []string{"https://a.com/1"}},
		{"too long in pieces", `<urlset><url><loc>https://a.com/` + strings.Repeat("a<!-- -->a<![CDATA[b]]>", 2000) + `</loc></url><url><loc>https://a.com/1</loc></url></urlset>`, []string{"https://a.com/1"}},
		{"a list", "\ufeffhttps://a.com/1\r\n\r\nhttp://a.com/2\n  https://a.com/3\nnot an address\nhttps://a.com/4", []string{"https://a.com/1", "http://a.com/2", "https://a.com/3", "https://a.com/4"}},
		{"RSS", xml + `<rss version="2.0"><channel><link>https://a.com/</link><atom:link href="https://a.com/rss" rel="self"/><item><title>x</title><link>https://a.com/1</link><guid>https://a.com/?p=1</guid></item><item><link><![CDATA[https://a.com/2]]></link></item><link>https://a.com/no</link></channel></rss>`, []string{"https://a.com/1", "https://a.com/2"}},
		{"RSS 1.0", `<rdf:RDF><channel><link>https://a.com/</link></channel><item rdf:about="x"><link>https://a.com/1</link></item></rdf:RDF>`, []string{"https://a.com/1"}},
		{"Atom", xml + `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.com/" /><entry><link rel='alternate' type="text/html" href='https://a.com/?a&amp;b'/><link rel="edit" href="https://a.com/edit"/></entry><entry><link href = "https://a.com/2"></link></entry></feed>`, []string{"https://a.com/?a&b", "https://a.com/2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for packed, body := range [][]byte{[]byte(c.body), pack([]byte(c.body)), pack(pack([]byte(c.body)))} {
				got, err := readSitemap(body)
				if err != nil {
					t.Errorf("packed %d times: %v", packed, err)
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("packed %d times: got %q, want %q", packed, got, c.want)
				}
			}
		})
	}
}

func TestReadSitemapErrors(t *testing.T) {
	t.Parallel()
	urls := []byte("<urlset>" + strings.Repeat("<url><loc>https://a.com/1</loc></url>\n", 10_000))
	for _, c := range []struct {
		name    string
		body    []byte
		entries int // visited all the same; -1 for some
	}{
		{"nothing", nil, 0},
		{"white space", []byte(" \n "), 0},
		{"a page", []byte("<!doctype HTML><title>x</title><urlset><url><loc>https://a.com/</loc></url></urlset>"), 0},
		{"a page without type", []byte("<HTML lang=en><urlset><url><loc>https://a.com/</loc></url></urlset>"), 0},
		{"a large page", append([]byte("<!doctype html>"), make([]byte, 51<<20)...), 0},
		{"words", []byte("Not found: https://a.com/sitemap.xml"), 0},
		{"other XML", []byte("<?xml version='1.0'?><note><loc>https://a.com/</loc></note>"), 0},
		{"JSON", []byte(`{"urls": ["https://a.com/"]}`), 0},
		{"junk", bytes.Repeat([]byte{0, 0xff, '<', '>'}, 1000), 0},
		{"a broken archive", []byte("\x1f\x8b junk"), 0},
		{"an archive that breaks off", pack(urls)[:len(pack(urls))/2], -1},
		{"an archive in an archive in an archive in an archive", pack(pack(pack(pack(urls)))), 0},
		{"more than is read", append(slices.Clone(urls), make([]byte, 51<<20)...), 10_000},
		{"more than is unpacked", pack(append(slices.Clone(urls), make([]byte, 51<<20)...)), 10_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := readSitemap(c.body)
			if trawl.ErrorCode(err) != trawl.CodeSitemap {
				t.Errorf("error %v", err)
			}
			if len(got) != c.entries && !(c.entries < 0 && len(got) > 0) {
				t.Errorf("%d entries, want %d", len(got), c.entries)
			}
		})
	}
}

func TestReadSitemapStops(t *testing.T) {
	t.Parallel()
	body := []byte("<urlset>" + strings.Repeat("<url><loc>https://a.com/1</loc></url>", 150_000))
	for _, body := range [][]byte{body, pack(body), []byte(strings.Repeat("https://a.com/1\n", 150_000))} {
		for limit, want := range map[int]int{1: 1, 10: 10, 1 << 30: 100_000} {
			n := 0
			err := crawl.ReadSitemap(body, func(string, bool) bool { n++; return n < limit })
			if n != want || err != nil {
				t.Errorf("%d entries, error %v; want %d", n, err, want)
			}
		}
	}
}

// A small file that unpacks to a large one takes no room.
func TestReadSitemapMemory(t *testing.T) {
	bomb := pack(pack(append([]byte("<urlset><url><loc>"), bytes.Repeat([]byte("a"), 60<<20)...)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readSitemap(bomb); err == nil {
		t.Error("no error")
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
		t.Errorf("%d bytes were allocated for %d", used, len(bomb))
	}
}

func pack(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

func FuzzReadSitemap(f *testing.F) {
	for _, body := range []string{
		`<?xml version="1.0"?><urlset><url><loc>https://a.com/?a&amp;b</loc></url></urlset>`, `<sm:sitemapindex><sm:sitemap><sm:loc><![CDATA[x]]>&#x41;</sm:loc>`,
		"\ufeff https://a.com/1\nhttps://a.com/2", `<feed><entry><link href='x' rel=alternate/>`, `<rss><item><link>x<!-- -->`, "<!doctype html>", "<urlset><loc><![CDATA[", "<urlset><loc",
	} {
		f.Add([]byte(body))
		f.Add(pack([]byte(body)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := readSitemap(body)
		if len(got) > 100_000 {
			t.Errorf("%d entries", len(got))
		}
		for _, loc := range got {
			if loc = strings.TrimPrefix(loc, "*"); loc == "" || len(loc) > 4000 || strings.TrimSpace(loc) != loc {
				t.Errorf("entry %q", loc)
			}
		}
		packed, packedErr := readSitemap(pack(body))
		nested := bytes.HasPrefix(body, []byte("\x1f\x8b"))
		if !nested && (!slices.Equal(packed, got) || (err == nil) != (packedErr == nil)) {
			t.Errorf("got %q, %v; packed %q, %v", got, err, packed, packedErr)
		}
	})
}

func BenchmarkReadSitemap(b *testing.B) {
	var body bytes.Buffer
	body.WriteString(`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for i := range 50_000 {
		fmt.Fprintf(&body, "<url>\n<loc>https://www.example.com/shop/item-%d?a=1&amp;b=2</loc>\n<lastmod>2024-05-01T10:00:00+00:00</lastmod>\n<priority>0.8</priority>\n</url>\n", i)
	}
	for name, body := range map[string][]byte{"plain": body.Bytes(), "packed": pack(body.Bytes())} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := crawl.ReadSitemap(body, func(string, bool) bool { return true }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
