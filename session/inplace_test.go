package session

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// A game that is saved in place lets newcomers in with a state if states are encoded, and has them replay the match if
// not; and also if they can no longer be encoded.
func TestANewcomerToAGameThatIsSavedInPlace(t *testing.T) {
	type game = rollback.OwnMemory[sum, canon.Memento[sum], uint16]
	plain := game{New: func() *sum { return new(sum) }, Step: sumGame().Step}
	fails := plain
	fails.Marshal = func(b []byte, s *sum) ([]byte, error) {
		if s.Frame > 0 {
			return nil, errors.New("it has something that nobody else has")
		}
		return b, nil
	}
	fails.Unmarshal = func(*sum, []byte) error { return nil }
	for _, c := range []struct {
		what   string
		game   game
		opts   []canon.SaverOption
		loaded bool
	}{
		{"encoded", plain, []canon.SaverOption{canon.Encoded()}, true},
		{"not encoded", plain, nil, false},
		{"no longer encoded", fails, nil, false},
	} {
		g, err := rollback.SaveInPlace(c.game, c.opts...)
		if err != nil {
			t.Fatal(err)
		}
		m := newMesh(t, 0, 0, func(_ int, c *Config) { c.Match.Frames = 600 })
		m.game = g
		for i := range 2 {
			m.add(addrOf(i), i, Config{Players: 3, Peers: []Peer{{PlayerSet(1) << (1 - i), addrOf(1 - i)}}, Reserved: 0b100})
		}
		m.playing()
		m.run(4 * time.Second)
		n := m.join(m.somewhere(), 2, addrOf(0))
		m.until("it is in: "+c.what, 10*time.Second, func() bool { _, count := n.saw(Joined); return count == 1 })
		if c.loaded == (n.first == 0) {
			t.Errorf("%s: its first frame is %d", c.what, n.first)
		}
		m.theEnd(30 * time.Second)
	}
}
