package fleet

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// Two of three machines change their addresses at the same instant: each finds the
// other again through the third, long before anybody is given up, in a match and in
// the lobby.
func TestTwoThatMoveAtOnceFindEachOther(t *testing.T) {
	for _, phase := range []session.Phase{session.Playing, session.Lobby} {
		l := newLab(t, 3, frames(600), delay(30*time.Millisecond))
		if phase == session.Lobby {
			l = newLab(t, 3, inLobby(), delay(30*time.Millisecond))
			l.until("the lobby", 5*time.Second, func() bool { return l.phases(session.Lobby) })
		} else {
			l.play()
		}
		l.pass(time.Second)
		l.Move(0, netip.MustParseAddrPort("198.51.100.1:1"))
		l.Move(1, netip.MustParseAddrPort("198.51.100.2:2"))
		l.until("the moves", 3*time.Second, func() bool {
			return count(l.Peers[0], session.Moved) == 1 && count(l.Peers[1], session.Moved) == 1 && count(l.Peers[2], session.Moved) == 2
		})
		l.pass(8 * time.Second)
		for i, p := range l.Peers {
			if count(p, session.Lost)+count(p, session.Left)+count(p, session.Closed) > 0 {
				t.Errorf("%v, peer %d: %v", phase, i, p.Events)
			}
		}
		if phase == session.Playing {
			l.end(1, time.Minute)
		}
	}
}
