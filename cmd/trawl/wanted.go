package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/trawlhq/trawl"
)

// wanted says what to extract.
type wanted struct {
	Prompt string `placeholder:"TEXT" help:"What to extract, in words."`
	Schema string `placeholder:"FILE" help:"File with the JSON Schema of what is extracted; - reads standard input."`

	schema any // what the file says
}

// mostSchema bounds the file of a schema; far smaller ones are refused as schemas.
const mostSchema = 1 << 20

// read reads the schema that was named.
func (w *wanted) read(stdin io.Reader) error {
	if w.Schema == "" {
		return nil
	}
	text, err := readInput(w.Schema, stdin, mostSchema)
	if err != nil {
		return fmt.Errorf("--schema: %w", err)
	}
	if err := json.Unmarshal(text, &w.schema); err != nil {
		return fmt.Errorf("--schema: %s is not JSON: %w", w.Schema, err)
	}
	if _, ok := w.schema.(map[string]any); !ok {
		return fmt.Errorf("--schema: %s is not a JSON object", w.Schema)
	}
	return nil
}

// readInput reads a file that an argument names, or standard input for a dash.
func readInput(path string, stdin io.Reader, most size) ([]byte, error) {
	source := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		source = file
	}
	data, err := io.ReadAll(io.LimitReader(source, int64(most)+1))
	if err != nil {
		return nil, err
	}
	if size(len(data)) > most {
		return nil, fmt.Errorf("%s is larger than %s", path, most)
	}
	return data, nil
}

// choose completes the formats of a scrape: with something to extract, JSON is
// among them.
func (c *scrapeCmd) choose() {
	switch asked := c.Prompt != "" || c.Schema != ""; {
	case asked && !slices.Contains(c.Format, trawl.FormatJSON):
		c.Format = append(c.Format, trawl.FormatJSON)
	case len(c.Format) == 0:
		c.Format = []string{trawl.FormatMarkdown}
	}
}

// format returns a format of a scrape by its name.
func (w *wanted) format(name string) trawl.Format {
	if name == trawl.FormatJSON {
		return trawl.Format{Type: name, Prompt: w.Prompt, Schema: w.schema}
	}
	return trawl.Format{Type: name}
}

// indented returns JSON for people.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
