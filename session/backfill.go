package session

// A newcomer has agreed frames from its host. From the frame on with which it joins, nothing is agreed
// without it. What it lacks then, the host never gets to send, and all would wait: inputs of players
// that have left shortly before, and orders that do not travel with their input. So each member sends
// it these.

// startBackfill notes that a peer has joined with a frame.
func (m *admitting) startBackfill(l *link, at Frame) {
	l.backfillTo, l.backfilledAt = at, 0
	for _, a := range m.core.State().Absent[:m.cfg.Players] {
		if a.From != NoFrame {
			l.backfillTo = max(l.backfillTo, a.From)
		}
	}
}

// sendBackfill sends peers that have just joined what they lack, until they have it. The first time they
// may not know yet who has left.
func (m *admitting) sendBackfill() {
	for _, l := range m.links {
		if l.backfillTo == 0 || l.state != connected || m.phase != Playing || m.now < l.backfilledAt+introduceEvery {
			continue
		}
		if l.confirmed >= l.backfillTo {
			l.backfillTo = 0
			continue
		}
		if l.backfilledAt == 0 {
			for o := range m.inputs.Apart(l.confirmed) {
				m.post(l, o.Append(m.begins(messageOrders)))
			}
		}
		l.backfilledAt = m.now
		for p, a := range m.core.State().Absent[:m.cfg.Players] {
			if a.From != NoFrame && !l.players.Has(Player(p)) {
				m.sendFill(l, Player(p), l.confirmed, a.From)
			}
		}
	}
}

// isBackfill reports whether an input that a member sends is of a player that has left by then, by the
// log, and so may be taken.
func (m *admitting) isBackfill(l *link, p Player, f Frame) bool {
	a := &m.core.State().Absent[p]
	return a.From != NoFrame && f < a.From && m.ours(l)
}
