package mcp

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// API answers requests of the service's API. An http.Client does, for a service
// elsewhere.
type API interface {
	Do(*http.Request) (*http.Response, error)
}

// InProcess is an API in the same process.
type InProcess struct{ http.Handler }

// Do has the handler answer.
func (p InProcess) Do(r *http.Request) (*http.Response, error) {
	w := &recorder{header: http.Header{}}
	p.ServeHTTP(w, r)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: memory{&w.body}}, nil
}

// memory is a body that is all there.
type memory struct{ *bytes.Buffer }

func (memory) Close() error { return nil }

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// visitor is what the API has to see of the HTTP request that brought a message:
// whose it is, and under which address the caller knows the service.
type visitor struct {
	authorization string
	host, remote  string
	secure        bool
	forwarded     http.Header
}

const visitorKey = "visitor"

func visitorOf(r *http.Request) visitor {
	v := visitor{authorization: r.Header.Get("Authorization"), host: r.Host, remote: r.RemoteAddr, secure: r.TLS != nil}
	for _, name := range []string{"X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-For"} {
		if value := r.Header.Get(name); value != "" {
			if v.forwarded == nil {
				v.forwarded = http.Header{}
			}
			v.forwarded.Set(name, value)
		}
	}
	return v
}

// visitor returns who sent a message: over HTTP whoever sent the request, else
// the one caller there is.
func (s *Server) visitor(extra *sdk.RequestExtra) visitor {
	if extra != nil && extra.TokenInfo != nil {
		if v, ok := extra.TokenInfo.Extra[visitorKey].(visitor); ok {
			return v
		}
	}
	v := visitor{host: s.URL.Host, remote: "127.0.0.1:0"}
	if s.Key != "" {
		v.authorization = "Bearer " + s.Key
	}
	return v
}

// token puts a visitor where the SDK hands it on to tools.
func (v visitor) token(team string) *auth.TokenInfo {
	return &auth.TokenInfo{UserID: team, Extra: map[string]any{visitorKey: v}}
}

// request is one request to the API.
type request struct {
	method, path string // the path may have a query
	body         []byte
	contentType  string // application/json unless given
}

// answer is what the API says to it.
type answer struct {
	status int
	body   []byte
}

// do sends a request as the visitor.
func (s *Server) do(ctx context.Context, v visitor, q request) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, q.method, strings.TrimSuffix(s.URL.String(), "/")+q.path, bytes.NewReader(q.body))
	if err != nil {
		return answer{}, err
	}
	if v.authorization != "" {
		r.Header.Set("Authorization", v.authorization)
	}
	if q.body != nil {
		r.Header.Set("Content-Type", "application/json")
		if q.contentType != "" {
			r.Header.Set("Content-Type", q.contentType)
		}
	}
	if _, here := s.API.(InProcess); here {
		r.Host, r.RemoteAddr = v.host, v.remote
		if v.secure {
			r.TLS = &tls.ConnectionState{}
		}
		for name, values := range v.forwarded {
			r.Header[name] = values
		}
	}
	response, err := s.API.Do(r)
	if err != nil {
		return answer{}, unreachable(err)
	}
	defer response.Body.Close()
	body, err := read(response.Body)
	return answer{response.StatusCode, body}, err
}

// unreachable tells of a failed request without the address, which may have more in
// it than a model should see.
func unreachable(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("the service cannot be reached: %w", errors.Unwrap(err))
}

// read returns a body, without a copy if it is in memory.
func read(body io.ReadCloser) ([]byte, error) {
	if m, ok := body.(memory); ok {
		return m.Bytes(), nil
	}
	b, err := io.ReadAll(io.LimitReader(body, mostAnswer+1))
	if err == nil && len(b) > mostAnswer {
		err = errors.New("the answer of the service is too large")
	}
	return b, err
}

// mostAnswer bounds what is read of an answer of the API.
const mostAnswer = 256 << 20

// ok returns the body of an answer that is a success, else what went wrong.
func (a answer) ok() ([]byte, error) {
	if a.status < 300 {
		return a.body, nil
	}
	return nil, a.failure()
}

// failure is a refusal of the API in words for a model.
func (a answer) failure() error {
	var body struct {
		Error   string
		Code    string
		Details []struct {
			Message string
			Path    []any
		}
	}
	if err := json.Unmarshal(a.body, &body); err != nil || body.Error == "" {
		return fmt.Errorf("the service answered with status %d", a.status)
	}
	text := body.Error
	if body.Code != "" {
		text += " (" + body.Code + ")"
	}
	for _, d := range body.Details {
		path := make([]string, len(d.Path))
		for i, p := range d.Path {
			path[i] = fmt.Sprint(p)
		}
		text += "\n- " + strings.Join(path, ".") + ": " + d.Message
	}
	return errors.New(text)
}

// refusal is nil for a success.
func (a answer) refusal() error {
	_, err := a.ok()
	return err
}
