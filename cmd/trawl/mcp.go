package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/mcp"
)

// tools returns what makes the tools of a server, or nil if the operator wants none.
func (s *server) tools(p *program, public *url.URL) func(*api.Server) api.MCP {
	o := s.options
	if o.MCP == "off" {
		return nil
	}
	return func(service *api.Server) api.MCP {
		offered := s.features(p)
		tools := mcp.New(mcp.Config{
			API: mcp.InProcess{Handler: service}, URL: &url.URL{Scheme: "http", Host: "localhost"}, Log: s.log,
			Search: offered.Search, Browsers: offered.Sessions, Text: o.MCPText, Sessions: o.MCPSessions, Idle: o.MCPIdle,
			PublicURL: public, Origins: o.MCPOrigins, Draining: service.Draining(),
		})
		s.later(tools.Close)
		return tools
	}
}

type mcpCmd struct {
	options
	Server string `placeholder:"URL" help:"Use the service at this address, with the key of --api-key, instead of one that runs only for this program."`
}

// Run speaks with the program that started it until that closes standard input.
func (c *mcpCmd) Run(ctx context.Context, p *program) error {
	config, stop, err := c.service(ctx, p)
	if err != nil {
		return err
	}
	defer stop()
	config.Log, config.Local, config.Text = newLogger(p.stderr, c.quietLevel(), c.LogFormat), true, c.MCPText
	tools := mcp.New(config)
	err = tools.Run(ctx, io.NopCloser(p.stdin), unclosed{p.stdout})
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// unclosed leaves standard output open to who opened it.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// service returns the service to use, and what ends it.
func (c *mcpCmd) service(ctx context.Context, p *program) (mcp.Config, func(), error) {
	if c.Server != "" {
		return c.remote(ctx)
	}
	s, err := c.embedded(ctx, p)
	if err != nil {
		return mcp.Config{}, nil, err
	}
	offered := s.features(p)
	return mcp.Config{
		API: mcp.InProcess{Handler: s.api}, URL: &url.URL{Scheme: "http", Host: s.address}, Key: s.options.APIKey,
		Search: offered.Search, Browsers: offered.Sessions, Passing: true,
	}, s.close, nil
}

// embedded brings up a service of its own on a store that is gone afterwards. It
// listens on loopback, where pictures and remote browsers are found, with a key
// that nobody else has.
func (o options) embedded(ctx context.Context, p *program) (*server, error) {
	dir, err := os.MkdirTemp("", "trawl-mcp-")
	if err != nil {
		return nil, fmt.Errorf("make temporary folder: %w", err)
	}
	compiled := o.compiled()
	o.DataDir, o.DatabaseURL, o.BlobURL, o.Roles, o.Retention = dir, "", "", list{"api", "worker"}, 24*time.Hour
	o.Listen, o.MetricsListen, o.PublicURL, o.NodeURL = "127.0.0.1:0", "", "", ""
	o.APIKey, o.Auth, o.Console, o.MCP, o.BrowserWarm = trawl.NewSecret(), "on", "off", "off", 0
	s := &server{options: &o, log: newLogger(p.stderr, o.quietLevel(), o.LogFormat), failed: make(chan error, 2), compiled: compiled}
	s.later(func() { _ = os.RemoveAll(dir) })
	for _, step := range []func(context.Context, *program) error{s.openStore, s.bootstrap, s.bind, s.openAPI, s.listen} {
		if err := step(ctx, p); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// remote returns a service elsewhere, which must take the key.
func (c *mcpCmd) remote(ctx context.Context) (mcp.Config, func(), error) {
	address, err := url.Parse(c.Server)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return mcp.Config{}, nil, usageError{fmt.Errorf("--server: %q is not an address such as http://127.0.0.1:3002", c.Server)}
	}
	transport := egress.Infrastructure()
	config := mcp.Config{API: &http.Client{Transport: transport}, URL: address, Key: c.APIKey}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.JoinPath("/v2/team").String(), nil)
	if err != nil {
		return mcp.Config{}, nil, err
	}
	if c.APIKey != "" {
		request.Header.Set("Authorization", "Bearer "+c.APIKey)
	}
	response, err := config.API.Do(request)
	if err != nil {
		return mcp.Config{}, nil, fmt.Errorf("reach the service: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return mcp.Config{}, nil, fmt.Errorf("the service at %s answers with %s; is the key in TRAWL_API_KEY right?", address.Redacted(), response.Status)
	}
	var account api.Account
	if err := json.NewDecoder(response.Body).Decode(&account); err != nil {
		return mcp.Config{}, nil, fmt.Errorf("read the answer of the service: %w", err)
	}
	config.Search, config.Browsers = account.Data.Features.Search, account.Data.Features.Sessions
	return config, transport.CloseIdleConnections, nil
}
