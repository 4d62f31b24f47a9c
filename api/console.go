package api

import "net/http"

// consoleRoot is where the console is.
const consoleRoot = "/console"

// registerConsole puts the console into the table, if the operator wants one. It is a
// page for people, and no part of what the OpenAPI document describes.
func (s *Server) registerConsole() {
	if s.Console == nil || s.WorkerOnly {
		return
	}
	addPage(s, consoleRoot, func(w *answer, _ *http.Request) {
		w.Header().Set("Location", "console/") // relative: a proxy may have put something before it
		w.WriteHeader(http.StatusMovedPermanently)
	})
	serve := func(w *answer, r *http.Request) { s.Console.ServeHTTP(w, r) }
	addPage(s, consoleRoot+"/{$}", serve)
	addPage(s, consoleRoot+"/{file}", serve)
}
