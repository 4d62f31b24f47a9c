package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"testing"
)

// receiver is a webhook on the local site. Every event waits to be looked at.
type receiver chan string

func (s *site) receiver(path string, status int) receiver {
	events := make(receiver, 100)
	s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		var event struct{ Type, WebhookID string }
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &event)
		w.WriteHeader(status)
		events <- event.Type + " " + event.WebhookID
	})
	return events
}

func TestDeliveries(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	received := s.site.receiver("/hook", http.StatusOK)
	path := batchPath + "/" + s.post(batchPath, `{"urls":["`+s.site.URL+`/"],"webhook":"`+s.site.URL+`/hook"}`)
	events := []string{<-received, <-received, <-received}
	log := s.delivered(path, 3)
	var logged, states []string
	for _, item := range log.at("deliveries").([]any) {
		d := reply{json: item.(map[string]any)}
		logged = append(logged, d.str("type")+" "+d.str("id"))
		states = append(states, d.str("state"))
		if d.at("attempts") != 1.0 || d.at("status") != 200.0 || d.str("createdAt") == "" || d.str("lastAttemptAt") == "" || d.at("nextAttemptAt") != nil {
			t.Errorf("%v", d.json)
		}
	}
	if !reflect.DeepEqual(logged, events) || !reflect.DeepEqual(states, []string{"delivered", "delivered", "delivered"}) {
		t.Errorf("logged %v, received %v", logged, events)
	}
	first := s.get(path+"/webhooks?limit=2").want(t, http.StatusOK)
	if len(first.at("deliveries").([]any)) != 2 || first.at("cursor") != 2.0 || first.at("hasMore") != true {
		t.Errorf("%s", first.raw)
	}
	if rest := s.get(path+"/webhooks?limit=2&cursor=2").want(t, http.StatusOK); len(rest.at("deliveries").([]any)) != 1 || rest.at("cursor") != nil || rest.at("hasMore") != false {
		t.Errorf("%s", rest.raw)
	}
	replay := func(body string) reply {
		return s.do(call{path: path + "/webhooks/replay", key: s.key, body: body})
	}
	for _, body := range []string{"", "{}"} {
		if r := replay(body).want(t, http.StatusOK); r.at("replayed") != 0.0 { // none has failed
			t.Errorf("%s", r.raw)
		}
	}
	id := reply{json: log.at("deliveries").([]any)[1].(map[string]any)}.str("id")
	if r := replay(`{"deliveryId":"`+id+`"}`).want(t, http.StatusOK); r.at("replayed") != 1.0 {
		t.Errorf("%s", r.raw)
	}
	if again := <-received; again != events[1] {
		t.Errorf("%s is sent again, not %s", again, events[1])
	}
	for _, body := range []string{"x", `{"deliveryId":"x"}`, `{"id":"x"}`, "[]"} {
		replay(body).want(t, http.StatusBadRequest)
	}
	for _, query := range []string{"limit=0", "limit=1001", "cursor=-1", "cursor=x"} {
		s.get(path+"/webhooks?"+query).want(t, http.StatusBadRequest)
	}
}

// delivered reads the log until so many events have been sent once.
func (s *service) delivered(path string, n int) reply {
	s.t.Helper()
	for {
		log := s.get(path + "/webhooks")
		tried := 0
		list, _ := log.at("deliveries").([]any)
		for _, item := range list {
			if item.(map[string]any)["attempts"] != 0.0 {
				tried++
			}
		}
		if tried == n || log.status != http.StatusOK {
			return log
		}
	}
}

func TestFailedDelivery(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	received := s.site.receiver("/broken", http.StatusInternalServerError)
	path := crawlPath + "/" + s.post(crawlPath, s.body("/", `"webhook":{"url":"`+s.site.URL+`/broken","events":["started"]}`))
	<-received
	log := s.delivered(path, 1)
	d := reply{json: log.at("deliveries").([]any)[0].(map[string]any)}
	if d.str("state") != "pending" || d.str("type") != "crawl.started" || d.at("status") != 500.0 || d.str("error") == "" || d.str("nextAttemptAt") <= d.str("lastAttemptAt") {
		t.Errorf("%s", log.raw)
	}
}
