package session

import "github.com/trawlhq/trawl/browser/chromium"

// memory is what the browser of a session may take, in bytes.
type memory struct {
	process int64 // one of its processes
	tree    int64 // all of them
}

var usualMemory = memory{process: 2 << 30, tree: 4 << 30}

// What takes too much memory.
const (
	pageHoards = "a page takes too much memory"
	helpHoards = "what draws or loads pages takes too much memory"
	treeHoards = "pages take too much memory together"
	mainHoards = "the browser takes too much memory"
)

// bound ends processes of a browser until it takes no more memory than it may, and
// returns what it did it for; empty if there was no need. Pages crash, and what works
// for all pages is started again. The main process is left alone: the caller ends
// the browser.
//
// A session belongs to one team. So if all processes together take too much, it is
// the largest that ends, whichever page it is of.
func bound(p *chromium.Process, m memory) (what string) {
	use := p.Memory()
	switch largest := chromium.Largest(append(use.Pages, use.Helpers...)); {
	case chromium.End(use.Pages, m.process) > 0:
		return pageHoards
	case chromium.End(use.Helpers, m.process) > 0:
		return helpHoards
	case use.Main > m.process, use.All > m.tree && use.Main >= largest.Bytes:
		return mainHoards
	case use.All > m.tree:
		chromium.End([]chromium.Part{largest}, largest.Bytes-1)
		return treeHoards
	}
	return ""
}
