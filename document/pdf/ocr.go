package pdf

import (
	"context"
	"fmt"
	"image"
	"sync"
	"time"

	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/ocr"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	resolution = 200 // dots per inch at which pages are drawn for recognition
	atOnce     = 2   // pages that are recognised at the same time
	ahead      = 4   // pages that may wait for one before them
)

// job is a page on its way to the builder.
type job struct {
	index int
	page  *layout.Page
	done  chan error // receives once the page is recognised; nil if there is nothing to wait for
}

// recognise reads the pages from first on, with those that need it recognised. They
// are drawn one after the other, recognised two at a time and added in their order.
func (r *reader) recognise(ctx context.Context, first int) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	slots := make(chan struct{}, atOnce)
	r.clock.begin = time.Now()
	done, all := 0, 0
	for _, status := range r.status[first:] {
		if status == toRecognise {
			all++
		}
	}
	var waiting []job
	for i := first; i < r.pages; i++ {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read pdf: %w", err)
		}
		j := r.job(i)
		if r.status[i] == toRecognise {
			picture, err := r.file.Render(i, resolution)
			j.done = make(chan error, 1)
			running.Go(func() {
				slots <- struct{}{}
				if err == nil {
					err = r.options.words(ctx, picture, j.page)
				}
				<-slots
				j.done <- err
			})
		}
		if waiting = append(waiting, j); len(waiting) > ahead {
			if r.finish(waiting[0]); waiting[0].done != nil {
				done++
			}
			waiting = waiting[1:]
			if err := r.clock.going(done, all); err != nil {
				return err
			}
		}
	}
	for _, j := range waiting {
		r.finish(j)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read pdf: %w", err)
	}
	return nil
}

// job reads a page again that was looked at before.
func (r *reader) job(i int) job {
	blank := &layout.Page{Number: i + 1}
	if r.status[i] == tree.PageFailed {
		return job{index: i, page: blank}
	}
	page, err := r.file.Page(i)
	if err != nil {
		r.fail(i, err)
		return job{index: i, page: blank}
	}
	return job{index: i, page: page}
}

// finish waits until a page is recognised, if it has to be, and adds it.
func (r *reader) finish(j job) {
	if j.done != nil {
		switch err := <-j.done; {
		case err != nil:
			r.refuse(j)
		case len(j.page.Glyphs) == 0:
			r.status[j.index] = tree.PageEmpty
		case !j.page.Recognised:
			r.status[j.index] = tree.PageText
		default:
			r.status[j.index] = tree.PageOCR
		}
	}
	r.builder.Add(j.page)
}

// refuse leaves a page with the text of its own, if it has some.
func (r *reader) refuse(j job) {
	r.refused = append(r.refused, j.index+1)
	r.status[j.index] = tree.PageUnread
	switch layout.Readable(j.page) {
	case layout.Text:
		r.status[j.index] = tree.PageText
	case layout.Garbled:
		layout.Legible(j.page)
	}
}

// words recognises the text of a picture and puts it on the page in place of what
// was drawn there. Lines and links stay, unless the page has to be turned. If nothing
// but the caption of a photograph can be read, which is there as text, the page stays
// as it is.
func (o *Options) words(ctx context.Context, picture *image.Gray, page *layout.Page) error {
	engine := ocr.Engine{Program: o.Tesseract, Languages: o.Languages}
	text, err := engine.Recognise(ctx, picture, resolution)
	if err != nil {
		return fmt.Errorf("recognise page %d: %w", page.Number, err)
	}
	if text.Turns%2 != 0 {
		page.Width, page.Height = page.Height, page.Width
	}
	scale := page.Width / float32(text.Width)
	found := text.Glyphs(scale)
	if len(found) < len(page.Glyphs) && layout.Readable(page) == layout.Picture {
		return nil
	}
	if text.Turns != 0 {
		page.Rules, page.Fills, page.Links = nil, nil, nil // they lie where they were
	}
	if len(page.Rules) == 0 {
		page.Rules = text.Rules(scale)
	}
	page.Glyphs = found
	page.Fonts = []layout.Font{{Name: "recognised"}}
	page.Pictures, page.Root, page.Recognised = nil, nil, true
	return nil
}
