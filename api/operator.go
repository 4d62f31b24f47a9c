package api

import (
	"context"
	"runtime"
	"slices"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// OperatorStore is what operators see of the store.
type OperatorStore interface {
	Teams(ctx context.Context) ([]trawl.Team, error)
	Nodes(ctx context.Context) ([]store.Node, error)
	Backlog(ctx context.Context) (store.Backlog, error)
}

// Operation tells operators of the process that answers.
type Operation interface {
	// Settings lists the settings in effect, without secrets.
	Settings() []Setting
	// Check tries all parts of the installation, which takes seconds.
	Check(ctx context.Context) []Check
	// Workers tells how the browsers and the readers of documents do.
	Workers() []Workers
	// Refusals lists the latest targets that the guard refused, the latest first.
	Refusals() []RefusedTarget
	// Disk returns how much room there is for data, in bytes; false if that is not known.
	Disk() (free int64, ok bool)
}

type (
	// Setting is a setting in effect.
	Setting struct {
		Name   string `json:"name" doc:"Variable of the environment that sets it." example:"TRAWL_LISTEN"`
		Value  string `json:"value" doc:"What it is set to. Secrets are masked."`
		Source string `json:"source" doc:"Where that comes from." enum:"flag,env,file,default"`
	}
	// Check is what is known of one part of an installation.
	Check struct {
		Part     string `json:"part" doc:"The part."`
		State    string `json:"state" doc:"It works, is not there, or does not work." enum:"ok,missing,failed"`
		Detail   string `json:"detail" doc:"What was found."`
		Disables string `json:"disables,omitempty" doc:"What does not work without it."`
	}
)

type (
	// Workers is a pool of processes.
	Workers struct {
		Kind     string `json:"kind" doc:"What they do." enum:"browser,session,document"`
		Running  int    `json:"running" doc:"Processes that run."`
		Idle     int    `json:"idle" doc:"Those of them that have nothing to do."`
		Busy     int    `json:"busy" doc:"Pages, sessions or files that they have open."`
		Waiting  int    `json:"waiting" doc:"Those that wait for a place."`
		Most     int    `json:"most" doc:"How many may be open at a time."`
		Started  int64  `json:"started" doc:"Processes that were started."`
		Crashed  int64  `json:"crashed" doc:"Those that ended by themselves."`
		Recycled int64  `json:"recycled" doc:"Those that were replaced after long use."`
	}
	// RefusedTarget is a host that the server did not connect to.
	RefusedTarget struct {
		Host   string `json:"host" doc:"The host; empty under zero data retention."`
		Reason string `json:"reason" doc:"Class of its address, or that the port is closed."`
		Count  int64  `json:"count" doc:"How often that was so."`
		LastAt string `json:"lastAt" doc:"When it was so last." format:"date-time"`
	}
)

type (
	// ServerReport is how a server is doing.
	ServerReport struct {
		Success
		Data ServerState `json:"data"`
	}
	// ServerState is what an operator wants to know first.
	ServerState struct {
		Version   string       `json:"version" doc:"Version of the program."`
		Go        string       `json:"go" doc:"What it was compiled with."`
		StartedAt string       `json:"startedAt" doc:"When the process that answers was started." format:"date-time"`
		Node      string       `json:"node" doc:"Its name."`
		Nodes     []ServerNode `json:"nodes" doc:"Processes that work on the same database."`
		Queue     ServerQueue  `json:"queue" doc:"What the jobs of all teams have to do."`
		FreeDisk  *int64       `json:"freeDisk" doc:"Bytes that are free for data; null where it is kept elsewhere." nullable:"true"`
		Features  Features     `json:"features" doc:"What the server can do."`
		Workers   []Workers    `json:"workers" doc:"Browsers and readers of documents of the process that answers."`
		Settings  []Setting    `json:"settings" doc:"Settings in effect, without secrets."`
	}
	// ServerNode is a process.
	ServerNode struct {
		ID     string `json:"id" doc:"Its name."`
		SeenAt string `json:"seenAt" doc:"Its last sign of life." format:"date-time"`
	}
	// ServerQueue counts the pages of jobs.
	ServerQueue struct {
		Jobs    int     `json:"jobs" doc:"Jobs that run."`
		Queued  int     `json:"queued" doc:"Pages that wait."`
		Running int     `json:"running" doc:"Pages that are scraped now."`
		Oldest  *string `json:"oldest" doc:"When the oldest of the jobs was started." format:"date-time" nullable:"true"`
	}
)

// asOperator refuses callers that may not see the whole server.
func (s *Server) asOperator(ctx context.Context) error {
	if !s.operates(visitOf(ctx).caller) {
		return trawl.Errorf(trawl.CodeForbidden, "Only the key of an operator may see this. Create one with trawl keys create --operator.")
	}
	return nil
}

// server answers GET /v2/server.
func (s *Server) server(ctx context.Context, _ *none) (*ServerReport, error) {
	if err := s.asOperator(ctx); err != nil {
		return nil, err
	}
	nodes, err := s.Store.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	backlog, err := s.Store.Backlog(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(nodes, func(n store.Node) bool { return n.ID == s.Node }) { // one that is alone gives no signs of life
		nodes = append(nodes, store.Node{ID: s.Node, SeenAt: s.Now()})
	}
	state := ServerState{
		Version: trawl.Version, Go: runtime.Version(), StartedAt: timestamp(s.started), Node: s.Node, Nodes: make([]ServerNode, len(nodes)),
		Queue:    ServerQueue{Jobs: backlog.Jobs, Queued: backlog.Queued, Running: backlog.Running, Oldest: optionalTime(backlog.Oldest)},
		Features: s.Features, Settings: []Setting{}, Workers: []Workers{},
	}
	for i, n := range nodes {
		state.Nodes[i] = ServerNode{ID: n.ID, SeenAt: timestamp(n.SeenAt)}
	}
	if s.Operation != nil {
		state.Settings, state.Workers = s.Operation.Settings(), s.Operation.Workers()
		if free, ok := s.Operation.Disk(); ok {
			state.FreeDisk = &free
		}
	}
	return &ServerReport{Success: yes, Data: state}, nil
}

// ServerChecks lists what works and what does not.
type ServerChecks struct {
	Success
	Data []Check `json:"data" doc:"The parts of the installation."`
}

// serverChecks answers GET /v2/server/checks.
func (s *Server) serverChecks(ctx context.Context, _ *none) (*ServerChecks, error) {
	if err := s.asOperator(ctx); err != nil {
		return nil, err
	}
	list := []Check{}
	if s.Operation != nil {
		if !s.checking.TryLock() {
			return nil, trawl.Errorf(trawl.CodeConflict, "A check is running already.")
		}
		defer s.checking.Unlock()
		list = s.Operation.Check(ctx)
	}
	return &ServerChecks{Success: yes, Data: list}, nil
}

// ServerRefusals lists targets that were refused.
type ServerRefusals struct {
	Success
	Data []RefusedTarget `json:"data" doc:"The latest hundred since the process that answers was started, the latest first."`
}

// serverRefusals answers GET /v2/server/refusals.
func (s *Server) serverRefusals(ctx context.Context, _ *none) (*ServerRefusals, error) {
	if err := s.asOperator(ctx); err != nil {
		return nil, err
	}
	list := []RefusedTarget{}
	if s.Operation != nil {
		list = append(list, s.Operation.Refusals()...)
	}
	return &ServerRefusals{Success: yes, Data: list}, nil
}

type (
	// TeamList lists the teams of a server.
	TeamList struct {
		Success
		Data []TeamItem `json:"data" doc:"Teams, oldest first."`
	}
	// TeamItem is a team as operators see it.
	TeamItem struct {
		ID          string `json:"id" doc:"Id of the team."`
		Name        string `json:"name" doc:"Its name."`
		Credits     *int64 `json:"credits" doc:"Credits left; null when unlimited." nullable:"true"`
		Granted     int64  `json:"granted" doc:"Credits granted in all."`
		Concurrency int    `json:"concurrency" doc:"Scrapes that may run at a time."`
		CreatedAt   string `json:"createdAt" doc:"When it was made." format:"date-time"`
	}
)

// teams answers GET /v2/server/teams.
func (s *Server) teams(ctx context.Context, _ *none) (*TeamList, error) {
	if err := s.asOperator(ctx); err != nil {
		return nil, err
	}
	teams, err := s.Store.Teams(ctx)
	if err != nil {
		return nil, err
	}
	list := &TeamList{Success: yes, Data: make([]TeamItem, len(teams))}
	for i, t := range teams {
		list.Data[i] = TeamItem{ID: t.ID, Name: t.Name, Credits: t.Credits, Granted: t.Granted, Concurrency: s.concurrency(t), CreatedAt: timestamp(t.CreatedAt)}
	}
	return list, nil
}
