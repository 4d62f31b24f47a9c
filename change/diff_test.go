package change_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/change"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ before, now, want string }{
		"both empty":   {"", "", ""},
		"nothing":      {"a\nb\n", "a\nb\n", ""},
		"spaces":       {"a  b\n\n\n\tc\n", "a b\r\nc", ""},
		"empty before": {"", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"blank before": {"\n \n", "a\nb\n", "@@ -1,2 +1,2 @@\n-\n-\n+a\n+b\n"},
		"empty now":    {"a", "", "@@ -1 +0,0 @@\n-a\n"},
		"one line":     {"a\n", "b", "@@ -1 +1 @@\n-a\n+b\n"},
		"no newline":   {"a\nb", "a\nb\nc", "@@ -1,2 +1,3 @@\n a\n b\n+c\n"},
		"newlines":     {"a\r\nb\r\nc\r\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		"context":      {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		"as it is now": {"a\n  b   c\nd\n", "a\nb c\nD\n", "@@ -1,3 +1,3 @@\n a\n b c\n-d\n+D\n"},
		"paragraphs": {
			"# Title\n\nfirst\n\nsecond\n\nthird\n", "# Title\n\nfirst\n\nanother\n\nthird\n",
			"@@ -2,6 +2,6 @@\n \n first\n \n-second\n+another\n \n third\n",
		},
		"paragraph gone": {"# Title\n\nfirst\n\nsecond\n", "# Title\n\nsecond\n", "@@ -1,5 +1,3 @@\n # Title\n \n-first\n-\n second\n"},
		"two chunks": {
			"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
			"@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n",
		},
		"one chunk": {
			"a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
			"@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n",
		},
		"only blank lines near": {"a\n\n\n\nb\nc\n", "a\nb\nC\n", "@@ -3,4 +2,2 @@\n-\n-\n b\n-c\n+C\n"},
		"marks in the text":     {"+a\n--- b\n", "-a\n--- b\n", "@@ -1,2 +1,2 @@\n-+a\n+-a\n --- b\n"},
		"repeated lines":        {"x\na\nx\nb\nx\n", "x\na\nx\nc\nx\nb\nx\n", "@@ -1,5 +1,7 @@\n x\n a\n x\n+c\n+x\n b\n x\n"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, parsed, cut := change.Diff(tc.before, tc.now, "page")
			want := tc.want
			if want != "" {
				want = "--- page\n+++ page\n" + want
			}
			if text != want || cut {
				t.Errorf("got %v\n%swant\n%s", cut, text, want)
			}
			if (text == "") != (len(parsed.Files) == 0) {
				t.Errorf("%d files", len(parsed.Files))
			}
			check(t, tc.before, tc.now, text, parsed)
		})
	}
}

// A page that alternates between two versions has the one change, and then the
// other way round.
func TestAlternating(t *testing.T) {
	t.Parallel()
	one, two := "# Offers\n\nKettle\n\n12 EUR\n", "# Offers\n\nTeapot\n\n12 EUR\n"
	for range 3 {
		text, _, _ := change.Diff(one, two, "page")
		back, _, _ := change.Diff(two, one, "page")
		swapped := strings.NewReplacer("-Kettle\n+Teapot", "-Teapot\n+Kettle").Replace(text)
		if !strings.Contains(text, "-Kettle\n+Teapot") || back != swapped {
			t.Fatalf("there and back:\n%s\n%s", text, back)
		}
		if change.Digest(one) == change.Digest(two) {
			t.Fatal("the versions are the same")
		}
	}
}

func TestParsed(t *testing.T) {
	t.Parallel()
	_, parsed, _ := change.Diff("a\nb\n", "a\nc\n", "https://a.example/\n+++ x")
	if len(parsed.Files) != 1 {
		t.Fatalf("%d files", len(parsed.Files))
	}
	file := parsed.Files[0]
	if file.From != "https://a.example/ +++ x" || file.To != file.From || len(file.Chunks) != 1 || file.Chunks[0].Content != "@@ -1,2 +1,2 @@" {
		t.Fatalf("file is %+v", file)
	}
	want := []trawl.DiffLine{
		{Type: "normal", Content: " a", Before: 1, Now: 1, Normal: true},
		{Type: "del", Content: "-b", Line: 2, Deleted: true},
		{Type: "add", Content: "+c", Line: 2, Added: true},
	}
	if got := file.Chunks[0].Changes; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("changes are %+v", got)
	}
}

// A diff that is cut is one of whole lines, and its headings count what is shown.
func TestCut(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ before, now string }{
		"one long line":   {strings.Repeat("a", 5<<20), strings.Repeat("b", 5<<20)},
		"all different":   {numbered("a", 100_000), numbered("b", 100_000)},
		"long lines":      {"x\ny\n" + strings.Repeat("a", 900_000), "x\nz\n" + strings.Repeat("b", 900_000)},
		"many one-letter": {strings.Repeat("a\n", 200_000), strings.Repeat("b\n", 200_000)},
		"all new":         {"", numbered("new", 200_000)},
	} {
		text, parsed, cut := change.Diff(tc.before, tc.now, "page")
		if !cut || len(text) > 1<<20+100 || !strings.HasSuffix(text, "\n") || parsed.Files[0].Chunks == nil {
			t.Errorf("%s: cut is %v at %d bytes", name, cut, len(text))
		}
		lines := 0
		for _, chunk := range parsed.Files[0].Chunks {
			checkChunk(t, lined(tc.before), lined(tc.now), chunk)
			lines += len(chunk.Changes)
		}
		if lines > 50_000 || lines == 0 && name != "one long line" {
			t.Errorf("%s: %d lines", name, lines)
		}
	}
}

// A few lines that changed in a long text are all that is shown.
func TestSmall(t *testing.T) {
	t.Parallel()
	list := lined(numbered("line", 100_000))
	now := append([]string(nil), list...)
	for i := 250; i < len(now); i += 500 {
		now[i] = fmt.Sprint("changed ", i)
	}
	block := func(from, to int) string { return strings.Join(list[from:to], "\n") + "\n" }
	for name, tc := range map[string]struct {
		before, now string
		most        int // lines that went or came
	}{
		"scattered":      {block(0, len(list)), strings.Join(now, "\n"), 400},
		"moved up":       {block(0, 100_000), block(99_000, 100_000) + block(0, 99_000), 2000},
		"swapped":        {block(0, 3000), block(1500, 3000) + block(0, 1500), 3000},
		"one in front":   {block(0, 100_000), "new\n" + block(0, 100_000), 1},
		"repeated lines": {strings.Repeat("a\nb\nc\n", 10_000), strings.Repeat("a\nb\nc\n", 5000) + "b\n" + strings.Repeat("a\nb\nc\n", 5000), 1},
	} {
		text, parsed, cut := change.Diff(tc.before, tc.now, "page")
		changed := 0
		for _, chunk := range parsed.Files[0].Chunks {
			for _, line := range chunk.Changes {
				if !line.Normal {
					changed++
				}
			}
		}
		if cut || changed > tc.most || changed == 0 {
			t.Errorf("%s: %d lines changed, want %d at most", name, changed, tc.most)
		}
		check(t, tc.before, tc.now, text, parsed)
	}
}

func numbered(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", word, i)
	}
	return b.String()
}

// TestRandom compares with the smallest diff there is.
func TestRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	sum, least := 0, 0
	for range 3000 {
		letters := 2 + r.IntN(8)
		before, now := scribble(r, letters), scribble(r, letters)
		text, parsed, _ := change.Diff(before, now, "page")
		check(t, before, now, text, parsed)
		if t.Failed() {
			t.Fatalf("before %q now %q\n%s", before, now, text)
		}
		for _, file := range parsed.Files {
			for _, chunk := range file.Chunks {
				for _, line := range chunk.Changes {
					if !line.Normal && len(line.Content) > 1 {
						sum++
					}
				}
			}
		}
		least += smallest(strings.Fields(before), strings.Fields(now))
	}
	if float64(sum) > 1.1*float64(least) {
		t.Errorf("%d lines where %d would do", sum, least)
	}
}

// scribble returns a text of a few lines with a letter each.
func scribble(r *rand.Rand, letters int) string {
	var b strings.Builder
	for range r.IntN(30) {
		switch r.IntN(6) {
		case 0:
			b.WriteString("\n")
		default:
			b.WriteString(string(rune('a'+r.IntN(letters))) + "\n")
		}
	}
	return b.String()
}

// smallest returns how many lines the smallest diff has that went or came.
func smallest(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		last := row[0]
		row[0] = i + 1
		for j := range b {
			next := min(row[j], row[j+1]) + 1
			if a[i] == b[j] {
				next = last
			}
			last, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// lined returns the lines of a text without their ends.
func lined(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		list = append(list, strings.TrimRight(line, "\r\n"))
	}
	return list
}

// words returns lines with the space in them made even, without empty ones.
func words(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// check applies a diff to the text before and compares with the text now, and the
// text of the diff with its parts.
func check(t testing.TB, before, now, text string, parsed *trawl.Diff) {
	t.Helper()
	a, b := lined(before), lined(now)
	var applied []string
	at := 0
	var parts strings.Builder
	for _, file := range parsed.Files {
		parts.WriteString("--- " + file.From + "\n+++ " + file.To + "\n")
		for _, chunk := range file.Chunks {
			parts.WriteString(chunk.Content + "\n")
			start := checkChunk(t, a, b, chunk)
			applied = append(applied, a[at:start]...)
			at = start
			for _, line := range chunk.Changes {
				parts.WriteString(line.Content + "\n")
				if !line.Added {
					at++
				}
				if !line.Deleted {
					applied = append(applied, line.Content[1:])
				}
			}
		}
	}
	applied = append(applied, a[at:]...)
	if got, want := words(applied), words(b); got != want {
		t.Errorf("applied it is\n%.2000s\nand not\n%.2000s", got, want)
	}
	if text != parts.String() {
		t.Errorf("the text and its parts differ:\n%.2000s\n%.2000s", text, parts.String())
	}
}

// checkChunk compares the lines of a chunk with those of the texts and its heading
// with its lines. It returns how many lines of the text before are above it.
func checkChunk(t testing.TB, a, b []string, chunk trawl.DiffChunk) (above int) {
	t.Helper()
	same := func(content, line string) bool {
		return content[1:] == line || strings.TrimSpace(content[1:]+line) == ""
	}
	before, now, changes := 0, 0, 0
	first, firstNow := 0, 0
	for _, line := range chunk.Changes {
		i, j := line.Before, line.Now
		switch {
		case line.Added:
			changes, j = changes+1, line.Line
		case line.Deleted:
			changes, i = changes+1, line.Line
		}
		if i > 0 {
			before++
			first = max(first, i-before+1)
			if first != i-before+1 || line.Deleted && !same(line.Content, a[i-1]) {
				t.Fatalf("line %d before is not %q", i, line.Content)
			}
		}
		if j > 0 {
			now++
			firstNow = max(firstNow, j-now+1)
			if firstNow != j-now+1 || !same(line.Content, b[j-1]) {
				t.Fatalf("line %d now is not %q", j, line.Content)
			}
		}
		if line.Normal && words(a[i-1:i]) != words(b[j-1:j]) {
			t.Fatalf("%q is not %q", a[i-1], b[j-1])
		}
	}
	var gotFirst, gotBefore, gotFirstNow, gotNow int
	heading := chunk.Content
	for _, side := range []string{"-", "+"} {
		// A count of 1 is left out.
		i := strings.Index(heading, " "+side) + 1
		field, rest, _ := strings.Cut(heading[i:], " ")
		if !strings.Contains(field, ",") {
			heading = heading[:i] + field + ",1 " + rest
		}
	}
	if _, err := fmt.Sscanf(heading, "@@ -%d,%d +%d,%d @@", &gotFirst, &gotBefore, &gotFirstNow, &gotNow); err != nil {
		t.Fatalf("heading %q: %v", chunk.Content, err)
	}
	if gotBefore != before || gotNow != now || before > 0 && gotFirst != first || now > 0 && gotFirstNow != firstNow || changes == 0 {
		t.Fatalf("heading %q for %d lines from %d before and %d from %d now", chunk.Content, before, first, now, firstNow)
	}
	if before == 0 {
		return gotFirst
	}
	return gotFirst - 1
}

func FuzzDiff(f *testing.F) {
	f.Add("", "a")
	f.Add("a\n\n b\r\nc", "a\nb  \n\n\nd\n")
	f.Add("x\nx\ny\nx\nz", "x\ny\ny\nx\n\xff\n")
	f.Add(strings.Repeat("a\nb\n", 40), strings.Repeat("b\na\na\n", 30))
	f.Fuzz(func(t *testing.T, before, now string) {
		text, parsed, cut := change.Diff(before, now, "page")
		if !cut {
			check(t, before, now, text, parsed)
		}
		if text == "" && change.Digest(before) != change.Digest(now) {
			t.Fatal("different texts have no diff")
		}
		if change.Digest(before) != change.Digest(strings.ReplaceAll(before, "\n", " \r\n\n")) {
			t.Fatal("other line breaks give another digest")
		}
	})
}

// Shapes that are hard for one way or another to find what stays.
func shapes(size int) map[string][2]string {
	fill := func(line func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(line(i) + "\n")
		}
		return b.String()
	}
	r := rand.New(rand.NewPCG(3, 4))
	random := func(letters int) func(int) string {
		return func(int) string { return string(rune('a' + r.IntN(letters))) }
	}
	plain := fill(func(i int) string { return fmt.Sprintf("Line %d of a page with some words.", i) })
	half := strings.Index(plain[size/2:], "\n") + size/2 + 1
	return map[string][2]string{
		"different":    {plain, fill(func(i int) string { return fmt.Sprintf("Other line %d of a page.", i) })},
		"one line":     {strings.Repeat("word ", size/5), strings.Repeat("drow ", size/5)},
		"empty lines":  {strings.Repeat("\n", size), strings.Repeat(" \n", size/2) + "a"},
		"same letter":  {strings.Repeat("a\n", size/2), strings.Repeat("a\n", size/4) + "b\n" + strings.Repeat("a\n", size/4)},
		"other letter": {strings.Repeat("a\n", size/2), strings.Repeat("b\n", size/2)},
		"two letters":  {fill(random(2)), fill(random(2))},
		"26 letters":   {fill(random(26)), fill(random(26))},
		"mostly one":   {fill(func(i int) string { return "ab"[min(1, i%1000):][:1] }), fill(func(i int) string { return "ab"[min(1, i%1001):][:1] })},
		"few words":    {fill(func(int) string { return fmt.Sprint(r.IntN(1000)) }), fill(func(int) string { return fmt.Sprint(r.IntN(1000)) })},
		"most twice":   {fill(func(i int) string { return fmt.Sprint(i * 7919 % 100_003) }), fill(func(i int) string { return fmt.Sprint(i * 104_729 % 100_003) })},
		"shifted":      {plain, plain[half:] + plain[:half]},
		"backwards":    {plain, fill(func(i int) string { return fmt.Sprintf("Line %d of a page with some words.", 130_000-i) })},
		"every tenth":  {plain, fill(func(i int) string { return fmt.Sprintf("Line %d of a page with some words.", i-i%10/9) })},
		"spaces":       {strings.ReplaceAll(plain, " ", "   "), strings.ReplaceAll(plain, " ", "\t")},
	}
}

func TestShapes(t *testing.T) {
	t.Parallel()
	for name, texts := range shapes(100_000) {
		text, parsed, cut := change.Diff(texts[0], texts[1], name)
		if !cut {
			check(t, texts[0], texts[1], text, parsed)
		}
	}
}

// BenchmarkDiff compares two documents of 5 MB.
func BenchmarkDiff(b *testing.B) {
	for name, texts := range shapes(5 << 20) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				change.Diff(texts[0], texts[1], "page")
			}
		})
	}
}

func BenchmarkDigest(b *testing.B) {
	text := strings.Repeat("some words of a page\n", 5<<20/21)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		change.Digest(text)
	}
}
