package api

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/monitor"
)

// Subscriptions is what recipients of mail decide.
type Subscriptions interface {
	Confirm(ctx context.Context, token string) (monitor.Subscription, error)
	Unsubscribe(ctx context.Context, token string) (monitor.Subscription, error)
}

// SubscriptionAnswer is the answer to a recipient.
type SubscriptionAnswer struct {
	Success
	Result      string  `json:"result" doc:"What became of it." enum:"confirmed,already_confirmed,unsubscribed,already_unsubscribed"`
	Email       string  `json:"email" doc:"Address of the recipient."`
	MonitorName *string `json:"monitorName" doc:"Name of the monitor; null if it is gone." nullable:"true"`
}

const subscriptionText = "Takes {\"token\": …} from a mail, in the body and nowhere else. It needs no key. What is no token is answered with 400 and invalid_token, an unknown one with 404 and not_found."

// Bounds of a token and of the body that has it.
const (
	leastToken    = 16
	mostToken     = 64
	mostTokenBody = 4 << 10
)

// subscription answers POST /v2/monitor/email/….
func (s *Server) subscription(decide func(Subscriptions, context.Context, string) (monitor.Subscription, error)) func(*answer, *http.Request) {
	return func(w *answer, r *http.Request) {
		var body struct {
			Token string `json:"token"`
		}
		text, err := io.ReadAll(io.LimitReader(r.Body, mostTokenBody))
		if err != nil || json.Unmarshal(text, &body) != nil || len(body.Token) < leastToken || len(body.Token) > mostToken || r.URL.Query().Has("token") {
			write(w, http.StatusBadRequest, &ErrorBody{Message: "invalid_token"})
			return
		}
		result, err := decide(s.Monitors, r.Context(), body.Token)
		if trawl.ErrorCode(err) == trawl.CodeNotFound {
			err = trawl.Errorf(trawl.CodeNotFound, "not_found")
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		write(w, http.StatusOK, &SubscriptionAnswer{Success: yes, Result: result.Result, Email: result.Email, MonitorName: optional(result.Monitor)})
	}
}

// write answers with JSON.
func write(w *answer, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = jsonFormat.Marshal(w, body)
}

// subscriptionPage answers GET /monitor/confirm and /monitor/unsubscribe, where mails
// lead. The token stays in the browser until somebody presses the button: programs that
// follow links in mails confirm nothing.
func (s *Server) subscriptionPage(w *answer, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'sha256-"+subscriptionHash+"'; connect-src 'self'")
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, "<!doctype html><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Mail of a monitor</title>"+
		"<h1>Mail of a monitor</h1><p id=\"said\">One click, and it is done.</p><button id=\"go\">Yes</button><script>"+subscriptionScript+"</script>")
}

// subscriptionScript is the script of that page.
const subscriptionScript = `const go=document.getElementById("go"),said=document.getElementById("said"),action=location.pathname.split("/").pop();go.onclick=async()=>{go.disabled=true;const r=await fetch("../v2/monitor/email/"+action,{method:"POST",body:JSON.stringify({token:location.hash.slice(1)})});const a=await r.json();said.textContent=a.success?a.email+": "+a.result.replace("_"," "):"This link is not valid any more."};`

// subscriptionHash lets browsers run that script and no other.
var subscriptionHash = func() string {
	sum := sha256.Sum256([]byte(subscriptionScript))
	return base64.StdEncoding.EncodeToString(sum[:])
}()

type feedInput struct {
	Key string `path:"key" doc:"Names the monitor, and proves that it may be read."`
}

type feedOutput struct {
	ContentType  string `header:"Content-Type"`
	CacheControl string `header:"Cache-Control"`
	Body         []byte
}

// feed answers GET /v2/feeds/{key}.
func (s *Server) feed(ctx context.Context, in *feedInput) (*feedOutput, error) {
	body, err := s.Monitors.Feed(ctx, in.Key, s.baseURL(visitOf(ctx).request)+"/v2/feeds/"+in.Key)
	return &feedOutput{ContentType: "application/atom+xml; charset=utf-8", CacheControl: "private, max-age=60", Body: body}, err
}

// addFeeds puts the route of feeds into the table, and its type into the OpenAPI document.
func addFeeds(s *Server, r route) {
	addRaw(s, r, s.feed)
	op := s.huma.OpenAPI().Paths[r.path].Get
	op.Description = "Monitors have addresses of this path, complete with their signature. They need no key."
	op.Responses["200"].Content = map[string]*huma.MediaType{"application/atom+xml": {Schema: &huma.Schema{Type: huma.TypeString}}}
}
