package browser

import "time"

// watchEvery is how often the memory of a browser's processes is looked at.
const watchEvery = 500 * time.Millisecond

// memory is what pages may take.
type memory struct {
	heap int   // megabytes of what the scripts of a page keep
	page int64 // bytes of everything: pictures, buffers, the tree as well
	main int64 // bytes of a browser's main process, which then is replaced
}

var usualMemory = memory{heap: 512, page: 1 << 30, main: 1 << 30}

// watch ends the processes of pages that take too much memory, and retires a
// browser that has grown, until the browser ends.
func (p *Pool) watch(r *running) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-r.process.Exited():
			p.mu.Lock()
			if !r.retired {
				p.config.Log.Warn("browser is gone", "program", r.program)
			}
			p.retire(r)
			p.end(r)
			p.mu.Unlock()
			return
		case <-ticker.C:
		}
		p.mu.Lock()
		busy := r.open > 0 && !p.closed
		p.mu.Unlock()
		if busy {
			p.inspect(r)
		}
	}
}

// inspect looks at the memory of a browser once.
func (p *Pool) inspect(r *running) {
	if r.process.EndHoarders(p.memory.page) > 0 {
		p.config.Log.Warn("a page takes too much memory and is ended")
		p.mu.Lock()
		r.hoarded = time.Now()
		p.mu.Unlock()
	}
	if r.process.Memory() > p.memory.main {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !r.retired {
			p.recycled++
			p.retire(r)
		}
	}
}
