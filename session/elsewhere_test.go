package session

import (
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: the session does not look for a peer that is gone at
// other addresses.
func TestWhoIsGoneIsNotFollowed(t *testing.T) {
	for _, alive := range []bool{true, false} {
		tr := moving(t)
		tr.abused = true
		var list [][]byte
		for range 4 {
			list = append(list, tr.fresh(1, 0))
		}
		if l := tr.way(0, 1); !alive {
			l.state = gone
		}
		for _, b := range list {
			tr.peers[0].Receive(tr.now, elsewhere, b)
		}
		asked := 0
		for _, b := range tr.sentTo(0, elsewhere) {
			if b[0] == datagram.KindChallenge {
				asked++
			}
		}
		if (asked > 0) != alive {
			t.Errorf("alive %v: asked %d times for a proof", alive, asked)
		}
	}
}
