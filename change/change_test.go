package change_test

import (
	"testing"

	"github.com/trawlhq/trawl/change"
)

func TestDigest(t *testing.T) {
	t.Parallel()
	const text = "# Title\n\nSome words, and more.\n"
	for name, same := range map[string]string{
		"itself":           text,
		"no newline":       "# Title\n\nSome words, and more.",
		"empty lines":      "\n\n# Title\n\n\n\nSome words, and more.\n\n",
		"CRLF":             "# Title\r\n\r\nSome words, and more.\r\n",
		"tabs":             "#\tTitle\n\nSome  words,\tand more.",
		"other line break": "# Title\n\nSome words,\nand more.",
		"no-break spaces":  "# Title\n\nSome\u00a0words,\u2003and more.\u3000",
	} {
		if change.Digest(same) != change.Digest(text) {
			t.Errorf("%s: the digest is another", name)
		}
	}
	for name, other := range map[string]string{
		"empty":        "",
		"joined words": "# Title\n\nSomewords, and more.\n",
		"split word":   "# Title\n\nSome wor ds, and more.\n",
		"other case":   "# title\n\nSome words, and more.\n",
		"other order":  "Some words, and more.\n\n# Title\n",
		"one sign":     "# Title\n\nSome words, and more!\n",
	} {
		if change.Digest(other) == change.Digest(text) {
			t.Errorf("%s: the digest is the same", name)
		}
	}
	if change.Digest("") != change.Digest(" \r\n\t\n") {
		t.Error("white space alone is something")
	}
}
