package skirmish

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/fixed"
)

// some are orders of all verbs.
var some = []Order{
	{Verb: Select, Group: 3, Only: OnlyArchers | OnlyIdle, At: Spot{1, 2}, To: Spot{65535, 4}},
	{Verb: Extend, Group: 9, At: Spot{100, 200}, To: Spot{300, 400}},
	{Verb: Copy, Group: 1, Other: 9},
	{Verb: Move, At: Spot{640, 64}},
	{Verb: March, Group: 2, At: Spot{641, 65}},
	{Verb: Strike, Group: 4, Target: 1<<56 | 7<<32 | 1},
	{Verb: Halt},
	{Verb: Train, What: Knight, Target: 3<<56 | 1},
	{Verb: Cancel, Target: 3<<56 | 1},
	{Verb: Rally, Target: 3<<56 | 1, At: Spot{5, 6}},
	{Verb: Build, Plan: Barracks, At: Spot{7, 8}},
	{Verb: Resign},
}

// Rule: encoded orders are decoded unchanged, one after the other.
func TestOrdersAreEncoded(t *testing.T) {
	if len(some) != verbs {
		t.Fatalf("%d orders for %d verbs", len(some), verbs)
	}
	var b []byte
	for i := range some {
		b = some[i].Append(b)
	}
	if len(b) != verbs*OrderSize || OrderSize > 32 || MaxOrderBytes > 128 {
		t.Errorf("%d bytes; an order has %d, and a tick %d", len(b), OrderSize, MaxOrderBytes)
	}
	for i := range some {
		o, rest, err := ConsumeOrder(b)
		if err != nil || o != some[i] {
			t.Errorf("%v: %+v, %v", some[i], o, err)
		}
		b = rest
	}
	if len(b) > 0 {
		t.Errorf("%d bytes are left", len(b))
	}
}

// Rule: bytes that are not an order are refused, and none of them is consumed.
func TestNoOrders(t *testing.T) {
	for name, o := range map[string]Order{
		"no verb": {}, "a verb that there is not": {Verb: Resign + 1}, "a group that there is not": {Verb: Move, Group: Groups},
		"another one": {Verb: Copy, Other: Groups}, "a selection": {Verb: Select, Only: OnlyIdle << 1}, "no unit": {Verb: Train},
		"a unit that there is not": {Verb: Train, What: Catapult + 1}, "a mine": {Verb: Build, Plan: Mine}, "a keep": {Verb: Build, Plan: Keep},
		"a building that there is not": {Verb: Move, Plan: Mine + 1},
	} {
		b := o.Append(nil)
		if got, rest, err := ConsumeOrder(b); !errors.Is(err, ErrOrder) || got != (Order{}) || len(rest) != len(b) {
			t.Errorf("%s: %+v, %d bytes left, %v", name, got, len(rest), err)
		}
	}
	whole := some[0].Append(nil)
	for n := range whole {
		if _, _, err := ConsumeOrder(whole[:n]); !errors.Is(err, ErrOrder) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// Rule: a spot is exact to a sixty-fourth of a cell, up to the largest map.
func TestSpots(t *testing.T) {
	for _, c := range []struct {
		at   fixed.Vec2
		spot Spot
	}{
		{fixed.Vec2{}, Spot{}},
		{fixed.Vec2{X: fixed.One, Y: fixed.Half}, Spot{64, 32}},
		{fixed.Vec2{X: fixed.One + 1023, Y: fixed.One - 1}, Spot{64, 63}},
		{fixed.Vec2{X: -fixed.One, Y: 5000 * fixed.One}, Spot{0, 65535}},
	} {
		if got := SpotOf(c.at); got != c.spot {
			t.Errorf("%v: %v, want %v", c.at, got, c.spot)
		}
	}
	if at := (Spot{64, 32}).Vec(); at != (fixed.Vec2{X: fixed.One, Y: fixed.Half}) {
		t.Errorf("%v", at)
	}
}

func FuzzConsumeOrder(f *testing.F) {
	for i := range some {
		f.Add(some[i].Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o, rest, err := ConsumeOrder(b)
		if err != nil {
			return
		}
		if again := o.Append(nil); string(again) != string(b[:OrderSize]) || len(rest) != len(b)-OrderSize {
			t.Errorf("%x is read as %+v, which is %x", b, o, again)
		}
	})
}
