package session

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/wire/datagram"
)

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
func (m *Machine) slot(due time.Duration) {
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
func (m *Machine) congested() bool {
	for _, l := range m.links {
		if l.state != connected {
			continue
		}
		late := m.cfg.MaxOrders > 0 && l.Channel.Pending() > maxBacklog
		if late || !l.aside && m.inputs.Unacknowledged(&l.Peer) > inputs.MaxUnacknowledged {
			m.match.stalls.Wait(l.players, m.now)
			return true
		}
	}
	return false
}

// held reports whether no frame may run: the match is over as far as we know, or paused, or the log
// has a gate there.
func (m *Machine) held() bool {
	f := m.frame
	if m.joining.observing() && (!m.joining.direct || f >= m.sim.Agreed()) {
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
func (m *Machine) sampleAll() bool {
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
func (m *Machine) run() {
	t := &m.match
	err := m.sim.Tick()
	if err == nil {
		m.frame = m.sim.Frame()
		m.inquiry.capture()
		collect(&m.stream.Tape, m.sim)
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

// progress moves agreement, and ends the match when its last frame is agreed.
func (m *Machine) progress() {
	m.inquire()
	m.tend()
	switch {
	case m.phase != Playing:
	case m.match.stands(m.frame): // no tick runs frames again whose predictions were wrong
		m.settle()
	default:
		m.agree()
	}
	m.outlast()
	if m.phase == Playing && m.frame >= m.match.limit && m.sim.Agreed() >= m.match.limit {
		m.finish()
	}
	if m.phase == Ending {
		m.linger()
	}
}

// agree tells the engine which frames all members have, and reads those that are agreed.
func (m *Machine) agree() {
	if m.match.complete {
		return
	}
	collect(&m.stream.Tape, m.sim)
	tellable := m.tellable()
	n := max(m.sim.Agreed(), min(m.ended(), tellable))
	if m.joining != nil {
		n = max(n, min(m.joining.agreed, tellable))
	}
	if !m.joining.observing() && m.end.removed == nil { // once we are out, only what the peers at the end say counts
		n = max(n, m.told(m.core, tellable))
	}
	if err := m.sim.agree(n, m.recorder); err != nil {
		m.fail(err)
		return
	}
	if out, ok := m.sim.Result(); ok {
		m.match.limit = min(m.match.limit, out.Frame+1)
	}
}

// tellable returns of how many frames we say that we have all inputs: of none after the end of the
// match, or from a gate on.
func (m *Machine) tellable() Frame {
	n := min(m.sim.Confirmed(), m.match.limit)
	if m.core != nil {
		n = min(n, m.core.Gate())
	}
	return n
}

// receivePlay takes positions and inputs.
func (m *Machine) receivePlay(l *link, at time.Duration, orders []datagram.Order, blocks []byte) error {
	p := &m.received.Play
	if l.state == gone {
		return nil
	}
	m.lobby.PeerPlays(l.List)
	l.Acknowledge(p)
	if l.aside && !m.joining.observing() {
		l.confirmed = max(l.confirmed, Frame(p.Confirmed))
		l.follows = m.inputs.InReach(&l.Peer)
		return nil
	}
	l.confirmed, l.follows = max(l.confirmed, Frame(p.Confirmed)), l.follows || m.inputs.InReach(&l.Peer)
	if m.joining.observing() {
		return nil // what all have agreed on comes from the host: some who are told of here may be out of the match
	}
	if end := Frame(p.Ends[0]); m.phase == Playing && l.lag.Fresh(end) {
		l.lag.Measure(at-m.match.schedule.DueAt(end-1, m.frame), m.nominal)
	}
	refused, err := m.inputs.Accept(&l.Peer, p, orders, blocks)
	if refused {
		m.lose(l, "an input: "+err.Error())
	}
	return err
}
