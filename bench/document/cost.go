package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/document"
)

// speed reads the PDF files whose pages are text again and again, and prints what
// a page costs.
func speed(ctx context.Context, pool *document.Pool, samples []*sample, rounds int) {
	var short, long []*sample
	for _, s := range samples {
		switch { // what took longer was recognised
		case s.set == "bad" || s.pages == 0 || len(strings.Fields(s.markdown)) < 100*s.pages || s.took > time.Second:
		case s.pages < 10:
			short = append(short, s)
		default:
			long = append(long, s)
		}
	}
	cost(ctx, pool, "of less than ten pages", short, rounds)
	cost(ctx, pool, "of ten pages or more", long, 10*rounds)
	first(ctx, pool, short)
}

// cost prints what a page of some files costs the worker, and what it costs to turn
// it into markdown.
func cost(ctx context.Context, pool *document.Pool, which string, files []*sample, rounds int) {
	pages := 0
	before, own := childTime(), ownTime()
	for range rounds {
		for _, s := range files {
			result, err := pool.Read(ctx, document.PDF, s.body, document.Options{Mode: "fast"})
			if err != nil {
				continue
			}
			markdown(result.HTML)
			pages += len(result.Pages)
		}
	}
	if pages == 0 {
		return
	}
	workers, here := childTime()-before, ownTime()-own
	fmt.Printf("%d files %s: %.0f pages per CPU-second (a page takes %.2f ms in the worker, %.2f ms after it)\n", len(files), which,
		float64(pages)/(workers+here).Seconds(), ms(workers)/float64(pages), ms(here)/float64(pages))
}

// first prints how long it takes until a file of one page is read, by a worker
// that is there.
func first(ctx context.Context, pool *document.Pool, texts []*sample) {
	var took []time.Duration
	for _, s := range texts {
		if s.pages != 1 {
			continue
		}
		for range 20 {
			start := time.Now()
			result, err := pool.Read(ctx, document.PDF, s.body, document.Options{Mode: "fast"})
			if err != nil {
				continue
			}
			markdown(result.HTML)
			took = append(took, time.Since(start))
		}
	}
	if slices.Sort(took); len(took) > 0 {
		fmt.Printf("files of one page: p50 %.1f ms, p95 %.1f ms\n", ms(took[len(took)/2]), ms(took[len(took)*95/100]))
	}
}

// children lists the worker processes.
func children() []string {
	var list []string
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	self := strconv.Itoa(os.Getpid())
	for _, path := range stats {
		if fields := statOf(path); len(fields) > 1 && fields[1] == self {
			list = append(list, filepath.Dir(path))
		}
	}
	return list
}

// statOf returns the fields of a stat file that follow the name of the program.
func statOf(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}

// resetPeaks makes the peak of memory begin anew.
func resetPeaks() {
	for _, folder := range children() {
		_ = os.WriteFile(filepath.Join(folder, "clear_refs"), []byte("5"), 0)
	}
}

// peak is the most memory that a worker had since then.
func peak() (most int64) {
	for _, folder := range children() {
		text, err := os.ReadFile(filepath.Join(folder, "status"))
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), "VmHWM:")
		if fields := strings.Fields(rest); len(fields) > 0 {
			kb, _ := strconv.ParseInt(fields[0], 10, 64)
			most = max(most, kb<<10)
		}
	}
	return most
}

// tick is the unit of processor time in stat files.
const tick = 10 * time.Millisecond

// childTime is what the workers have taken of the processor, those that live and
// those that have ended.
func childTime() time.Duration {
	var ended syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &ended); err != nil {
		return 0
	}
	total := time.Duration(ended.Utime.Nano() + ended.Stime.Nano())
	for _, folder := range children() {
		total += timeOf(filepath.Join(folder, "stat"))
	}
	return total
}

func ownTime() time.Duration { return timeOf("/proc/self/stat") }

func timeOf(path string) time.Duration {
	fields := statOf(path)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}
