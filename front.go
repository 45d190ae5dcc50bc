package tickback

import (
	"cmp"
	"iter"
	"log/slog"
	"net/netip"
	"time"

	"github.com/tickback/tickback/internal/eventlog"
	"github.com/tickback/tickback/internal/recording"
	"github.com/tickback/tickback/internal/tracing"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/trace"
)

// machine is the part behind the public API that differs between modes: a match, a server, a client, a spectator or a
// replay.
type machine[S any] interface {
	eventlog.Session
	Receive(at time.Duration, from netip.AddrPort, b []byte)
	Update(now time.Duration) (next time.Duration)
	Step(now time.Duration) (period time.Duration)
	Poll(now time.Duration) (next time.Duration)
	Outgoing() iter.Seq2[netip.AddrPort, []byte]
	Urgent() bool
	Phase() Phase
	Progress(now time.Duration) (passed, period time.Duration)
	State() *S
	StateAt(f Frame) *S
	Final() *S
	Frame() Frame
	Effects() []effects.Event
	Events() []Event
	Leave(reason string)
	Done() bool
}

// leader is a machine that is shown ahead of its state; see [Options.RunAhead].
type leader[S any] interface {
	Ahead() (before, after *S, at Frame)
}

// front drives a machine: it passes the time and the datagrams of a transport to it.
type front[S any] struct {
	machine    machine[S]
	shower     shower[S] // the machine if it is a shower, or nil
	leader     leader[S] // the machine if it is shown ahead of its state, or nil
	outgoing   iter.Seq2[netip.AddrPort, []byte]
	sending    sending
	turn       pace.Turn
	transport  Transport
	raw        Transport        // the transport without its tracing
	waiter     Waiter           // the same if it is a Waiter, or nil
	stepped    bool             // Advance ran the last frame: nothing is interpolated
	clock      func() time.Time // the application's; nil for the system's
	now        func() time.Time // the clock, or time.Now
	epoch      time.Time
	buffer     [2048]byte
	links      []session.LinkStats
	log        *eventlog.Log   // nil if there is none
	tracer     *tracing.Tracer // nil if there is none
	recordings recording.Control
	closed     bool
}

// open sets up everything that a front needs besides the machine.
func (m *front[S]) open(t Transport, now func() time.Time, log *slog.Logger, w *trace.Writer) {
	m.clock = now
	if now == nil {
		now = time.Now
	}
	m.transport, m.raw, m.now, m.epoch = t, t, now, now()
	m.waiter, _ = t.(Waiter)
	if log != nil {
		m.log = eventlog.New(log)
	}
	if w == nil {
		return
	}
	m.tracer = tracing.New(w, now)
	if t != nil {
		m.transport = m.tracer.Wrap(t)
	}
}

// observer returns the function that gets every event at once, or nil.
func (m *front[S]) observer() func(Event) {
	if m.log == nil && m.tracer == nil {
		return nil
	}
	return m.observe
}

// probe returns the tracer as the observer of frames and rollbacks, or nil.
func (m *front[S]) probe() rollback.Probe {
	if m.tracer == nil {
		return nil
	}
	return m.tracer
}

// begin starts to drive a machine. who is the name of the machine in a trace.
func (m *front[S]) begin(machine machine[S], game string, players int, who string) {
	m.machine, m.outgoing = machine, machine.Outgoing()
	m.sending.over(m.transport)
	m.shower, _ = machine.(shower[S])
	if m.log != nil {
		m.log.Begin(machine, players)
	}
	if m.tracer != nil {
		m.tracer.Begin(machine, game, who, m.transport != nil)
	}
}

// time returns the time since the session was made.
func (m *front[S]) time() time.Duration {
	if m.clock == nil {
		return time.Since(m.epoch) // reads one clock, where time.Now reads two
	}
	return m.clock().Sub(m.epoch)
}

// Update keeps the network alive and runs the frames that are due, usually none or one; after a pause it catches up
// with several. It returns how long to wait before the next call. Nothing is due until then, but an earlier call is
// harmless.
//
// A call takes at most as long as a frame and a tick period, or as the time since the last call, up to 100 ms. So a
// machine on which frames take longer than a period still shows each of them, and returns 0. After a wait for other
// machines it runs one frame, until it is late by a whole period.
//
// An error is final: [ErrClosed], a typed error that names the peer and the reason, an error of
// the transport, or the game's [*SyncTestError].
func (m *front[S]) Update() (wait time.Duration, err error) {
	if m.closed {
		return 0, ErrClosed
	}
	now := m.time()
	_, period := m.machine.Progress(now)
	m.turn.Begin(now, period)
	m.stepped = false
	for {
		m.receive()
		before := m.machine.Frame()
		next := m.machine.Update(m.time())
		m.send()
		m.look()
		now = m.time()
		if !m.turn.More(now, next, m.machine.Frame() != before) || m.err() != nil {
			return max(next-now, 0), m.err()
		}
	}
}

// Advance keeps the network alive and runs the next frame, if that can run. It is for an engine that owns the loop and
// keeps the time: it calls Advance once per frame instead of [Match.Update]. Advance returns the period until the next
// call: the nominal one, or a few percent more or less to keep pace with the peers. If the frame has to wait for a
// peer, the state does not change. The errors are those of Update.
func (m *front[S]) Advance() (period time.Duration, err error) {
	if m.closed {
		return 0, ErrClosed
	}
	m.receive()
	period = m.machine.Step(m.time())
	m.stepped = true
	m.send()
	m.look()
	return period, m.err()
}

// Poll keeps the network alive without running frames.
func (m *front[S]) Poll() error {
	if m.closed {
		return ErrClosed
	}
	m.receive()
	m.machine.Poll(m.time())
	m.send()
	m.look()
	return m.err()
}

func (m *front[S]) err() error {
	if m.sending.failed != nil {
		return m.sending.failed
	}
	return m.machine.Err()
}

const (
	// maxReceive bounds how many datagrams one call reads. It is more than all peers and a flood can send in a tick
	// period; any others wait for the next call.
	maxReceive = 4096
	// receiveBatch is the number of received datagrams after which answers are sent.
	receiveBatch = 16
)

func (m *front[S]) receive() {
	if m.transport == nil {
		return
	}
	for i := range maxReceive {
		n, from, at, ok := m.transport.Receive(m.buffer[:])
		if !ok {
			return
		}
		m.machine.Receive(at.Sub(m.epoch), from, m.buffer[:n])
		if i%receiveBatch == receiveBatch-1 {
			m.send()
		}
	}
}

func (m *front[S]) send() {
	m.outgoing(m.sending.take)
	m.sending.flush()
}

// Wait waits for d, or until a datagram arrives that a frame may wait for. Use it instead of
// time.Sleep in a loop that has nothing else to do.
func (m *front[S]) Wait(d time.Duration) {
	if m.waiter != nil {
		m.waiter.Wait(d, m.machine.Urgent())
		return
	}
	WaitFor(m.raw, d, m.machine.Urgent())
}

// shower is a machine that shows other players as they were a moment ago.
type shower[S any] interface {
	Shown(now time.Duration) (s served.Shown[S], ok bool)
}

// View returns what to draw.
func (m *front[S]) View() View[S] {
	v := m.present()
	v.Before, v.After, v.Share = v.Previous, v.Current, v.Fraction
	if m.shower == nil || !v.Running {
		return v
	}
	s, ok := m.shower.Shown(m.time())
	if !ok {
		return v
	}
	v.Before, v.After, v.Share, v.Seen = s.Before, s.After, 1, s.Seen
	if s.Period > 0 {
		v.Share = float64(s.Passed) / float64(s.Period)
	}
	return v
}

// present is the view without the delayed states of other players.
func (m *front[S]) present() View[S] {
	f := m.machine.Frame()
	if m.leader != nil {
		if before, after, at := m.leader.Ahead(); after != nil {
			v := View[S]{Previous: before, Current: after, Frame: at, Ahead: at - f, Running: true}
			v.Fraction = m.fraction()
			return v
		}
	}
	v := View[S]{Current: m.machine.State(), Frame: f, Fraction: 1}
	v.Running = m.machine.Phase() == session.Playing
	if final := m.machine.Final(); final != nil && !v.Running {
		o, _ := m.machine.Outcome()
		v.Current, v.Previous, v.Frame = final, final, o.Frames
		return v
	}
	if f > 0 {
		v.Previous = m.machine.StateAt(f - 1)
	}
	if v.Previous == nil {
		v.Previous = v.Current
	}
	v.Fraction = m.fraction()
	return v
}

// fraction returns how much of the time between the last two states has passed, for drawing.
func (m *front[S]) fraction() float64 {
	if m.stepped {
		return 1
	}
	passed, period := m.machine.Progress(m.time())
	return float64(passed) / float64(period)
}

// Effects returns the changes of effects since the last call; see package effects.
func (m *front[S]) Effects() []effects.Event {
	list := m.machine.Effects()
	m.recordings.Effects(list)
	return list
}

// Events returns the events since the last call.
func (m *front[S]) Events() []Event { return m.machine.Events() }

// Outcome returns how the last match ended, and whether one has ended.
func (m *front[S]) Outcome() (Outcome, bool) { return m.machine.Outcome() }

// Stats returns the statistics.
func (m *front[S]) Stats() Stats {
	s := m.machine.Stats(m.links[:0])
	m.links = s.Links
	return s
}

// stillMost is the maximum time that Close waits for others if the application's clock stands still: then Linger would
// never be over.
const stillMost = 200 * time.Millisecond

// Close leaves the session, and waits until the others know, for at most Timeouts.Linger. Then
// it closes the transport. A second call does nothing.
func (m *front[S]) Close() error {
	if m.closed {
		return nil
	}
	m.machine.Leave("closed")
	m.send()
	began, still := m.time(), time.Duration(0)
	for !m.machine.Done() && m.sending.failed == nil && still < stillMost { // the machine is done after Linger at the latest
		m.receive()
		next := m.machine.Poll(m.time())
		m.send()
		if !m.machine.Done() {
			d := min(max(next-m.time(), time.Millisecond), 20*time.Millisecond)
			m.Wait(d)
			if m.time() == began {
				still += d
			}
		}
	}
	m.closed = true
	m.recordings.Finish(cmp.Or(m.sending.failed, session.ErrClosed))
	m.look()
	if m.tracer != nil {
		m.tracer.Flush()
	}
	if m.transport == nil {
		return nil
	}
	return m.transport.Close()
}
