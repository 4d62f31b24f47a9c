package main

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
)

// rendering is the part of a scrape that needs a browser.
type rendering struct {
	Screenshot string        `type:"path" placeholder:"FILE" help:"Also take a picture of the page and write it to this file: a PNG or a JPEG, by how the name ends."`
	FullPage   bool          `help:"The picture shows the whole page, not only what a window would."`
	Quality    int           `placeholder:"N" help:"Quality of a JPEG, from 1 to 100 (80)."`
	Actions    string        `placeholder:"FILE" help:"Do the actions of this file in the page before it is read: a JSON array as in the API; - is standard input. What they return is in the document that --json prints."`
	OutDir     string        `type:"path" placeholder:"FOLDER" help:"Write pictures and PDFs that actions make to this folder, action-0.png being that of the first action. Otherwise --json has them as data URIs."`
	WaitFor    time.Duration `placeholder:"DURATION" help:"Wait so much longer before the page is read."`
	Mobile     bool          `help:"Pose as a phone."`
}

const (
	usualQuality = 80
	mostActions  = 10 << 20 // bytes of a file
)

// apply adds what the flags ask for to a request.
func (r *rendering) apply(req *trawl.ScrapeRequest, stdin io.Reader, asJSON bool) error {
	req.Mobile, req.WaitFor = r.Mobile, r.WaitFor.Milliseconds()
	if r.WaitFor < 0 {
		return fmt.Errorf("--wait-for: must not be negative but is %s", r.WaitFor)
	}
	if err := r.applyScreenshot(req); err != nil {
		return err
	}
	if r.Actions == "" {
		return nil
	}
	actions, err := readActions(r.Actions, stdin)
	if err != nil {
		return fmt.Errorf("--actions: %w", err)
	}
	if slices.ContainsFunc(actions, makesFile) && r.OutDir == "" && !asJSON {
		return fmt.Errorf("--actions: there is no place for the pictures that are asked for; name one with --out-dir, or print them with --json")
	}
	req.Actions = actions
	return nil
}

func (r *rendering) applyScreenshot(req *trawl.ScrapeRequest) error {
	if r.Screenshot == "" {
		if r.FullPage || r.Quality != 0 {
			return fmt.Errorf("--full-page and --quality go with --screenshot")
		}
		return nil
	}
	shot := trawl.Format{Type: trawl.FormatScreenshot, FullPage: r.FullPage}
	switch ending := strings.ToLower(filepath.Ext(r.Screenshot)); {
	case ending == ".jpg" || ending == ".jpeg":
		shot.Quality = cmp.Or(r.Quality, usualQuality)
	case ending != ".png":
		return fmt.Errorf("--screenshot: the name must end in .png, .jpg or .jpeg")
	case r.Quality != 0:
		return fmt.Errorf("--quality: a PNG has none")
	}
	if shot.Quality < 0 || shot.Quality > 100 {
		return fmt.Errorf("--quality: must be from 1 to 100 but is %d", r.Quality)
	}
	req.Formats = append(req.Formats, shot)
	return nil
}

// readActions reads a file of actions.
func readActions(path string, stdin io.Reader) ([]trawl.Action, error) {
	data, err := readInput(path, stdin, mostActions)
	if err != nil {
		return nil, err
	}
	return api.ReadActions(data)
}

// makesFile reports whether an action makes a picture or a PDF.
func makesFile(a trawl.Action) bool { return a.Type == trawl.ActionScreenshot || makesPDF(a) }

func makesPDF(a trawl.Action) bool {
	return a.Type == trawl.ActionPDF || a.Type == trawl.ActionPDFAlias
}

// save writes the pictures of a document to their files, and returns the document
// with the files' names in their place.
func (r *rendering) save(doc *trawl.Document, actions []trawl.Action) (*trawl.Document, error) {
	saved := doc.Unsealed()
	if r.Screenshot != "" && doc.Screenshot != nil {
		if err := writeData(r.Screenshot, *doc.Screenshot); err != nil {
			return nil, err
		}
		saved.Screenshot = &r.Screenshot
	}
	if r.OutDir == "" || doc.Actions == nil {
		return saved, nil
	}
	results := *doc.Actions
	results.Screenshots, results.PDFs = slices.Clone(results.Screenshots), slices.Clone(results.PDFs)
	saved.Actions = &results
	return saved, r.saveActions(&results, actions)
}

// saveActions writes the files that actions made, each under its action's number.
func (r *rendering) saveActions(results *trawl.ActionResults, actions []trawl.Action) error {
	if err := os.MkdirAll(r.OutDir, 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	pictures, pdfs := results.Screenshots, results.PDFs
	for i, action := range actions {
		left := &pictures
		if makesPDF(action) {
			left = &pdfs
		}
		if !makesFile(action) || len(*left) == 0 {
			continue
		}
		uri := &(*left)[0]
		path := filepath.Join(r.OutDir, "action-"+strconv.Itoa(i)+endingOf(*uri))
		if err := writeData(path, *uri); err != nil {
			return err
		}
		*uri, *left = path, (*left)[1:]
	}
	return nil
}

// endingOf returns how the file of a data URI should end.
func endingOf(uri string) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(uri, "data:"), ";")
	switch kind {
	case trawl.TypePNG:
		return ".png"
	case trawl.TypeJPEG:
		return ".jpg"
	}
	return ".pdf"
}

// writeData writes the data of a data URI to a file.
func writeData(path, uri string) error {
	_, text, _ := strings.Cut(uri, ";base64,")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.WriteFile(path, data, 0o644)
}
