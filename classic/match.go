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

// Never is the result of [Match.Advance] after the end: it need not be called again.
const Never time.Duration = math.MaxInt64

// Match is one side of a match. It is for one goroutine. Times are relative to an epoch of the owner's choice.
//
// In a loop, the owner
//
//  1. passes on the datagrams that have arrived: [Match.Receive];
//  2. does what is due: [Match.Advance], which samples the local player
//     and runs frames;
//  3. sends the outgoing datagrams: [Match.Outgoing];
//  4. draws ([Match.State], [Match.Effects]), ends if the match is [Match.Done],
//     and otherwise sleeps until a datagram arrives or it is the time that Advance
//     returned. (After the end that is [Never]: look first.)
type Match[S any, I comparable] struct {
	cfg           Config[S, I]
	engine        *rollback.Engine[S, I]
	local, remote rollback.Player
	err           error
	phase         Phase

	handshake handshake
	wait      wait          // for the other side
	until     time.Duration // the end of lingering
	schedule  schedule
	acked     rollback.Frame // own inputs below it are acknowledged
	stalled   bool           // the last tick period was blocked
	ran       bool           // the match has run to its end, and nothing changes any more
	sums      sums
	out       queue
	buttons   [rbn1.MaxInputs]uint16
	stats     Stats
}

// New makes one side of a match, which begins with the first call of [Match.Advance] or [Match.Receive]. A
// configuration that cannot work is refused here, with an error that wraps [ErrConfig] or comes from the engine.
func New[S any, I comparable](cfg Config[S, I]) (*Match[S, I], error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	m := &Match[S, I]{cfg: cfg, handshake: newHandshake(cfg.Host, cfg.Peer), local: 0, remote: 1}
	if !cfg.Host {
		m.local, m.remote = 1, 0
	}
	m.phase = m.handshake.first()
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

// Advance does what is due: handshake datagrams, tick periods with their frames and packets, time-outs. It returns the
// time at which to call it again at the latest: a time after now, or [Never].
func (m *Match[S, I]) Advance(now time.Duration) (next time.Duration) {
	now = m.wait.clock(now)
	if m.phase.ended() || m.expire() {
		return Never
	}
	if m.phase.live() {
		return m.play(now)
	}
	say, next := m.handshake.repeat(now, m.phase)
	m.say(say)
	return min(next, m.wait.end(m.cfg.Handshake))
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

// Done reports whether the match has ended, successfully or not, and nothing more will be sent.
func (m *Match[S, I]) Done() bool { return m.phase.ended() }

// Err returns the reason why the match failed: [ErrNobody], [ErrLost], or the error of an engine that cannot go on. It
// is nil if the match has not failed.
func (m *Match[S, I]) Err() error { return m.err }

// Peer returns the address of the other side, which is not valid while a host has no joiner yet.
func (m *Match[S, I]) Peer() netip.AddrPort { return m.handshake.peer }

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

// Result returns the checksum of the last state of a match of a fixed length, and whether it is known, which it is
// once all inputs of both sides are here and acknowledged. If the other side was lost when only acknowledgements were
// missing, the result is known here, but perhaps not on the other side.
func (m *Match[S, I]) Result() (checksum uint32, ok bool) {
	if !m.ran {
		return 0, false
	}
	return m.cfg.Checksum(m.engine.State()), true
}

// conclude runs the match to its end, which is possible because all inputs are here.
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
	return m.agree() // this confirms effects
}

// have returns the number of own inputs so far. All of them have to be sent.
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
