// Package webhook tells receivers what happens to a job. It holds the three
// things that a receiver relies on: the body of an event ([Event]), the headers
// that prove where it came from, and the rules of delivery ([Sender], [Backoff]).
// It keeps nothing: storing events and calling again later is the caller's part.
//
// Every body is signed twice with the same secret. X-Firecrawl-Signature covers
// the raw body and is what existing receivers check. The headers of Standard
// Webhooks beside it (webhook-id, webhook-timestamp, webhook-signature) also
// cover the id and the time, so that a receiver can turn old copies away.
//
// An event is delivered once the receiver answers with any status of 2xx, and
// may come more than once under the same id, for an answer can get lost. What a
// receiver answers is never shown to anybody but for its status, redirects are
// not followed, and every connection passes the guard of package egress: a
// webhook is an address that a caller chose and must not become a window into
// the network behind the service.
package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Event is one thing that happened to a job, as it is posted.
type Event struct {
	Type     string            // crawl.page, batch_scrape.completed and the like
	Job      string            // id of the job
	ID       string            // of the delivery, the same for all its attempts
	Success  bool              // false when a page or the job failed
	Data     []json.RawMessage // documents, as they are stored
	Error    string            // left out when empty
	Metadata map[string]any    // the caller's
}

// Body returns the event as JSON. Documents are copied in byte by byte, so that
// a receiver gets what the status view shows; it fails if one is not JSON.
func (e *Event) Body() ([]byte, error) {
	head, err := encode(struct {
		Success bool   `json:"success"`
		Type    string `json:"type"`
		Job     string `json:"id"`
		ID      string `json:"webhookId"`
	}{e.Success, e.Type, e.Job, e.ID})
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	tail, err := encode(struct {
		Error    string         `json:"error,omitempty"`
		Metadata map[string]any `json:"metadata"`
	}{e.Error, orEmpty(e.Metadata)})
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	// The documents go between the two objects, which become one.
	body := append(head[:len(head)-1], `,"data":[`...)
	for i, document := range e.Data {
		if !json.Valid(document) {
			return nil, fmt.Errorf("encode event: document %d is not JSON", i)
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, document...)
	}
	body = append(body, "],"...)
	return append(body, tail[1:]...), nil
}

func orEmpty(metadata map[string]any) map[string]any {
	if metadata == nil {
		return map[string]any{}
	}
	return metadata
}

// encode writes a value without escapes for HTML, which a receiver of JSON has
// no use for.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
