package rollback_test

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: a game whose states are values can do everything; one with its own memory can do
// what it gives functions for.
func TestWhatAGameCanDo(t *testing.T) {
	type can struct{ save, hash, equal, marshal, again, describe bool }
	of := func(g rollback.Definition[heap, button]) can {
		c := rollback.CapabilitiesOf(g)
		return can{c.Save, c.Hash, c.Equal, c.Marshal, c.New, c.Describe != nil}
	}
	plain := rollback.CapabilitiesOf(new(tape).game(chaining, nil, nil))
	if !plain.Save || !plain.Hash || !plain.Equal || !plain.Marshal || !plain.New || plain.Describe != nil {
		t.Errorf("a game that is a value: %+v", plain)
	}
	want(t, "nothing but a step", of(heapGame{Step: heapWith(func(*heapGame) {}).Step}), can{})
	all := of(heapWith(func(*heapGame) {}))
	for _, c := range []struct {
		name   string
		change func(g *heapGame)
		want   func(c *can)
	}{
		{"Save", func(g *heapGame) { g.Save = nil }, func(c *can) { c.save = false }},
		{"Hash", func(g *heapGame) { g.Hash = nil }, func(c *can) { c.hash = false }},
		{"Equal", func(g *heapGame) { g.Equal = nil }, func(c *can) { c.equal = false }},
		{"Marshal", func(g *heapGame) { g.Marshal = nil }, func(c *can) { c.marshal = false }},
		{"New", func(g *heapGame) { g.New = nil }, func(c *can) { c.again = false }},
		{"Describe", func(g *heapGame) { g.Describe = nil }, func(c *can) { c.describe = false }},
	} {
		wanted := all
		c.want(&wanted)
		want(t, "without "+c.name, of(heapWith(c.change)), wanted)
	}
}

// Rule: if all players are local, nothing is waited for, whether or not the owner says
// what is agreed.
func TestALocalMatchWaitsForNobody(t *testing.T) {
	for _, agrees := range []bool{false, true} {
		e := fresh(rollback.New(new(tape).game(chaining, nil, nil), rollback.Config{Players: 2, Local: rollback.SetOf(0, 1), Window: 4}))
		for f := range Frame(500) {
			if agrees && f < 5 {
				must(e.Agree(e.Confirmed()))
			}
			for p := range rollback.Player(2) {
				must(e.AddLocal(p, button(f%3), nil))
			}
			must(e.Tick())
		}
		want(t, "the frame", e.Frame(), Frame(500))
	}
}
