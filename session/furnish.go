package session

import "github.com/tickback/tickback/wire/datagram"

// What is agreed, a newcomer has from the machine that it asked. From the moment at which
// it is in, nothing more is agreed without it: what it lacks then, nobody would ever send,
// and all would wait. That is what others have done who have left shortly before, and
// orders that do not travel with their input. So it gets them from each of us.

// owe notes that a peer has been let in, with a frame.
func (m *Machine) owe(l *link, at Frame) {
	l.lacks, l.furnished = at, 0
	for _, a := range m.core.State().Absent[:m.cfg.Players] {
		if a.From != NoFrame {
			l.lacks = max(l.lacks, a.From)
		}
	}
}

// furnish sends those who have just come what they lack, until they have it: the first
// time they may not know yet who has left.
func (m *Machine) furnish() {
	for _, l := range m.links {
		if l.lacks == 0 || l.state != connected || m.phase != Playing || m.now < l.furnished+introduceEvery {
			continue
		}
		if l.confirmed >= l.lacks {
			l.lacks = 0
			continue
		}
		if l.furnished == 0 {
			m.sendOrders(l)
		}
		l.furnished = m.now
		for p, a := range m.core.State().Absent[:m.cfg.Players] {
			if a.From != NoFrame && !l.players.Has(Player(p)) {
				m.sendFill(l, Player(p), l.confirmed, a.From)
			}
		}
	}
}

// sendOrders sends the orders of our players that have not come with their inputs.
func (m *Machine) sendOrders(l *link) {
	for _, p := range m.local {
		next := m.history[p].Next()
		f := max(uint32(l.confirmed), next-min(next, datagram.HistoryFrames))
		for ; f < next; f++ {
			if m.orders[p].size(f) <= m.inlineLimit() || !m.sim.has(p, Frame(f)) {
				continue
			}
			b := le.AppendUint32(append(m.begins(messageOrders), byte(p)), f)
			m.post(l, append(b, m.sim.ordersOf(p, Frame(f))...))
		}
	}
}

// lacks reports whether an input is of somebody who has left, by the log, and a member
// may fill it in: of those who were there before all have it.
func (m *Machine) lacks(l *link, p Player, f Frame) bool {
	a := &m.core.State().Absent[p]
	return a.From != NoFrame && f < a.From && m.ours(l)
}
