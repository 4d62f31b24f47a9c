package pdf

import (
	"context"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document/ocr"
)

const (
	tried = 8   // pages after which the others are expected to take as long
	slack = 1.5 // how much more than is left they must seem to take to be given up
)

// clock tells how much time there is for a file.
type clock struct {
	deadline time.Time
	bounded  bool
	begin    time.Time // of what is being done
}

func newClock(ctx context.Context) *clock {
	c := &clock{begin: time.Now()}
	c.deadline, c.bounded = ctx.Deadline()
	return c
}

func (c *clock) left() time.Duration { return time.Until(c.deadline) }

// recognising returns an error if so many pages cannot be recognised in time.
func (c *clock) recognising(pages int) error {
	if needed := time.Duration(pages) * ocr.TimePerPage / atOnce; !c.bounded || needed <= c.left() {
		return nil
	}
	return insufficient(pages)
}

// going returns an error if the pages so far took so long that all of them cannot be
// done in time. Who waits for nothing is told early.
func (c *clock) going(done, all int) error {
	if !c.bounded || !hopeless(time.Since(c.begin), c.left(), done, all) {
		return nil
	}
	return insufficient(all)
}

// hopeless reports whether what is left to do takes far longer than there is time, by
// what was done.
func hopeless(spent, left time.Duration, done, all int) bool {
	return done >= tried && float64(spent)/float64(done)*float64(all-done) > slack*float64(left)
}

func insufficient(pages int) error {
	return trawl.Errorf(trawl.CodePDFTime, "Insufficient time to process PDF: %d %s cannot be read before the timeout.", pages, choose(pages, "page", "pages"))
}
