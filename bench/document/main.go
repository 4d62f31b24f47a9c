// Command document measures the reading of files: what it costs, how much memory
// it takes, and how near it comes to reference texts.
//
//	go run ./bench/document -files FOLDER [-out FOLDER] [-rounds 3]
//
// FOLDER holds a folder for each kind of files (pdf, docx, rtf, …), and beside a
// file NAME its reference NAME.ref.md or NAME.ref.txt if there is one; the folder
// pdf-olmocr has claims about its pages in dataset.jsonl. The markdown of every
// file goes to the folder named by -out, for scorers of structure.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/document"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == document.WorkerArgument {
		if err := document.Work(context.Background(), os.Stdin, os.Stdout, os.Args[2:]); err != nil {
			os.Exit(1)
		}
		return
	}
	files := flag.String("files", "", "folder with a folder for each kind of files")
	out := flag.String("out", "", "folder for the markdown")
	rounds := flag.Int("rounds", 3, "how often the text pages are read for the speed")
	flag.Parse()
	if err := run(context.Background(), *files, *out, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// timeout is what a file may take.
const timeout = 60 * time.Second

// sample is a file and what became of it.
type sample struct {
	set, name string
	body      []byte
	reference string
	markdown  string
	code      trawl.Code
	took      time.Duration
	memory    int64 // most that the worker had, in bytes
	pages     int
}

func run(ctx context.Context, folder, out string, rounds int) error {
	samples, err := load(folder)
	if err != nil {
		return err
	}
	cache, err := os.MkdirTemp("", "document-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	tesseract, _ := exec.LookPath("tesseract")
	pool := document.NewPool(document.Config{Workers: 1, Cache: cache, Tesseract: tesseract, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	defer pool.Close()
	for _, s := range samples {
		s.read(ctx, pool)
		if err := s.save(out); err != nil {
			return err
		}
	}
	report(samples)
	if err := reportClaims(samples, filepath.Join(folder, "pdf-olmocr", "dataset.jsonl")); err != nil {
		fmt.Println("claims:", err)
	}
	speed(ctx, pool, samples, rounds)
	return nil
}

func load(folder string) ([]*sample, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no files in %s: %w", folder, cmp.Or(err, os.ErrNotExist))
	}
	var list []*sample
	for _, path := range paths {
		if strings.Contains(path, ".ref.") || strings.HasSuffix(path, ".jsonl") {
			continue
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s := &sample{set: filepath.Base(filepath.Dir(path)), name: filepath.Base(path), body: body}
		for _, suffix := range []string{".ref.md", ".ref.txt"} {
			if text, err := os.ReadFile(path + suffix); err == nil {
				s.reference = string(text)
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// read reads the file as the service does.
func (s *sample) read(ctx context.Context, pool *document.Pool) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	resetPeaks()
	start := time.Now()
	html := s.body
	if kind := document.Sniff(s.body, s.name, ""); kind != document.HTML {
		result, err := pool.Read(ctx, kind, s.body, document.Options{Mode: "auto"})
		s.took, s.memory = time.Since(start), peak()
		if err != nil {
			s.code = trawl.ErrorCode(err)
			return
		}
		html, s.pages = result.HTML, len(result.Pages)
	}
	s.markdown = markdown(html)
	s.took = time.Since(start)
}

func markdown(html []byte) string {
	selection, err := content.Parse(content.Source{Body: html, ContentType: "text/html; charset=utf-8"}).Select(content.Options{RemoveBase64: true, Document: true})
	if err != nil {
		return ""
	}
	return selection.Markdown()
}

func (s *sample) save(out string) error {
	if out == "" || s.code != "" {
		return nil
	}
	folder := filepath.Join(out, s.set)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, strings.TrimSuffix(s.name, filepath.Ext(s.name))+".md"), []byte(s.markdown), 0o644)
}

// report prints a line for each set.
func report(samples []*sample) {
	sets := map[string][]*sample{}
	for _, s := range samples {
		sets[s.set] = append(sets[s.set], s)
	}
	fmt.Printf("%-12s %5s %6s %8s %8s %9s  %s\n", "set", "files", "failed", "p50 ms", "max ms", "p99 MB", "against the references")
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		set := sets[name]
		var took []time.Duration
		var memory []int64
		failed := map[trawl.Code]int{}
		for _, s := range set {
			took, memory = append(took, s.took), append(memory, s.memory)
			if s.code != "" {
				failed[s.code]++
			}
		}
		slices.Sort(took)
		slices.Sort(memory)
		fmt.Printf("%-12s %5d %6d %8.1f %8.1f %9.0f  %s %v\n", name, len(set), sum(failed), ms(took[len(took)/2]), ms(took[len(took)-1]),
			float64(memory[(len(memory)*99-1)/100])/(1<<20), nearness(set), failed)
	}
}

func sum(counts map[trawl.Code]int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// nearness compares a set with its references: spreadsheets by their cells, all
// else by words.
func nearness(set []*sample) string {
	var recall, precision float64
	n := 0
	count, unit := words, "words"
	if strings.HasPrefix(set[0].set, "xls") {
		count, unit = cells, "cells"
	}
	for _, s := range set {
		if s.reference == "" {
			continue
		}
		n++
		r, p := compare(count(s.markdown), count(s.reference))
		recall, precision = recall+r, precision+p
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d: %s recall %.3f precision %.3f", n, unit, recall/float64(n), precision/float64(n))
}

func reportClaims(samples []*sample, path string) error {
	claims, err := readClaims(path)
	if err != nil {
		return err
	}
	text := map[string]string{}
	for _, s := range samples {
		if s.set == "pdf-olmocr" {
			text[s.name] = s.markdown
		}
	}
	held, all := map[string]int{}, map[string]int{}
	total := 0
	for _, c := range claims {
		all[c.Type]++
		if c.holds(text[c.PDF]) {
			held[c.Type]++
			total++
		}
	}
	fmt.Printf("claims that hold: %d of %d", total, len(claims))
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		fmt.Printf(", %s %d/%d", kind, held[kind], all[kind])
	}
	fmt.Println()
	return nil
}
