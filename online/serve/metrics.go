package serve

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/tickback/tickback/online/rooms"
)

// metrics has the metrics of a server, in their own registry.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	bytes    prometheus.Counter

	misdirected prometheus.Counter
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tickback_http_requests_total", Help: "Requests that were answered, by the class of the status.",
		}, []string{"class"}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tickback_http_response_bytes_total", Help: "Bytes of answers, without headers.",
		}),
		misdirected: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tickback_http_misdirected_total", Help: "Requests for a name that is not one of this server's.",
		}),
	}
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "tickback_http_connections", Help: "Connections that are no WebSocket.",
	}, func() float64 { n, _ := s.atDoor(); return float64(n) })
	pressed := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "tickback_http_displaced_total", Help: "Connections that gave way to others before they were done.",
	}, func() float64 { _, n := s.atDoor(); return float64(n) })
	m.registry.MustRegister(m.requests, m.bytes, m.misdirected, waiting, pressed, roomsCollector{s.rooms}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) served(status int, bytes int64) {
	m.requests.WithLabelValues(strconv.Itoa(status/100) + "xx").Inc()
	m.bytes.Add(float64(bytes))
}

// roomsCollector reads the figures of the rooms whenever they are collected.
type roomsCollector struct{ rooms *rooms.Server }

// figure is one metric of the rooms.
type figure struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(s *rooms.Stats) float64
}

func newFigure(kind prometheus.ValueType, name, help string, value func(s *rooms.Stats) float64) figure {
	return figure{prometheus.NewDesc("tickback_rooms_"+name, help, nil, nil), kind, value}
}

var figures = []figure{
	newFigure(prometheus.GaugeValue, "open", "Rooms that there are.", func(s *rooms.Stats) float64 { return float64(s.Rooms) }),
	newFigure(prometheus.GaugeValue, "matches", "Rooms in which a match is played.", func(s *rooms.Stats) float64 { return float64(s.Matches) }),
	newFigure(prometheus.GaugeValue, "members", "Members of rooms, away or not.", func(s *rooms.Stats) float64 { return float64(s.Members) }),
	newFigure(prometheus.GaugeValue, "members_connected", "Members of rooms that are connected.", func(s *rooms.Stats) float64 { return float64(s.Connected) }),
	newFigure(prometheus.GaugeValue, "connections", "Connections, in a room or not yet.", func(s *rooms.Stats) float64 { return float64(s.Connections) }),
	newFigure(prometheus.GaugeValue, "empty", "Rooms that nobody is connected to.", func(s *rooms.Stats) float64 { return float64(s.Empty) }),
	newFigure(prometheus.GaugeValue, "entering", "Connections that have not entered a room yet.", func(s *rooms.Stats) float64 { return float64(s.Entering) }),
	newFigure(prometheus.GaugeValue, "visitors", "Addresses and prefixes that are remembered.", func(s *rooms.Stats) float64 { return float64(s.Visitors) }),
	newFigure(prometheus.CounterValue, "displaced_total", "Connections, rooms and watchers that gave way to others.", func(s *rooms.Stats) float64 { return float64(s.Displaced) }),
	newFigure(prometheus.CounterValue, "delayed_total", "Messages that had to wait.", func(s *rooms.Stats) float64 { return float64(s.Delayed) }),
	newFigure(prometheus.CounterValue, "made_total", "Rooms that were made.", func(s *rooms.Stats) float64 { return float64(s.RoomsMade) }),
	newFigure(prometheus.CounterValue, "rejoined_total", "Members that came back.", func(s *rooms.Stats) float64 { return float64(s.Rejoined) }),
	newFigure(prometheus.CounterValue, "signals_total", "Signals that were passed on.", func(s *rooms.Stats) float64 { return float64(s.Signals) }),
	newFigure(prometheus.CounterValue, "received_messages_total", "Messages of clients.", func(s *rooms.Stats) float64 { return float64(s.MessagesReceived) }),
	newFigure(prometheus.CounterValue, "received_bytes_total", "Bytes of messages of clients.", func(s *rooms.Stats) float64 { return float64(s.BytesReceived) }),
	newFigure(prometheus.CounterValue, "sent_messages_total", "Messages to clients.", func(s *rooms.Stats) float64 { return float64(s.MessagesSent) }),
	newFigure(prometheus.CounterValue, "sent_bytes_total", "Bytes of messages to clients.", func(s *rooms.Stats) float64 { return float64(s.BytesSent) }),
}

var (
	refusedDesc = prometheus.NewDesc("tickback_rooms_refused_total", "Refusals, by reason.", []string{"reason"}, nil)
	limitedDesc = prometheus.NewDesc("tickback_rooms_limited_total", "Refusals by a limit, by its name.", []string{"limit"}, nil)
)

// Describe sends the descriptions of the metrics.
func (c roomsCollector) Describe(to chan<- *prometheus.Desc) {
	for _, f := range figures {
		to <- f.desc
	}
	to <- refusedDesc
	to <- limitedDesc
}

// Collect sends the current values of the metrics.
func (c roomsCollector) Collect(to chan<- prometheus.Metric) {
	s := c.rooms.Stats()
	for _, f := range figures {
		to <- prometheus.MustNewConstMetric(f.desc, f.kind, f.value(&s))
	}
	for _, reason := range rooms.Codes() {
		to <- prometheus.MustNewConstMetric(refusedDesc, prometheus.CounterValue, float64(s.Refused[reason]), reason)
	}
	for _, limit := range rooms.Limits() {
		to <- prometheus.MustNewConstMetric(limitedDesc, prometheus.CounterValue, float64(s.Limited[limit]), limit)
	}
}

// atDoor returns the number of connections besides WebSockets, and how many have been closed to admit others.
func (s *Server) atDoor() (waiting int, pressed uint64) {
	if d := s.door.Load(); d != nil {
		return d.stats()
	}
	return 0, 0
}
