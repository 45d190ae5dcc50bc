package rollback_test

import (
	"reflect"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: an inspector returns what the engine does, even while predictions are wrong, and
// inspecting does not change how the engine plays.
func TestAnInspectorOnlyLooks(t *testing.T) {
	const late, frames = 4, 400
	play := func(look func(e *rollback.Engine[world, button])) (uint64, rollback.Stats) {
		e := fresh(rollback.New(new(tape).game(chaining, nil, kinds), rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 8}))
		for f := Frame(0); f < frames; f++ {
			if f >= late {
				must(e.AddInput(1, f-late, button(f/7%5), nil))
				must(e.Agree(f - late))
			}
			look(e)
			must(e.AddLocal(0, button(f%7), nil))
			look(e)
			must(e.Tick())
		}
		return fresh(e.Hash()), e.Stats()
	}
	hash, stats := play(func(*rollback.Engine[world, button]) {})
	if stats.Rollbacks < frames/10 {
		t.Fatalf("only %d rollbacks", stats.Rollbacks)
	}
	seen, as := play(func(e *rollback.Engine[world, button]) {
		i := rollback.Inspect(e)
		want(t, "players", i.Players(), e.Players())
		want(t, "frame", i.Frame(), e.Frame())
		want(t, "confirmed", i.Confirmed(), e.Confirmed())
		want(t, "agreed", i.Agreed(), e.Agreed())
		want(t, "final", i.Final(), e.Final())
		want(t, "stats", reflect.DeepEqual(i.Stats(), e.Stats()), true)
		want(t, "hash", fresh(i.Hash()), fresh(e.Hash()))
		for p := range rollback.Player(3) {
			want(t, "next", i.Next(p), e.Next(p))
			asked, actual := i.Delay(p)
			a, b := e.Delay(p)
			want(t, "delay", [2]int{asked, actual}, [2]int{a, b})
		}
		for f := e.Frame() - min(e.Frame(), 20); f < e.Frame()+3; f++ {
			want(t, "state", i.StateAt(f), e.StateAt(f))
		}
		out, over := i.Provisional()
		o, ended := e.Provisional()
		want(t, "outcome", out, o)
		want(t, "over", over, ended)
	})
	want(t, "the state", seen, hash)
	if !reflect.DeepEqual(as, stats) {
		t.Errorf("the statistics are %+v, not %+v", as, stats)
	}
}
