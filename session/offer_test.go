package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// An offer counts once, must come from the host, and has a number that none had before;
// any other offer does not disturb the match that is about to begin.
func TestAnOfferCountsOnce(t *testing.T) {
	for _, c := range []struct {
		what  string
		from  int
		match uint32
		taken bool
	}{
		{"the same one again", 0, 2, false},
		{"an older one", 0, 1, false},
		{"a later one", 0, 3, true},
		{"a later one of a guest", 2, 3, false},
	} {
		tr := inLobby(t, 3)
		if err := tr.peers[0].Propose(Parameters{Frames: 100}); err != nil {
			t.Fatal(err)
		}
		tr.run(40 * time.Millisecond)
		if err := tr.peers[1].Refuse("no"); err != nil {
			t.Fatal(err)
		}
		tr.run(40 * time.Millisecond)
		if err := tr.peers[0].Propose(Parameters{Frames: 100}); err != nil {
			t.Fatal(err)
		}
		tr.run(40 * time.Millisecond)
		m := tr.peers[1]
		if err := m.Accept(); err != nil {
			t.Fatal(err)
		}
		before := tr.count(1, Proposed)
		o := datagram.Offer{Match: c.match, State: m.items.State, Frames: 77}
		tr.lie(c.from, 1, o.Append([]byte{messageOffer, 0b111}))
		tr.run(20 * time.Millisecond)
		p, number := m.Proposal()
		if taken := tr.count(1, Proposed) == before+1 && number == c.match && p.Frames == 77; taken != c.taken || (m.Ready() != nil) != c.taken {
			t.Errorf("%s: match %d of %d frames; %v", c.what, number, p.Frames, tr.seen[1])
		}
	}
}
