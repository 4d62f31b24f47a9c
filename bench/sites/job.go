package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// document is what is read of a page.
type document struct {
	Markdown string
	Metadata struct {
		SourceURL   string
		URL         string
		StatusCode  int
		ContentType string
	}
}

// pageError is a page that failed.
type pageError struct{ URL, Code, Error string }

// job is a finished crawl or batch.
type job struct {
	Status      string
	Completed   int
	Total       int
	CreatedAt   time.Time
	CompletedAt time.Time
	Next        string
	Error       string
	Data        []document
	failures    []pageError
	blocked     []string // by robots.txt
}

func (j job) pagesPerSecond() float64 {
	return float64(j.Completed) / j.CompletedAt.Sub(j.CreatedAt).Seconds()
}

// call makes one request of the API, which must succeed. A nil body sends none.
func (s *server) call(ctx context.Context, method, path string, body, answer any) error {
	var payload io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, payload)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+apiKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		data, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return fmt.Errorf("%s %s: %d %s", method, path, resp.StatusCode, data)
	}
	return json.NewDecoder(resp.Body).Decode(answer)
}

// run makes a job, waits for its end and reads it.
func (s *server) run(ctx context.Context, path string, body any) (job, error) {
	var made struct{ ID string }
	if err := s.call(ctx, http.MethodPost, path, body, &made); err != nil {
		return job{}, err
	}
	path += "/" + made.ID
	if err := s.wait(ctx, path); err != nil {
		return job{}, err
	}
	var failed struct {
		Errors        []pageError
		RobotsBlocked []string
	}
	if err := s.call(ctx, http.MethodGet, path+"/errors", nil, &failed); err != nil {
		return job{}, err
	}
	j, err := s.readJob(ctx, path)
	j.failures, j.blocked = failed.Errors, failed.RobotsBlocked
	if err == nil && j.Status != "completed" {
		err = fmt.Errorf("ended %s with %d of %d pages: %s", j.Status, j.Completed, j.Total, j.Error)
	}
	return j, err
}

// wait polls the job until it ends, or until it made no progress for a minute.
func (s *server) wait(ctx context.Context, path string) error {
	var last job
	progress := time.Now()
	for time.Since(progress) < time.Minute {
		var now job
		if err := s.call(ctx, http.MethodGet, path+"?limit=1", nil, &now); err != nil {
			return err
		}
		if now.Status != "scraping" {
			return nil
		}
		if now.Completed > last.Completed {
			progress = time.Now()
		}
		last = now
		if err := sleep(ctx, 250*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("stands still at %d of %d pages", last.Completed, last.Total)
}

// readJob reads a job that is over, with all its documents.
func (s *server) readJob(ctx context.Context, path string) (job, error) {
	var all job
	if err := s.call(ctx, http.MethodGet, path, nil, &all); err != nil {
		return all, err
	}
	for next := all.Next; next != ""; {
		var part job
		if err := s.call(ctx, http.MethodGet, strings.TrimPrefix(next, s.base), nil, &part); err != nil {
			return all, err
		}
		all.Data, next = append(all.Data, part.Data...), part.Next
	}
	return all, nil
}
