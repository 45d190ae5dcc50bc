package metrics

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tickback/tickback"
)

// Defaults of a [Config].
const (
	DefaultMaxSessions = 64
	DefaultExpire      = 5 * time.Minute
)

// Config configures a collector. The zero value has the defaults.
type Config struct {
	// ConstLabels are labels of every metric, such as the region or the version of the game.
	ConstLabels prometheus.Labels
	// MaxSessions is how many sessions are shown at once.
	MaxSessions int
	// Expire is how long a session is shown after it was last observed; a negative value means forever.
	Expire time.Duration
	// Now replaces time.Now, for tests.
	Now func() time.Time
}

// Collector is a [prometheus.Collector] for any number of sessions. It may be used by several goroutines at once.
type Collector struct {
	cfg      Config
	schema   schema
	mu       sync.Mutex
	sessions map[string]*series
	refused  uint64
	taken    observation // the observation that Observe reuses
}

// NewCollector makes a collector, to be registered once.
func NewCollector(cfg Config) *Collector {
	if cfg.MaxSessions <= 0 {
		cfg.MaxSessions = DefaultMaxSessions
	}
	if cfg.Expire == 0 {
		cfg.Expire = DefaultExpire
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Collector{cfg: cfg, schema: newSchema(cfg.ConstLabels), sessions: map[string]*series{}}
}

// Observe takes a snapshot of a session's statistics, and keeps no reference to them. The name is the value of the
// label session: give each running session its own, from a limited set ("table 4" rather than a random number).
// Another session under the name of an earlier one continues its counters.
//
// A new session beyond Config.MaxSessions is not shown, but counted.
func (c *Collector) Observe(name string, s tickback.Stats) {
	name = strings.ToValidUTF8(name, "\uFFFD")
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.sessions[name]
	if at == nil {
		if c.expire(); len(c.sessions) >= c.cfg.MaxSessions {
			c.refused++
			return
		}
		at = new(series)
		c.sessions[name] = at
	}
	at.name, at.seen = name, c.cfg.Now()
	c.taken.stats = s
	at.observe(&c.taken)
	c.taken.stats = tickback.Stats{} // its slices belong to the session
}

// Remove removes the series of a session.
func (c *Collector) Remove(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, strings.ToValidUTF8(name, "\uFFFD"))
}

// expire removes sessions that have not been observed for too long.
func (c *Collector) expire() {
	if c.cfg.Expire < 0 {
		return
	}
	now := c.cfg.Now()
	maps.DeleteFunc(c.sessions, func(_ string, s *series) bool { return now.Sub(s.seen) > c.cfg.Expire })
}

// Describe sends the description of each metric, as a [prometheus.Collector].
func (c *Collector) Describe(to chan<- *prometheus.Desc) { c.schema.describe(to) }

// Collect sends the metrics of all sessions, as a [prometheus.Collector].
func (c *Collector) Collect(to chan<- prometheus.Metric) {
	list, refused := c.snapshot()
	to <- prometheus.MustNewConstMetric(c.schema.sessions, prometheus.GaugeValue, float64(len(list)))
	to <- prometheus.MustNewConstMetric(c.schema.refused, prometheus.CounterValue, float64(refused))
	for i := range list {
		c.schema.collect(&list[i], to)
	}
}

// snapshot copies all sessions, so that no Observe waits for a slow scrape.
func (c *Collector) snapshot() (list []series, refused uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire()
	for _, name := range slices.Sorted(maps.Keys(c.sessions)) {
		list = append(list, *c.sessions[name])
	}
	return list, c.refused
}
