package session

import (
	"time"

	"github.com/tickback/tickback/session/pace"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// match is the one that is prepared or played.
type match struct {
	number      uint32 // from 1 on
	schedule    pace.Schedule
	stalls      pace.Stalls
	reported    time.Duration // when it was last said for whom we wait
	limit       Frame         // frames from there on do not run
	pausedAt    Frame         // nor those from here on, while it is paused
	pausedSince time.Duration
	pauseAsked  pauseAsked
	frozen      time.Duration // since when we are no majority; 0 is not at all
	member      time.Duration // since when we are one, if we have joined
	parting     []parting
	kicked      PlayerSet // who was sent away, and is still there
	kickedAt    time.Duration
	revokedFor  PlayerSet     // who were sent away, and nobody has come in their place
	complete    bool          // the last frame is agreed
	delayAt     time.Duration // when the delay is looked at again
	shorter     int           // looks at which a shorter one would have done
}

const (
	// maxCatchUp is how many frames one call runs after a pause.
	maxCatchUp = 8
	// waitingAfter is how long a stall lasts before it is an event, and
	// waitingEvery the interval of more of them.
	waitingAfter = 500 * time.Millisecond
	waitingEvery = time.Second
)

// slot begins a tick period.
func (m *Machine) slot(due time.Duration) {
	t := &m.match
	if m.held() {
		return
	}
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

// maxUnacknowledged is how many inputs may wait to be acknowledged: more than two
// peers that follow the protocol can have between them (see
// [datagram.HistoryFrames]).
const maxUnacknowledged = datagram.HistoryFrames - 64

// congested reports whether a peer acknowledges nothing, or takes long orders more
// slowly than they are given. The match has to wait for it.
func (m *Machine) congested() bool {
	for _, l := range m.links {
		if l.state != connected {
			continue
		}
		late := m.cfg.MaxOrders > 0 && l.Channel.Pending() > maxBacklog
		for i, p := range m.local {
			late = late || l.unacknowledged(i, m.history[p].Next()) > maxUnacknowledged
		}
		if late {
			m.waits(l.players)
			return true
		}
	}
	return false
}

// held reports whether no frame may run, whatever arrives: the match is over, as
// far as we know, or somebody has left it.
func (m *Machine) held() bool {
	f := m.frame
	if m.observing() && (!m.joining.direct || f >= m.sim.Agreed()) {
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

// sampleAll asks what the local players do in the next frame, and keeps it to be
// sent.
func (m *Machine) sampleAll() bool {
	for _, p := range m.local {
		next, err := m.sim.sample(p)
		if err != nil {
			m.fail(err)
			return false
		}
		if m.core == nil {
			continue
		}
		h := &m.history[p]
		for next != NoFrame && h.Next() < uint32(next) {
			f := h.Next()
			var orders []byte
			m.scratch, orders = m.sim.input(m.scratch[:0], p, Frame(f))
			h.Push(m.scratch)
			if m.cfg.MaxOrders > 0 {
				m.sampledOrders(p, f, orders)
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
		m.part()
		m.capture()
		m.stream.Tape.Collect(m.sim)
		t.schedule.Block(false)
		if _, since := t.stalls.Waiting(); since != 0 {
			m.resumed()
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
	m.waits(waiting)
}

// slowest returns the players of the peers that have told the least.
func (m *Machine) slowest() (players PlayerSet) {
	least := NoFrame
	for _, l := range m.links {
		if l.state != connected || l.confirmed > least {
			continue
		}
		if l.confirmed < least {
			least, players = l.confirmed, 0
		}
		players |= l.players
	}
	return players
}

// waits notes for whom nothing goes on.
func (m *Machine) waits(players PlayerSet) {
	if m.match.stalls.Wait(players, m.now) {
		m.match.reported = 0
	}
}

// resumed ends a stall, and says so if it was said that there is one.
func (m *Machine) resumed() {
	lasted := m.match.stalls.Resume(m.now)
	if m.match.reported != 0 {
		m.events.add(Event{What: Resumed, For: lasted})
	}
	m.match.reported = 0
}

// progress moves agreement, and ends the match when its last frame is agreed.
func (m *Machine) progress() {
	m.inquire()
	m.tend()
	if m.phase == Playing {
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

// agree tells the engine what all have, and reads what is agreed.
func (m *Machine) agree() {
	if m.match.complete {
		return
	}
	m.stream.Tape.Collect(m.sim)
	n := m.known()
	if !m.observing() && m.end.removed == nil { // once we are out, only the word of those at the end counts
		n = max(n, m.told())
	}
	if err := m.sim.agree(n, m.recorder); err != nil {
		m.fail(err)
		return
	}
	if out, ok := m.sim.Result(); ok {
		m.match.limit = min(m.match.limit, out.Frame+1)
	}
}

// told is how many frames all have, as they say.
func (m *Machine) told() Frame {
	n := m.tellable()
	for _, l := range m.links {
		if m.ours(l) {
			n = min(n, l.confirmed)
		}
	}
	return n
}

// tellable is the number of frames of which we have all inputs, as the others may
// know it: not more than where the match ends, or a newcomer may come.
func (m *Machine) tellable() Frame {
	n := min(m.sim.Confirmed(), m.match.limit)
	if m.core != nil {
		n = min(n, m.core.Gate())
	}
	return n
}

// known is how many frames are agreed, as those say who are at the end: by then
// everybody had them, also who is gone now.
func (m *Machine) known() Frame {
	n := m.sim.Agreed()
	if m.joining != nil {
		n = max(n, min(m.joining.agreed, m.tellable()))
	}
	for _, l := range m.links {
		if l.done && l.state == connected {
			n = max(n, min(l.summary.Frames, m.tellable()))
		}
	}
	return n
}

// inReach reports whether the inputs that a newcomer needs are still held.
func (l *link) inReach(m *Machine) bool {
	for i, p := range m.local {
		if m.history[p].Next()-l.acked[i] >= datagram.HistoryFrames {
			return false
		}
	}
	return true
}

// plausible reports whether the positions of a datagram can be true. Of one that
// is not, nothing is used, so that a peer that sends nothing else falls silent.
func (m *Machine) plausible(l *link, p *datagram.Play) bool {
	newest := uint32(m.frame + m.ahead)
	for i := range l.list {
		// A newcomer may be far behind them, and takes none of these inputs yet.
		if p.Ends[i] >= newest && !m.observing() {
			return false
		}
	}
	for i, player := range m.local {
		if p.Acks[i] > m.history[player].Next() && !m.observing() {
			return false
		}
	}
	return true
}

// receivePlay takes positions and inputs.
func (m *Machine) receivePlay(l *link, at time.Duration, orders, blocks []byte) error {
	p := &m.received.Play
	if l.state == gone {
		return nil
	}
	l.readyFor, m.lobby.begun = m.match.number, true // or it would not play
	for i := range m.local {
		l.acked[i] = max(l.acked[i], p.Acks[i])
	}
	if l.aside && !m.observing() {
		l.confirmed = max(l.confirmed, Frame(p.Confirmed))
		l.follows = l.inReach(m)
		return nil
	}
	l.confirmed, l.follows = max(l.confirmed, Frame(p.Confirmed)), l.follows || l.inReach(m)
	if m.observing() {
		return nil // what all have agreed on comes from the host: some who are told of here may be out of the match
	}
	if end := Frame(p.Ends[0]); m.phase == Playing && l.lag.Fresh(end) {
		l.lag.Measure(at - m.match.schedule.DueAt(end-1, m.frame))
	}
	for i, player := range l.list {
		block := blocks
		if i < len(l.list)-1 {
			if len(blocks) < 2 {
				return datagram.ErrShort
			}
			n := int(le.Uint16(blocks))
			if len(blocks) < 2+n {
				return datagram.ErrShort
			}
			block, blocks = blocks[2:2+n], blocks[2+n:]
		}
		h := &m.history[player]
		fresh, err := h.ConsumeBlock(block, p.Ends[i]-p.Counts[i], int(p.Counts[i]))
		for f := h.Next() - uint32(fresh); f != h.Next(); f++ {
			if e := m.deliver(l, i, f, orders); e != nil {
				m.lose(l, "an input: "+e.Error())
				return e
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// deliver gives the engine an input, unless its orders are still awaited.
func (m *Machine) deliver(l *link, index int, f uint32, list []byte) error {
	player := l.list[index]
	var orders []byte
	if m.received.HasOrders {
		var apart bool
		if orders, apart = l.findOrder(list, &m.received.Play, index, f); apart {
			book := &m.orders[player]
			if orders, apart = book.takeEarly(f); !apart {
				book.waiting = append(book.waiting, f)
				return nil
			}
		}
	}
	return m.sim.receive(player, Frame(f), m.history[player].At(f), orders)
}

// next returns the first frame of which there is no input of a player.
func (m *Machine) next(p Player) Frame { return Frame(m.history[p].Next()) }
