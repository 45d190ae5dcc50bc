package session

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Who is kicked learns it and why, at once, also if the others need nobody's consent to
// go on; and all who are left go on.
func TestWhoIsKickedLearnsWhy(t *testing.T) {
	for _, players := range []int{2, 3} {
		tr := newTrio(t, players, func(c *Config) { c.OnLeave, c.Lobby = Continue, true })
		tr.reach(Playing)
		last := players - 1
		if err := tr.peers[0].Kick(rollback.SetOf(Player(last)), "rude"); err != nil {
			t.Fatal(err)
		}
		tr.run(DefaultLinger + time.Second)
		var removed *RemovedError
		if err := tr.peers[last].Err(); !errors.As(err, &removed) || !removed.Kicked || removed.Reason != "rude" {
			t.Errorf("of %d, who was kicked ends with %v", players, err)
		}
		if n := tr.count(last, Dropped) + tr.count(last, Left); n > 0 {
			t.Errorf("of %d, who was kicked has gone on without somebody: %v", players, tr.seen[last])
		}
		for i := range last {
			if o, over := tr.peers[i].Outcome(); !over || o.Frames != 100 {
				t.Errorf("of %d, peer %d is %v, with %+v", players, i, tr.peers[i].Phase(), o)
			}
		}
	}
}

// Who wants to become the host, and is not yet, sends nobody away, also if it does not
// follow the rules.
func TestAHostThatIsNoneYetKicksNobody(t *testing.T) {
	m := newMesh(t, 3, 0, nil)
	m.playing()
	m.nodes[0].down = true
	m.until("the drop", 5*time.Second, func() bool { _, c := m.nodes[2].saw(Dropped); return c == 1 })
	back := m.join(m.somewhere(), 0, addrOf(1))
	m.until("the way to the others", 5*time.Second, func() bool {
		return back.Phase() == Playing && !back.core.Member() && back.links[1].state == connected
	})
	if err := back.Kick(0b100, "early"); !errors.Is(err, ErrPhase) {
		t.Errorf("the error is %v", err)
	}
	for _, l := range back.links {
		if err := l.channel.Send(append(back.begins(messageKick), "early"...)); err != nil {
			t.Fatal(err)
		}
	}
	m.until("the return", 10*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
	m.run(3 * time.Second)
	for _, n := range m.nodes[1:] {
		if n.Phase() != Playing || len(n.Log()) == 0 || n.Log()[len(n.Log())-1].Kind != EntryJoin {
			t.Errorf("%v: %v, log %v", n.addr, n.Phase(), n.Log())
		}
	}
}
