package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/trawlhq/trawl"
)

// output is the choice between a table for people and JSON for programs.
type output struct {
	JSON bool `help:"Print JSON instead of a table."`
}

// print writes value as JSON, or else the rows that stand for it, aligned.
func (o output) print(w io.Writer, value any, rows [][]string) error {
	if o.JSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(table, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	return table.Flush()
}

// apiTime returns a time as the API writes it; none is empty.
func apiTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(trawl.TimeFormat)
}

// day returns a time for people, or a dash for none.
func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04")
}
