package webhook

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
)

const (
	defaultTimeout = 10 * time.Second

	// maxAnswer is how much of an answer is read, only to keep its connection.
	maxAnswer = 4 << 10

	// Receivers are many and each hears little, so few connections are kept.
	maxIdle        = 128
	maxIdlePerHost = 16
	idleTimeout    = 30 * time.Second
	maxHeaderBytes = 64 << 10
)

// Config says how events are sent.
type Config struct {
	Guard     *egress.Guard    // required; the only way to a receiver
	UserAgent string           // empty means the name of the project
	Now       func() time.Time // required; dates the signatures
	Timeout   time.Duration    // of an attempt, from look-up to answer; 0 means 10 s
}

// Sender posts events. It keeps connections open for reuse and is safe for
// concurrent use.
type Sender struct {
	transport *http.Transport
	userAgent string
	now       func() time.Time
	timeout   time.Duration
}

// New returns a Sender.
func New(config Config) *Sender {
	s := &Sender{
		transport: config.Guard.Transport(),
		userAgent: config.UserAgent,
		now:       config.Now,
		timeout:   config.Timeout,
	}
	if s.userAgent == "" {
		s.userAgent = "Trawl/" + trawl.Version + " (+https://github.com/trawlhq/trawl)"
	}
	if s.timeout <= 0 {
		s.timeout = defaultTimeout
	}
	s.transport.MaxIdleConns = maxIdle
	s.transport.MaxIdleConnsPerHost = maxIdlePerHost
	s.transport.IdleConnTimeout = idleTimeout
	s.transport.MaxResponseHeaderBytes = maxHeaderBytes
	s.transport.DisableCompression = true
	return s
}

// Close closes connections that are kept for reuse. Deliveries under way go on.
func (s *Sender) Close() { s.transport.CloseIdleConnections() }

// Message is one delivery.
type Message struct {
	URL     string            // as the caller gave it
	Headers map[string]string // the caller's, sent along
	Secret  string            // signs the body; empty means unsigned
	ID      string            // the same for all attempts
	Body    []byte            // must not change any more
}

// Outcome is what became of an attempt.
type Outcome struct {
	Status     int           // of the answer; 0 if there was none
	Error      string        // why it failed, in words for the caller; empty if delivered
	RetryAfter time.Duration // what the receiver asked for, up to an hour
	Final      bool          // trying again is pointless
}

// Delivered reports whether the receiver took the event.
func (o Outcome) Delivered() bool { return o.Status >= 200 && o.Status < 300 }

// Send makes one attempt. It ends within the timeout whatever the receiver does.
func (s *Sender) Send(ctx context.Context, m Message) Outcome {
	attempt, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := s.request(attempt, &m)
	if err != nil {
		return Outcome{Error: "The webhook's address is not valid.", Final: true}
	}
	// The transport itself, because a client would follow redirects.
	response, err := s.transport.RoundTrip(request)
	if err != nil {
		return explain(attempt, ctx, err)
	}
	discard(response)
	return s.judge(response)
}

func (s *Sender) request(ctx context.Context, m *Message) (*http.Request, error) {
	u, err := parse(m.URL)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(m.Body))
	if err != nil {
		return nil, err
	}
	request.Header = s.header(m)
	if u.User != nil && request.Header.Get("Authorization") == "" {
		password, _ := u.User.Password()
		request.SetBasicAuth(u.User.Username(), password)
	}
	return request, nil
}

// header returns what is sent: the caller's headers, and over them our own.
func (s *Sender) header(m *Message) http.Header {
	header := http.Header{
		"User-Agent": {s.userAgent},
		// A receiver knows a delivery by its id, so the transport may send it
		// again if a kept connection turns out to be closed. Without a value
		// the header says so to the transport and is not sent.
		"X-Idempotency-Key": nil,
	}
	for name, value := range m.Headers {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			continue
		}
		if name = http.CanonicalHeaderKey(name); !slices.Contains(reserved, name) {
			header[name] = []string{value}
		}
	}
	header.Set("Content-Type", "application/json")
	sign(header, m, s.now())
	return header
}

// reserved are the headers that a caller cannot set: those of the signature,
// set or not, those of the content, and those of the connection.
var reserved = []string{
	headerID, headerTime, headerStandard, headerSignature,
	"Content-Encoding", "Content-Length", "Content-Type",
	"Connection", "Expect", "Host", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
	"Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// discard reads a short answer to its end, which lets its connection be used
// again, and gives up on a long one.
func discard(response *http.Response) {
	if response.StatusCode != http.StatusSwitchingProtocols { // else it is the bare connection, which no context ends
		_, _ = io.CopyN(io.Discard, response.Body, maxAnswer)
	}
	_ = response.Body.Close()
}

// judge turns an answer into an outcome. The status decides alone: a receiver
// that said 200 has the event, even if the rest of its answer never came.
func (s *Sender) judge(response *http.Response) Outcome {
	o := Outcome{Status: response.StatusCode}
	if o.Delivered() {
		return o
	}
	o.RetryAfter = retryAfter(response.Header.Get("Retry-After"), s.now())
	o.Final = o.Status == http.StatusGone
	o.Error = "The receiver answered " + status(o.Status)
	switch {
	case o.Status == http.StatusSwitchingProtocols:
		o.Error = "The receiver wants to speak another protocol."
	case o.Status/100 == 3:
		o.Error += "; redirects are not followed."
	default:
		o.Error += "."
	}
	return o
}

// status returns a status in our own words; the receiver's could say anything.
func status(code int) string {
	if text := http.StatusText(code); text != "" {
		return strconv.Itoa(code) + " " + text
	}
	return strconv.Itoa(code)
}
