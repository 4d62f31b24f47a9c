// Command make makes PDF files whose text is known, to measure the reading of PDF
// files with.
//
//	go run ./bench/document/make -out FOLDER [-html FOLDER,FOLDER] [-seed 1] [-reports 100] [-pages 60]
//
// It writes reports that it makes up, with tables as statistics offices print them,
// printed by Chromium (tables) and by pdflatex (latex) if that is installed; and the
// main content of HTML pages, printed by Chromium with a structure tree (tagged) and
// without (pages). Each set is in two halves, which share no source and not all
// styles: rules are made with NAME-tune in view, and judged by NAME-hold. Beside
// NAME.pdf stands its text as NAME.pdf.ref.md, which is what package content makes of
// the same HTML.
package main

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/content"
)

func main() {
	out := flag.String("out", "", "folder for the files")
	html := flag.String("html", "", "folders with HTML pages, separated by commas")
	seed := flag.Uint64("seed", 1, "of all that is left to chance")
	reports := flag.Int("reports", 100, "reports that are made up, for each half and program")
	pages := flag.Int("pages", 60, "pages that are printed, for each half")
	flag.Parse()
	if err := run(context.Background(), *out, *html, *seed, *reports, *pages); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// halves are the two parts of each set.
var halves = [2]string{"tune", "hold"}

func run(ctx context.Context, out, html string, seed uint64, reports, pages int) error {
	p, err := newPrinter(ctx)
	if err != nil {
		return err
	}
	defer p.close()
	for half, name := range halves {
		for i := range reports {
			random := rand.New(rand.NewPCG(seed, uint64(i*2+half)))
			r := makeReport(random)
			s := newStyle(random, half == 1)
			pdf, err := p.print(ctx, r.html(s), s, false)
			if err == nil {
				fmt.Printf("tables-%s/report%03d: %d columns, %s\n", name, i, s.columns, strings.Join(s.tables, ", "))
				err = save(out, "tables-"+name, fmt.Sprintf("report%03d", i), pdf, markdown(r.html(nil)))
			}
			if err != nil {
				return err
			}
		}
	}
	if err := typeset(ctx, out, seed, reports); err != nil {
		return err
	}
	return printPages(ctx, p, out, html, seed, pages)
}

// printPages prints the main content of HTML pages.
func printPages(ctx context.Context, p *printer, out, folders string, seed uint64, most int) error {
	var paths [2][]string
	for _, folder := range strings.Split(folders, ",") {
		list, err := htmlFiles(folder)
		if err != nil {
			return err
		}
		for _, path := range list {
			paths[hash(filepath.Base(path))%2] = append(paths[hash(filepath.Base(path))%2], path)
		}
	}
	for half, name := range halves {
		random := rand.New(rand.NewPCG(seed, 1<<32+uint64(half)))
		slices.Sort(paths[half])
		random.Shuffle(len(paths[half]), func(i, j int) { paths[half][i], paths[half][j] = paths[half][j], paths[half][i] })
		n := 0
		for _, path := range paths[half] {
			if n == most {
				break
			}
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			main := mainContent(body)
			if main == "" {
				continue
			}
			n++
			s := newStyle(random, half == 1)
			for _, tagged := range [2]bool{false, true} {
				pdf, err := p.print(ctx, s.page(main), s, tagged)
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				set := map[bool]string{false: "pages-", true: "tagged-"}[tagged] + name
				base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
				if err := save(out, set, base[:min(len(base), 40)], pdf, markdown(main)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return h.Sum64() >> 32
}

// markdown returns what is expected of a reader.
func markdown(html string) string {
	selection, err := content.Parse(content.Source{Body: []byte(html), ContentType: "text/html; charset=utf-8"}).Select(content.Options{RemoveBase64: true, Document: true})
	if err != nil {
		return ""
	}
	return selection.Markdown()
}

func save(out, set, name string, pdf []byte, reference string) error {
	folder := filepath.Join(out, set)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	path := filepath.Join(folder, name+".pdf")
	if err := os.WriteFile(path, pdf, 0o644); err != nil {
		return err
	}
	return os.WriteFile(path+".ref.md", []byte(reference+"\n"), 0o644)
}
