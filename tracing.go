package tickback

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/trace"
)

// tracer writes a match to Options.Trace. It is the engine's [rollback.Probe], and gets the
// rest from the match. It has no influence on the match.
type tracer struct {
	w               *trace.Writer
	now             func() time.Time
	process         *trace.Process
	frames, network *trace.Track
	peers           []peerLanes
	links           []LinkStats
	work            work
	stall           stall
	traffic         traffic
	shown           shown
	over            bool // writing has failed
}

// peerLanes are the lanes of a peer's datagrams, in both directions.
type peerLanes struct {
	players   PlayerSet
	addr      netip.AddrPort
	in, out   *trace.Track
	roundTrip string // name of the counter
	shown     time.Duration
}

// work is the running frame, and the rollback in it. Both are written at the end of the frame,
// the outer one first.
type work struct {
	inside       bool // a tick
	began        time.Time
	rollback     time.Time // zero: none
	took         time.Duration
	from, to, of Frame
}

// stall is a wait that has not ended.
type stall struct {
	began time.Time // zero: none
	frame Frame
	whom  PlayerSet
}

// traffic counts what was sent and received since a point in time.
type traffic struct {
	since          time.Time
	sent, received int64
}

// shown are the counters as last written.
type shown struct {
	any                     bool
	confirmed, agreed, used int64
}

// begin makes the lanes of a match.
func (t *tracer) begin(game, who string, links []LinkStats, online bool) {
	t.process = t.w.Process(fmt.Sprintf("%s, %s", game, who))
	t.frames = t.process.Track("frames")
	if online {
		t.network = t.process.Track("network")
	}
	for i := range links {
		t.lanes(&links[i])
	}
}

// lanes returns the lanes of a peer. A newcomer gets some when it comes.
func (t *tracer) lanes(l *LinkStats) *peerLanes {
	for i := range t.peers {
		if t.peers[i].players == l.Players {
			return &t.peers[i]
		}
	}
	t.peers = append(t.peers, peerLanes{
		players:   l.Players,
		addr:      l.Addr,
		in:        t.process.Track(fmt.Sprintf("from %v", l.Players)),
		out:       t.process.Track(fmt.Sprintf("to %v", l.Players)),
		roundTrip: fmt.Sprintf("round trip, %v", l.Players),
	})
	return &t.peers[len(t.peers)-1]
}

// unmapped returns an address as the session uses it.
func unmapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

func (t *tracer) TickBegin(Frame) {
	t.work.inside, t.work.began = true, t.now()
	t.goesOn(t.work.began)
}

func (t *tracer) TickEnd(f Frame) {
	w := &t.work
	t.frames.Slice(w.began, t.now().Sub(w.began), "tick", trace.Int("frame", f))
	w.inside = false
	t.rolledBack()
}

func (t *tracer) RollbackBegin(from, to Frame) {
	w := &t.work
	w.rollback, w.from, w.to = t.now(), from, to
	if !w.inside {
		t.goesOn(w.rollback)
	}
}

func (t *tracer) RollbackEnd(simulated Frame) {
	w := &t.work
	w.took, w.of = t.now().Sub(w.rollback), simulated
	if !w.inside {
		t.rolledBack()
	}
}

// rolledBack writes the last rollback, if there was one.
func (t *tracer) rolledBack() {
	w := &t.work
	if w.rollback.IsZero() {
		return
	}
	t.frames.Slice(w.rollback, w.took, "rollback",
		trace.Int("depth", w.to-w.from), trace.Int("from", w.from), trace.Int("to", w.to), trace.Int("simulated", w.of))
	w.rollback = time.Time{}
}

// goesOn ends a stall.
func (t *tracer) goesOn(now time.Time) {
	s := &t.stall
	if s.began.IsZero() {
		return
	}
	t.frames.Slice(s.began, now.Sub(s.began), "stall", trace.Int("frame", s.frame), trace.Text("players", s.whom.String()))
	*s = stall{}
}

// event writes an event of the session.
func (t *tracer) event(e Event) {
	var room [8]trace.Arg
	args := room[:0]
	if e.Players != 0 {
		args = append(args, trace.Text("players", e.Players.String()))
	}
	if e.Match != 0 {
		args = append(args, trace.Int("match", e.Match))
	}
	switch e.What {
	case Left, Lost, Dropped, Joined, Paused, Unpaused, Desync, Live, Ended:
		args = append(args, trace.Int("frame", e.Frame))
	case Message, Reported:
		args = append(args, trace.Int("bytes", len(e.Data)))
	}
	if e.Ours != e.Theirs {
		args = append(args, trace.Text("ours", checksum(e.Ours)), trace.Text("theirs", checksum(e.Theirs)))
	}
	if e.For != 0 {
		args = append(args, trace.Millis("for_ms", e.For))
	}
	if e.Text != "" {
		args = append(args, trace.Text("text", e.Text))
	}
	t.process.Instant(t.now(), e.What.String(), args...)
}

// look writes what has changed since the last call. It is called after each call of the
// session.
func (t *tracer) look(s *Stats) {
	now := t.now()
	switch {
	case s.Waiting == 0:
		t.goesOn(now)
	case t.stall.began.IsZero():
		t.stall = stall{now, s.Frame, s.Waiting}
	}
	if s.Uptime > 0 {
		t.count(now, s)
	}
	for i := range s.Links {
		l := &s.Links[i]
		p := t.lanes(l)
		p.addr = l.Addr
		if l.RoundTrip != p.shown {
			p.shown = l.RoundTrip
			t.process.Counter(now, p.roundTrip, trace.Millis("ms", l.RoundTrip))
		}
	}
	t.measure(now)
}

// count writes how far the frames are ahead of confirmation and agreement.
func (t *tracer) count(now time.Time, s *Stats) {
	next := shown{
		any: true, confirmed: int64(s.Frame) - int64(s.Confirmed), agreed: int64(s.Frame) - int64(s.Agreed),
	}
	next.used = max(next.confirmed, 0)
	last := t.shown
	t.shown = next
	if !last.any || last.confirmed != next.confirmed {
		t.process.Counter(now, "confirmed lag", trace.Int("frames", next.confirmed))
	}
	if !last.any || last.agreed != next.agreed {
		t.process.Counter(now, "agreed lag", trace.Int("frames", next.agreed))
	}
	if !last.any || last.used != next.used {
		t.process.Counter(now, "window used", trace.Int("frames", next.used))
	}
}
