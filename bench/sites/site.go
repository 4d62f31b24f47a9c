package main

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
)

// site serves the files of a package, and nothing outside of it: links that lead
// out of its folder are not followed.
type site struct {
	files  *os.Root
	server *http.Server
	base   string // its address, with a slash at the end
}

func openSite(folder string) (*site, error) {
	files, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		files.Close()
		return nil, err
	}
	s := &site{files: files, base: "http://" + listener.Addr().String() + "/"}
	s.server = &http.Server{Handler: s}
	go func() { _ = s.server.Serve(listener) }() // until close
	return s, nil
}

func (s *site) close() {
	s.server.Close()
	s.files.Close()
}

// address returns where a file of the package is served.
func (s *site) address(file string) string {
	return s.base + (&url.URL{Path: file}).EscapedPath()
}

// ServeHTTP answers as common servers do: a folder is its index.html, and is not
// listed. The type of a page has no charset, since only the page knows it.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "."
	}
	info, err := s.files.Stat(name)
	switch {
	case err == nil && info.IsDir() && !strings.HasSuffix(r.URL.Path, "/"):
		http.Redirect(w, r, path.Base(name)+"/", http.StatusMovedPermanently)
		return
	case err == nil && info.IsDir():
		name = path.Join(name, "index.html")
		info, err = s.files.Stat(name)
	}
	if err != nil || !info.Mode().IsRegular() {
		http.NotFound(w, r)
		return
	}
	file, err := s.files.Open(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	if isPage(name) {
		w.Header().Set("Content-Type", "text/html")
	}
	http.ServeContent(w, r, name, info.ModTime(), file)
}

func isPage(name string) bool {
	return strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm")
}

// samePage returns the path of an address as it names a page: a folder and its
// index are one.
func samePage(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	folder, file := path.Split(strings.TrimPrefix(u.Path, "/"))
	if file == "index.html" {
		file = ""
	}
	return folder + file
}
