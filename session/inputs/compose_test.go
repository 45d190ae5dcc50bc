package inputs

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// The block of the only player of a machine is kept, and made from the one before. It equals the block composed for any number of players,
// whatever is due for which peer, however large the datagrams are, and even if the player starts
// again in between.
func TestOneIsComposedAsAnyNumber(t *testing.T) {
	cut := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		m := newMachine(t, 4, 1+rng.IntN(12), 1)
		if seed%2 == 0 {
			m.cfg.MaxOrders = 0
		}
		peers := []Peer{m.Peer([]Player{0}), m.Peer([]Player{2, 3})}
		for range 2000 {
			r := &peers[rng.IntN(2)]
			switch next := m.Next(1); rng.IntN(6) {
			case 0:
				n := 0
				if m.cfg.MaxOrders > 0 && rng.IntN(4) == 0 {
					n = rng.IntN(testOrders)
				}
				m.play(1, n)
			case 1:
				r.Needs(next - min(next, Frame(rng.IntN(4)*rng.IntN(30))))
			case 2:
				if next > 0 && rng.IntN(20) == 0 { // other inputs of the same frames
					back := min(next, Frame(1+rng.IntN(3)))
					m.Start(1, next-back)
					for range back {
						m.make(1, m.Next(1), 0)
						g := m.all[at{1, m.Next(1)}]
						g.input[0] ^= 0x40
						m.Push(1, g.input, nil)
					}
					peers[0].Needs(next - back)
					peers[1].Needs(next - back)
				}
			}
			if m.Unacknowledged(r) > MaxUnacknowledged {
				r.Needs(m.Next(1))
			}
			d := Datagram{Number: rng.Uint64(), Most: []int{171 + 20, 512, 1200}[rng.IntN(3)], Bare: rng.IntN(9) == 0}
			var got, want datagram.Play
			block := bytes.Clone(m.Compose(&got, r, d))
			m.composeAll(&want, r, d)
			copy(want.Acks[:], got.Acks[:])
			if got != want || !bytes.Equal(block, m.block) {
				t.Fatalf("seed %d: frames %d to %d are % x; of any number of players, %d to %d, % x", seed,
					got.Ends[0]-got.Counts[0], got.Ends[0], block, want.Ends[0]-want.Counts[0], want.Ends[0], m.block)
			}
			if got.Ends[0] != uint32(m.Next(1)) && !d.Bare {
				cut++
			}
		}
	}
	if t.Logf("%d blocks cut", cut); cut < 100 {
		t.Error("the test does not try enough")
	}
}
