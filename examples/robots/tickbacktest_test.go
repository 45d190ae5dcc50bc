package robots_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

// options are matches for the helpers: programs that work, and any bytes.
func options() tickbacktest.Options[robots.Action] {
	return tickbacktest.Options[robots.Action]{
		Players: 3, Frames: 60,
		Generate:  rapid.SampledFrom([]robots.Action{robots.None, robots.None, robots.None, robots.Fire, robots.LayMine, robots.Forward, robots.Lock}),
		MaxOrders: robots.MaxProgram,
		Orders: rapid.OneOf(
			rapid.SampledFrom([][]byte{robots.Wanderer(), robots.Sower()}),
			rapid.SliceOfN(rapid.Byte(), 1, 24),
		),
	}
}

// busy is matches in which much happens.
func busy() tickbacktest.Options[robots.Action] {
	o := options()
	o.Stay, o.Frames, o.Orders = true, 40, rapid.SampledFrom([][]byte{robots.Wanderer(), robots.Sower()})
	return o
}

func TestHelpersFindNothing(t *testing.T) {
	opts := options()
	if testing.Short() {
		opts = tickbacktest.Options[robots.Action]{Players: 3, Frames: 40, Inputs: func(p rollback.Player, f rollback.Frame) robots.Action {
			a, _ := script(1).at(p, f)
			return a
		}}
	}
	t.Run("game", func(t *testing.T) { tickbacktest.Check(t, robots.Game(1), opts) })
	t.Run("cured", func(t *testing.T) { tickbacktest.Twins(t, robots.Cured(1), opts) })
	t.Run("ported", func(t *testing.T) { tickbacktest.Check(t, robots.Ported(1), opts) })
}

// finds fails unless a helper fails, with a report that has a text.
func finds(t *testing.T, text string, helper func(t testing.TB)) {
	t.Helper()
	if testing.Short() {
		return // such a search takes a while
	}
	if report := tickbacktest.Failure(t, helper); !strings.Contains(report, text) {
		t.Errorf("the report does not name %s: %q", text, report)
	}
}

// A ported game that claims to have New is found out, by the first thing that gets
// an id.
func TestTwinsFindTheGlobal(t *testing.T) {
	g := robots.Ported(1)
	g.New = func() *robots.World {
		w := new(robots.World)
		g.Init(w)
		return w
	}
	finds(t, "two instances", func(t testing.TB) { tickbacktest.Twins(t, g, busy()) })
}
