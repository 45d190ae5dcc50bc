package session

import (
	"slices"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/match"
)

// played checks that the players present in the frames that a machine has agreed on are
// those of its log, and that each player's inputs are those that its machine has sampled,
// one after the other. Before them, and after them when it leaves, the inputs are empty.
func (n *node) played(m *mesh) {
	m.Helper()
	if len(n.agreed) == 0 || len(n.match.AllEntries()) == match.MaxEntries {
		return
	}
	for p := range Player(n.cfg.Players) {
		var turns []Entry // of this player, in order
		for _, e := range n.match.AllEntries() {
			if e.Players.Has(p) && (e.Kind == EntryJoin || e.Kind == EntryLeave || e.Kind == EntryDrop || e.Kind == EntryKick) {
				turns = append(turns, e)
			}
		}
		status := func(f Frame) (here, known bool) {
			for _, e := range slices.Backward(turns) {
				if f >= e.Frame {
					return e.Kind == EntryJoin, true
				}
			}
			if len(turns) > 0 && n.cfg.Join == nil { // a newcomer does not know what was before
				return turns[0].Kind != EntryJoin, true
			}
			return false, false
		}
		last, here := uint16(0), false
		for i, a := range n.agreed {
			f := n.first + Frame(i)
			was := here
			here = a.statuses[p] != rollback.Disconnected
			if says, known := status(f); known && says != here {
				m.dump()
				m.Fatalf("%v: player %d is there in frame %d: %v, by the log %v: %v", n.addr, p, f, here, says, n.match.AllEntries())
			}
			if here != was {
				last = 0
			}
			switch in := a.inputs[p]; {
			case in == 0:
			case !here || last != 0 && in != last && !m.samples(p, in-last):
				m.Fatalf("%v: in frame %d player %d has %d, and %d before; there: %v", n.addr, f, p, in, last, here)
			default:
				last = in
			}
		}
	}
}

// samples reports whether a machine with a player samples so many inputs in a frame.
func (m *mesh) samples(p Player, inputs uint16) bool {
	return slices.ContainsFunc(m.nodes, func(n *node) bool { return n.cfg.Local.Has(p) && len(n.local) == int(inputs) })
}
