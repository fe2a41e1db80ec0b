package server

import (
	"net/http"
	"net/http/pprof"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts requests by method, route and status.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	series   sync.Map // seriesKey → series, so that labels are resolved once
}

type seriesKey struct {
	method, route string
	status        int
}

type series struct {
	requests prometheus.Counter
	duration prometheus.Observer
}

func newMetrics(statements func() int64) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cradle_http_requests_total", Help: "Requests under /public and to /graphql.",
		}, []string{"method", "route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "cradle_http_request_duration_seconds", Help: "How long requests under /public and to /graphql took.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9),
		}, []string{"method", "route"}),
	}
	sent := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "cradle_database_statements_total", Help: "Statements sent to the database.",
	}, func() float64 { return float64(statements()) })
	m.registry.MustRegister(m.requests, m.duration, sent, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

var knownMethods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true, "OPTIONS": true}

// observe implements gateway.Observer. Text from clients never becomes a label.
func (m *metrics) observe(method, route string, status int, took time.Duration) {
	if !knownMethods[method] {
		method = "other"
	}
	if route == "" {
		route = "none"
	}
	key := seriesKey{method, route, status}
	known, ok := m.series.Load(key)
	if !ok {
		known, _ = m.series.LoadOrStore(key, series{
			m.requests.WithLabelValues(method, route, strconv.Itoa(status)), m.duration.WithLabelValues(method, route)})
	}
	s := known.(series)
	s.requests.Inc()
	s.duration.Observe(took.Seconds())
}

// Operations serves metrics and profiles. It belongs on an address that only the
// operator can reach.
func (s *Server) Operations() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}
