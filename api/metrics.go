package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/trawlhq/trawl"
)

// metrics are what operators watch.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	scrapes  *prometheus.CounterVec
	refused  prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "trawl_http_request_seconds", Help: "Time to answer a request, by route and status.",
			Buckets: []float64{.001, .005, .025, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
		}, []string{"route", "status"}),
		scrapes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trawl_scrapes_total", Help: "Scrapes by outcome: ok, or the code of the error.",
		}, []string{"outcome"}),
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "trawl_connections_refused_total", Help: "Connections that were closed because their address has too many without a valid key.",
		}),
	}
	m.registry.MustRegister(m.requests, m.scrapes, m.refused, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) observe(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Observe(took.Seconds())
}

func (m *metrics) scraped(err error) {
	outcome := "ok"
	if err != nil {
		outcome = string(trawl.ErrorCode(err))
	}
	m.scrapes.WithLabelValues(outcome).Inc()
}

// Metrics returns the handler of /metrics, for a listener of its own, and the
// registry for collectors of other packages.
func (s *Server) Metrics() (http.Handler, prometheus.Registerer) {
	return promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}), s.metrics.registry
}

// serveMetrics answers GET /metrics.
func (s *Server) serveMetrics(context.Context, *none) (*huma.StreamResponse, error) {
	handler, _ := s.Metrics()
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		handler.ServeHTTP(w, r)
	}}, nil
}
