package api

import "time"

// PingEvery shortens how long followers may hear nothing.
func (s *Server) PingEvery(d time.Duration) { s.eventPing, s.socketPing = d, d }

// ReadWithin shortens how long bodies may take to arrive.
func (s *Server) ReadWithin(stranger, caller, upload time.Duration) {
	s.bodyTimes = bodyTimes{stranger: stranger, caller: caller, upload: upload}
}

// RoutesV1 lists the methods and paths of the first version.
func (s *Server) RoutesV1() []string {
	var list []string
	for pattern, e := range s.routes {
		if e.v1 {
			list = append(list, pattern)
		}
	}
	return list
}

// Groups returns the group that every route which needs a key has for restricted keys.
func (s *Server) Groups() map[string]string {
	groups := map[string]string{}
	for pattern, e := range s.routes {
		if !e.public() {
			groups[pattern] = e.family().group
		}
	}
	return groups
}
