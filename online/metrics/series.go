package metrics

import (
	"strconv"
	"time"

	"github.com/tickback/tickback"
)

// series has the metrics of a session. It is copied for a scrape, so it has no pointers except strings.
type series struct {
	name string
	seen time.Time

	known    bool // it has been observed at least once
	prepared uint32
	counters [sessionCounters]counter
	gauges   [sessionGauges]int64
	depth    [maxDepth + 1]counter // rollbacks, by depth
	frames   counter               // the total depth of all rollbacks
	links    [tickback.MaxPlayers]linkSeries
	peers    int // the number of links
}

// linkSeries has the metrics of the connection to a peer.
type linkSeries struct {
	players  tickback.PlayerSet
	peer     string
	sent     uint64
	received uint64
	counters [linkCounters]counter
	gauges   [linkGauges]int64
}

// counter is a counter that continues when the value that it reads starts again at zero.
type counter struct{ base, last int64 }

// set adds a value. If the value decreased without a restart, it is an estimate that was corrected: the counter stays
// the same until the value exceeds it again.
func (c *counter) set(v int64, anew bool) {
	if anew {
		c.base += c.last
		c.last = 0
	}
	c.last = max(c.last, v)
}

func (c *counter) total() float64 { return float64(c.base + c.last) }

// beginnings tells, by scope, which sources have started again since the last snapshot.
type beginnings [ofSession + 1]bool

// observation is a snapshot that functions can read without an allocation.
type observation struct {
	stats tickback.Stats
	link  linkStats
}

// observe updates the series from a snapshot.
func (s *series) observe(taken *observation) {
	o := &taken.stats
	another := s.another(o)
	match := another || s.known && o.Prepared != s.prepared
	s.known, s.prepared = true, o.Prepared
	anew := beginnings{ofMatch: match, ofSession: another}
	for i := range sessionFigures {
		f := &sessionFigures[i]
		if v := f.read(o); f.scope == now {
			s.gauges[i-sessionCounters] = v
		} else {
			s.counters[i].set(v, anew[f.scope])
		}
	}
	for d := range s.depth {
		n := uint64(0)
		if d < len(o.Engine.Histogram) {
			n = o.Engine.Histogram[d]
		}
		s.depth[d].set(int64(n), match)
	}
	s.frames.set(int64(o.Engine.Resimulated+o.Engine.Skipped), match)
	s.peers = min(len(o.Links), len(s.links))
	for i := range s.peers {
		taken.link = linkStats{o.Links[i], int64(o.Frame)}
		s.links[i].observe(&taken.link, &anew)
	}
}

// another reports whether these statistics are from another session than the last ones: a value decreased that can
// only grow in a session.
func (s *series) another(o *tickback.Stats) bool {
	if !s.known {
		return false
	}
	if o.Prepared < s.prepared {
		return true
	}
	for i := range min(len(o.Links), len(s.links)) {
		if l := &s.links[i]; l.players == o.Links[i].Players && (o.Links[i].Sent < l.sent || o.Links[i].Received < l.received) {
			return true
		}
	}
	return false
}

func (l *linkSeries) observe(o *linkStats, anew *beginnings) {
	if l.players != o.Players {
		*l = linkSeries{players: o.Players, peer: peerLabel(o.Players)}
	}
	l.sent, l.received = o.Sent, o.Received
	for i := range linkFigures {
		f := &linkFigures[i]
		if v := f.read(o); f.scope == now {
			l.gauges[i-linkCounters] = v
		} else {
			l.counters[i].set(v, anew[f.scope])
		}
	}
}

// peerLabel returns the label for the players of a peer: 1, or 1+2.
func peerLabel(players tickback.PlayerSet) string {
	var b []byte
	for p := range players.All() {
		if len(b) > 0 {
			b = append(b, '+')
		}
		b = strconv.AppendUint(b, uint64(p), 10)
	}
	return string(b)
}
