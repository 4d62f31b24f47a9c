package api

import (
	"context"
	"encoding/json"

	"github.com/trawlhq/trawl"
)

// Index says what this is and where to read on.
type Index struct {
	Success
	Message       string `json:"message" doc:"What this is."`
	Version       string `json:"version" doc:"Version of the server."`
	Documentation string `json:"documentation_url" doc:"Where the API is described for people."`
	OpenAPI       string `json:"openapi_url" doc:"Where the API is described for programs."`
}

// index answers GET /.
func (s *Server) index(ctx context.Context, _ *none) (*Index, error) {
	base := s.baseURL(visitOf(ctx).request)
	return &Index{
		Success: yes, Message: "Trawl", Version: trawl.Version,
		Documentation: base + "/docs", OpenAPI: base + "/openapi.json",
	}, nil
}

// State is how the server is doing.
type State struct {
	Success
	Status string `json:"status" doc:"ok, or ready."`
}

// healthz answers GET /healthz: the process is alive.
func (s *Server) healthz(context.Context, *none) (*State, error) {
	return &State{Success: yes, Status: "ok"}, nil
}

// Readiness is what the server can do.
type Readiness struct {
	State
	Browser string `json:"browser" doc:"ready, missing, \"does not start\", or \"ready, without sandbox\". The server is ready without a browser, but renders no pages."`
}

// readyz answers GET /readyz: the store takes writes and the server is not
// about to stop.
func (s *Server) readyz(ctx context.Context, _ *none) (*Readiness, error) {
	if s.draining.Err() != nil {
		return nil, trawl.Errorf(trawl.CodeUnavailable, "The server is shutting down.")
	}
	if err := s.Store.Ping(ctx); err != nil {
		return nil, trawl.Wrap(trawl.CodeUnavailable, "The store cannot be written.", err)
	}
	return &Readiness{State: State{Success: yes, Status: "ready"}, Browser: s.Browser()}, nil
}

type bytesOutput struct {
	ContentType string `header:"Content-Type"`
	Policy      string `header:"Content-Security-Policy"`
	Body        []byte
}

// openAPI answers GET /openapi.json.
func (s *Server) openAPI(context.Context, *none) (*bytesOutput, error) {
	document, err := json.Marshal(s.huma.OpenAPI())
	if err != nil {
		return nil, err
	}
	return &bytesOutput{ContentType: "application/json", Body: document}, nil
}
