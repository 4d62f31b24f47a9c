package scrape

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/profile"
)

// How long a page of a job waits for a profile that others, elsewhere, save to,
// how often it asks, and how long it may take to save to it or to let go of it.
const (
	profilePatience = 5 * time.Minute
	profilePause    = 250 * time.Millisecond
	profileTimeout  = 30 * time.Second
)

// saves reports whether a request changes its profile. With zero data retention,
// which is the stronger promise, it only begins with what is there.
func saves(req *Request) bool { return req.Profile.Saves() && !req.ZeroDataRetention }

// takeProfile makes the request the one that saves to its profile until free is
// called. Pages of this process wait for each other; a profile that somebody else
// saves to is an error with CodeConflict, which pages of jobs put off for a while.
func (s *Scraper) takeProfile(ctx context.Context, req *Request) (free func(), err error) {
	if c, ok := ctx.Value(clockKey{}).(*clock); ok {
		defer c.hold()()
	}
	team, name, holder := req.Caller.Team.ID, req.Profile.Name, uuid.NewString()
	leave, err := s.savers.enter(ctx, team+"\n"+name)
	if err != nil {
		return nil, trawl.Wrap(trawl.CodeQueueTimeout, "The page waited until its timeout for others that save to the same profile.", err)
	}
	free = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), profileTimeout)
		defer cancel()
		_ = s.Profiles.FreeProfile(ctx, team, name, holder) // or it is freed when this node is gone
		req.holder = ""
		leave()
	}
	if err := s.insist(ctx, func() error { return s.Profiles.TakeProfile(ctx, team, name, holder, s.Node) }); err != nil {
		free() // it may have been taken all the same
		return nil, err
	}
	req.holder = holder
	return free, nil
}

// insist tries to take a profile, and if it is for a page of a job, until it has
// been tried for long.
func (s *Scraper) insist(ctx context.Context, take func() error) error {
	_, patient := ctx.Value(clockKey{}).(*clock)
	for begun := time.Now(); ; {
		err := take()
		if !patient || trawl.ErrorCode(err) != trawl.CodeConflict || time.Since(begun) > profilePatience {
			return err
		}
		select {
		case <-time.After(profilePause):
		case <-ctx.Done():
			return err
		}
	}
}

// stay is the use of a profile for one page.
type stay struct {
	scraper *Scraper
	req     *Request
	home    *chromium.Home // once there is one
	err     error          // why there is none
}

// private is how the page is rendered.
func (v *stay) private() *browser.Private {
	p := &browser.Private{
		Home: func(ctx context.Context) (*chromium.Home, error) {
			v.home, v.err = profile.Open(ctx, v.scraper.Profiles, v.req.Caller.Team.ID, v.req.Profile.Name)
			return v.home, v.err
		},
		Begin: func(ctx context.Context, conn *cdp.Conn) error { return profile.Restore(ctx, conn, v.home) },
	}
	if v.req.holder != "" {
		p.End = func(ctx context.Context, conn *cdp.Conn) error { return profile.Keep(ctx, conn, v.home) }
	}
	return p
}

// save saves what the browser left, if it is to be saved. A page that has been
// read is not lost for it.
func (v *stay) save(ctx context.Context, p *page, unkept error) {
	if v.req.holder == "" {
		return
	}
	err := unkept
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), profileTimeout)
		defer cancel()
		err = profile.Save(ctx, v.scraper.Profiles, v.home, v.req.Caller.Team.ID, v.req.Profile.Name, v.req.holder)
	}
	if public, ok := errors.AsType[*trawl.Error](err); ok {
		p.warn(public.Message)
	} else if err != nil {
		p.warn("The profile could not be saved.")
	}
}

// end removes what the browser left on this machine.
func (v *stay) end() {
	if v.home != nil {
		v.home.Remove()
	}
}

// queues let those with the same key in one after the other, in order of arrival.
type queues struct {
	mu    sync.Mutex
	doors map[string]*queue
}

type queue struct {
	inside chan struct{} // holds a token while somebody is
	users  int
}

// enter waits until the caller's turn has come, which ends with leave.
func (q *queues) enter(ctx context.Context, key string) (leave func(), err error) {
	q.mu.Lock()
	door := q.doors[key]
	if door == nil {
		door = &queue{inside: make(chan struct{}, 1)}
		if q.doors == nil {
			q.doors = map[string]*queue{}
		}
		q.doors[key] = door
	}
	door.users++
	q.mu.Unlock()
	select {
	case door.inside <- struct{}{}:
		return func() {
			<-door.inside
			q.drop(key, door)
		}, nil
	case <-ctx.Done():
		q.drop(key, door)
		return nil, ctx.Err()
	}
}

func (q *queues) drop(key string, door *queue) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if door.users--; door.users == 0 {
		delete(q.doors, key)
	}
}
