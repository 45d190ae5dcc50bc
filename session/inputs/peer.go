package inputs

import "github.com/tickback/tickback/wire/datagram"

// Peer is what the store knows of another machine.
type Peer struct {
	List          []Player                    // who plays there, ascending
	Send, Receive datagram.Shape              // of what it is sent, and of what it sends
	acked         [datagram.MaxPlayers]uint32 // by our players in order: the first input that it has not
	early         []Orders                    // of its players, before they are in the match
}

// MaxUnacknowledged is how many inputs may wait to be acknowledged: more than two
// peers that follow the protocol can have between them (see
// [datagram.HistoryFrames]).
const MaxUnacknowledged = datagram.HistoryFrames - 64

// Peer returns a peer with these players, which needs all inputs.
func (s *Store) Peer(list []Player) Peer {
	here, there := len(s.cfg.Local), len(list)
	return Peer{List: list, Send: datagram.Shape{Sender: here, Receiver: there}, Receive: datagram.Shape{Sender: there, Receiver: here}}
}

// Needs has the peer need our inputs from a frame on.
func (r *Peer) Needs(f Frame) {
	for i := range r.acked {
		r.acked[i] = uint32(f)
	}
}

// Acknowledge notes what the peer says that it has.
func (r *Peer) Acknowledge(p *datagram.Play) {
	for i := range r.Send.Sender {
		r.acked[i] = max(r.acked[i], p.Acks[i])
	}
}

// Unacknowledged is how many inputs of a player who plays here the peer has not, of the one
// with the most. If it says that it has more than there are here, that is a very large number.
func (s *Store) Unacknowledged(r *Peer) (most uint32) {
	for i, p := range s.cfg.Local {
		most = max(most, s.history[p].Next()-r.acked[i])
	}
	return most
}

// InReach reports whether the inputs that the peer needs are still held.
func (s *Store) InReach(r *Peer) bool { return s.Unacknowledged(r) < datagram.HistoryFrames }

// Plausible reports whether the positions of a datagram can be true when frame now is the next
// one here. Of a datagram of which they cannot, nothing is to be used, so that a peer that sends
// nothing else falls silent.
func (s *Store) Plausible(r *Peer, p *datagram.Play, now Frame) bool {
	for i := range r.List {
		if p.Ends[i] >= uint32(now+s.cfg.Ahead) {
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

// Waiting is how much of the peer's waits here: orders for their inputs, or inputs for their
// orders, whichever is more.
func (s *Store) Waiting(r *Peer) (most int) {
	for _, p := range r.List {
		most = max(most, len(s.books[p].early), len(s.books[p].waiting))
	}
	return most
}
