package membership

// maxRaise is the maximum number of frames by which one member can postpone the first frame of a newcomer: more
// than members are ever apart.
const maxRaise = 1 << 10

// newcomers are the newcomers that this member is ready for.
type newcomers struct {
	ready [maxPlayers]newcomer // by lowest player
	gate  gate                 // as coordinator: the gate that we want the others to agree to in this slot
}

// begin begins a slot.
func (n *newcomers) begin() { n.gate = gate{} }

// add adds a newcomer. It replaces the one with the same lowest player.
func (n *newcomers) add(peer newcomer) { n.ready[lowest(peer.players)] = peer }

// remove removes the newcomer with exactly these players.
func (n *newcomers) remove(players PlayerSet) {
	if peer := &n.ready[lowest(players)]; peer.players == players {
		*peer = newcomer{}
	}
}

// taken removes the newcomers that wanted one of these players.
func (n *newcomers) taken(players PlayerSet) {
	for p := range n.ready {
		if n.ready[p].players&players != 0 {
			n.ready[p] = newcomer{}
		}
	}
}

// propose returns the gate for a newcomer: a frame far enough ahead, and further ahead if other members ask for that.
func (n *newcomers) propose(v *view, peer newcomer, soonest Frame) gate {
	if n.gate.newcomer != peer {
		n.gate = gate{peer, soonest}
		for p := range peer.players.All() {
			n.gate.frame = max(n.gate.frame, v.Absent[p].From+1)
		}
	}
	for p := range v.each() {
		other := v.claims[p].gate
		if other.newcomer == peer && other.frame > n.gate.frame && other.frame-n.gate.frame <= maxRaise {
			n.gate.frame = other.frame
		}
	}
	return n.gate
}
