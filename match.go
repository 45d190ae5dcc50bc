package tickback

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
)

// Session is a game that runs, in whatever mode: [Local], [P2P] or [SyncTest].
// It is for one goroutine.
type Session[S any] interface {
	// Update keeps the network alive, and runs the frames that are due. It returns
	// when to call it again, at the latest; see [Match.Update].
	Update() (wait time.Duration, err error)
	// Poll keeps the network alive, and runs no frames: while the game loads, or is
	// in a menu. Call it at least ten times a second.
	Poll() error
	// View returns what to draw.
	View() View[S]
	// Effects returns what has become of effects since the last call: what to let
	// sound, move and end. See package effects.
	Effects() []effects.Event
	// Events returns what has happened since the last call. They are the session's,
	// valid until the next call.
	Events() []Event
	// Outcome returns how the last match ended, and whether one has.
	Outcome() (Outcome, bool)
	// Stats returns the statistics. They are the session's, valid until the next
	// call.
	Stats() Stats
	// Close leaves: the others are told, which takes a round trip, at most
	// Timeouts.Linger. The session's transport is closed.
	Close() error
}

// View is what to draw: the states before and after, and how far the time between
// them has passed. The states are the session's, valid and unchanged until any call
// but View, Effects, Events, Outcome and Stats; do not change them, and copy what is
// needed longer.
type View[S any] struct {
	// Previous is the state of the frame before. It is Current where there is none:
	// at the start, and in a game that owns its memory.
	Previous, Current *S
	// Fraction is how much of the way from Previous to Current has passed: 0 to 1.
	Fraction float64
	Frame    Frame // number of Current
	// Running says that frames run: a match has started, and not ended.
	Running bool
}

// Match is a [Session] in which frames run. Make it with [Local], [P2P] or
// [SyncTest].
type Match[S any, I comparable] struct {
	session   *session.Session[S, I]
	transport Transport
	hostClock bool
	now       func() time.Time
	epoch     time.Time
	buffer    [2048]byte
	links     []session.LinkStats
	failed    error // of the transport
	log       *eventLog
	tracer    *tracer
	closed    bool
}

// ErrOptions is what errors about [Options] wrap, besides those of packages session
// and rollback.
var ErrOptions = errors.New("invalid tickback.Options")

// Local runs a game on this machine alone: for one player, or several on one
// sofa.
func Local[S any, I comparable](game rollback.Definition[S, I], o Options[S, I]) (*Match[S, I], error) {
	if o.Transport != nil || len(o.Peers) > 0 {
		return nil, fmt.Errorf("%w: Local has no Transport and no Peers; use P2P", ErrOptions)
	}
	return newMatch(game, o, o.config(game))
}

// P2P runs a match with other machines, each of which knows all others.
func P2P[S any, I comparable](game rollback.Definition[S, I], o Options[S, I]) (*Match[S, I], error) {
	switch {
	case o.Transport == nil:
		return nil, fmt.Errorf("%w: P2P needs a Transport, such as that of transport/udp", ErrOptions)
	case len(o.Peers) == 0:
		return nil, fmt.Errorf("%w: P2P needs Peers; a match without is Local", ErrOptions)
	}
	return newMatch(game, o, o.config(game))
}

// SyncTest runs a game like [Local], goes back so many frames in every frame, and
// simulates them again. A step that comes out differently ends it with a
// [*rollback.MismatchError], which names the frame and the fields.
func SyncTest[S any, I comparable](game rollback.Definition[S, I], depth int, o Options[S, I]) (*Match[S, I], error) {
	switch {
	case o.Transport != nil || len(o.Peers) > 0:
		return nil, fmt.Errorf("%w: SyncTest has no Transport and no Peers", ErrOptions)
	case depth < 1:
		return nil, fmt.Errorf("%w: a sync test of depth %d compares nothing", ErrOptions, depth)
	}
	cfg := o.config(game)
	cfg.SyncTest = depth
	return newMatch(game, o, cfg)
}

func newMatch[S any, I comparable](game rollback.Definition[S, I], o Options[S, I], cfg session.Config) (*Match[S, I], error) {
	if o.Sample == nil {
		return nil, fmt.Errorf("%w: Sample is required: it returns what a player does", ErrOptions)
	}
	m := &Match[S, I]{transport: o.Transport, hostClock: o.HostClock, now: o.Advanced.Now}
	if m.now == nil {
		m.now = time.Now
	}
	m.epoch = m.now()
	cfg.Clock = m.time
	m.watch(&o, &cfg)
	s, err := session.New(game, cfg, o.hooks())
	if err != nil {
		return nil, err
	}
	m.session = s
	m.watched(&cfg)
	return m, nil
}

// time returns the session's time: since the match was made.
func (m *Match[S, I]) time() time.Duration { return m.now().Sub(m.epoch) }

// Update keeps the network alive, and runs the frames that are due, usually none
// or one; after a pause it catches up with several. It returns how long to wait
// before the next call: sleep, draw, or call it earlier. Nothing is due then, and
// no time is lost by calling it more often.
//
// With Options.HostClock it runs at most one frame, and returns how long the
// period until the next call should be, which keeps pace with the peers.
//
// An error is final: [session.ErrClosed], a typed error of package session that
// names who and why, the transport's, or the game's [*rollback.MismatchError].
func (m *Match[S, I]) Update() (wait time.Duration, err error) {
	if m.closed {
		return 0, session.ErrClosed
	}
	m.receive()
	if m.hostClock {
		wait = m.session.Step(m.time())
	} else {
		wait = m.session.Update(m.time())
	}
	m.send()
	m.look()
	if !m.hostClock {
		wait = max(wait-m.time(), 0)
	}
	return wait, m.err()
}

// Poll keeps the network alive, and runs no frames.
func (m *Match[S, I]) Poll() error {
	if m.closed {
		return session.ErrClosed
	}
	m.receive()
	m.session.Poll(m.time())
	m.send()
	m.look()
	return m.err()
}

func (m *Match[S, I]) err() error {
	if m.failed != nil {
		return m.failed
	}
	return m.session.Err()
}

const (
	// maxReceive bounds how many datagrams one call reads: more than eight peers
	// and a flood can send in a tick period. The rest has to wait.
	maxReceive = 4096
	// receiveBatch is after how many of them the answers are sent.
	receiveBatch = 16
)

func (m *Match[S, I]) receive() {
	if m.transport == nil {
		return
	}
	for i := range maxReceive {
		n, from, at, ok := m.transport.Receive(m.buffer[:])
		if !ok {
			return
		}
		m.session.Receive(at.Sub(m.epoch), from, m.buffer[:n])
		if i%receiveBatch == receiveBatch-1 {
			m.send()
		}
	}
}

func (m *Match[S, I]) send() {
	for to, datagram := range m.session.Outgoing() {
		if err := m.transport.Send(to, datagram); errors.Is(err, net.ErrClosed) {
			m.failed = err // any other is a datagram that is lost
		}
	}
}

// Wait waits for so long, or until a datagram arrives that a frame may wait for:
// a better sleep for loops that have nothing else to do.
func (m *Match[S, I]) Wait(d time.Duration) {
	if m.transport == nil || !m.session.Urgent() {
		time.Sleep(d)
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-m.transport.Notify():
	}
}

// View returns what to draw.
func (m *Match[S, I]) View() View[S] {
	f := m.session.Frame()
	v := View[S]{Current: m.session.State(), Frame: f, Fraction: 1}
	v.Running = m.session.Phase() == session.Playing
	if final := m.session.Final(); final != nil && !v.Running {
		o, _ := m.session.Outcome()
		v.Current, v.Previous, v.Frame = final, final, o.Frames
		return v
	}
	if f > 0 {
		v.Previous = m.session.StateAt(f - 1)
	}
	if v.Previous == nil {
		v.Previous = v.Current
	}
	if passed, period := m.session.Progress(m.time()); !m.hostClock {
		v.Fraction = float64(passed) / float64(period)
	}
	return v
}

// Effects returns what has become of effects since the last call; see package
// effects. The events are the session's, valid until the next call of Update or
// Effects.
func (m *Match[S, I]) Effects() []effects.Event { return m.session.Effects() }

// Events returns what has happened since the last call. They are the session's,
// valid until the next call.
func (m *Match[S, I]) Events() []Event { return m.session.Events() }

// Outcome returns how the last match ended, and whether one has.
func (m *Match[S, I]) Outcome() (Outcome, bool) { return m.session.Outcome() }

// Stats returns the statistics. They are the session's, valid until the next call.
func (m *Match[S, I]) Stats() Stats {
	s := m.session.Stats(m.links[:0])
	m.links = s.Links
	return s
}

// SetDelay changes the input delay of a player who plays here, in frames from now
// on. What the player does is neither lost nor doubled.
func (m *Match[S, I]) SetDelay(p Player, frames int) error { return m.session.SetDelay(p, frames) }

// Close leaves the session, and waits until the others know, at most
// Timeouts.Linger. Then it closes the transport. Closing twice is no error.
func (m *Match[S, I]) Close() error {
	if m.closed {
		return nil
	}
	m.session.Leave("closed")
	m.send()
	for !m.session.Done() && m.failed == nil { // it ends by itself, after Linger at the latest
		m.receive()
		next := m.session.Poll(m.time())
		m.send()
		if !m.session.Done() {
			m.Wait(min(max(next-m.time(), time.Millisecond), 20*time.Millisecond))
		}
	}
	m.closed = true
	m.look()
	if m.tracer != nil {
		m.tracer.w.Flush()
	}
	if m.transport == nil {
		return nil
	}
	return m.transport.Close()
}
