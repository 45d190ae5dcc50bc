package hosted

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// board is a small game in which players give orders, and see only their neighbour.
type board struct {
	Sum  [4]int64
	Told [4]uint64 // a hash of all orders, in order
	Tick uint64
}

var bell = effects.OneShot[uint8](1, "bell")

// boardGame has everything that the tanks do not have: orders, a Check and a StandIn. Nothing of its
// own says what is a player's.
func boardGame() Game[board, uint8] {
	return Game[board, uint8]{
		Game: rollback.Game[board, uint8]{
			Effects: []effects.Declaration{bell},
			Step: func(s *board, k *rollback.Tick[uint8]) {
				s.Tick++
				for p := range rollback.Player(4) {
					if k.Status(p) == rollback.Disconnected {
						continue
					}
					s.Sum[p] = s.Sum[p]*3 + int64(k.Input(p)) + s.Sum[(p+1)%4]%2
					for _, b := range k.Orders(p) {
						s.Told[p] = s.Told[p]*31 + uint64(b) + 1
					}
					if k.Input(p)%16 == 3 {
						bell.Emit(k.Effects(), uint32(p), k.Input(p))
					}
				}
			},
		},
		MaxOrders: 16,
		Sight: func(s *board, p Player) PlayerSet {
			for q := range Player(4) {
				if q != p && q != (p+1)%4 {
					s.Sum[q], s.Told[q] = 0, 0
				}
			}
			return rollback.SetOf(p, (p+1)%4)
		},
		Check:   func(_ *board, _ Player, in uint8) bool { return in != 200 },
		StandIn: func(s *board, p Player) uint8 { return uint8(s.Tick) + uint8(p) },
		Same:    func(a, b *board, p Player) bool { return a.Sum[p] == b.Sum[p] && a.Told[p] == b.Told[p] },
	}
}

var boardRules = Rules{Places: 4, TickRate: 30, Sight: true}
