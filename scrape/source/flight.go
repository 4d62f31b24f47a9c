package source

import (
	"context"
	"strings"
	"sync"
)

// Share waits for a fetch of the same page that is under way, if the page is going
// to be in the cache. If there is none, the caller is the one to fetch. Either way it
// looks first what has been stored meanwhile (see [Source.Recent]), and calls land
// when the page can be found, or will not be. Who wants more than the page, such as
// what a model makes of it, only shares with those who want the same: of names it.
func (s *Source) Share(ctx context.Context, req *Request, of string) (land func(), shared bool) {
	if !req.Use.Read || !req.Use.Write {
		return func() {}, false
	}
	return s.flights.board(ctx, req.TeamID+strings.Join(req.keys(), "\n")+of), true
}

// flights lets requests for one page that meet in time share a single fetch.
type flights struct {
	mu      sync.Mutex
	landing map[string]chan struct{}
}

func (f *flights) board(ctx context.Context, key string) (land func()) {
	f.mu.Lock()
	if done, ok := f.landing[key]; ok {
		f.mu.Unlock()
		select {
		case <-done:
		case <-ctx.Done():
		}
		return func() {}
	}
	defer f.mu.Unlock()
	if f.landing == nil {
		f.landing = map[string]chan struct{}{}
	}
	done := make(chan struct{})
	f.landing[key] = done
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.landing, key)
		close(done)
	}
}
