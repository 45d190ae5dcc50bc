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
