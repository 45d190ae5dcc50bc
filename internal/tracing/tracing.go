// Package tracing writes what a session does to a trace: frames, rollbacks, stalls, datagrams and events. It has no
// influence on the session.
package tracing

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/trace"
)

// Session is what the tracer needs of a session, in addition to its events.
type Session interface {
	Stats(links []session.LinkStats) session.Stats
}

// Tracer writes a session to a trace. It is the engine's [rollback.Probe], wraps the transport, and gets everything
// else from package tickback.
type Tracer struct {
	w               *trace.Writer
	now             func() time.Time
	session         Session
	process         *trace.Process
	frames, network *trace.Track
	peers           []peerLanes
	links           []session.LinkStats
	work            work
	stall           stall
	traffic         traffic
	shown           shown
	failed          bool // writing has failed
}

// peerLanes are the lanes of a peer's datagrams, in both directions.
type peerLanes struct {
	players   rollback.PlayerSet
	addr      netip.AddrPort
	in, out   *trace.Track
	roundTrip string // the name of the counter
	shown     time.Duration
}

// work is the running frame, and the rollback in it. Both are written at the end of the frame,
// the outer one first.
type work struct {
	inside       bool // a tick is running
	began        time.Time
	rollback     time.Time // the beginning of the rollback; zero if there is none
	took         time.Duration
	from, to, of rollback.Frame
}

// stall is a wait that has not ended.
type stall struct {
	began time.Time // zero if there is none
	frame rollback.Frame
	whom  rollback.PlayerSet
}

// traffic counts the bytes sent and received since a point in time.
type traffic struct {
	since          time.Time
	sent, received int64
}

// shown has the last written values of the counters.
type shown struct {
	any                     bool
	confirmed, agreed, used int64
}

// New returns a tracer that writes to w; now returns the time.
func New(w *trace.Writer, now func() time.Time) *Tracer { return &Tracer{w: w, now: now} }

// Begin makes the lanes of a session; who names the players or spectators in it.
func (t *Tracer) Begin(s Session, game, who string, online bool) {
	t.session = s
	t.process = t.w.Process(fmt.Sprintf("%s, %s", game, who))
	t.frames = t.process.Track("frames")
	if online {
		t.network = t.process.Track("network")
	}
	stats := t.stats()
	for i := range stats.Links {
		t.lanes(&stats.Links[i])
	}
}

// Flush writes buffered events. The trace stays open.
func (t *Tracer) Flush() { t.w.Flush() }

func (t *Tracer) stats() session.Stats {
	s := t.session.Stats(t.links[:0])
	t.links = s.Links
	return s
}

// lanes returns the lanes of a peer. It makes them for a newcomer that has joined.
func (t *Tracer) lanes(l *session.LinkStats) *peerLanes {
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

// TickBegin begins a frame.
func (t *Tracer) TickBegin(rollback.Frame) {
	t.work.inside, t.work.began = true, t.now()
	t.goesOn(t.work.began)
}

// TickEnd ends a frame.
func (t *Tracer) TickEnd(f rollback.Frame) {
	w := &t.work
	t.frames.Slice(w.began, t.now().Sub(w.began), "tick", trace.Int("frame", f))
	w.inside = false
	t.rolledBack()
}

// RollbackBegin begins a rollback.
func (t *Tracer) RollbackBegin(from, to rollback.Frame) {
	w := &t.work
	w.rollback, w.from, w.to = t.now(), from, to
	if !w.inside {
		t.goesOn(w.rollback)
	}
}

// RollbackEnd ends a rollback.
func (t *Tracer) RollbackEnd(simulated rollback.Frame) {
	w := &t.work
	w.took, w.of = t.now().Sub(w.rollback), simulated
	if !w.inside {
		t.rolledBack()
	}
}

// rolledBack writes the last rollback, if there was one.
func (t *Tracer) rolledBack() {
	w := &t.work
	if w.rollback.IsZero() {
		return
	}
	t.frames.Slice(w.rollback, w.took, "rollback",
		trace.Int("depth", w.to-w.from), trace.Int("from", w.from), trace.Int("to", w.to), trace.Int("simulated", w.of))
	w.rollback = time.Time{}
}

// goesOn ends a stall.
func (t *Tracer) goesOn(now time.Time) {
	s := &t.stall
	if s.began.IsZero() {
		return
	}
	t.frames.Slice(s.began, now.Sub(s.began), "stall", trace.Int("frame", s.frame), trace.Text("players", s.whom.String()))
	*s = stall{}
}

// Event writes an event of the session.
func (t *Tracer) Event(e session.Event) {
	var room [8]trace.Arg
	args := room[:0]
	if e.Players != 0 {
		args = append(args, trace.Text("players", e.Players.String()))
	}
	if e.Match != 0 {
		args = append(args, trace.Int("match", e.Match))
	}
	switch e.What {
	case session.Left, session.Lost, session.Dropped, session.Joined, session.Paused, session.Unpaused, session.Desync, session.Live, session.Ended:
		args = append(args, trace.Int("frame", e.Frame))
	case session.Message, session.Reported:
		args = append(args, trace.Int("bytes", len(e.Data)))
	}
	if e.Ours != e.Theirs {
		args = append(args, trace.Text("ours", fmt.Sprintf("%016x", e.Ours)), trace.Text("theirs", fmt.Sprintf("%016x", e.Theirs)))
	}
	if e.For != 0 {
		args = append(args, trace.Millis("for_ms", e.For))
	}
	if e.Text != "" {
		args = append(args, trace.Text("text", e.Text))
	}
	t.process.Instant(t.now(), e.What.String(), args...)
}

// Look writes the changes since the last call. It is called after each call of the session. If the trace can no longer
// be written, it returns an error, but only once.
func (t *Tracer) Look() error {
	if t.failed {
		return nil
	}
	if err := t.w.Err(); err != nil {
		t.failed = true
		return err
	}
	s := t.stats()
	t.look(&s)
	return nil
}

func (t *Tracer) look(s *session.Stats) {
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

// count writes by how many frames the match is ahead of confirmation and agreement.
func (t *Tracer) count(now time.Time, s *session.Stats) {
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
