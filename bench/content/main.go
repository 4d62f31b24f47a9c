// Command content measures how fast pages are turned into everything that is
// asked of them, next to other extractors and to a bare HTML parser, all in one
// run, and writes what the extractors found.
//
//	cd bench/content && go run . -pages FOLDER [-out FOLDER] [-rounds 3]
//
// FOLDER holds a folder for each set of pages, SET/pages/ID.html. It is a module
// of its own, so that what it compares with is no dependency of the service.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"codeberg.org/readeck/go-readability"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/fetch"
)

const address = "https://example.com/page"

// extractor turns a page into text or markdown.
type extractor struct {
	name    string
	suffix  string // of the files it writes, or "" if there is nothing to write
	extract func(page []byte) string
}

var extractors = []extractor{
	{"x/net/html.Parse alone", "", func(page []byte) string {
		if _, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(false)); err != nil {
			return err.Error()
		}
		return ""
	}},
	{"trawl", ".md", everything},
	{"go-readability", ".txt", func(page []byte) string {
		u, err := url.Parse(address)
		if err != nil {
			return ""
		}
		article, err := readability.FromReader(bytes.NewReader(page), u)
		if err != nil {
			return ""
		}
		return article.TextContent
	}},
	{"go-trafilatura", ".txt", func(page []byte) string {
		result, err := trafilatura.Extract(bytes.NewReader(page), trafilatura.Options{EnableFallback: true, ExcludeComments: true})
		if err != nil || result == nil {
			return ""
		}
		return result.ContentText
	}},
}

// everything is what a scrape with all formats of the page takes.
func everything(body []byte) string {
	page := content.Parse(content.Source{Body: body, ContentType: "text/html", URL: address})
	selection, err := page.Select(content.Options{OnlyMain: true, RemoveBase64: true})
	if err != nil {
		return ""
	}
	page.Links()
	page.Images()
	page.Metadata()
	return selection.Markdown()
}

// page is a saved page in UTF-8.
type page struct {
	set, id string
	body    []byte
}

func main() {
	folder := flag.String("pages", "", "folder with the sets of pages")
	out := flag.String("out", "", "where to write what was extracted, a folder per extractor")
	rounds := flag.Int("rounds", 3, "how often to go through all pages; the fastest time of each page counts")
	only := flag.String("only", "", "extractors to run, by name, with commas between them")
	flag.Parse()
	pages, err := readPages(*folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, "content:", err)
		os.Exit(1)
	}
	chosen := slices.DeleteFunc(slices.Clone(extractors), func(e extractor) bool {
		return *only != "" && !slices.Contains(strings.Split(*only, ","), e.name)
	})
	measure(pages, chosen, *rounds)
	if *out != "" {
		if err := write(*out, pages, chosen); err != nil {
			fmt.Fprintln(os.Stderr, "content:", err)
			os.Exit(1)
		}
	}
}

func readPages(folder string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "pages", "*.html"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no pages in %s: %w", folder, err)
	}
	pages := make([]page, len(files))
	for i, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		pages[i] = page{
			set: filepath.Base(filepath.Dir(filepath.Dir(file))), id: strings.TrimSuffix(filepath.Base(file), ".html"),
			body: fetch.Text(body, "text/html"),
		}
	}
	return pages, nil
}

// measure goes through the pages in rounds, each page through all extractors in
// turn, so that a machine that changes its pace changes it for all.
func measure(pages []page, chosen []extractor, rounds int) {
	times := make([][]time.Duration, len(chosen))
	allocations := make([]uint64, len(chosen))
	memory := make([]uint64, len(chosen))
	total := 0
	for e := range chosen {
		times[e] = make([]time.Duration, len(pages))
	}
	for round := range rounds {
		for i := range pages {
			for e := range chosen {
				var before, after runtime.MemStats
				if round == 0 {
					total += len(pages[i].body)
					runtime.ReadMemStats(&before)
				}
				start := time.Now()
				chosen[e].extract(pages[i].body)
				took := time.Since(start)
				if round == 0 {
					runtime.ReadMemStats(&after)
					allocations[e] += after.Mallocs - before.Mallocs
					memory[e] += after.TotalAlloc - before.TotalAlloc
				}
				if times[e][i] == 0 || took < times[e][i] {
					times[e][i] = took
				}
			}
		}
	}
	report(chosen, times, allocations, memory, total/len(chosen))
}

func report(chosen []extractor, times [][]time.Duration, allocations, memory []uint64, total int) {
	fmt.Println("| extractor | ms a page | against x/net parse | p99 ms | worst ms | allocations a page | bytes allocated / page bytes |")
	fmt.Println("|---|---|---|---|---|---|---|")
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	var base time.Duration
	for e := range chosen {
		sorted := slices.Sorted(slices.Values(times[e]))
		var sum time.Duration
		for _, d := range sorted {
			sum += d
		}
		if e == 0 {
			base = sum
		}
		n := len(sorted)
		fmt.Printf("| %s | %.2f | %.2f | %.1f | %.1f | %d | %.1f |\n", chosen[e].name, ms(sum)/float64(n), float64(sum)/float64(base),
			ms(sorted[n*99/100]), ms(sorted[n-1]), allocations[e]/uint64(n), float64(memory[e])/float64(total))
	}
}

func write(out string, pages []page, chosen []extractor) error {
	for _, e := range chosen {
		if e.suffix == "" {
			continue
		}
		for i := range pages {
			folder := filepath.Join(out, e.name, pages[i].set)
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(folder, pages[i].id+e.suffix), []byte(e.extract(pages[i].body)), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
