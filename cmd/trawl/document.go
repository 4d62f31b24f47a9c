package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document"
)

// work is this program as a worker that reads documents. It gets its orders from
// the program that started it, and says in its exit code how it ended.
func work(args []string) int {
	if err := document.Work(context.Background(), os.Stdin, os.Stdout, args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFailure
	}
	return 0
}

// servedDocuments is documents for a server, whose operator is told of languages
// that are missing: nobody else could do something about it.
func (o *options) servedDocuments(ctx context.Context, p *program, compiled string, log *slog.Logger) (*document.Pool, error) {
	pool, err := o.documents(p, compiled, log)
	if err != nil {
		return nil, err
	}
	if program, err := o.tesseract(p.machine); err == nil {
		if err := o.checkLanguages(ctx, p.machine, program); err != nil {
			log.WarnContext(ctx, "the text of scanned pages cannot be recognised", "err", err)
		}
	}
	return pool, nil
}

// documents returns what reads files. No worker is started yet.
func (o *options) documents(p *program, compiled string, log *slog.Logger) (*document.Pool, error) {
	tesseract, err := o.tesseract(p.machine)
	if err != nil {
		return nil, usageError{err}
	}
	return document.NewPool(document.Config{
		Workers: o.DocumentWorkers, Cache: compiled, Tesseract: tesseract, Languages: o.OCRLanguages, Log: log,
	}), nil
}

// compiled is the folder for compiled code, which saves workers seconds.
func (s *storage) compiled() string { return filepath.Join(s.DataDir, "compiled") }

// tesseractOff is the value of the setting that asks for none.
const tesseractOff = "off"

// tesseract returns the program that recognises text, or nothing if there is none.
// One that is named has to be there.
func (o *options) tesseract(m machine) (string, error) {
	if o.Tesseract == tesseractOff {
		return "", nil
	}
	name := o.Tesseract
	if name == "" {
		name = "tesseract"
	}
	path, err := m.look(name)
	switch {
	case err == nil:
		return filepath.Abs(path)
	case o.Tesseract == "":
		return "", nil
	}
	return "", refuse("tesseract", "%v", err)
}

// isLanguage reports whether Tesseract may have a language of this name.
func isLanguage(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_')
	})
}

// checkTesseract looks for the program and for the languages that it is to read.
func (c *doctorCmd) checkTesseract(ctx context.Context, p *program) finding {
	f := finding{Part: "tesseract", Disables: "the text of scanned pages"}
	program, err := c.tesseract(p.machine)
	switch {
	case err != nil:
		return f.failed(err)
	case c.Tesseract == tesseractOff:
		return f.missing("TRAWL_TESSERACT is off")
	case program == "":
		return f.missing("not found; install it or set TRAWL_TESSERACT")
	}
	if err := c.checkLanguages(ctx, p.machine, program); err != nil {
		return f.failed(err)
	}
	return f.ok(program + ", " + strings.Join(c.OCRLanguages, ", "))
}

// checkLanguages returns an error if Tesseract, if there is one, lacks a language:
// then it recognises no page at all.
func (o *options) checkLanguages(ctx context.Context, m machine, program string) error {
	if program == "" {
		return nil
	}
	known, err := m.languages(ctx, program)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	for _, language := range o.OCRLanguages {
		if !slices.Contains(known, language) {
			return fmt.Errorf("%s lacks the language %s", program, language)
		}
	}
	return nil
}

// tesseractLanguages asks Tesseract which languages it has.
func tesseractLanguages(ctx context.Context, program string) ([]string, error) {
	out, err := exec.CommandContext(ctx, program, "--list-langs").Output()
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out)), nil
}
