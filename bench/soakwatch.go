package main

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	_ "modernc.org/sqlite" // rows are counted in the file
)

// looks is how often a service is looked at in the course of a soak.
const looks = 60

// sample is what a service holds at a moment.
type sample struct {
	at     time.Duration
	values [len(held)]float64
}

// held are the things that are looked at.
var held = [...]string{
	"resident MB", "heap MB", "goroutines", "descriptors", "processes", "their MB", "files", "database MB", "blobs MB", "rows",
}

func (s *soaking) sample(dir string) (now sample, err error) {
	resident, err := s.resident()
	if err != nil {
		return now, err
	}
	metrics, err := s.metrics("go_memstats_heap_inuse_bytes", "go_goroutines")
	if err != nil {
		return now, err
	}
	own, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid))
	if err != nil {
		return now, err
	}
	pids, err := below(s.cmd.Process.Pid)
	if err != nil {
		return now, err
	}
	others, err := hold(pids)
	if err != nil {
		return now, err
	}
	files := 0
	for _, root := range []string{dir, filepath.Join(os.TempDir(), fmt.Sprintf("trawl-browser-%d-*", s.cmd.Process.Pid))} {
		n, err := countFiles(root)
		if err != nil {
			return now, err
		}
		files += n
	}
	rows, err := countRows(filepath.Join(dir, "trawl.db"))
	if err != nil {
		return now, err
	}
	now.values = [...]float64{
		resident, metrics[0] / 1e6, metrics[1], float64(len(own)), float64(others.processes), others.memory, float64(files),
		sizeOf(filepath.Join(dir, "trawl.db*")), sizeOf(filepath.Join(dir, "blobs.db*")), rows,
	}
	return now, nil
}

// metrics returns what the service says of itself.
func (s *server) metrics(names ...string) ([]float64, error) {
	resp, err := client.Get(s.base + "/metrics")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	values := make([]float64, len(names))
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		for i, name := range names {
			if rest, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
				if values[i], err = strconv.ParseFloat(rest, 64); err != nil {
					return nil, err
				}
			}
		}
	}
	return values, lines.Err()
}

func countFiles(pattern string) (n int, err error) {
	roots, err := filepath.Glob(pattern)
	for _, root := range roots {
		err = errors.Join(err, filepath.WalkDir(root, func(_ string, entry fs.DirEntry, err error) error {
			if err != nil && !gone(err) {
				return err
			}
			if err == nil && !entry.IsDir() {
				n++
			}
			return nil
		}))
	}
	return n, err
}

func sizeOf(pattern string) (megabytes float64) {
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			megabytes += float64(info.Size()) / 1e6
		}
	}
	return megabytes
}

// countRows counts those of all tables.
func countRows(file string) (all float64, err error) {
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		return 0, err
	}
	defer db.Close()
	rows, err := db.Query("SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		return 0, err
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return 0, err
		}
		tables = append(tables, name)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, err
	}
	for _, name := range tables {
		var n float64
		if err := db.QueryRow(`SELECT COUNT(*) FROM "` + name + `"`).Scan(&n); err != nil {
			return 0, err
		}
		all += n
	}
	return all, nil
}

// printSamples prints what was held over time, a line for every twelfth of it, and
// how much each thing grew in an hour in the second half, with twice its standard
// error.
func printSamples(samples []sample) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "after\t%s\t\n", strings.Join(held[:], "\t"))
	for i := looks / 12; i <= len(samples); i += looks / 12 {
		fmt.Fprintf(table, "%s\t", samples[i-1].at.Round(time.Second))
		for _, value := range samples[i-1].values {
			fmt.Fprintf(table, "%.0f\t", value)
		}
		fmt.Fprintln(table)
	}
	fmt.Fprint(table, "in an hour\t")
	for k := range held {
		grows, doubt := slope(samples[len(samples)/2:], k)
		fmt.Fprintf(table, "%+.0f ± %.0f\t", grows, doubt)
	}
	fmt.Fprintln(table)
	return table.Flush()
}

// slope is how much a thing grows in an hour by the line that fits best, and twice the
// standard error of that.
func slope(samples []sample, k int) (grows, doubt float64) {
	var x, y, xx, xy, n float64
	for _, s := range samples {
		h, v := s.at.Hours(), s.values[k]
		x, y, xx, xy, n = x+h, y+v, xx+h*h, xy+h*v, n+1
	}
	spread := xx - x*x/n
	grows = (xy - x*y/n) / spread
	level := (y - grows*x) / n
	var rest float64
	for _, s := range samples {
		d := s.values[k] - level - grows*s.at.Hours()
		rest += d * d
	}
	return grows, 2 * math.Sqrt(rest/(n-2)/spread)
}
