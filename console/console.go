// Package console is the page on which people use the service: they try requests,
// follow jobs, watch browsers, and see what was used.
//
// It is a client of the public API and nothing more. The files in page are served as
// they are: modules, web components and one style sheet, without a build step and
// without anything from elsewhere. What untrusted pages say reaches the document as
// text alone, and their HTML only a frame without scripts; the policy below holds even
// where that were forgotten.
package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed page
var files embed.FS

// Policy lets the page run its own modules, show pictures of this server and of its
// own making, frame views of this server, and speak with the server it came from.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// kinds are the content types of the files.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// file is a file as it is served.
type file struct {
	kind, tag string
	content   []byte
}

// handler serves the files by the last part of a path.
type handler struct{ files map[string]file }

// Handler returns the console. The page is at a path that ends in a slash, and its
// files are beside it. All addresses in it are relative, so that it works below any path.
func Handler() http.Handler {
	h := handler{files: map[string]file{}}
	entries, err := fs.ReadDir(files, "page")
	if err != nil {
		panic(err) // they are part of the program
	}
	var modules strings.Builder
	for _, entry := range entries {
		name := entry.Name()
		content, _ := files.ReadFile("page/" + name)
		h.files[name] = newFile(name, content)
		if path.Ext(name) == ".js" {
			fmt.Fprintf(&modules, "<link rel=\"modulepreload\" href=\"%s\">\n", name)
		}
	}
	// A page that names its modules has them loaded at once, not one after the other.
	page := bytes.Replace(h.files["index.html"].content, []byte("<!-- modules -->\n"), []byte(modules.String()), 1)
	h.files["index.html"] = newFile("index.html", page)
	return h
}

func newFile(name string, content []byte) file {
	sum := sha256.Sum256(content)
	return file{kinds[path.Ext(name)], `"` + hex.EncodeToString(sum[:8]) + `"`, content}
}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", Policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Cache-Control", "no-cache")
	name := path.Base(r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = "index.html"
	}
	f, ok := h.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	header.Set("ETag", f.tag)
	header.Set("Content-Type", f.kind)
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(f.content)
	}
}
