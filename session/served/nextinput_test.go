package served

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/canon"
)

// Rule: a player is sampled once, however often its tick cannot run. If the tick that finally runs is
// a later one, its input counts there, but not the orders: they were sent for the first one.
func TestAPlayerIsAskedOnce(t *testing.T) {
	plan, err := canon.PlanFor[uint16]()
	if err != nil {
		t.Fatal(err)
	}
	asked, sent := uint16(0), 0
	h := nextInput[uint16]{
		plan:   plan,
		sample: func(Player) uint16 { asked++; return asked },
		order:  func(Player) []byte { return []byte{1, 2} },
	}
	send := func([]byte) error { sent++; return nil }
	for _, c := range []struct {
		tick   Frame
		ran    bool
		in     uint16
		orders int
	}{{5, false, 1, 2}, {5, true, 1, 2}, {6, false, 2, 2}, {9, false, 2, 0}, {9, true, 2, 0}, {10, true, 3, 2}} {
		h.ask(0, c.tick, send)
		if h.in != c.in || len(h.orders) != c.orders || sent != int(c.in) {
			t.Errorf("tick %d: input %d, %d bytes of orders, %d sent", c.tick, h.in, len(h.orders), sent)
		}
		if c.ran {
			h.encode()
		}
	}
	h.ask(0, 11, func([]byte) error { return errors.New("full") })
	if h.in != 4 || h.orders != nil {
		t.Errorf("orders that cannot be sent count: %v", h.orders)
	}
}
