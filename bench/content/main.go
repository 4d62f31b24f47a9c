// Command content measures how fast pages are turned into everything that is
// asked of them, next to other extractors and to a bare HTML parser, all in one
// run, and writes what the extractors found.
//
//	cd bench/content && go run . -pages FOLDER [-out FOLDER] [-rounds 3]
//	cd bench/content && go run . -docs FOLDER [-packages] [-out FOLDER] [-rounds 3]
//
// With -pages, FOLDER holds a folder for each set of pages, SET/pages/ID.html.
// With -docs, it holds pages of documentation, pages/ID.html, and their references
// in truth.jsonl, and how well they are read is scored too. It is a module of its
// own, so that what it compares with is no dependency of the service.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

// settings is what the command line chooses.
type settings struct {
	pages, docs, out string
	rounds           int
	only             string
	packages         bool
}

func main() {
	var s settings
	flag.StringVar(&s.pages, "pages", "", "folder with the sets of pages")
	flag.StringVar(&s.docs, "docs", "", "folder with pages of documentation and their references")
	flag.BoolVar(&s.packages, "packages", false, "with -docs: score trawl by package too")
	flag.StringVar(&s.out, "out", "", "where to write what was extracted, a folder per extractor")
	flag.IntVar(&s.rounds, "rounds", 3, "how often to go through all pages; the fastest time of each page counts")
	flag.StringVar(&s.only, "only", "", "extractors to run beside the parser, by name, with commas between them")
	flag.Parse()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "content:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	if (s.pages == "") == (s.docs == "") || s.rounds < 1 {
		return errors.New("give either -pages or -docs, and at least one round")
	}
	pages, err := read(s)
	if err != nil {
		return err
	}
	chosen := choose(strings.FieldsFunc(s.only, func(r rune) bool { return r == ',' }))
	m := measure(pages, chosen, s.rounds)
	if s.docs == "" {
		m.printSpeed(os.Stdout)
	} else {
		m.printScores(os.Stdout, s.packages)
	}
	m.printWorst(os.Stdout)
	if s.out == "" {
		return nil
	}
	return m.write(s.out)
}

func read(s settings) ([]page, error) {
	if s.docs != "" {
		return readDocs(s.docs)
	}
	return readPages(s.pages)
}
