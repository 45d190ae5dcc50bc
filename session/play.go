package session

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// play runs the frames of a match: its engine, its inputs, when frames are due and how far they go, which decisions
// decides.
type play struct {
	base
	sim      simulation
	frame    Frame // of the simulation
	inputs   *inputs.Store
	stream   stream.Stream
	inquiry  inquiry
	recorder func(stream.Frame)
	decisions
	lateJoin *lateJoin // nil unless we are a newcomer
}

// match is the state of the match that is prepared or played.
type match struct {
	number      uint32 // from 1 on
	schedule    pace.Schedule
	stalls      pace.Stalls
	limit       Frame // frames from there on do not run
	pausedAt    Frame // nor those from here on, while it is paused
	pausedSince time.Duration
	pauseAsked  pauseAsked
	frozen      time.Duration // since when we are no majority; 0 is not at all
	member      time.Duration // since when we are one, if we have joined
	kicked      PlayerSet     // who was sent away, and is still there
	kickedAt    time.Duration
	revokedFor  PlayerSet // who were sent away, and nobody has come in their place
	complete    bool      // the last frame is agreed
	delay       pace.Delay
}

// waitingAfter is how long a stall lasts before it is an event.
const waitingAfter = 500 * time.Millisecond

// slot begins a tick period.
func (m *play) slot(due time.Duration) {
	t := &m.match
	if m.held() {
		return
	}
	t.stalls.Begin(due, 2*m.nominal)
	if !t.schedule.Blocked() {
		if m.congested() {
			t.stalls.Period(true)
			return
		}
		t.schedule.Due(m.frame, due)
		if !m.sampleAll() {
			return
		}
	}
	m.run()
	t.stalls.Period(t.schedule.Blocked())
}

// maxBacklog is how many bytes may wait for a peer before no more orders are
// given: a second of full datagrams.
const maxBacklog = 64 << 10

// congested reports whether a peer acknowledges nothing, or takes long orders more
// slowly than they are given. The match has to wait for it.
func (m *play) congested() bool {
	for _, l := range m.links {
		if l.state != connected {
			continue
		}
		late := m.cfg.MaxOrders > 0 && l.Channel.Pending() > maxBacklog
		if late || !l.notBothMembers && m.inputs.Unacknowledged(&l.Peer) > inputs.MaxUnacknowledged {
			m.match.stalls.Wait(l.players, m.now)
			return true
		}
	}
	return false
}

// held reports whether no frame may run: the match is over as far as we know, or paused, or the log
// has a gate there.
func (m *play) held() bool {
	f := m.frame
	if m.lateJoin.observing() && (!m.lateJoin.direct || f >= m.sim.Agreed()) {
		return true
	}
	if f >= m.match.limit || m.match.stands(f) {
		return true
	}
	if m.core != nil && f >= m.core.Gate() {
		return true
	}
	out, ends := m.sim.Provisional()
	return ends && f > out.Frame
}

// sampleAll samples the local players for the next frame, and stores their inputs to be sent.
func (m *play) sampleAll() bool {
	for _, p := range m.local {
		next, err := m.sim.sample(p)
		if err != nil {
			m.fail(err)
			return false
		}
		for m.core != nil && next != NoFrame && m.inputs.Next(p) < next {
			o, apart := m.inputs.Push(p)
			for _, l := range m.links {
				if apart && l.state == connected {
					m.post(l, o.Append(m.begins(messageOrders)))
				}
			}
		}
	}
	return true
}

// run tries the next frame.
func (m *play) run() {
	t := &m.match
	err := m.sim.Tick()
	if err == nil {
		m.frame = m.sim.Frame()
		m.inquiry.capture()
		collect(&m.stream.Recording, m.sim)
		t.schedule.Block(false)
		if lasted, told := t.stalls.Resume(m.now); told {
			m.events.Add(Event{What: Resumed, For: lasted})
		}
		return
	}
	stall, ok := err.(*rollback.Stall)
	if !ok {
		m.fail(err)
		return
	}
	t.schedule.Block(true)
	waiting := stall.Waiting
	if waiting == 0 {
		waiting = m.slowest() // the inputs are here, and not everybody has them
	}
	t.stalls.Wait(waiting, m.now)
}

// agree tells the engine which frames all members have, and reads those that are agreed.
func (m *play) agree() {
	if m.match.complete {
		return
	}
	collect(&m.stream.Recording, m.sim)
	tellable := m.confirmedToTell()
	n := max(m.sim.Agreed(), min(m.ended(), tellable))
	if m.lateJoin != nil {
		n = max(n, min(m.lateJoin.agreed, tellable))
	}
	if !m.lateJoin.observing() && m.end.removed == nil { // once we are out, only what the peers at the end say counts
		n = max(n, m.toldByAll(m.core, tellable))
	}
	if err := m.sim.agree(n, m.recorder); err != nil {
		m.fail(err)
		return
	}
	if out, ok := m.sim.Result(); ok {
		m.match.limit = min(m.match.limit, out.Frame+1)
	}
}

// confirmedToTell returns of how many frames we say that we have all inputs: of none after the end of the
// match, or from a gate on.
func (m *play) confirmedToTell() Frame {
	n := min(m.sim.Confirmed(), m.match.limit)
	if m.core != nil {
		n = min(n, m.core.Gate())
	}
	return n
}

// idle reports whether no frame runs in this tick period unless something arrives.
func (m *play) idle() bool { return m.match.schedule.Blocked() || m.held() }

// resimulate simulates again what has to be, and moves agreement. It reports whether the match is
// still played.
func (m *play) resimulate() bool {
	if err := m.sim.Settle(); err != nil {
		m.fail(err)
		return false
	}
	m.inquiry.capture()
	m.agree()
	return m.phase == Playing
}

// disconnect takes a player out of the match.
func (m *play) disconnect(p Player, from Frame) {
	if err := m.sim.removePlayer(p, from); err != nil {
		m.fail(err)
	}
}

// facts are what is so now, for the ruling.
func (m *play) facts() facts {
	return facts{now: m.now, phase: m.phase, frame: m.frame, observing: m.lateJoin.observing()}
}

// logged reports whether the log decides who is in the present match.
func (m *play) logged() bool {
	return m.decides(m.facts())
}

// ours reports whether a peer is a member by the log.
func (m *play) ours(l *link) bool { return m.core != nil && m.core.State().Has(l.players) }

// isRemoved reports whether the log has taken a peer out of the match that may not know it.
func (m *play) isRemoved(l *link) bool {
	return l.state == gone && m.logged() && !m.core.State().Has(l.players) && !m.toTheEnd(l.players)
}

// stuckPeers returns the players of the peers that have joined the match and do not play, although only their inputs are
// lacking. Such a peer may be heard all the time: it does not hear us, and does not know that it is a member.
func (m *play) stuckPeers() PlayerSet {
	return m.playersWhere(func(l *link) bool {
		switch {
		case l.expected == 0 || l.state != connected:
			return false
		case m.inputs.Next(l.List[0]) > l.joined:
			l.expected = 0
			return false
		case m.match.stands(m.frame) || m.sim.Confirmed() < l.joined: // in a pause nobody plays, or others are lacking as well
			l.expected = m.now
		}
		return m.now-l.expected > m.cfg.DropAfter
	})
}

// inMatch reports whether inputs belong to the present match.
func (m *play) inMatch() bool {
	return m.phase == Playing || m.phase == Ending || m.lobby.Stage() >= lobby.Ready && (m.phase == Starting || m.phase == Connecting)
}

// near returns a frame near those of a peer's datagrams, for their short numbers.
func (m *play) near(l *link) uint32 {
	if l.notBothMembers && !m.lateJoin.observing() {
		return uint32(m.frame)
	}
	return uint32(m.inputs.Next(l.List[0]))
}

// shape is that of the match's frames.
func (m *play) shape() agreed.Shape {
	return agreed.Shape{Players: m.cfg.Players, InputSize: m.sim.InputSize(), MaxOrders: m.cfg.MaxOrders}
}

// enterStarting begins to wait until all peers are ready for the proposed match.
func (m *play) enterStarting() {
	m.match.schedule.End(m.now)
	m.phase, m.since = Starting, m.now
	m.match.stalls.Reminder.End()
	m.eager(true)
}
