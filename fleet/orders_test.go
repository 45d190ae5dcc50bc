package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// pile is a game of orders alone.
type pile struct {
	Frame uint32
	Sums  [4]uint64
}

func pileGame() rollback.Game[pile, struct{}] {
	return rollback.Game[pile, struct{}]{Step: func(s *pile, k *rollback.Tick[struct{}]) {
		s.Frame++
		for p := range k.Players() {
			for _, b := range k.Orders(p) {
				s.Sums[p] = s.Sums[p]*31 + uint64(b)
			}
		}
	}}
}

// Rule: players give the orders that Options.Orders returns, for the state that their machine has
// then; a plan without orders does not call it.
func TestPlayersOrderByTheState(t *testing.T) {
	play := func(most int) (res Result, asked, wrong int) {
		p, err := Draw(9, Membership, 4, 6*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		p.MaxOrders = most
		res, err = Play(pileGame(), p, Options[pile, struct{}]{Orders: func(player rollback.Player, n int, s *pile) []byte {
			asked++
			if int(player) >= p.Players() || n < 0 || s == nil {
				wrong++
			}
			if s.Frame%3 != 0 {
				return nil
			}
			return []byte{byte(s.Frame), byte(s.Sums[player]), byte(player)}
		}})
		if err != nil || !res.OK() {
			t.Fatal(err, res.Violations)
		}
		return res, asked, wrong
	}
	first, asked, wrong := play(8)
	if asked < 500 || wrong > 0 {
		t.Errorf("asked %d times, %d of them wrongly", asked, wrong)
	}
	if second, _, _ := play(8); second.Digest != first.Digest {
		t.Error("the same plan is another run")
	}
	silent, asked, _ := play(0)
	if asked != 0 || silent.Digest == first.Digest {
		t.Errorf("without orders: asked %d times", asked)
	}
}
