package api

import "time"

// PingEvery shortens how long followers may hear nothing.
func (s *Server) PingEvery(d time.Duration) { s.eventPing, s.socketPing = d, d }
