package source

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/trawlhq/trawl/fetch"
)

// maxLarge is how many large pages there may be at a time, from the moment they
// turn out to be large until they are stored, or as many as there are cores. Others
// wait for them: their trees and documents take many times their size.
const maxLarge = 4

// maxIdle bounds the large pages that wait for a model at a time, in bytes.
const maxIdle = 256 << 20

// Memory bounds how much of pages is in memory at a time.
type Memory struct {
	large   chan struct{}       // holds a token for each large page
	parsing chan struct{}       // holds a token for each page that is being parsed
	huge    sync.Mutex          // held while a large page is parsed
	idle    *semaphore.Weighted // bytes of the large pages that wait for a model
}

func newMemory() *Memory {
	cores := runtime.GOMAXPROCS(0)
	return &Memory{
		large:   make(chan struct{}, max(maxLarge, cores)),
		parsing: make(chan struct{}, cores), // more at a time would not be faster, only larger
		idle:    semaphore.NewWeighted(maxIdle),
	}
}

// Room waits until there is room for one more large page.
func (m *Memory) Room(ctx context.Context) (release func(), err error) {
	select {
	case m.large <- struct{}{}:
		return sync.OnceFunc(func() { <-m.large }), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Parse waits until a text of the given size may be parsed, which ends with done.
func (m *Memory) Parse(ctx context.Context, size int) (done func(), err error) {
	if size > fetch.LargeBytes {
		m.huge.Lock()
	}
	unlock := func() {
		if size > fetch.LargeBytes {
			m.huge.Unlock()
		}
	}
	select {
	case m.parsing <- struct{}{}:
		return func() {
			<-m.parsing
			unlock()
		}, nil
	case <-ctx.Done():
		unlock()
		return nil, ctx.Err()
	}
}

// Idle lets go of the tree of a page that is to wait for a model, which takes
// seconds, and leaves its room to others, as long as not too many wait in this way.
func (m *Memory) Idle(ctx context.Context, p *Page) error {
	p.text, p.tree = nil, nil
	size := min(int64(len(p.Body)), maxIdle)
	if size <= fetch.LargeBytes {
		return nil
	}
	if err := m.idle.Acquire(ctx, size); err != nil {
		return err
	}
	p.Release()
	p.release = sync.OnceFunc(func() { m.idle.Release(size) })
	return nil
}
