package gist_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/extract/gist"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ markdown, want string }{
		"nothing":             {"", ""},
		"no sentence":         {"# Title\n\n- [Home](/)\n- [About](/about)\n", ""},
		"one":                 {"# Kettles\n\nKettles boil water for your tea.\n", "Kettles boil water for your tea."},
		"markup":              {"A **bold** word, a [link](https://a.example/x) and `code` in one_line.", "A bold word, a link and code in one_line."},
		"headings and tables": {"## This is a heading with words.\n| This is a | cell of a table. |\nThis is the only plain sentence.", "This is the only plain sentence."},
		"code":                {"```\nThis is not prose at all.\n```\nHere is some prose for you.\n\n    and code that is indented here.", "Here is some prose for you."},
		"pictures and links":  {"![A picture of a fine kettle.](k.jpg)\n\n[Read more about all our kettles.](/more)\n\nWe make kettles in Leeds.", "We make kettles in Leeds."},
		"lines of one paragraph": {
			"Kettles boil water\nfor your tea.", "Kettles boil water for your tea.",
		},
		"abbreviations":  {"Dr. Lee met Mr. J. Doe at approx. 3.5 km from here, e.g. near Leeds.", "Dr. Lee met Mr. J. Doe at approx. 3.5 km from here, e.g. near Leeds."},
		"quotes":         {`"Is it hot enough now?" asked Ann quietly.`, `"Is it hot enough now?" asked Ann quietly.`},
		"list items":     {"1. Fill the kettle with water.\n2. [Next](/n)\n", "Fill the kettle with water."},
		"Chinese":        {"水壶可以烧开水。我们在利兹生产水壶！", "水壶可以烧开水。我们在利兹生产水壶！"},
		"Chinese quotes": {"他说：“铜水壶可以很快烧开水。”「我们在利兹生产水壶。」水壶卖得很好。", "他说：“铜水壶可以很快烧开水。”「我们在利兹生产水壶。」水壶卖得很好。"},
		"Thai":           {"กาต้มน้ำทองแดงต้มน้ำได้เร็วกว่ากาต้มน้ำเหล็ก", "กาต้มน้ำทองแดงต้มน้ำได้เร็วกว่ากาต้มน้ำเหล็ก"},
		"Khmer":          {"កំសៀវស្ពាន់ធ្វើឱ្យទឹកពុះបានលឿន។ យើងផលិតកំសៀវនៅទីក្រុង។", "កំសៀវស្ពាន់ធ្វើឱ្យទឹកពុះបានលឿន។ យើងផលិតកំសៀវនៅទីក្រុង។"},
		"long Hindi":     {strings.Repeat("केतली पानी को उबालती है और ", 12) + "चाय बनाती है।", strings.Repeat("केतली पानी को उबालती है और ", 12) + "चाय बनाती है।"},
		"Arabic":         {"هل الماء ساخن بما يكفي الآن؟", "هل الماء ساخن بما يكفي الآن؟"},
		"escapes":        {`It costs \$5 and not \*six\* dollars.`, `It costs $5 and not *six* dollars.`},
		"signs":          {"The sum is 3 * 4 = 12 and no *more* than that.", "The sum is 3 * 4 = 12 and no more than that."},
		"no link":        {`Write [x\](y) and you get a link to y.`, "Write [x](y) and you get a link to y."},
		"numbers":        {"12.5 13.7 14.1 99 100 12 15.\n\nOnly this one has words.", "Only this one has words."},
		"the same again": {
			"Our shop is open today again.\n\nOur shop is open today again.", "Our shop is open today again.",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := gist.Summarize(tc.markdown, 5); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

// A page in Thai, which has no marks at the end of sentences, has a summary.
func TestWithoutMarks(t *testing.T) {
	t.Parallel()
	var sentences []string
	for _, part := range []string{"ทองแดง", "เหล็ก", "แก้ว", "ไม้", "เงิน", "ทอง", "ดินเผา", "หิน"} {
		sentences = append(sentences, "กาต้มน้ำที่ทำจาก"+part+"ต้มน้ำได้เร็วกว่าที่คุณคิดและใช้งานได้นานหลายปีในครัวของคุณ")
	}
	got := gist.Summarize(strings.Join(sentences, " "), 2)
	if count := strings.Count(got, "กาต้มน้ำที่ทำจาก"); count < 1 || count > 2 || !strings.HasSuffix(got, "ครัวของคุณ") {
		t.Errorf("%d sentences: %q", count, got)
	}
}

const kettles = `# The copper kettle

The copper kettle is a vessel that boils water faster than a kettle of steel.

My aunt has a cat. The weather was fine on Sunday.

Copper conducts heat well, so water in a copper kettle boils within minutes. A kettle of copper boils water faster than a kettle of steel.

## History

Kettles of copper were made in Leeds since 1820. Most kettle makers closed when steel became cheap.

He laughed about it. Somebody left the door open again.

Today a copper kettle is bought by those who boil water often and want it fast.`

func TestSummarize(t *testing.T) {
	t.Parallel()
	got := gist.Summarize(kettles, 3)
	if !strings.HasPrefix(got, "The copper kettle is a vessel") {
		t.Errorf("what the text is about is missing: %q", got)
	}
	for _, aside := range []string{"aunt", "Sunday", "laughed", "door"} {
		if strings.Contains(got, aside) {
			t.Errorf("an aside is in the summary: %q", got)
		}
	}
	if strings.Contains(got, "A kettle of copper boils water faster") {
		t.Errorf("the summary repeats itself: %q", got)
	}
	if n := strings.Count(got, "."); n != 3 {
		t.Errorf("%d sentences instead of 3: %q", n, got)
	}
	for range 20 {
		if again := gist.Summarize(kettles, 3); again != got {
			t.Fatalf("another time it is %q instead of %q", again, got)
		}
	}
	at := -1
	for _, s := range strings.SplitAfter(gist.Summarize(kettles, 5), ". ") {
		next := strings.Index(kettles, strings.TrimSpace(s))
		if next <= at {
			t.Errorf("%q is out of order", s)
		}
		at = next
	}
	if got := gist.Summarize(kettles, 0); got != "" {
		t.Errorf("no sentences asked for: %q", got)
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	const size = 5 << 20
	for _, part := range []string{"word ", "A b c d e. ", ".)", ". ", "[", "[a](", "```\n", "> ", "x\n", "。", "A sentence of words again and again.\n\n", "\xff"} {
		text := strings.Repeat(part, size/len(part))
		if got := gist.Summarize(text, 5); len(got) > 5*1000 {
			t.Errorf("%q: a summary of %d bytes", part, len(got))
		}
	}
}

func FuzzSummarize(f *testing.F) {
	f.Add(kettles, 3)
	f.Add("a [b](c) ![d](e) `f` *g*.\n\n> - 1. h? \"I j.\" k!", 5)
	f.Add("水壶可以烧开水。我们在利兹生产水壶！", 1)
	f.Fuzz(func(t *testing.T, markdown string, most int) {
		got := gist.Summarize(markdown, most)
		if utf8.ValidString(markdown) && !utf8.ValidString(got) {
			t.Fatalf("%q is no text", got)
		}
		if got != gist.Summarize(markdown, most) {
			t.Fatal("another summary the second time")
		}
	})
}
