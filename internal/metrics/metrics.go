// Package metrics counts what a serving process does, in the format of Prometheus. Labels are names that the operator
// configured or that the program has: channels, models, jobs. No label is an id, a name, a number or a text of a person.
package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// The values of the label "outcome".
const (
	succeeded = "ok"
	failed    = "failed"
)

// Metrics are the metrics of one process. Its methods may be called from any goroutine.
type Metrics struct {
	registry *prometheus.Registry

	turns, calls, tokens, cost, runs *prometheus.CounterVec
	turnTime, callTime               *prometheus.HistogramVec
	recallTime                       prometheus.Histogram
}

// Build describes the running program.
type Build struct{ Version, Go string }

// New returns metrics that start at zero. Gauges are read from source when they are asked for.
func New(b Build, source Source) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		turns:    counter("familiar_turns_total", "Turns that were taken, by channel and outcome. A failed turn is tried again.", "channel", "outcome"),
		calls:    counter("familiar_model_calls_total", "Calls of language models.", "model", "job", "outcome"),
		tokens:   counter("familiar_model_tokens_total", "Tokens of language models; cached ones are part of those of prompts.", "model", "job", "kind"),
		cost:     counter("familiar_model_cost_dollars_total", "Cost of language models in US dollars at the configured prices.", "model", "job"),
		runs:     counter("familiar_job_runs_total", "Runs of jobs that have ended.", "job", "outcome"),
		turnTime: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "familiar_turn_seconds", Help: "Time from the start of a turn until its reply is stored.",
			Buckets: []float64{.005, .02, .1, .5, 1, 2, 5, 10, 20, 60, 180},
		}, []string{"channel"}),
		callTime: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "familiar_model_call_seconds", Help: "Duration of calls of language models, with their repetitions.",
			Buckets: []float64{.1, .5, 1, 2, 5, 10, 20, 60, 180},
		}, []string{"model", "job"}),
		recallTime: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "familiar_recall_seconds", Help: "Time that it takes to find the memories for a reply.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .5, 1},
		}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "familiar_build_info", Help: "The version that runs.", ConstLabels: prometheus.Labels{"version": b.Version, "go": b.Go},
	})
	info.Set(1)
	m.registry.MustRegister(m.turns, m.calls, m.tokens, m.cost, m.runs, m.turnTime, m.callTime, m.recallTime, info,
		&readings{source: source}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler returns what answers a request for the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, DisableCompression: true})
}

// Turn counts one turn on a channel.
func (m *Metrics) Turn(channel string, took time.Duration, err error) {
	m.turns.WithLabelValues(channel, outcome(err)).Inc()
	if err == nil {
		m.turnTime.WithLabelValues(channel).Observe(took.Seconds())
	}
}

// Recall counts one search for the memories of a reply.
func (m *Metrics) Recall(took time.Duration) { m.recallTime.Observe(took.Seconds()) }

// Call is one call of a model.
type Call struct {
	Model string
	// Job is what it was for: "talk" or the name of a job or prompt.
	Job  string
	Took time.Duration
	// In and Out are the tokens of the prompt and of the answer; Cached is the part of In that came from a cache. Failed
	// are tokens of attempts without an answer.
	In, Out, Cached, Failed int
	// Dollars is the cost of all of them.
	Dollars float64
	Err     error
}

// Call counts one call of a model.
func (m *Metrics) Call(c Call) {
	m.calls.WithLabelValues(c.Model, c.Job, outcome(c.Err)).Inc()
	m.callTime.WithLabelValues(c.Model, c.Job).Observe(c.Took.Seconds())
	for kind, n := range map[string]int{"in": c.In, "out": c.Out, "cached": c.Cached, "failed": c.Failed} {
		m.tokens.WithLabelValues(c.Model, c.Job, kind).Add(float64(n))
	}
	m.cost.WithLabelValues(c.Model, c.Job).Add(c.Dollars)
}

// Run counts one run of a job.
func (m *Metrics) Run(job string, err error) { m.runs.WithLabelValues(job, outcome(err)).Inc() }

func outcome(err error) string {
	if err != nil {
		return failed
	}
	return succeeded
}
