package job

import "testing"

func TestTrust(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		named, address string
		alone, wide    bool // whether it is covered, and with subdomains
	}{
		{"https://site.test/a", "https://site.test/b", true, true},
		{"https://site.test/", "https://www.site.test/", true, true},
		{"https://www.site.test/", "https://site.test/", true, true},
		{"http://site.test/", "https://site.test/", true, true},
		{"https://site.test/", "http://site.test/", false, false},
		{"https://site.test/", "https://site.test:443/", false, false}, // canonical addresses have no such port
		{"https://site.test/", "https://site.test:8443/", false, false},
		{"http://site.test:8080/", "http://site.test:8081/", false, false},
		{"http://site.test:8080/", "http://site.test:8080/x", true, true},
		{"https://site.test/", "https://docs.site.test/", false, true},
		{"https://docs.site.test/", "https://site.test/", false, false},
		{"https://site.test/", "https://notsite.test/", false, false},
		{"https://site.test/", "https://site.test.evil.test/", false, false},
		{"https://site.test/", "://", false, false},
	} {
		narrow, wide := trust{named: []string{c.named}}, trust{[]string{c.named}, true}
		if narrow.covers(c.address) != c.alone || wide.covers(c.address) != c.wide {
			t.Errorf("%s names %s: %v, %v", c.named, c.address, narrow.covers(c.address), wide.covers(c.address))
		}
	}
	if (trust{}).covers("https://site.test/") {
		t.Error("nobody was named")
	}
}
