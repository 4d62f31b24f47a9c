package llm

import "github.com/prometheus/client_golang/prometheus"

// Outcomes of one call over HTTP.
const (
	outcomeAnswered  = "answered"
	outcomeRefused   = "refused"   // by the endpoint, for what was asked or who asks
	outcomeThrottled = "throttled" // with status 429
	outcomeFailed    = "failed"    // on the endpoint's side or on the way
	outcomeCancelled = "cancelled" // nobody waited any more
)

// metrics count what the model was asked and what that cost.
type metrics struct {
	requests *prometheus.CounterVec
	tokens   *prometheus.CounterVec
}

func newMetrics() metrics {
	return metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trawl_llm_requests_total", Help: "Calls of the language model's endpoint, by outcome.",
		}, []string{"outcome"}),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trawl_llm_tokens_total", Help: "Tokens that the language model read and wrote, by direction.",
		}, []string{"direction"}),
	}
}

// Collectors returns what the client counts.
func (c *Client) Collectors() []prometheus.Collector {
	return []prometheus.Collector{c.metrics.requests, c.metrics.tokens}
}

// called counts a call.
func (m *metrics) called(outcome string) { m.requests.WithLabelValues(outcome).Inc() }

// spent counts the tokens of an answer.
func (m *metrics) spent(read, written int) {
	m.tokens.WithLabelValues("read").Add(float64(read))
	m.tokens.WithLabelValues("written").Add(float64(written))
}
