package job

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl/gather"
	"github.com/trawlhq/trawl/store"
)

// How finished pages are stored.
const (
	mostPerCommit  = 256
	linksPerCommit = 5000
	linger         = 10 * time.Millisecond
	patience       = 30 // attempts, which take about a minute, before the pages of a commit are tried one by one
)

// committer stores what became of pages, together what finished together.
type committer struct {
	engine *Engine
	active atomic.Int64 // pages under way, those that wait to be stored among them
	queue  *gather.Queue[pending]
}

type pending struct {
	spec   *spec
	item   outcome
	stored chan<- bool
}

func startCommitter(e *Engine) *committer {
	c := &committer{engine: e}
	c.queue = gather.Start(gather.Config[pending]{Most: mostPerCommit, Linger: linger, Active: &c.active, Commit: c.commit})
	return c
}

// stop waits until everything that was taken on is stored, or given up because
// the database is not there.
func (c *committer) stop() { c.queue.Stop() }

// finish stores the outcome of a page and reports whether it is on disk. It takes as
// long as the database is in trouble; a page that is not stored has to be handed out
// again.
func (c *committer) finish(s *spec, item outcome) bool {
	stored := make(chan bool, 1)
	return c.queue.Put(context.Background(), pending{s, item, stored}) && <-stored
}

// commit stores a batch, in portions by the links that its pages have: others want
// to write too.
func (c *committer) commit(batch []pending) {
	for len(batch) > 0 {
		n, links := 1, len(batch[0].item.Links)
		for n < len(batch) && links+len(batch[n].item.Links) <= linksPerCommit {
			links += len(batch[n].item.Links)
			n++
		}
		c.commitPortion(batch[:n])
		batch = batch[n:]
	}
}

// commitPortion stores a portion, however long the database is in trouble. When the
// database refuses what it is given, its pages are stored one by one, and one that
// cannot be stored at all becomes a failure: it must not hold up the others.
func (c *committer) commitPortion(batch []pending) {
	pause := 50 * time.Millisecond
	for attempt := 1; ; attempt++ {
		err := c.store(batch)
		if err == nil {
			return
		}
		c.engine.Log.Warn("pages could not be stored", "count", len(batch), "attempt", attempt, "err", err)
		if store.Refused(err) || attempt >= patience && c.engine.Store.Ping(context.Background()) == nil {
			c.separate(batch)
			return
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, 2*time.Second)
		case <-c.queue.Stopping():
			for _, p := range batch {
				p.stored <- false
			}
			return
		}
	}
}

func (c *committer) separate(batch []pending) {
	for _, p := range batch {
		err := c.store([]pending{p})
		if err == nil {
			continue
		}
		if store.Refused(err) {
			p.item.Document, p.item.Links, p.item.Cached, p.item.Version, p.item.Identity = nil, nil, nil, nil, ""
			p.item.Failure = failureOf(err)
			err = c.store([]pending{p})
		}
		if err != nil {
			c.engine.Log.Error("a page could not be stored, and is handed out again", "job", p.item.JobID, "page", p.item.Number, "err", err)
			p.stored <- false
		}
	}
}

// store writes a batch and tells those who watch its jobs.
func (c *committer) store(batch []pending) error {
	items := make([]store.FinishedPage, len(batch))
	for i, p := range batch {
		items[i] = p.item.FinishedPage
	}
	over, err := c.engine.Store.FinishPages(context.Background(), items)
	if err != nil {
		return err
	}
	c.engine.metrics.stored(batch)
	for _, p := range batch {
		if len(p.item.found) > 0 {
			p.spec.learn(c.engine.seed, p.item.found)
		}
		c.engine.hub.tell(p.item.JobID)
		p.stored <- true
	}
	for _, job := range over {
		c.engine.specs.cancel(job)
	}
	return nil
}
