package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

func TestPageName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("l", 300)
	tests := []struct{ address, want string }{ // a star stands for a hash
		{"https://example.com/", "example.com/index"},
		{"https://example.com", "example.com/index"},
		{"http://example.com:8080/a", "example.com_8080/a"},
		{"https://example.com/a", "example.com/a"},
		{"https://example.com/a/", "example.com/a/index"},
		{"https://example.com/a/index", "example.com/a/index~*"},
		{"https://example.com/a/b.html", "example.com/a/b.html"},
		{"https://example.com/b.html/c", "example.com/b_html/c~*"},
		{"https://example.com/A", "example.com/A~*"},
		{"https://example.com/A/b", "example.com/A/b~*"},
		{"https://example.com/a?b=c", "example.com/a~*"},
		{"https://example.com/?b=c", "example.com/index~*"},
		{"https://example.com/#/route", "example.com/index~*"},
		{"https://example.com/~user", "example.com/~user~*"},
		{"https://example.com/stra%C3%9Fe", "example.com/straße~*"},
		{"https://example.com/a%20b", "example.com/a_b~*"},
		{"https://example.com/%ff", "example.com/_~*"},
		{"https://example.com/..%2f..%2fetc/passwd", "example.com/_._.._etc/passwd~*"},
		{"https://example.com/%2e%2e/x", "example.com/__/x~*"},
		{"https://example.com/..", "example.com/__~*"},
		{"https://example.com//etc/passwd", "example.com/_/etc/passwd~*"},
		{`https://example.com/..%5c..%5cx`, "example.com/_._.._x~*"},
		{"https://example.com/C:%00x", "example.com/C__x~*"},
		{"https://example.com/%E2%80%AEfdp", "example.com/_fdp~*"},
		{"https://example.com/.git/config", "example.com/_git/config~*"},
		{"https://example.com/con", "example.com/_con~*"},
		{"https://example.com/aux.html", "example.com/_aux.html~*"},
		{"https://example.com/com1/x", "example.com/_com1/x~*"},
		{"https://example.com/comp", "example.com/comp"},
		{"https://example.com/end.", "example.com/end_~*"},
		{"https://example.com/a.raw", "example.com/a.raw~*"},
		{"https://index.jsonl/", "index_jsonl/index~*"},
		{"https://a_80/", "a_80/index~*"},
		{"https://[::1]:80/", "__1_80/index~*"},
		{"https://example.com/" + long, "example.com/" + long[:80] + "~*"},
		{"https://example.com/" + strings.Repeat("a/", 1000), "example.com/" + strings.Repeat("a/", 83) + "a~*"},
		{"https://user:secret@example.com/a", "example.com/a~*"},
		{"", "_/index~*"},
		{"%", "invalid/index~*"},
	}
	for _, tt := range tests {
		got := pageName(tt.address)
		stem, starred := strings.CutSuffix(tt.want, "*")
		hash, found := strings.CutPrefix(got, stem)
		if !found || starred && len(hash) != 12 || !starred && hash != "" {
			t.Errorf("%.100s is %q, want %q", tt.address, got, tt.want)
		}
		checkName(t, tt.address, got)
	}
}

// checkName holds a name against what file systems ask for.
func checkName(t *testing.T, address, name string) {
	t.Helper()
	if !filepath.IsLocal(filepath.FromSlash(name)) || len(name) > 200 || strings.Count(name, "/") < 1 {
		t.Errorf("%q is %q", address, name)
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || len(segment) > 100 || strings.HasPrefix(segment, ".") || strings.HasSuffix(segment, ".") || isDevice(segment) ||
			strings.ContainsAny(segment, `<>:"\|?* `) || strings.ContainsFunc(segment, unicode.IsControl) {
			t.Errorf("%q is %q with %q", address, name, segment)
		}
	}
}

// TestPageNamesDiffer checks that pages do not get into each other's way, even
// where the file system does not tell upper from lower case.
func TestPageNamesDiffer(t *testing.T) {
	t.Parallel()
	const site = "https://example.com"
	addresses := []string{
		site + "/", site + "/index", site + "/index.html", site + "/Index", site + "/?", site + "/?a", site + "/?A", site + "/#/a",
		site + "/a", site + "/A", site + "/a/", site + "/A/", site + "/a/b", site + "/A/b", site + "/a/B", site + "/a/index", site + "//a",
		site + "/a.md", site + "/a.md/b", site + "/a_md/b", site + "/A.MD/b", site + "/a.html", site + "/a.html/b", site + "/a.raw", site + "/a.raw.html",
		site + "/a.links", site + "/a.links.json", site + "/a.links.json/b", site + "/a%2Fb", site + "/a%5Cb", site + "/a_b", site + "/a%20b",
		site + "/%C3%A9", site + "/e%CC%81", site + "/%ff", site + "/%fe", site + "/con", site + "/_con",
		site + ":8080/a", "https://example.com_8080/a", "https://www.example.com/a", "https://index.jsonl/a",
		site + "/" + strings.Repeat("x", 100), site + "/" + strings.Repeat("x", 101), site + "/" + strings.Repeat("x/", 100), site + "/" + strings.Repeat("x/", 101),
	}
	taken := map[string]string{indexName: "the index"}
	for _, address := range addresses {
		for _, format := range []string{"markdown", "html", "rawHtml", "links", "images", "metadata", "rawBase64"} {
			name := strings.ToLower(pageName(address) + extension(format))
			if other, ok := taken[name]; ok {
				t.Errorf("%s in %s and %s are both %s", address, format, other, name)
			}
			taken[name] = address
		}
	}
	for name, address := range taken {
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			if other, ok := taken[filepath.ToSlash(dir)]; ok {
				t.Errorf("%s is in the folder %s, which is the file of %s", address, dir, other)
			}
		}
	}
}

func FuzzPageName(f *testing.F) {
	for _, address := range []string{"https://example.com/a/../b?c#d", "http://[::1%25en0]:80/%2e%2e/", "//con/aux/nul", "https://a:" + strings.Repeat("0", 300)} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) { checkName(t, address, pageName(address)) })
}

// TestFolderLinks checks that links in the folder do not lead out of it.
func TestFolderLinks(t *testing.T) {
	t.Parallel()
	doc := []byte(`{"markdown":"new","metadata":{"url":"https://example.com/","statusCode":200}}`)
	outside := t.TempDir()
	target := filepath.Join(outside, "target")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(dir, name, to string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}

	replaced := t.TempDir()
	link(replaced, "example.com/index.md", target)
	link(replaced, "index.jsonl", target)
	if err := addTo(replaced, doc); err != nil {
		t.Fatal(err)
	}
	if text := readText(t, replaced, "example.com/index.md"); text != "new" {
		t.Errorf("the file is %q", text)
	}

	refused := t.TempDir()
	link(refused, "example.com", outside)
	if err := addTo(refused, doc); err == nil {
		t.Error("a folder outside is written to")
	}
	if list := files(t, outside); len(list) != 1 || readText(t, target) != "old" {
		t.Errorf("outside there are %v", list)
	}
}

func addTo(dir string, doc []byte) error {
	f, err := openFolder(dir, []string{"markdown"})
	if err != nil {
		return err
	}
	defer f.close()
	return f.add(doc)
}

// TestFolderReplaces checks that nothing of an older and longer file is left.
func TestFolderReplaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, text := range []string{"a long text", "short"} {
		if err := addTo(dir, []byte(`{"markdown":"`+text+`","metadata":{"url":"https://example.com/a"}}`)); err != nil {
			t.Fatal(err)
		}
	}
	if text := readText(t, dir, "example.com/a.md"); text != "short" {
		t.Errorf("the file is %q", text)
	}
}
