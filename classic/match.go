package classic

import (
	"fmt"
	"math"
	"net/netip"
	"time"

	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Never is what [Match.Advance] returns after the end: it need not be called again.
const Never time.Duration = math.MaxInt64

// sleep is how much of the time between two calls counts as waiting for the other side. A match asks to be called again
// after half a second at most. If more than twice that has passed, this machine was asleep, and datagrams that have
// arrived may not have been delivered yet.
const sleep = 2 * helloEvery

// Match is one side of a match. It is for one goroutine. Times are relative to an epoch of the owner's choice.
//
// In a loop, the owner
//
//  1. gives the datagrams that have arrived: [Match.Receive];
//  2. does what is due: [Match.Advance], which samples the local player
//     and runs frames;
//  3. sends what is to be sent: [Match.Outgoing];
//  4. draws ([Match.State], [Match.Effects]), ends if the match is [Match.Done],
//     and otherwise sleeps until a datagram arrives or it is the time that Advance
//     returned. (After the end that is [Never]: look first.)
type Match[S any, I comparable] struct {
	cfg           Config[S, I]
	engine        *rollback.Engine[S, I]
	local, remote rollback.Player
	err           error
	phase         Phase
	peer          netip.AddrPort // invalid while a host accepts anybody

	started bool
	now     time.Duration // of the newest call
	news    time.Duration // when the current wait with a time-out began
	heard   time.Duration // the host's: when the peer last said HELLO
	beat    time.Duration // next repetition of a handshake datagram
	until   time.Duration // end of lingering

	schedule schedule
	acked    rollback.Frame // own inputs below it are acknowledged
	stalled  bool           // the last tick period was blocked
	ran      bool           // ran to the end; nothing changes any more
	sums     sums
	out      queue
	buttons  [rbn1.MaxInputs]uint16
	stats    Stats
}

// New makes one side of a match, which begins with the first call of [Match.Advance] or [Match.Receive]. A
// configuration that cannot work is refused here, with an error that wraps [ErrConfig] or comes from the engine.
func New[S any, I comparable](cfg Config[S, I]) (*Match[S, I], error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	m := &Match[S, I]{cfg: cfg, peer: cfg.Peer, local: 0, remote: 1, phase: Waiting}
	if !cfg.Host {
		m.local, m.remote, m.phase = 1, 0, Greeting
	}
	delay := [rollback.MaxPlayers]int{}
	delay[m.local] = cfg.Delay
	m.engine, err = rollback.New(cfg.Game, rollback.Config{
		Players: 2, Local: rollback.SetOf(m.local), Delay: delay, Window: cfg.Window,
	})
	if err != nil {
		return nil, fmt.Errorf("classic: %w", err)
	}
	m.schedule.rate = int64(cfg.TickRate)
	m.sum()
	return m, nil
}

// clock records the time of a call, which never goes back.
func (m *Match[S, I]) clock(now time.Duration) time.Duration {
	if !m.started {
		m.started = true
		m.now, m.news, m.beat = now, now, now
	}
	now = max(now, m.now)
	if slept := now - m.now; slept > sleep {
		m.news += slept - sleep
	}
	m.now = now
	return now
}

// Advance does what is due: handshake datagrams, tick periods with their frames and packets, time-outs. It returns the
// latest time at which to call it again: a time after now, or [Never].
func (m *Match[S, I]) Advance(now time.Duration) (next time.Duration) {
	now = m.clock(now)
	if m.phase.ended() || m.expire(now) {
		return Never
	}
	if m.phase.live() {
		return m.play(now)
	}
	return m.greet(now)
}

// Close ends the match immediately. The protocol has no goodbye: unless the match is over, the other side loses this
// one. A match that has already ended does not change.
func (m *Match[S, I]) Close() {
	if !m.phase.ended() {
		m.becomeOver()
	}
}

// Phase returns how far the match is.
func (m *Match[S, I]) Phase() Phase { return m.phase }

// Done reports whether the match has ended, successfully or not, and nothing is sent any more.
func (m *Match[S, I]) Done() bool { return m.phase.ended() }

// Err returns why the match failed: an error that is [ErrNobody] or [ErrLost], or that of an engine that cannot go on.
// It is nil if the match has not failed.
func (m *Match[S, I]) Err() error { return m.err }

// Peer returns the address of the other side, which is not valid while a host has no joiner yet.
func (m *Match[S, I]) Peer() netip.AddrPort { return m.peer }

// Local returns the player who is sampled here: 0 for the host, 1 for the joiner.
func (m *Match[S, I]) Local() rollback.Player { return m.local }

// Frame returns the number of the current state.
func (m *Match[S, I]) Frame() rollback.Frame { return m.engine.Frame() }

// State returns the current state, which may depend on predictions. It belongs to the match and is valid until the next
// call of [Match.Advance]; do not change it.
func (m *Match[S, I]) State() *S { return m.engine.State() }

// Effects returns the changes of effects since the last call. Call it once per picture. The events are valid until the
// next call of [Match.Advance] or Effects.
func (m *Match[S, I]) Effects() []effects.Event { return m.engine.Effects() }

// Result returns the checksum of the last state of a match of a fixed length, and whether it is known: once all inputs
// of both sides are here and acknowledged. If the other side was lost when only acknowledgements were missing, the
// result is known here, but perhaps not on the other side.
func (m *Match[S, I]) Result() (checksum uint32, ok bool) {
	if !m.ran {
		return 0, false
	}
	return m.cfg.Checksum(m.engine.State()), true
}

// conclude runs the match to its end, since all inputs are here.
func (m *Match[S, I]) conclude() error {
	for m.engine.Frame() < m.cfg.Frames {
		if err := m.runFrame(); err != nil {
			return err
		}
	}
	if err := m.engine.Settle(); err != nil {
		return err
	}
	m.sum()
	m.ran = true
	return m.agree() // which confirms effects
}

// have returns how many own inputs there are, all of which must be sent.
func (m *Match[S, I]) have() rollback.Frame { return m.upTo(m.engine.Next(m.local)) }

// upTo limits a count of frames to the length of the match.
func (m *Match[S, I]) upTo(n rollback.Frame) rollback.Frame {
	if m.cfg.Frames != 0 {
		n = min(n, m.cfg.Frames)
	}
	return n
}

func (m *Match[S, I]) unacknowledged() rollback.Frame { return m.have() - m.acked }

// complete reports whether all inputs of both sides are here.
func (m *Match[S, I]) complete() bool {
	return m.cfg.Frames != 0 && m.upTo(m.engine.Confirmed()) == m.cfg.Frames
}
