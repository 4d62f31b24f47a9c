package main

import (
	"context"

	"github.com/trawlhq/trawl/api"
)

// processReport is what operators may know of this process.
type processReport struct {
	program *program
	options *options
	all     settings
	server  *server
}

// Settings lists the settings in effect.
func (o *processReport) Settings() []api.Setting {
	list := make([]api.Setting, len(o.all))
	for i := range o.all {
		s := &o.all[i]
		list[i] = api.Setting{Name: envName(s.Name), Value: s.text(), Source: s.source}
	}
	return list
}

// Check asks the doctor.
func (o *processReport) Check(ctx context.Context) []api.Check {
	var list []api.Check
	for _, f := range (&doctorCmd{options: *o.options}).examine(ctx, o.program) {
		list = append(list, api.Check{Part: f.Part, State: f.State, Detail: f.Detail, Disables: f.Disables})
	}
	return list
}

// Workers tells how browsers and readers of documents do.
func (o *processReport) Workers() []api.Workers {
	s := o.server
	sessions, files := s.sessions.Stats(), s.documents.Stats()
	list := []api.Workers{
		{Kind: "session", Running: sessions.Active + sessions.Warm, Idle: sessions.Warm, Busy: sessions.Active, Most: o.options.BrowserSessions, Started: sessions.Created, Crashed: sessions.Crashed},
		{Kind: "document", Running: files.Reading + files.Idle, Idle: files.Idle, Busy: files.Reading, Waiting: files.Waiting, Most: files.Most, Started: files.Started, Crashed: files.Broken},
	}
	if s.pool == nil {
		return list
	}
	pages := s.pool.Stats()
	return append([]api.Workers{{
		Kind: "browser", Running: pages.Browsers, Idle: pages.Idle, Busy: pages.Pages, Waiting: pages.Waiting, Most: pages.Most,
		Started: pages.Started, Crashed: pages.Crashed, Recycled: pages.Recycled,
	}}, list...)
}

// Refusals lists what the guard refused.
func (o *processReport) Refusals() []api.RefusedTarget { return o.server.refused.latest() }

// Disk returns the room in the data folder, which without SQLite holds little.
func (o *processReport) Disk() (free int64, ok bool) {
	space, err := o.program.machine.free(o.options.DataDir)
	return int64(space), err == nil && o.options.DatabaseURL == ""
}

// features says what the parts that were started can do.
func (s *server) features(p *program) api.Features {
	tesseract, _ := s.options.tesseract(p.machine)
	return api.Features{
		Browser: s.pool != nil, Sessions: s.pool != nil, Model: s.model.ready(), Search: s.model.search != nil, Recognition: tesseract != "",
	}
}
