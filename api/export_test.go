package api

import "time"

// PingEvery shortens how long followers may hear nothing.
func (s *Server) PingEvery(d time.Duration) { s.eventPing, s.socketPing = d, d }

// ReadWithin shortens how long bodies may take to arrive.
func (s *Server) ReadWithin(stranger, caller, upload time.Duration) {
	s.bodyTimes = bodyTimes{stranger: stranger, caller: caller, upload: upload}
}
