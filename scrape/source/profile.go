package source

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

// How long a page of a job waits for a profile that is locked elsewhere, how often
// it tries, and how long it may take to save to it or to unlock it.
const (
	lockPatience   = 5 * time.Minute
	lockPause      = 250 * time.Millisecond
	profileTimeout = 30 * time.Second
)

// visit is the use of a profile for one page.
type visit struct {
	source *Source
	req    *Request
	holder string         // of the profile's lock, while the page may save to it
	home   *chromium.Home // once there is one
	err    error          // why there is none
}

// lock makes the page the one that saves to its profile until free is called. Pages
// of this process wait for each other; a profile that is locked elsewhere is an
// error with CodeConflict, which pages of jobs put off for a while.
func (v *visit) lock(ctx context.Context) (free func(), err error) {
	if c, ok := ctx.Value(clockKey{}).(*clock); ok {
		defer c.hold()()
	}
	s, team, name, holder := v.source, v.req.TeamID, v.req.Profile.Name, uuid.NewString()
	leave, err := s.savers.enter(ctx, team+"\n"+name)
	if err != nil {
		return nil, trawl.Wrap(trawl.CodeQueueTimeout, "The page waited until its timeout for others that save to the same profile.", err)
	}
	free = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), profileTimeout)
		defer cancel()
		_ = s.Profiles.FreeProfile(ctx, team, name, holder) // or it is freed when this node is gone
		v.holder = ""
		leave()
	}
	if err := retryConflict(ctx, func() error { return s.Profiles.TakeProfile(ctx, team, name, holder, s.Node) }); err != nil {
		free() // it may have been taken all the same
		return nil, err
	}
	v.holder = holder
	return free, nil
}

// retryConflict tries to lock a profile, and if it is for a page of a job, again
// while it is locked elsewhere, for some minutes.
func retryConflict(ctx context.Context, take func() error) error {
	_, patient := ctx.Value(clockKey{}).(*clock)
	for begun := time.Now(); ; {
		err := take()
		if !patient || trawl.ErrorCode(err) != trawl.CodeConflict || time.Since(begun) > lockPatience {
			return err
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
			return err
		}
	}
}

// private is how the page is rendered.
func (v *visit) private() *browser.Private {
	v.home, v.err = nil, nil
	p := &browser.Private{
		Home: func(ctx context.Context) (*chromium.Home, error) {
			v.home, v.err = profile.Open(ctx, v.source.Profiles, v.req.TeamID, v.req.Profile.Name)
			return v.home, v.err
		},
		Begin: func(ctx context.Context, conn *cdp.Conn) error { return profile.Restore(ctx, conn, v.home) },
	}
	if v.holder != "" {
		p.End = func(ctx context.Context, conn *cdp.Conn) error { return profile.Keep(ctx, conn, v.home) }
	}
	return p
}

// save saves what the browser left, if it is to be saved. A page that has been
// read is not lost for it.
func (v *visit) save(ctx context.Context, p *Page, unkept error) {
	if v.holder == "" {
		return
	}
	err := unkept
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), profileTimeout)
		defer cancel()
		err = profile.Save(ctx, v.source.Profiles, v.home, v.req.TeamID, v.req.Profile.Name, v.holder)
	}
	if public, ok := errors.AsType[*trawl.Error](err); ok {
		p.warn(public.Message)
	} else if err != nil {
		p.warn("The profile could not be saved.")
	}
}

// end removes what the browser left on this machine.
func (v *visit) end() {
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
