package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// idleSessions is how many sessions of the Model Context Protocol are opened to see what
// they take.
const idleSessions = 200

// measureMCP compares a scrape by a tool with the same scrape by POST, and takes the
// memory of sessions that do nothing.
func measureMCP(ctx context.Context, binary string, load load) error {
	site, err := startSite()
	if err != nil {
		return err
	}
	defer site.Close()
	dir, err := os.MkdirTemp("", "trawl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, err := startServer(ctx, binary, dir)
	if err != nil {
		return err
	}
	figures, err := server.toolFigures(ctx, site.URL, load)
	if stopErr := server.stop(); err == nil {
		err = stopErr
	}
	if err != nil {
		return err
	}
	return printFigures(figures)
}

func (s *server) toolFigures(ctx context.Context, site string, load load) ([]figure, error) {
	session, err := s.beginTools(ctx)
	if err != nil {
		return nil, err
	}
	idle, err := s.idleSessions(ctx)
	if err != nil {
		return nil, err
	}
	var posted, called, cachedPost, cachedCall time.Duration
	load.requests /= rounds
	for round := range rounds + 1 {
		if round == 1 { // the first was to warm up
			posted, called, cachedPost, cachedCall = 0, 0, 0, 0
		}
		post := func(address string) error { return s.send(ctx, scrapeOf(address)) }
		call := func(address string) error { return s.callScrape(ctx, session, address) }
		for _, step := range []struct {
			sum     *time.Duration
			send    func(address string) error
			address func(i int) string
		}{
			{&posted, post, func(i int) string { return fmt.Sprintf("%s/page?post-%d-%d", site, round, i) }},
			{&called, call, func(i int) string { return fmt.Sprintf("%s/page?call-%d-%d", site, round, i) }},
			{&cachedPost, post, func(int) string { return site + "/page" }},
			{&cachedCall, call, func(int) string { return site + "/page" }},
		} {
			before, err := s.cpu()
			if err != nil {
				return nil, err
			}
			if err := load.run(func(i int) error { return step.send(step.address(i)) }); err != nil {
				return nil, err
			}
			after, err := s.cpu()
			if err != nil {
				return nil, err
			}
			*step.sum += (after - before) / time.Duration(load.requests)
		}
	}
	return []figure{
		{fmt.Sprintf("%d idle sessions, memory", idleSessions), fmt.Sprintf("%.1f MB", idle), "≤ 20 MB"},
		{"fresh scrape by POST, CPU", perRequest(posted), ""},
		{"fresh scrape by a tool, CPU", perRequest(called), ""},
		{"tool / POST, fresh", ratio(called, posted), "≤ 1.3"},
		{"cached scrape by POST, CPU", perRequest(cachedPost), ""},
		{"cached scrape by a tool, CPU", perRequest(cachedCall), ""},
		{"tool / POST, cached", ratio(cachedCall, cachedPost), ""},
	}, nil
}

// idleSessions returns by how much sessions make the process larger.
func (s *server) idleSessions(ctx context.Context) (float64, error) {
	var sizes [2]float64
	for i := range sizes { // the first are ended again: what they leave is not what sessions take
		var open []string
		for range idleSessions {
			session, err := s.beginTools(ctx)
			if err != nil {
				return 0, err
			}
			open = append(open, session)
		}
		for _, session := range open {
			if i == 0 {
				if err := s.endTools(ctx, session); err != nil {
					return 0, err
				}
			}
		}
		var err error
		if sizes[i], err = s.resident(); err != nil {
			return 0, err
		}
	}
	return sizes[1] - sizes[0], nil
}

func (s *server) endTools(ctx context.Context, session string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, s.base+"/mcp", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+apiKey)
	req.Header.Set("Mcp-Session-Id", session)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// beginTools begins a session and has it list the tools, as clients do.
func (s *server) beginTools(ctx context.Context) (session string, err error) {
	session, err = s.message(ctx, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	if err == nil {
		_, err = s.message(ctx, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	if err == nil {
		_, err = s.message(ctx, session, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	}
	return session, err
}

func (s *server) callScrape(ctx context.Context, session, address string) error {
	_, err := s.message(ctx, session, fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"firecrawl_scrape","arguments":{"url":%q}}}`, address+time.Now().String(), address))
	return err
}

// message sends a message, which must succeed, and returns the session that it began.
func (s *server) message(ctx context.Context, session, body string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+"/mcp", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + apiKey, "Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": session} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode >= 300 || strings.Contains(string(answer), `"isError":true`) || strings.Contains(string(answer), `"error":{"code"`)) {
		err = fmt.Errorf("%d %.300s", resp.StatusCode, answer)
	}
	return resp.Header.Get("Mcp-Session-Id"), err
}
