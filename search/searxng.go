package search

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/egress"
)

const (
	mostPages   = 10
	maxAnswer   = 4 << 20
	pageTimeout = 30 * time.Second
	retryPause  = 500 * time.Millisecond
	mostPause   = 5 * time.Second
)

// SearXNG is a Provider that asks a SearXNG instance. It is safe for concurrent use.
type SearXNG struct {
	base      url.URL
	transport http.RoundTripper
}

// NewSearXNG returns the instance at an address, which may name its search page
// or what that is below. A nil transport means egress.Infrastructure.
func NewSearXNG(address string, transport http.RoundTripper) (*SearXNG, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, errors.New("search address: not an http or https address")
	}
	if transport == nil {
		transport = egress.Infrastructure()
	}
	base := url.URL{Scheme: u.Scheme, Host: u.Host, User: u.User}
	base.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/search") + "/search"
	return &SearXNG{base: base, transport: transport}, nil
}

// Close closes connections that are kept for reuse.
func (s *SearXNG) Close() {
	if t, ok := s.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Search asks page after page until there are enough results or no new ones. A
// later page that fails ends the search with what the earlier ones gave.
func (s *SearXNG) Search(ctx context.Context, q Query) ([]trawl.SearchResult, error) {
	if q.Limit <= 0 {
		q.Limit = 10
	}
	found := collector{query: &q, seen: map[string]bool{}}
	for number := 1; number <= mostPages && len(found.results) < q.Limit; number++ {
		page, err := s.page(ctx, &q, number)
		if err != nil && ctx.Err() == nil && len(found.results) > 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		if silent := page.silent(); number == 1 && len(page.Results) == 0 && silent != "" {
			return nil, trawl.Errorf(trawl.CodeSearch, "The search found nothing: its engines did not answer (%s).", silent)
		}
		if !found.take(page.Results) {
			break
		}
	}
	return found.results, nil
}

// page asks for one page of results, a second time if that may help.
func (s *SearXNG) page(ctx context.Context, q *Query, number int) (*page, error) {
	answer, pause, err := s.attempt(ctx, q, number)
	if err == nil || pause == 0 {
		return answer, err
	}
	select {
	case <-ctx.Done():
		return nil, explain(ctx, ctx.Err())
	case <-time.After(pause):
	}
	answer, _, err = s.attempt(ctx, q, number)
	return answer, err
}

// attempt asks once. With a pause, asking again after it may help.
func (s *SearXNG) attempt(ctx context.Context, q *Query, number int) (*page, time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, http.MethodGet, s.address(q, number), nil)
	if err != nil {
		return nil, 0, trawl.Wrap(trawl.CodeSearch, "The search could not be sent.", err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "Trawl/"+trawl.Version)
	if user := s.base.User; user != nil {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	// The transport itself, because a client would follow redirects.
	response, err := s.transport.RoundTrip(request)
	if err != nil {
		return nil, again(limited, retryPause), explain(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		_, _ = io.CopyN(io.Discard, response.Body, 64<<10)
		return nil, pauseOf(response), refusal(response)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return nil, again(limited, retryPause), explain(ctx, err)
	}
	answer, err := readPage(body)
	return answer, 0, err
}

// again is the pause before another attempt: none once the time is over.
func again(ctx context.Context, pause time.Duration) time.Duration {
	if ctx.Err() != nil {
		return 0
	}
	return pause
}

func (s *SearXNG) address(q *Query, number int) string {
	values := url.Values{"q": {q.text()}, "format": {"json"}, "pageno": {strconv.Itoa(number)}}
	switch q.Source {
	case trawl.SourceNews, trawl.SourceImages:
		values.Set("categories", q.Source)
	default:
		values.Set("categories", "general")
	}
	if locale := Locale(q.Language, q.Country); locale != "" {
		values.Set("language", locale)
	}
	if q.Range != "" {
		values.Set("time_range", q.Range)
	}
	u := s.base
	u.User = nil
	u.RawQuery = values.Encode()
	return u.String()
}

// explain turns a failed exchange into an error for callers.
func explain(ctx context.Context, err error) error {
	var network net.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return trawl.Wrap(trawl.CodeSearchTimeout, "Search timed out", err)
	}
	return trawl.Wrap(trawl.CodeSearch, "The search provider cannot be reached.", err)
}

// refusal says why the instance did not search.
func refusal(response *http.Response) error {
	switch status := response.StatusCode; {
	case status == http.StatusForbidden:
		return trawl.Errorf(trawl.CodeSearch, "The search provider answered 403: SearXNG does so unless json is among search.formats in its settings.")
	case status == http.StatusTooManyRequests:
		return trawl.Errorf(trawl.CodeSearch, "The search provider answered 429: it limits how often it may be asked.")
	case status >= 300 && status < 400:
		return trawl.Errorf(trawl.CodeSearch, "The search provider answered %d, a redirect: TRAWL_SEARCH_URL must be its final address.", status)
	default:
		return trawl.Errorf(trawl.CodeSearch, "The search provider answered %d.", status)
	}
}

// pauseOf is how long to wait before another attempt after a refusal; 0 means
// that it would be refused again.
func pauseOf(response *http.Response) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode < 500 {
		return 0
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		return min(time.Duration(seconds)*time.Second, mostPause)
	}
	return retryPause
}

// page is what SearXNG answers. Single results are decoded later, so that one
// that is not as expected costs only itself.
type page struct {
	Results      []json.RawMessage `json:"results"`
	Unresponsive any               `json:"unresponsive_engines"`
}

func readPage(body []byte) (*page, error) {
	if len(body) > maxAnswer {
		return nil, trawl.Errorf(trawl.CodeSearch, "The search provider's answer is larger than 4 MiB.")
	}
	var p page
	if err := json.Unmarshal(body, &p); err != nil || p.Results == nil {
		return nil, trawl.Wrap(trawl.CodeSearch, "The search provider's answer is not the JSON that SearXNG gives.", err)
	}
	return &p, nil
}

// silent lists engines that did not answer, and why: pairs of a name and a reason.
func (p *page) silent() string {
	engines, _ := p.Unresponsive.([]any)
	var names []string
	for _, engine := range engines[:min(len(engines), 5)] {
		var words []string
		pair, _ := engine.([]any)
		for _, part := range pair[:min(len(pair), 2)] {
			if word, ok := part.(string); ok {
				words = append(words, chars.Truncate(word, 60))
			}
		}
		if len(words) > 0 {
			names = append(names, strings.Join(words, ": "))
		}
	}
	return strings.Join(names, ", ")
}
