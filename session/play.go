package session

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/match"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// play runs the frames of a match: the engine, the inputs, and the schedule of frames. How far frames may run is
// decided by package match.
type play struct {
	base
	sim      simulation
	ran      *reached // by the simulation
	frame    Frame    // of the simulation
	inputs   *inputs.Store
	stream   stream.Stream
	inquiry  inquiry
	recorder recorder
	match    match.Match
	pacing   pacing
	complete bool      // the last frame of the match is agreed
	lateJoin *lateJoin // nil unless we are a newcomer
}

// pacing is when the frames of the current match run.
type pacing struct {
	schedule pace.Schedule
	stalls   pace.Stalls
	delay    pace.Delay
}

// resetFrames begins anew with frame 0, for the next match.
func (m *play) resetFrames() {
	m.frame, m.pacing, m.complete = 0, pacing{}, false
	m.pacing.schedule.Init(m.nominal, m.cfg.Window+rollback.MaxDelay) // nobody runs farther ahead of a peer
	m.pacing.schedule.Carry = pace.CarryOf(m.cfg.Rate)
}

// moveTo continues with frame f, after a state was loaded or frames were replayed.
func (m *play) moveTo(f Frame) { m.frame = f }

// setComplete notes whether the last frame of the match is agreed.
func (m *play) setComplete(complete bool) { m.complete = complete }

// setLateJoin sets what makes us a newcomer, or nil once we are a member like the others.
func (m *play) setLateJoin(j *lateJoin) { m.lateJoin = j }

// waitingAfter is how long a stall lasts before it is reported as an event.
const waitingAfter = 500 * time.Millisecond

// slot begins a tick period.
func (m *play) slot(due time.Duration) {
	t := &m.pacing
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
		many := m.inputs.Unacknowledged(&l.Peer) > inputs.MaxUnacknowledged
		if !many && m.cfg.MaxOrders == 0 || l.state != connected {
			continue
		}
		late := m.cfg.MaxOrders > 0 && l.Channel.Pending() > maxBacklog
		if late || many && !l.notBothMembers {
			m.pacing.stalls.Wait(l.players, m.now)
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
	if f >= m.match.Limit() || m.match.Stands(f) {
		return true
	}
	if log := m.match.Log(); log != nil && f >= log.Gate() {
		return true
	}
	return m.ran.ending && m.endedBefore(f)
}

// endedBefore reports whether the game has ended the match before frame f, as far as is known.
func (m *play) endedBefore(f Frame) bool {
	out, ends := m.sim.Provisional()
	return ends && f > out.Frame
}

// sampleAll samples the local players for the next frame, and stores their inputs to be sent.
func (m *play) sampleAll() bool {
	for _, p := range m.local {
		for more := true; more; {
			s, err := m.sim.sample(p, m.inputs.Next(p))
			if err != nil {
				m.fail(err)
				return false
			}
			if s == nil || m.match.Log() == nil {
				break
			}
			if m.inputs.Push(p, s.input, s.orders) {
				m.sendOrders(inputs.Orders{Player: p, Frame: m.inputs.Next(p) - 1, Bytes: s.orders})
			}
			more = s.more
		}
	}
	return true
}

// sendOrders sends orders that are too long to travel with their input.
func (m *play) sendOrders(o inputs.Orders) {
	for _, l := range m.links {
		if l.state == connected {
			m.post(l, o.Append(m.begins(messageOrders)))
		}
	}
}

// run tries to run the next frame.
func (m *play) run() {
	t := &m.pacing
	err := m.sim.Tick()
	if err == nil {
		m.frame = m.ran.frame
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
	if m.complete {
		return
	}
	collect(&m.stream.Recording, m.sim)
	tellable := m.tellable()
	told, ended := m.told(m.match.Log(), tellable)
	n := min(ended, tellable)
	if m.lateJoin != nil {
		n = max(n, min(m.lateJoin.agreed, tellable))
	}
	if !m.lateJoin.observing() && m.match.End().Removed() == nil { // once we are removed, only reports of peers at the end count
		n = max(n, told)
	}
	end, err := m.sim.agree(n, m.recorder)
	if err != nil {
		m.fail(err)
		return
	}
	m.match.EndBefore(end)
}

// tellable returns the first frame that we report to have in no case: after the end of the match, or at a gate.
func (m *play) tellable() Frame {
	n := m.match.Limit()
	if log := m.match.Log(); log != nil {
		n = min(n, log.Gate())
	}
	return n
}

// confirmedToTell returns the number of frames for which we report to have all inputs.
func (m *play) confirmedToTell() Frame { return min(m.sim.Confirmed(), m.tellable()) }

// idle reports whether no frame runs in this tick period unless something arrives.
func (m *play) idle() bool { return m.pacing.schedule.Blocked() || m.held() }

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

// facts returns the current facts for m.match.
func (m *play) facts() match.Facts {
	return match.Facts{Now: m.now, Phase: m.phase, Frame: m.frame, Observing: m.lateJoin.observing()}
}

// logged reports whether the log decides who is in the current match.
func (m *play) logged() bool {
	return m.match.Decides(m.facts())
}

// ours reports whether a peer is a member according to the log.
func (m *play) ours(l *link) bool { return m.match.Has(l.players) }

// isRemoved reports whether the log has removed a peer that may not know it.
func (m *play) isRemoved(l *link) bool {
	return l.state == gone && m.logged() && !m.match.Log().State().Has(l.players) && !m.match.ToTheEnd(l.players)
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
		case m.match.Stands(m.frame) || m.sim.Confirmed() < l.joined: // in a pause nobody plays; otherwise other inputs are lacking as well
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
	return l.Lacking()
}

// shape returns the shape of the match's frames.
func (m *play) shape() agreed.Shape {
	return agreed.Shape{Players: m.cfg.Players, InputSize: m.sim.InputSize(), MaxOrders: m.cfg.MaxOrders}
}

// enterStarting starts to wait until all peers are ready for the proposed match.
func (m *play) enterStarting() {
	m.pacing.schedule.End(m.now)
	m.enter(Starting)
	m.pacing.stalls.Reminder.End()
	m.eager(true)
}
