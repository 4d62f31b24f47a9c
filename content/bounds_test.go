package content_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/content"
)

// formats writes a page in every way there is.
func formats(page *content.Page) (markdown string) {
	main := content.Options{OnlyMain: true, RemoveBase64: true}
	markdown = asMarkdown(page, content.Options{})
	asMarkdown(page, main)
	asHTML(page, main)
	asHTML(page, content.Options{Exclude: []string{"p:nth-child(2)", ".x"}, Include: []string{"div", "p"}})
	page.Links()
	page.Images()
	page.Metadata()
	return markdown
}

func TestDeepNesting(t *testing.T) {
	t.Parallel()
	const depth = 100_000
	for _, tag := range []string{"div", "b", "ul><li", "blockquote", "table><tr><td", "a href=x", "font", "span", "pre", "svg", "x-y", "template", "noscript", "dl><dt", "form><div"} {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			body := "start" + strings.Repeat("<"+tag+">", depth) + "bottom"
			page := parse(body)
			markdown := formats(page)
			if tag != "template" && tag != "svg" && tag != "noscript" && !strings.Contains(markdown, "bottom") {
				t.Errorf("text at the bottom is lost: %.200q", markdown)
			}
			if len(markdown) > 10*len(body) {
				t.Errorf("%d bytes of markdown from %d", len(markdown), len(body))
			}
		})
	}
}

// TestManyNotes is a matter of finishing: the labels of half of the notes are
// taken, and looking for free ones anew each time would take an hour.
func TestManyNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const notes = 200_000
	var body strings.Builder
	for i := range notes {
		fmt.Fprintf(&body, `<sup><a href="#n%d">%d</a></sup><p class="footnote" id="n%d">x</p>`, i, notes/2+i%(notes/2), i)
	}
	markdown := asMarkdown(parse(body.String()), content.Options{})
	if n := strings.Count(markdown, "]: x"); n != notes {
		t.Errorf("%d of %d notes", n, notes)
	}
}

func TestNestedListsStayReadable(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("<ul><li>x", 200) + strings.Repeat("<li>y</li>", 1000)
	markdown := asMarkdown(parse(body), content.Options{})
	for line := range strings.SplitSeq(markdown, "\n") {
		if len(line) > 80 {
			t.Fatalf("a line of %d bytes: %q", len(line), line)
		}
	}
}

// spent returns the processor time that something takes, which does not depend on
// what else the machine does.
func spent(t *testing.T, do func()) time.Duration {
	t.Helper()
	runtime.GC()
	now := func() time.Duration {
		var usage syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
			t.Fatal(err)
		}
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	began := now()
	do()
	return now() - began
}

// TestManySiblings has pages with very much of the same. Four times as much of it
// takes about four times as long; sixteen times would be work that grows with the
// square, and hours for a large page.
func TestManySiblings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const few, many, most = 12_500, 50_000, 10
	for name, unit := range map[string]string{
		"paragraphs": "<p>x", "items": "<li>x", "cells": "<table><td>x", "rows": "<tr><td>x<td>y", "links": "<a href=x>x</a>", "breaks": "<br>",
		"text": "x &lt; ", "brackets": "[x](", "nested ends": "</b></td></object>",
	} {
		t.Run(name, func(t *testing.T) {
			take := func(n int) time.Duration {
				return spent(t, func() { formats(parse("<table>" + strings.Repeat(unit, n))) })
			}
			first := max(take(few), 100*time.Millisecond)
			if second := take(many); second > most*first {
				t.Errorf("%d take %v, %d take %v", few, first, many, second)
			}
		})
	}
}

// TestReopenedFormatting feeds pages on which the HTML5 algorithm makes
// hundreds of elements out of every few bytes. It measures memory, so it runs
// by itself.
func TestReopenedFormatting(t *testing.T) {
	for name, closing := range map[string]string{
		"plain": "", "comments": "<!-- </b> -->", "attributes": `<p title="</b>">`, "cells": "<table><td></b></table>",
		"objects": "<object></b></object>", "scripts": "<script></b></script>", "selects": "<select></b></select>",
	} {
		t.Run(name, func(t *testing.T) {
			var body strings.Builder
			body.WriteString("<p>")
			for i := range 400 {
				fmt.Fprintf(&body, "<b id=%d>%s", i, closing)
			}
			body.WriteString(strings.Repeat("<p>x", 20_000))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			parse(body.String())
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
				t.Errorf("%d MiB allocated for %d KiB", used>>20, body.Len()>>10)
			}
		})
	}
}

func TestHugeSpans(t *testing.T) {
	t.Parallel()
	row := "<tr>" + strings.Repeat(`<td colspan="1000" rowspan="65000">x`, 500) + "<th>y"
	markdown := asMarkdown(parse("<table>"+strings.Repeat(row, 50)), content.Options{})
	if len(markdown) == 0 || len(markdown) > 10<<20 {
		t.Errorf("%d bytes of markdown", len(markdown))
	}
}

func TestLongBase(t *testing.T) {
	t.Parallel()
	var body strings.Builder
	body.WriteString(`<base href="/` + strings.Repeat("x", 15_000) + `/"><div>`)
	for i := range 20_000 {
		fmt.Fprintf(&body, `<a href=%d>l</a> `, i)
	}
	page := parse(body.String())
	for format, size := range map[string]int{
		"markdown": len(asMarkdown(page, content.Options{})),
		"html":     len(asHTML(page, content.Options{})),
		"links":    len(strings.Join(page.Links(), "")),
	} {
		if size > 65<<20 {
			t.Errorf("%d MiB of %s from %d KiB", size>>20, format, body.Len()>>10)
		}
	}
	if out := asHTML(page, content.Options{}); !strings.HasSuffix(out, "</div>") {
		t.Errorf("html that is cut off ends in %q", out[len(out)-20:])
	}
}

// TestConcurrentReaders relies on the race detector.
func TestConcurrentReaders(t *testing.T) {
	t.Parallel()
	page := parse(samplePage())
	want := formats(page)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := formats(page); got != want {
				t.Error("two readers of one page got different markdown")
			}
		})
	}
	wg.Wait()
}
