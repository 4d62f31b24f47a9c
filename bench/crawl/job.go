package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// jobStatus is what is read of the view of a job.
type jobStatus struct {
	Status      string    `json:"status"`
	Completed   int       `json:"completed"`
	Total       int       `json:"total"`
	CreatedAt   time.Time `json:"createdAt"`
	CompletedAt time.Time `json:"completedAt"`
}

const (
	crawlPath = "/v2/crawl"
	batchPath = "/v2/batch/scrape"
)

// call makes one request of the API, which must succeed, and returns how long it
// took until the last byte of the answer was there. A nil body sends none, a nil
// answer is not decoded.
func (s *server) call(ctx context.Context, method, path string, body, answer any) (time.Duration, error) {
	var payload io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		payload = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, payload)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+apiKey)
	req.Header.Set("Content-Type", "application/json")
	start := time.Now()
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	took := time.Since(start)
	if err != nil {
		return 0, err
	}
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s %s: %d %.300s", method, path, resp.StatusCode, data)
	}
	if answer == nil {
		return took, nil
	}
	return took, json.Unmarshal(data, answer)
}

// start makes a job and returns its path.
func (s *server) start(ctx context.Context, path string, body any) (string, time.Duration, error) {
	var answer struct{ ID string }
	took, err := s.call(ctx, http.MethodPost, path, body, &answer)
	return path + "/" + answer.ID, took, err
}

// crawled is a finished crawl.
type crawled struct {
	crawlRun
	job      string          // its path
	statuses []time.Duration // latencies of the polls while it ran
}

// crawl runs a crawl of a section and waits for its end.
func (s *server) crawl(ctx context.Context, site string, part section) (crawled, error) {
	before, err := s.cpu()
	if err != nil {
		return crawled{}, err
	}
	began := time.Now()
	job, _, err := s.start(ctx, crawlPath, map[string]any{"url": site + part.path(0), "limit": part.size, "sitemap": "skip"})
	if err != nil {
		return crawled{}, err
	}
	run := crawled{job: job}
	last, err := s.wait(ctx, &run)
	if err != nil {
		return run, err
	}
	run.Elapsed = time.Since(began)
	after, err := s.cpu()
	if err != nil {
		return run, err
	}
	if !last.CreatedAt.IsZero() && !last.CompletedAt.IsZero() { // more exact than the polls
		run.Elapsed = last.CompletedAt.Sub(last.CreatedAt)
	}
	run.Pages, run.CPU = last.Completed, after-before
	if last.Status != "completed" || last.Completed != part.size {
		err = fmt.Errorf("crawl of %d pages ended %s with %d of %d", part.size, last.Status, last.Completed, last.Total)
	}
	return run, err
}

// wait polls the crawl until it ends, or until it made no progress for a minute.
func (s *server) wait(ctx context.Context, run *crawled) (jobStatus, error) {
	var last jobStatus
	progress := time.Now()
	for time.Since(progress) < time.Minute {
		if err := sleep(ctx, 250*time.Millisecond); err != nil {
			return last, err
		}
		var now jobStatus
		took, err := s.call(ctx, http.MethodGet, run.job+"?limit=1", nil, &now)
		if err != nil {
			return last, err
		}
		if now.Status != "scraping" {
			return now, nil
		}
		if now.Completed > last.Completed {
			progress = time.Now()
		}
		run.statuses, last = append(run.statuses, took), now
	}
	return last, fmt.Errorf("crawl stands still at %d of %d", last.Completed, last.Total)
}
