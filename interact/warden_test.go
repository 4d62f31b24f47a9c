package interact

import "testing"

func TestWardenSites(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		task, address string
		may           bool
	}{
		{"read the page", "https://shop.test/a", true},
		{"read the page", "https://www.shop.test/a", true},
		{"read the page", "https://other.test/", false},
		{"compare with other.test", "https://other.test/", true},
		{"compare with https://www.other.test/list.", "https://other.test/", true},
		{"log in at mybank.example", "https://bank.example/", false}, // the end of another name
		{"log in at my-bank.example", "https://bank.example/", false},
		{"log in at bank.example.org", "https://bank.example/", false},
		{"mybank.example, then bank.example.", "https://bank.example/", true},
		{"read the page", "about:blank", true},
	} {
		w := warden{task: test.task, home: "shop.test"}
		if got := w.mayGo(test.address); got != test.may {
			t.Errorf("%q: may go to %s: %v", test.task, test.address, got)
		}
	}
}
