package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/audit"
)

// openAudit opens the audit log; nil if there is none. A file is opened again on
// SIGHUP, for those who rotate it.
func (s *server) openAudit(p *program) (api.Audit, error) {
	switch s.options.AuditLog {
	case "":
		return nil, nil
	case "stderr":
		log := audit.To(p.stderr, p.now)
		s.later(log.Close)
		return log, nil
	}
	log, err := audit.Open(s.options.AuditLog, p.now)
	if err != nil {
		return nil, err
	}
	hangup, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		defer close(stopped)
		for range hangup {
			log.Reopen()
		}
	}()
	s.later(func() {
		signal.Stop(hangup)
		close(hangup)
		<-stopped
		log.Close()
	})
	return log, nil
}
