package session

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"net/http"
	"path"
)

//go:embed page
var pageFiles embed.FS

// policy lets the page of a view run its own script, show pictures that it made
// itself and speak with the server it came from; nothing else. Who may frame it is
// not said: people show sessions inside pages of their own, and whoever has the
// address has the access.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

// View returns the page on which a session is watched, for any path, and its
// assets, for paths that end in their names. The page opens a socket at its own
// address followed by /socket; whether it may take part it learns there.
func View() http.Handler { return newAssets("") }

// ViewOver returns the page of a session that has ended, with status 410. It says
// why, and opens no socket.
func ViewOver(reason string) http.Handler {
	if reason == "" {
		reason = "ended"
	}
	return newAssets(reason)
}

// assets serves the files of the view.
type assets struct {
	html   []byte
	status int
	files  map[string]asset
}

type asset struct {
	kind, tag string
	content   []byte
}

func newAssets(ended string) *assets {
	a := &assets{status: http.StatusOK, files: map[string]asset{
		"view.js":  newAsset("text/javascript; charset=utf-8", "view.js", "hand.js"),
		"view.css": newAsset("text/css; charset=utf-8", "view.css"),
	}}
	if ended != "" {
		a.status = http.StatusGone
	}
	var html bytes.Buffer
	layout := template.Must(template.ParseFS(pageFiles, "page/view.html"))
	data := map[string]string{"Ended": ended, "Script": a.files["view.js"].tag, "Style": a.files["view.css"].tag}
	template.Must(layout, layout.Execute(&html, data))
	a.html = html.Bytes()
	return a
}

// newAsset reads files that are part of the program, and are served as one.
func newAsset(kind string, names ...string) asset {
	var content []byte
	for _, name := range names {
		part, _ := pageFiles.ReadFile("page/" + name)
		content = append(content, part...)
	}
	sum := sha256.Sum256(content)
	return asset{kind, hex.EncodeToString(sum[:8]), content}
}

func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	if file, ok := a.files[path.Base(r.URL.Path)]; ok {
		file.serve(w, r)
		return
	}
	header.Set("Content-Security-Policy", policy)
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Robots-Tag", "noindex")
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.html)
	}
}

// serve sends a file. The page names the version that it wants, which never changes.
func (f asset) serve(w http.ResponseWriter, r *http.Request) {
	tag := `"` + f.tag + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == f.tag {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(f.content)
}
