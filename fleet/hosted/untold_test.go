package hosted

import (
	"embed"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/rollback"
)

// foundWithOrders are plans of the game with orders that have failed once:
//
//   - told: a client is told, in one update, more than it runs ahead, but of every tick all that happens.
//     It runs these ticks, and goes on from what everybody has done last. The naive client began anew.
//   - gap: a way is cut for more ticks than inputs are held. The client was lost for a breach of the
//     protocol.
//   - far: a way takes many ticks. A client that had its first state was told the next one from a state
//     that it did not have, until a byte did not say any more which state was meant.
//   - unacknowledged: with a way of more than 64 ticks, at 240 of them a second, a client lives on whole states. When the
//     acknowledgements of one had got lost for some seconds, it got no other, although it had said that it held the state.
//   - lost: at two ticks a second a lost update was the one from which the next two were told, so that these were of no use.
//
//go:embed testdata/orders
var foundWithOrders embed.FS

// Rule: errors that were found once do not come back.
func TestWhatWasFoundWithOrders(t *testing.T) {
	for name, p := range withOrders(t, "") {
		if res := playBoard(t, p, Options[board, uint8]{}); !res.OK() {
			t.Errorf("%s: %v", name, res.Violations)
		}
	}
}

// told returns the plans in which a client receives more ticks at once than it runs ahead.
func told(t *testing.T) map[string]Plan {
	t.Helper()
	return withOrders(t, "told")
}

// withOrders returns found plans by name, of those whose names begin so.
func withOrders(t *testing.T, prefix string) map[string]Plan {
	t.Helper()
	files, err := foundWithOrders.ReadDir("testdata/orders")
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	plans := map[string]Plan{}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), prefix) {
			continue
		}
		b, err := foundWithOrders.ReadFile("testdata/orders/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if plans[f.Name()], err = ParsePlan(b); err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
	}
	return plans
}

func playBoard(t *testing.T, p Plan, o Options[board, uint8]) Result {
	t.Helper()
	res, err := Play(boardGame(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// Rule: a client that receives everything never starts over, however far behind it is. In each plan there is one;
// another one does not see the first.
func TestWhoIsToldEverythingGoesOn(t *testing.T) {
	for name, p := range told(t) {
		res := playBoard(t, p, Options[board, uint8]{})
		on := slices.ContainsFunc(res.Clients, func(c ClientResult) bool {
			return c.Corrections[Resumed] == 0 && c.Predictions >= 100
		})
		if !res.OK() || !on {
			t.Errorf("%s: %v, %+v", name, res.Violations, res.Clients)
		}
	}
}

// Rule: a client that receives as much, but nothing about one of the players, starts over. Four players play here, each
// of whom sees one other.
func TestWhoIsNotToldEverythingBeginsAnew(t *testing.T) {
	for name, p := range told(t) {
		for len(p.Clients) < p.Places {
			p.Clients = append(p.Clients, p.Clients[0])
		}
		res := playBoard(t, p, Options[board, uint8]{})
		if s := res.Sum(); !res.OK() || s.Corrections[Resumed] == 0 || s.Predictions < 100 {
			t.Errorf("%s: %v, %+v", name, res.Violations, s)
		}
	}
}

// Rule: a client that has received more ticks at once than it runs ahead, and then predicts from another input of its
// own than its player has given, is detected, whether it continues or starts over.
func TestAWrongOwnInputIsFound(t *testing.T) {
	for name, p := range told(t) {
		for i := range p.Clients {
			from, res := playWrongly(t, p, 1+i)
			if from == 0 || !slices.ContainsFunc(res.Violations, func(v fleet.Violation) bool {
				return v.Machine == 1+i && v.Checker == checkPrediction
			}) {
				t.Errorf("%s: machine %d, from frame %d on: %v", name, 1+i, from, res.Violations)
			}
		}
	}
}

// playWrongly plays a plan in which a machine predicts from wrong inputs of its own, from the frame on that it received
// although that was beyond its reach.
func playWrongly(t *testing.T, p Plan, wrong int) (from Frame, res Result) {
	t.Helper()
	var g *clientRun[board, uint8]
	var newest Frame
	res = playBoard(t, p, Options[board, uint8]{
		watch: func(r *run[board, uint8]) {
			if g = r.guests[wrong-1]; from != 0 || !g.known.any {
				return
			}
			if newest > 0 && g.known.newest > newest+r.ahead() {
				from = g.known.newest
			}
			newest = g.known.newest
		},
		alter: func(machine int, game *rollback.Game[board, uint8]) {
			if step := game.Step; machine == wrong {
				game.Step = func(s *board, k *rollback.Tick[uint8]) {
					step(s, k)
					if from > 0 && k.Frame() >= from && k.Status(g.naive.player) == rollback.Predicted {
						s.Sum[g.naive.player]++ // as if the input were one more
					}
				}
			}
		},
	})
	return from, res
}
