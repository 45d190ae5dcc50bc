package session_test

import (
	"math/rand/v2"
	"net/netip"

	"github.com/tickback/tickback/rollback"
)

// big is a game with a state of any size up to a megabyte.
type big struct {
	Frame uint64
	Total uint64
	Field [1 << 17]uint64
}

// addrPort is short for what everybody is called by.
type addrPort = netip.AddrPort

type small struct{ Frame, Total uint64 }

type smallTick = rollback.Tick[uint16]

func smallGame() rollback.Game[small, uint16] {
	return rollback.Game[small, uint16]{Step: func(s *small, t *rollback.Tick[uint16]) {
		s.Frame++
		for p := range t.Players() {
			s.Total = s.Total*31 + uint64(t.Input(p)) + uint64(len(t.Orders(p)))
			if t.Status(p) == rollback.Disconnected {
				s.Total ^= 0xABCD
			}
		}
	}}
}

func bigGame() rollback.Game[big, uint16] {
	return rollback.Game[big, uint16]{
		Init: func(s *big) {
			r := rand.New(rand.NewPCG(1, 2))
			for i := range s.Field {
				s.Field[i] = r.Uint64()
			}
		},
		Step: func(s *big, t *rollback.Tick[uint16]) {
			s.Frame++
			for p := range t.Players() {
				s.Total = s.Total*31 + uint64(t.Input(p))
				s.Field[s.Total%uint64(len(s.Field))] ^= s.Total
			}
		},
	}
}
