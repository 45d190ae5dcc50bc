package metrics

import "github.com/prometheus/client_golang/prometheus"

// schema has the descriptions of all metrics.
type schema struct {
	sessions, refused, depth *prometheus.Desc
	session                  [len(sessionFigures)]*prometheus.Desc
	link                     [len(linkFigures)]*prometheus.Desc
}

func newSchema(labels prometheus.Labels) (s schema) {
	desc := func(name, help string, variable ...string) *prometheus.Desc {
		return prometheus.NewDesc("tickback_"+name, help, variable, labels)
	}
	s.sessions = desc("sessions", "Sessions that are shown.")
	s.refused = desc("refused_observations_total", "Observations of sessions beyond the limit.")
	s.depth = desc("rollback_depth_frames", "How far rollbacks went back.", "session")
	for i := range sessionFigures {
		s.session[i] = desc(sessionFigures[i].name, sessionFigures[i].help, "session")
	}
	for i := range linkFigures {
		s.link[i] = desc("link_"+linkFigures[i].name, linkFigures[i].help, "session", "peer")
	}
	return s
}

func (s *schema) describe(to chan<- *prometheus.Desc) {
	to <- s.sessions
	to <- s.refused
	to <- s.depth
	for _, d := range s.session {
		to <- d
	}
	for _, d := range s.link {
		to <- d
	}
}

// collect sends the metrics of a session.
func (s *schema) collect(o *series, to chan<- prometheus.Metric) {
	for i := range sessionFigures {
		kind, v := prometheus.CounterValue, 0.0
		if i < sessionCounters {
			v = o.counters[i].total()
		} else {
			kind, v = prometheus.GaugeValue, float64(o.gauges[i-sessionCounters])
		}
		to <- prometheus.MustNewConstMetric(s.session[i], kind, v*sessionFigures[i].unit, o.name)
	}
	to <- s.histogram(o)
	for k := range o.peers {
		s.collectLink(o, &o.links[k], to)
	}
}

func (s *schema) collectLink(o *series, l *linkSeries, to chan<- prometheus.Metric) {
	for i := range linkFigures {
		kind, v := prometheus.CounterValue, 0.0
		if i < linkCounters {
			v = l.counters[i].total()
		} else {
			kind, v = prometheus.GaugeValue, float64(l.gauges[i-linkCounters])
		}
		to <- prometheus.MustNewConstMetric(s.link[i], kind, v*linkFigures[i].unit, o.name, l.peer)
	}
}

// histogram adds up the rollbacks of each bucket.
func (s *schema) histogram(o *series) prometheus.Metric {
	buckets := make(map[float64]uint64, len(depths))
	count, d := uint64(0), 0
	for _, bound := range depths {
		for ; d <= bound; d++ {
			count += uint64(o.depth[d].base + o.depth[d].last)
		}
		buckets[float64(bound)] = count
	}
	return prometheus.MustNewConstHistogram(s.depth, count, o.frames.total(), buckets, o.name)
}
