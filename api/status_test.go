package api_test

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
)

// TestNext follows a job as clients do: on the plain address there is a next as
// long as the job runs, but a page that is empty leads nowhere.
func TestNext(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.linked("/a")
	s.site.linked("/b")
	open := s.site.gated(t, "/slow")
	path := batchPath + "/" + s.batch("/a", "/b", "/slow")
	url := s.server.URL + path
	s.completed(path, 2)
	for _, row := range []struct {
		query, next string
		docs        int
	}{
		{"", "?skip=2", 2},
		{"?limit=1", "?skip=1&limit=1", 1},
		{"?skip=0", "?skip=2", 2},
		{"?skip=1&limit=1", "?skip=2&limit=1", 1},
		{"?skip=2", "", 0},
		{"?skip=2&limit=5", "", 0},
		{"?skip=1000", "", 0},
		{"?skip=", "?skip=2", 2},
	} {
		r := s.get(path+row.query).want(t, http.StatusOK)
		if row.next != "" {
			row.next = url + row.next
		}
		if row.query == "?skip=" {
			row.next = url + "?skip=2"
		}
		if r.str("next") != row.next || len(r.data()) != row.docs || !strings.Contains(string(r.raw), `"data":[`) {
			t.Errorf("%q: next %q, %d documents", row.query, r.str("next"), len(r.data()))
		}
	}
	open()
	s.over(path)
	if r := s.get(path + "?limit=2"); r.str("next") != url+"?skip=2&limit=2" {
		t.Errorf("%s", r.raw)
	}
	if r := s.get(path); r.str("next") != "" || len(r.data()) != 3 {
		t.Errorf("%s", r.raw)
	}
}

func TestPaginationErrors(t *testing.T) {
	t.Parallel()
	s := start(t)
	path := batchPath + "/" + s.batch("/")
	for _, query := range []string{"skip=-1", "skip=x", "skip=1.5", "skip=99999999999999999999", "limit=0", "limit=1001", "limit=-5", "limit=x"} {
		r := s.get(path+"?"+query).want(t, http.StatusBadRequest)
		if !strings.HasPrefix(r.str("error"), "Invalid pagination: ") || r.str("code") != "BAD_REQUEST" {
			t.Errorf("%s: %s", query, r.raw)
		}
	}
	for _, wait := range []string{"-1", "61", "61s", "x", "-1s", "1h", "0x10", "1.5"} {
		if r := s.get(path+"?wait="+wait).want(t, http.StatusBadRequest); !strings.HasPrefix(r.str("error"), "wait: ") {
			t.Errorf("%s: %s", wait, r.raw)
		}
	}
	for _, id := range []string{"x", "1234", strings.Repeat("a", 36)} {
		for _, path := range []string{crawlPath, batchPath} {
			for _, rest := range []string{"", "/errors", "/webhooks"} {
				r := s.get(path+"/"+id+rest).want(t, http.StatusBadRequest)
				if r.str("error") != "Invalid job ID format. Job ID must be a valid UUID." {
					t.Errorf("%s", r.raw)
				}
			}
			s.do(call{method: http.MethodDelete, path: path + "/" + id, key: s.key}).want(t, http.StatusBadRequest)
		}
	}
	unknown := "/018f0000-0000-7000-8000-000000000000"
	if r := s.get(crawlPath+unknown).want(t, http.StatusNotFound); r.str("error") != "Job not found" {
		t.Errorf("%s", r.raw)
	}
	s.do(call{method: http.MethodDelete, path: crawlPath + unknown, key: s.key}).want(t, http.StatusNotFound)
}

// TestPagingWhileWriting reads a job page by page while it goes on: what was read
// stays as it was, and nothing is missed or seen twice.
func TestPagingWhileWriting(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	var pages []string
	for i := range 60 {
		page := "/p" + strconv.Itoa(i)
		s.site.linked(page)
		pages = append(pages, page)
	}
	path := batchPath + "/" + s.batch(pages...)
	var seen []string
	for {
		r := s.get(path+"?limit=7&wait=5s&skip="+strconv.Itoa(len(seen))).want(t, http.StatusOK)
		seen = append(seen, r.data()...)
		if r.str("status") == "completed" && r.str("next") == "" {
			break
		}
	}
	again := s.get(path + "?limit=1000").data()
	if !slices.Equal(seen, again) || len(seen) != 60 {
		t.Errorf("%d documents while it ran, %d afterwards", len(seen), len(again))
	}
}

func TestLargeDocuments(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	for _, page := range []string{"/1", "/2", "/3"} {
		s.site.page(page, "text/html", "<title>"+page+"</title><p>"+strings.Repeat("word ", 1<<20))
	}
	path := batchPath + "/" + s.post(batchPath, strings.Replace(s.urls("/1", "/2", "/3"), "{", `{"formats":["rawHtml"],`, 1))
	s.over(path)
	var count int
	for next := path; next != ""; {
		r := s.get(next).want(t, http.StatusOK)
		if len(r.raw) > 11<<20 || len(r.data()) == 0 {
			t.Fatalf("a page of %d bytes with %d documents", len(r.raw), len(r.data()))
		}
		count += len(r.data())
		next = strings.TrimPrefix(r.str("next"), s.server.URL)
	}
	if count != 3 {
		t.Errorf("%d documents", count)
	}
}

// waiting tells when a request has begun to wait for a job to change.
type waiting struct {
	api.Jobs
	begun chan struct{}
}

func (w waiting) Wait(ctx context.Context, last trawl.Job) (trawl.Job, error) {
	w.begun <- struct{}{}
	return w.Jobs.Wait(ctx, last)
}

func TestLongPoll(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 10)
	s := startWorking(t, func(c *api.Config) { c.Jobs = waiting{c.Jobs, begun} })
	openFirst := s.site.gated(t, "/1")
	openSecond := s.site.gated(t, "/2")
	path := batchPath + "/" + s.batch("/1", "/2")
	if r := s.get(path + "?wait=0"); r.at("completed") != 0.0 || len(begun) != 0 {
		t.Errorf("%s", r.raw)
	}
	if r := s.get(path + "?wait=10ms"); r.at("completed") != 0.0 { // nothing happens in that time
		t.Errorf("%s", r.raw)
	}
	<-begun
	poll := func(query string, open func()) (r reply) {
		var wg sync.WaitGroup
		defer wg.Wait()
		wg.Go(func() { r = s.get(path + query) })
		<-begun
		open()
		wg.Wait()
		return r
	}
	if r := poll("?wait=60", openFirst); r.at("completed") != 1.0 || len(r.data()) != 1 {
		t.Errorf("after the first page: %s", r.raw)
	}
	if r := s.get(path + "?wait=60s&skip=0"); len(r.data()) != 1 || len(begun) != 0 { // it is there already
		t.Errorf("%s", r.raw)
	}
	if r := poll("?wait=60s&skip=1", openSecond); r.str("status") != "completed" || len(r.data()) != 1 {
		t.Errorf("after the second page: %s", r.raw)
	}
	if s.get(path+"?wait=60s").want(t, http.StatusOK); len(begun) != 0 { // a job that is over does not change
		t.Error("waited for a job that is over")
	}
}

func TestDrainEndsLongPoll(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 10)
	s := startWorking(t, func(c *api.Config) { c.Jobs = waiting{c.Jobs, begun} })
	s.site.gated(t, "/slow")
	path := batchPath + "/" + s.batch("/slow")
	var wg sync.WaitGroup
	wg.Go(func() {
		if r := s.get(path + "?wait=60s"); r.str("status") != "scraping" {
			t.Errorf("%d %s", r.status, r.raw)
		}
	})
	<-begun
	s.api.Drain()
	wg.Wait()
	s.get(path+"?wait=60s").want(t, http.StatusOK) // and nobody waits after it
}
