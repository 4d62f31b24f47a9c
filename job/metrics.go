package job

import "github.com/prometheus/client_golang/prometheus"

// metrics count what this node did.
type metrics struct {
	pages      *prometheus.CounterVec
	commits    prometheus.Counter
	deliveries *prometheus.CounterVec
	orphans    prometheus.Counter
}

func newMetrics() metrics {
	return metrics{
		pages: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trawl_job_pages_total", Help: "Pages of jobs that this node finished, by kind of job and outcome.",
		}, []string{"kind", "outcome"}),
		commits: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "trawl_job_commits_total", Help: "Transactions in which this node stored finished pages.",
		}),
		deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trawl_webhook_attempts_total", Help: "Attempts of this node to deliver an event, by outcome.",
		}, []string{"outcome"}),
		orphans: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "trawl_job_orphans_total", Help: "Pages and tasks that nobody worked on, and that this node handed out again. Anything above 0 is a bug.",
		}),
	}
}

// Metrics returns what this node counts.
func (e *Engine) Metrics() []prometheus.Collector {
	return []prometheus.Collector{e.metrics.pages, e.metrics.commits, e.metrics.deliveries, e.metrics.orphans}
}

// stored counts the pages of a commit.
func (m *metrics) stored(batch []pending) {
	m.commits.Inc()
	for _, p := range batch {
		outcome := "failed"
		switch {
		case p.item.Document != nil:
			outcome = "scraped"
		case p.item.Robots:
			outcome = "robots"
		}
		m.pages.WithLabelValues(p.spec.Kind, outcome).Inc()
	}
}

// attempted counts an attempt to deliver.
func (m *metrics) attempted(delivered bool) {
	outcome := "failed"
	if delivered {
		outcome = "delivered"
	}
	m.deliveries.WithLabelValues(outcome).Inc()
}
