package orders

import (
	"testing"

	"github.com/tickback/tickback/games/skirmish"
)

// Rule: no more orders than a tick accepts are sent at once; the others follow in order, and a flood is limited.
func TestOrdersWaitForTheirTick(t *testing.T) {
	var q queue
	for i := range most + 100 {
		q.add(skirmish.Order{Verb: skirmish.Move, At: skirmish.Spot{X: uint16(i)}})
	}
	next := 0
	for range most {
		b := q.take()
		if len(b) > skirmish.MaxOrderBytes {
			t.Fatalf("%d bytes in a tick", len(b))
		}
		for len(b) > 0 {
			o, rest, err := skirmish.ConsumeOrder(b)
			if err != nil || int(o.At.X) != next {
				t.Fatalf("order %d is %+v, %v", next, o, err)
			}
			next, b = next+1, rest
		}
	}
	if next != most {
		t.Errorf("%d orders were sent, want %d", next, most)
	}
}
