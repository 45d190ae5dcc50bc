package skirmish

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: if the setup says so, a bot commands the units of a player who is not there, and no others; otherwise nobody
// does.
func TestBotsStandIn(t *testing.T) {
	for _, bots := range []bool{false, true} {
		f := play(t, Setup{Seed: 3, Size: 64, Players: 3, Units: 8, Bots: bots}, 1)
		f.gone = rollback.SetOf(1)
		f.run(20 * TicksPerSecond)
		w := f.world()
		if w.StandIns() != bots {
			t.Errorf("bots %v: the state says %v", bots, w.StandIns())
		}
		sides := w.Sides.Get()
		for p, side := range sides[:3] {
			if trained := side.Made > 0; trained != (bots && p == 1) {
				t.Errorf("bots %v: player %d has trained %d", bots, p, side.Made)
			}
		}
	}
}

// Rule: with bots in the setup, the winner is still known.
func TestTheWinnerIsNamedWithBots(t *testing.T) {
	f := play(t, Setup{Seed: 3, Size: 64, Players: 2, Bots: true}, 1)
	f.order(0, Order{Verb: Resign})
	f.run(1)
	m := f.world().Match.Get()
	if p, ok := WinnerOf(uint64(m.Winner)); !m.Over || !ok || p != 1 || f.world().StandIns() {
		t.Errorf("%+v", m)
	}
}

// Rule: a setup can be decoded from its data, and other data is refused.
func TestSetupsTravelAsData(t *testing.T) {
	for _, want := range []Setup{{Size: 64, Players: 2}, {Size: 256, Players: 8, Units: 1250, Bots: true}, {Size: 64, Players: 3, Endless: true}, {Size: 64, Players: 3, Bots: true, Endless: true}} {
		begin, err := Start(want.Seed, want.Data())
		if err != nil {
			t.Fatal(err)
		}
		f := play(t, Setup{Size: 64, Players: 2}, 1)
		begin(f.world())
		m := f.world().Match.Get()
		if int(m.Size) != want.Size || int(m.Players) != want.Players || int(m.Units) != want.Units || f.world().StandIns() != want.Bots || f.world().Endless() != want.Endless {
			t.Errorf("%+v became %+v", want, m)
		}
	}
	for _, data := range [][]byte{{1}, append(Usual.Data(), 0), append(Usual.Data(), 4), append(Usual.Data(), 1, 1)} {
		if _, err := Start(1, data); !errors.Is(err, ErrData) {
			t.Errorf("%v: %v", data, err)
		}
	}
}
