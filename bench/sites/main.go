// Command sites crawls whole sites of documentation with a built trawl binary and
// scores the pages that have a reference:
//
//	go run ./bench/sites -binary ./bin/trawl -docs FOLDER [-limit 600] [-only PACKAGE,...]
//
// FOLDER holds the files of each package below debs/PACKAGE, and the references in
// truth.jsonl. Each package is a site of its own on loopback. It is crawled from
// its index page, markdown only. Pages with a reference that the crawl did not
// come to, because of its limit or because nothing links to them, are scraped in
// a batch. Everything else is as the service does it by default.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/bench/score"
)

// settings is what the command line chooses.
type settings struct {
	binary, docs, out string
	limit, parallel   int
	only              string
	starts            map[string]string // by package, instead of what is found
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := settings{starts: map[string]string{}}
	flag.StringVar(&s.binary, "binary", "./bin/trawl", "the program to run")
	flag.StringVar(&s.docs, "docs", "", "folder with packages of documentation and their references")
	flag.StringVar(&s.out, "out", "", "where to write the markdown of the pages with a reference")
	flag.IntVar(&s.limit, "limit", 600, "most pages of a crawl")
	flag.IntVar(&s.parallel, "parallel", 50, "pages at the same time")
	flag.StringVar(&s.only, "only", "", "packages, with commas between them")
	flag.Func("start", "PACKAGE=PATH: where to start instead of the index page that leads to most references", func(value string) error {
		name, path, ok := strings.Cut(value, "=")
		if !ok {
			return errors.New("want PACKAGE=PATH")
		}
		s.starts[name] = path
		return nil
	})
	flag.Parse()
	if err := run(ctx, s, os.Stdout); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "sites:", err)
		os.Exit(1)
	}
}

// run crawls one site after the other with one server.
func run(ctx context.Context, s settings, w io.Writer) error {
	packages, err := readPackages(s.docs, s.only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "trawl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, err := startServer(ctx, s.binary, dir, s.parallel)
	if err != nil {
		return err
	}
	results, err := crawlAll(ctx, s, server, packages)
	printResults(w, results)
	return errors.Join(err, server.stop())
}

// readPackages returns the references of each package.
func readPackages(folder, only string) (map[string][]score.Reference, error) {
	references, err := score.ReadReferences(folder)
	if err != nil {
		return nil, err
	}
	packages := map[string][]score.Reference{}
	for _, r := range references {
		if only == "" || slices.Contains(strings.Split(only, ","), r.Type) {
			packages[r.Type] = append(packages[r.Type], r)
		}
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("no references of %q in %s", only, folder)
	}
	return packages, nil
}

// crawlAll returns the results of the sites before one that failed too.
func crawlAll(ctx context.Context, s settings, server *server, packages map[string][]score.Reference) ([]result, error) {
	var results []result
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		site, err := openSite(filepath.Join(s.docs, "debs", name))
		if err != nil {
			return results, err
		}
		r := result{name: name, start: s.starts[name], references: packages[name]}
		if r.start == "" {
			r.start = site.findStart(r.references)
		}
		err = r.crawl(ctx, server, site, s.limit)
		site.close()
		if err == nil && s.out != "" {
			err = r.write(s.out)
		}
		if err != nil {
			return results, fmt.Errorf("%s: %w", name, err)
		}
		results = append(results, r)
	}
	return results, nil
}
