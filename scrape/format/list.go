package format

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
)

// All lists the formats of the API, in the order in which they are made.
// The list is shared and must not be changed.
func All() []*Format { return all }

var all = []*Format{
	&markdown, &html, &rawHTML, &rawBase64, &links, &images, &screenshot, &attributes,
	&jsonFormat, &deterministicJSON, &summary, &question, &highlights, &query, &product, &menu, &branding, &changeTracking,
	&audio, &video,
}

// Step is the making of one format.
type Step struct {
	*Format
	Options trawl.Format
}

// Steps returns what is to be done for the formats of a request. One that is asked
// for twice is made once, with the selectors of both.
func Steps(formats []trawl.Format) []Step {
	steps := make([]Step, 0, len(formats))
	for _, f := range all {
		first := true
		for i := range formats {
			switch {
			case formats[i].Type != f.Name:
			case first:
				steps = append(steps, Step{f, formats[i]})
				first = false
			default:
				o := &steps[len(steps)-1].Options
				o.Selectors = append(o.Selectors[:len(o.Selectors):len(o.Selectors)], formats[i].Selectors...)
			}
		}
	}
	return steps
}

// Needs says what it takes to make the format.
func (s *Step) Needs() Needs {
	if s.Format.Needs == nil {
		return Needs{}
	}
	return s.Format.Needs(&s.Options)
}

// Credits returns what formats cost beyond the page. Those that failed cost nothing.
func Credits(steps []Step, failed []string) int64 {
	var needs Needs
	for i := range steps {
		if !slices.Contains(failed, steps[i].Name) {
			needs.Add(steps[i].Needs())
		}
	}
	if needs.Structured {
		needs.Credits += structuredCredits
	}
	return needs.Credits
}

// Has says what a server can do.
type Has struct {
	Browser, History, Model bool
}

// Check refuses formats that cannot be made here.
func Check(formats []trawl.Format, has Has) error {
	known := map[string]*Format{}
	for _, f := range all {
		known[f.Name] = f
	}
	for i := range formats {
		f := known[formats[i].Type]
		if f == nil {
			f = &Format{Name: formats[i].Type, Unsupported: true}
		}
		if err := f.check(&formats[i], i, has); err != nil {
			return err
		}
	}
	return nil
}

func (f *Format) check(o *trawl.Format, at int, has Has) error {
	step := Step{f, *o}
	needs := step.Needs()
	refuse := func(code trawl.Code, why string) error {
		return trawl.Refused(code, "The format "+f.Name+" "+why, "formats", at)
	}
	switch {
	case f.Unsupported:
		return refuse(trawl.CodeFormatUnsupported, "is not supported by this server.")
	case needs.Browser && !has.Browser:
		return refuse(f.NoBrowser, "needs a browser, which this server does not have.")
	case needs.History && !has.History:
		return refuse(trawl.CodeFormatUnsupported, "needs a server that keeps what pages were like.")
	}
	var selectors error
	if f.Check != nil {
		selectors = f.Check(o, at)
	}
	return errors.Join(selectors, checkModel(o, at, needs, has))
}

// checkModel refuses what only a model could do where there is none, and a schema
// that is none.
func checkModel(o *trawl.Format, at int, needs Needs, has Has) error {
	if needs.Model != "" && !has.Model {
		err := extract.NoModel(needs.Model)
		err.Issues = []trawl.Issue{{Code: "unsupported", Message: err.Message, Path: []any{"formats", at}}}
		return err
	}
	_, err := extract.Compile(o.Schema, "formats", at, "schema")
	return err
}

// FromBytes makes what can be made of the bytes of a page alone.
func FromBytes(t *Task, steps []Step) {
	for i := range steps {
		if steps[i].Bytes != nil {
			steps[i].Bytes(t)
		}
	}
}

// Read makes what can be read from a page.
func Read(t *Task, steps []Step) (notes []string, err error) {
	for i := range steps {
		if steps[i].Read == nil {
			continue
		}
		note, err := steps[i].Read(t, &steps[i].Options)
		if err != nil {
			return nil, err
		}
		notes = noted(notes, note)
	}
	return notes, nil
}

// Ask makes what takes a model, or the page's past, all side by side. A format at
// which a model fails is left out and named, and the note says why, unless there is
// no other format. Any other failure ends all. It holds no lock, since a model takes
// seconds.
func Ask(ctx context.Context, t *Task, steps []Step) (notes, failed []string, err error) {
	type outcome struct {
		note string
		err  error // of a model
	}
	all := make([]outcome, len(steps))
	group, within := errgroup.WithContext(ctx)
	for i := range steps {
		if steps[i].Ask == nil {
			continue
		}
		group.Go(func() (err error) {
			if all[i].note, err = steps[i].Ask(within, t, &steps[i].Options); modelFailed(err) {
				all[i].err, err = err, nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	for i, o := range all {
		if o.err != nil {
			failed = append(failed, steps[i].Name)
			o.note = "The format " + steps[i].Name + " is missing: " + o.err.Error()
			err = o.err
		}
		notes = noted(notes, o.note)
	}
	if len(failed) == len(steps) {
		return nil, nil, err
	}
	return notes, failed, ctx.Err()
}

// modelFailed reports whether an error says that a model did not do its part, or
// that there is none to do it.
func modelFailed(err error) bool {
	switch trawl.ErrorCode(err) {
	case trawl.CodeModel, trawl.CodeNoModel, trawl.CodeContentTooLarge:
		return true
	}
	return false
}

func noted(notes []string, note string) []string {
	if note == "" {
		return notes
	}
	return append(notes, note)
}
