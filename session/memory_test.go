package session

import (
	"testing"

	"github.com/trawlhq/trawl"
)

const (
	blobs    = "setInterval(() => a.push(new Blob([new Uint8Array(8 << 20)])), 10)"
	graphics = `
		const g = document.createElement('canvas').getContext('webgl'), size = 1024
		new Promise(lost => {
			g.canvas.addEventListener('webglcontextlost', () => lost('context lost'))
			setInterval(() => {
				if (g.isContextLost()) return
				a.push(g.createTexture())
				g.bindTexture(g.TEXTURE_2D, a.at(-1))
				g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, size, size, 0, g.RGBA, g.UNSIGNED_BYTE, new Uint8Array(4 * size * size))
				g.finish()
			}, 10)
		})`
)

// A session whose browser takes too much memory in its main process ends.
func TestHoardingSession(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	e.memory.process = 200 << 20
	hoarder, other := e.create(), e.create()
	e.evaluate(hoarder.ID, "const a = []; "+blobs)
	if row := e.ended(hoarder.ID); row.Reason != trawl.EndCrashed {
		t.Errorf("it ended as %q", row.Reason)
	}
	if !e.Holds(other.ID) {
		t.Error("the other session ended too")
	}
}

// Graphics that take too much memory are lost, and the session goes on.
func TestHoardingGraphics(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	e.memory.process = 200 << 20
	row := e.create()
	if got := e.evaluate(row.ID, "const a = []; "+graphics); got != "context lost" {
		t.Errorf("the page says %q", got)
	}
	if got := e.evaluate(row.ID, "String(1 + 1)"); got != "2" {
		t.Errorf("afterwards the page says %q", got)
	}
}

// What all processes of a session take together is bounded too.
func TestHoardingTree(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	e.memory.tree = 900 << 20
	row := e.create()
	if got := e.evaluate(row.ID, "const a = []; "+graphics); got != "context lost" {
		t.Errorf("the page says %q", got)
	}
	if !e.Holds(row.ID) {
		t.Error("the session ended")
	}
}
