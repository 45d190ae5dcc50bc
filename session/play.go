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

// play runs the frames of a match: the engine, the inputs, and the schedule of frames. How far frames may run is
// decided by decisions.
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

// match is the state of the current match, prepared or running.
type match struct {
	number      uint32 // 1 for the first match
	schedule    pace.Schedule
	stalls      pace.Stalls
	limit       Frame // frames from this one on do not run
	pausedAt    Frame // nor do frames from this one on, during a pause
	pausedSince time.Duration
	pauseAsked  pauseAsked
	frozen      time.Duration // since when we have had no majority; 0: we have one
	member      time.Duration // since when we have been a member, if we joined
	kicked      PlayerSet     // players that were kicked and are still present
	kickedAt    time.Duration
	revokedFor  PlayerSet // kicked players whose place has not been taken since
	complete    bool      // the last frame is agreed
	delay       pace.Delay
}

// waitingAfter is how long a stall lasts before it is reported as an event.
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

// maxBacklog is how many bytes may be waiting for a peer before no more orders are given: one second of full
// datagrams.
const maxBacklog = 64 << 10

// congested reports whether a peer acknowledges nothing, or takes long orders more slowly than they are given. The
// match has to wait for it.
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

// held reports whether no frame may run: as far as is known the match is over, or it is paused, or the log has a
// gate at this frame.
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

// run tries to run the next frame.
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
		waiting = m.slowest() // the inputs are here, but not at all peers
	}
	t.stalls.Wait(waiting, m.now)
}

// agree tells the engine which frames all members have, and passes on the frames that become agreed.
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
	if !m.lateJoin.observing() && m.end.removed == nil { // once we are removed, only reports of peers at the end count
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

// confirmedToTell returns the number of frames for which we report to have all inputs. It excludes frames after the
// end of the match, and frames from a gate on.
func (m *play) confirmedToTell() Frame {
	n := min(m.sim.Confirmed(), m.match.limit)
	if m.core != nil {
		n = min(n, m.core.Gate())
	}
	return n
}

// idle reports whether no frame runs in this tick period unless something arrives.
func (m *play) idle() bool { return m.match.schedule.Blocked() || m.held() }

// resimulate resimulates whatever is outdated, and advances agreement. It reports whether the match still goes on.
func (m *play) resimulate() bool {
	if err := m.sim.Settle(); err != nil {
		m.fail(err)
		return false
	}
	m.inquiry.capture()
	m.agree()
	return m.phase == Playing
}

// disconnect removes a player from the match.
func (m *play) disconnect(p Player, from Frame) {
	if err := m.sim.removePlayer(p, from); err != nil {
		m.fail(err)
	}
}

// facts returns the current facts for decisions.
func (m *play) facts() facts {
	return facts{now: m.now, phase: m.phase, frame: m.frame, observing: m.lateJoin.observing()}
}

// logged reports whether the log decides who is in the current match.
func (m *play) logged() bool {
	return m.decides(m.facts())
}

// ours reports whether a peer is a member according to the log.
func (m *play) ours(l *link) bool { return m.core != nil && m.core.State().Has(l.players) }

// isRemoved reports whether the log has removed a peer that may not know it.
func (m *play) isRemoved(l *link) bool {
	return l.state == gone && m.logged() && !m.core.State().Has(l.players) && !m.toTheEnd(l.players)
}

// stuckPeers returns the players of peers that have joined the match but do not play, although only their inputs
// are lacking. We may hear such a peer all the time: it does not hear us, and does not know that it is a member.
func (m *play) stuckPeers() PlayerSet {
	return m.playersWhere(func(l *link) bool {
		switch {
		case l.expected == 0 || l.state != connected:
			return false
		case m.inputs.Next(l.List[0]) > l.joined:
			l.expected = 0
			return false
		case m.match.stands(m.frame) || m.sim.Confirmed() < l.joined: // in a pause nobody plays; otherwise other inputs are lacking as well
			l.expected = m.now
		}
		return m.now-l.expected > m.cfg.DropAfter
	})
}

// inMatch reports whether inputs are accepted for the current match.
func (m *play) inMatch() bool {
	return m.phase == Playing || m.phase == Ending || m.lobby.Stage() >= lobby.Ready && (m.phase == Starting || m.phase == Connecting)
}

// near returns a frame number close to those in a peer's datagrams, to expand their shortened numbers.
func (m *play) near(l *link) uint32 {
	if l.notBothMembers && !m.lateJoin.observing() {
		return uint32(m.frame)
	}
	return uint32(m.inputs.Next(l.List[0]))
}

// shape returns the shape of the match's frames.
func (m *play) shape() agreed.Shape {
	return agreed.Shape{Players: m.cfg.Players, InputSize: m.sim.InputSize(), MaxOrders: m.cfg.MaxOrders}
}

// enterStarting starts to wait until all peers are ready for the proposed match.
func (m *play) enterStarting() {
	m.match.schedule.End(m.now)
	m.phase, m.since = Starting, m.now
	m.match.stalls.Reminder.End()
	m.eager(true)
}
