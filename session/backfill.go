package session

// A newcomer gets agreed frames from its host. From the frame at which it joins, nothing is agreed without it. If
// it still lacks something by then, the host can never send it, and everyone would wait: inputs of players that
// left shortly before, and orders that do not travel with their input. So each member sends these to it.

// startBackfill records that a peer joined at a frame.
func (m *admitting) startBackfill(l *link, at Frame) {
	l.backfillTo, l.backfilledAt = at, 0
	for _, a := range m.match.Log().State().Absent[:m.cfg.Players] {
		if a.From != NoFrame {
			l.backfillTo = max(l.backfillTo, a.From)
		}
	}
}

// sendBackfill sends newly joined peers the inputs and orders that they lack, until they have them. At first they
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
		for p, a := range m.match.Log().State().Absent[:m.cfg.Players] {
			if a.From != NoFrame && !l.players.Has(Player(p)) {
				m.sendFill(l, Player(p), l.confirmed, a.From)
			}
		}
	}
}

// isBackfill reports whether an input sent by a member is from a player that, according to the log, had left by
// that frame, so that it may be accepted.
func (m *admitting) isBackfill(l *link, p Player, f Frame) bool {
	a := &m.match.Log().State().Absent[p]
	return a.From != NoFrame && f < a.From && m.ours(l)
}
