package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// How jobs are waited for.
const (
	patience   = 50 * time.Second       // over HTTP, where clients give up after a minute
	changeTime = "20s"                  // how long the API is asked to wait for a change
	leastPause = 200 * time.Millisecond // between two looks at a job
	mostPause  = 2 * time.Second
	beyondAll  = "1000000000" // more documents than any job has: only its state is wanted
)

// state is what of a job's state the waiting needs.
type state struct {
	Status           string
	Completed, Total int
	CreditsUsed      int64
}

func (s state) over() bool { return s.Status != "scraping" && s.Status != "processing" }

// crawlSite starts a crawl and waits for it.
func crawlSite(ctx context.Context, c *call) ([]byte, error) {
	id, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	watch := "/v2/crawl/" + id + "?limit=1&skip=" + beyondAll + "&wait=" + changeTime
	last, err := c.follow(ctx, "/v2/crawl/"+id, watch)
	if err != nil {
		return nil, err
	}
	body, err := c.get(ctx, "/v2/crawl/"+id)
	if err != nil {
		return nil, err
	}
	return c.named(body, id, last, "firecrawl_check_crawl_status")
}

// extractData starts an extract and waits for it.
func extractData(ctx context.Context, c *call) ([]byte, error) {
	id, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	last, err := c.follow(ctx, "/v2/extract/"+id, "/v2/extract/"+id)
	if err != nil {
		return nil, err
	}
	body, err := c.get(ctx, "/v2/extract/"+id)
	if err != nil {
		return nil, err
	}
	return c.named(body, id, last, "trawl_extract_status")
}

// crawlStatus reads how a crawl does.
func crawlStatus(ctx context.Context, c *call) ([]byte, error) {
	id := unquoted(c.args[argID])
	body, err := c.send(ctx)
	if err != nil {
		return nil, err
	}
	return withMember(body, "id", id)
}

// start makes the request that starts a job and returns its id.
func (c *call) start(ctx context.Context) (string, error) {
	body, err := c.send(ctx)
	if err != nil {
		return "", err
	}
	var started struct{ ID string }
	err = json.Unmarshal(body, &started)
	return escaped(started.ID), err
}

// follow waits until a job is over, or for as long as the caller will, and tells of
// its progress. When the call is cancelled, so is the job.
func (c *call) follow(ctx context.Context, job, watch string) (state, error) {
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	if !c.server.Local {
		defer time.AfterFunc(patience, stop).Stop()
	}
	defer context.AfterFunc(c.server.Draining, stop)()
	var seen state
	for pause := leastPause; ; pause = min(2*pause, mostPause) {
		next, err := c.look(waiting, watch)
		if ctx.Err() != nil {
			_, _ = c.exchangeWith(context.WithoutCancel(ctx), request{method: http.MethodDelete, path: job}) // it may be over already
			return seen, ctx.Err()
		}
		if waiting.Err() != nil {
			return seen, nil
		}
		if err != nil {
			return seen, err
		}
		if next != seen {
			seen, pause = next, leastPause
			c.progress(ctx, seen)
		}
		if seen.over() {
			return seen, nil
		}
		select {
		case <-waiting.Done():
		case <-time.After(pause):
		}
	}
}

func (c *call) look(ctx context.Context, path string) (state, error) {
	body, err := c.get(ctx, path)
	if err != nil {
		return state{}, err
	}
	var s state
	return s, json.Unmarshal(body, &s)
}

// progress tells the client how far a job is, if it wants to know.
func (c *call) progress(ctx context.Context, s state) {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return
	}
	done := float64(s.Completed)
	message := strconv.Itoa(s.Completed) + " of " + strconv.Itoa(s.Total) + " pages"
	if s.Total == 0 { // an extract has no count of pages
		done, message = float64(s.CreditsUsed), s.Status
	}
	_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
		ProgressToken: token, Progress: done, Total: float64(s.Total), Message: message,
	}) // a client that is gone misses nothing
}

// named adds to the state of a job its id, and what to call if it is not over yet.
func (c *call) named(body []byte, id string, last state, status string) ([]byte, error) {
	body, err := withMember(body, "id", id)
	if err != nil || last.over() && last.Status != "" {
		return body, err
	}
	return withMember(body, "message", "This is still running. Call "+status+" with this id later.")
}

// withMember adds a member to a JSON object, in front.
func withMember(body []byte, name string, value any) ([]byte, error) {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, err
	}
	members[name] = encoded
	return json.Marshal(members)
}

// escaped is an id as it stands in a path.
func escaped(id string) string { return url.PathEscape(id) }
