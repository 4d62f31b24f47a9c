package api

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/trawlhq/trawl"
)

const (
	// forwardedHeader is on a request that another node has passed on.
	forwardedHeader = "X-Trawl-Forwarded"
	// forwardTime is how long the other node may take to answer: a profile that is
	// saved at the end of a session takes seconds.
	forwardTime = 30 * time.Second
	// comeBack is the time in seconds after which others have noticed that a node is dead.
	comeBack = "5"
)

// sessionInputs are the inputs of routes that are about a session.
type sessionInputs interface {
	IDInput | executeInput | interactInput | scrapeInput
}

// addForwarded puts a route into the table that is about a session of the caller's
// team, which find finds, and is answered by the node that holds it.
func addForwarded[I sessionInputs, T any](s *Server, r route, find func(context.Context, *I) (trawl.Session, error), handler func(context.Context, *I, trawl.Session) (*T, error)) {
	addRaw(s, r, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		x, err := find(ctx, in)
		if err != nil {
			return nil, err
		}
		if s.elsewhere(&x) {
			return &huma.StreamResponse{Body: func(c huma.Context) {
				request, w := humago.Unwrap(c)
				s.forward(w.(*answer), request, &x)
			}}, nil
		}
		body, err := handler(ctx, in, x)
		if err != nil {
			return nil, err
		}
		noteDeed(ctx, body)
		return &huma.StreamResponse{Body: func(c huma.Context) {
			c.SetHeader("Content-Type", "application/json")
			translated, err := s.translated(c, "", body)
			if err == nil {
				_ = jsonFormat.Marshal(c.BodyWriter(), translated)
			}
		}}, nil
	})
	document := s.huma.OpenAPI()
	schema := document.Components.Schemas.Schema(reflect.TypeFor[T](), true, "")
	content := map[string]*huma.MediaType{"application/json": {Schema: schema}}
	operations(document.Paths[r.path])[r.method].Responses["200"] = &huma.Response{Description: http.StatusText(http.StatusOK), Content: content}
}

// elsewhere reports whether another node holds the session.
func (s *Server) elsewhere(x *trawl.Session) bool { return x.Active() && x.Node != s.Node }

// forward passes a request on to the node that holds the session, and its answer
// back; a socket stays connected through this node. What was passed on once is not
// passed on again: nodes that disagree would send it around for ever.
func (s *Server) forward(w *answer, r *http.Request, x *trawl.Session) {
	target, err := url.Parse(x.NodeURL)
	if err != nil || target.Host == "" || s.Forward == nil || r.Header.Get(forwardedHeader) != "" {
		s.unreachable(w, r, errors.New("no way to node "+x.Node))
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	patience := forwardTime
	if body := visitOf(ctx).body; body != nil { // it was read here, and what runs there takes its time
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		patience += trawl.MaxExecuteTime * time.Second
	}
	late := time.AfterFunc(patience, cancel)
	defer late.Stop()
	proxy := &httputil.ReverseProxy{
		Transport: s.Forward,
		ErrorLog:  slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			p.Out.Header.Set(forwardedHeader, s.Node)
			p.Out.Header.Set("X-Request-Id", visitOf(ctx).id)
		},
		ModifyResponse: func(response *http.Response) error {
			late.Stop()
			for name := range w.Header() { // both nodes set them, and they would be there twice
				response.Header.Del(name)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) { s.unreachable(w, r, err) },
	}
	proxy.ServeHTTP(&relay{w}, r.WithContext(ctx))
}

func (s *Server) unreachable(w *answer, r *http.Request, err error) {
	w.Header().Set("Retry-After", comeBack)
	s.fail(w, r, trawl.Wrap(trawl.CodeUnavailable,
		"The server that holds this session cannot be reached. Try again in "+comeBack+" seconds.", err))
}

// relay is an answer that may become a socket of another node.
type relay struct{ *answer }

// Hijack returns the connection without its way to close one direction only: when
// the other node is done, a client that stays must not hold the connection.
func (r *relay) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffer, err := http.NewResponseController(r.answer).Hijack()
	if err != nil {
		return nil, nil, err
	}
	r.status = http.StatusSwitchingProtocols
	return struct{ net.Conn }{conn}, buffer, nil
}
