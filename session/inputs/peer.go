package inputs

import "github.com/tickback/tickback/wire/datagram"

// Peer is what the store knows about another machine.
type Peer struct {
	List          []Player                    // its players, ascending
	Send, Receive datagram.Shape              // shapes of datagrams sent to it and received from it
	acked         [datagram.MaxPlayers]uint32 // by our players in order: the first input that it does not have
	early         []Orders                    // orders of its players from before they are in the match
	first         *datagram.History           // of the first one in List
}

// MaxUnacknowledged is how many inputs may be unacknowledged: more than can be in flight between two peers that
// follow the protocol (see [datagram.HistoryFrames]).
const MaxUnacknowledged = datagram.HistoryFrames - 64

// Peer returns a peer with these players, which needs all inputs.
func (s *Store) Peer(list []Player) Peer {
	here, there := len(s.cfg.Local), len(list)
	r := Peer{
		List: list, Send: datagram.Shape{Sender: here, Receiver: there}, Receive: datagram.Shape{Sender: there, Receiver: here},
		first: &datagram.History{},
	}
	if there > 0 {
		r.first = &s.history[list[0]]
	}
	return r
}

// Lacking returns the first frame for which the input of the peer's first player has not arrived.
func (r *Peer) Lacking() uint32 { return r.first.Next() }

// Needs sets the first frame for which the peer needs our inputs.
func (r *Peer) Needs(f Frame) {
	for i := range r.acked {
		r.acked[i] = uint32(f)
	}
}

// Acknowledge records the acknowledgements of a datagram.
func (r *Peer) Acknowledge(p *datagram.Play) {
	r.acked[0] = max(r.acked[0], p.Acks[0])
	for i := 1; i < r.Send.Sender; i++ {
		r.acked[i] = max(r.acked[i], p.Acks[i])
	}
}

// Unacknowledged returns how many inputs of a local player the peer does not have: the maximum over the local
// players. If the peer claims to have more than exist here, the result is a very large number.
func (s *Store) Unacknowledged(r *Peer) (most uint32) {
	most = s.own.Next() - r.acked[0]
	for i := 1; i < len(s.cfg.Local); i++ {
		most = max(most, s.history[s.cfg.Local[i]].Next()-r.acked[i])
	}
	return most
}

// InReach reports whether the inputs that the peer needs are still held.
func (s *Store) InReach(r *Peer) bool { return s.Unacknowledged(r) < datagram.HistoryFrames }

// Plausible reports whether the positions in a datagram are possible when frame now is the next one here. If they
// are not, nothing in the datagram may be used, so that a peer that sends nothing else falls silent.
func (s *Store) Plausible(r *Peer, p *datagram.Play, now Frame) bool {
	early := uint32(now + s.cfg.Ahead)
	if len(r.List) == 1 && len(s.cfg.Local) == 1 {
		return p.Ends[0] < early && p.Acks[0] <= s.own.Next() // nearly always
	}
	for i := range r.List {
		if p.Ends[i] >= early {
			return false
		}
	}
	for i, player := range s.cfg.Local {
		if p.Acks[i] > s.history[player].Next() {
			return false
		}
	}
	return true
}

// Waiting returns how many items of the peer wait here: orders for their inputs, or inputs for their orders,
// whichever is more.
func (s *Store) Waiting(r *Peer) (most int) {
	for _, p := range r.List {
		most = max(most, len(s.books[p].early), len(s.books[p].waiting))
	}
	return most
}
