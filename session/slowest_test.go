package session

import "testing"

// A frame that waits for others to know inputs waits for all those that know the
// fewest.
func TestTheSlowestAreAllWhoKnowTheLeast(t *testing.T) {
	m := newMesh(t, 4, 0, nil)
	m.playing()
	n := m.nodes[0]
	for _, c := range []struct {
		confirmed [3]Frame
		want      PlayerSet
	}{
		{[3]Frame{7, 7, 9}, 0b0110},
		{[3]Frame{9, 7, 7}, 0b1100},
		{[3]Frame{7, 9, 7}, 0b1010},
		{[3]Frame{8, 7, 9}, 0b0100},
		{[3]Frame{5, 5, 5}, 0b1110},
	} {
		for i, l := range n.links {
			l.confirmed = c.confirmed[i]
		}
		if got := n.slowest(); got != c.want {
			t.Errorf("of %v: %v, want %v", c.confirmed, got, c.want)
		}
	}
	n.links[1].confirmed, n.links[1].state = 0, gone
	if got := n.slowest(); got.Has(2) {
		t.Errorf("%v: one that is gone is no longer waited for", got)
	}
}
