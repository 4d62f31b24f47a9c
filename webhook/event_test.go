package webhook_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/trawlhq/trawl/webhook"
)

func documents(list ...string) (out []json.RawMessage) {
	for _, text := range list {
		out = append(out, json.RawMessage(text))
	}
	return out
}

func TestBody(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		event webhook.Event
		want  string
	}{
		"started": {
			webhook.Event{Type: "crawl.started", Job: "j", ID: "d", Success: true},
			`{"success":true,"type":"crawl.started","id":"j","webhookId":"d","data":[],"metadata":{}}`,
		},
		"documents as they are": {
			webhook.Event{Type: "crawl.page", Job: "j", ID: "d", Success: true, Data: documents(`{"b": "<p>&amp;\u00e4", "a":1.0e2}`, `{}`)},
			`{"success":true,"type":"crawl.page","id":"j","webhookId":"d","data":[{"b": "<p>&amp;\u00e4", "a":1.0e2},{}],"metadata":{}}`,
		},
		"failed page": {
			webhook.Event{Type: "batch_scrape.page", Job: "j", ID: "d", Error: `"<no>"`, Data: documents(`{"metadata":{}}`)},
			`{"success":false,"type":"batch_scrape.page","id":"j","webhookId":"d","data":[{"metadata":{}}],"error":"\"<no>\"","metadata":{}}`,
		},
		"metadata": {
			webhook.Event{Type: "crawl.completed", Job: "j", ID: "d", Success: true, Metadata: map[string]any{"order": "<7>", "deep": []any{1, nil}}},
			`{"success":true,"type":"crawl.completed","id":"j","webhookId":"d","data":[],"metadata":{"deep":[1,null],"order":"<7>"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := test.event.Body()
			if err != nil || string(body) != test.want {
				t.Errorf("body = %s, %v\nwant   %s", body, err, test.want)
			}
		})
	}
}

func TestBodyFails(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]webhook.Event{
		"broken document": {Data: documents(`{}`, `{"a":`)},
		"two in one":      {Data: documents(`{},{}`)},
		"no document":     {Data: documents(``)},
		"metadata":        {Metadata: map[string]any{"n": math.NaN()}},
	} {
		if body, err := event.Body(); err == nil {
			t.Errorf("%s: body = %s, want an error", name, body)
		}
	}
}

// FuzzBody holds that no document can reach into the envelope around it.
func FuzzBody(f *testing.F) {
	f.Add(`{"a":[1]}`, "crawl.page", "no <answer>")
	f.Add(`1],"data":[2`, "", "")
	f.Fuzz(func(t *testing.T, document, kind, message string) {
		event := webhook.Event{Type: kind, Data: documents(document), Error: message}
		body, err := event.Body()
		if err != nil {
			return
		}
		var back struct {
			Data     []json.RawMessage
			Metadata map[string]any
		}
		if err := json.Unmarshal(body, &back); err != nil {
			t.Fatalf("body %s: %v", body, err)
		}
		if len(back.Data) != 1 || back.Metadata == nil || !bytes.Equal(back.Data[0], bytes.Trim([]byte(document), " \t\r\n")) {
			t.Errorf("document %q came back as %q", document, back.Data)
		}
	})
}
