package skirmishview

import (
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
)

// Tally has the totals of a side in the newest state.
type Tally struct {
	Gold   int
	Income int // per second
	Units  int
	Idle   int
	Frame  uint32
	Over   bool
	Winner int // a player, or -1; valid once it is over
	// Players is the number of players.
	Players int
	// Selected is the number of selected units, in all and by kind; Middle is where they are.
	Selected int
	Kinds    [skirmish.Kinds + 1]int
	Middle   draw.Point
	// Groups is the number of units in each control group, and Places is where they are.
	Groups [skirmish.Groups]int
	Places [skirmish.Groups]draw.Point
	// Sides is the number of units of each player, and Lost says which players have lost.
	Sides [skirmish.MaxPlayers]int
	Lost  [skirmish.MaxPlayers]bool
	Of    [skirmish.MaxPlayers]skirmish.Side
}

// count computes the totals of a side.
func (t *Tally) count(w *skirmish.World, units []Unit, buildings []Building, side uint8) {
	m := w.Match.Get()
	*t = Tally{Frame: m.Frame, Over: m.Over, Winner: int(m.Winner) - 1, Players: int(m.Players), Of: w.Sides.Get()}
	for p := range t.Of {
		t.Lost[p] = t.Of[p].Lost
	}
	if int(side) < len(t.Of) {
		t.Gold = int(t.Of[side].Gold)
	}
	for i := range buildings {
		if b := &buildings[i]; b.Place.Side == side && b.Works.Left == 0 {
			t.Income += int(b.Place.Structure.Of().Income)
		}
	}
	for i := range units {
		u := &units[i]
		t.Sides[u.Side]++
		if u.Side == side {
			t.add(u)
		}
	}
	t.Middle = t.Places[0].Times(1 / float32(max(t.Groups[0], 1)))
	t.Selected = t.Groups[0]
	for g, n := range t.Groups {
		t.Places[g] = t.Places[g].Times(1 / float32(max(n, 1)))
	}
}

// add counts a unit of the side.
func (t *Tally) add(u *Unit) {
	t.Units++
	if u.Idle {
		t.Idle++
	}
	if u.Groups == 0 {
		return
	}
	if u.Groups&1 != 0 {
		t.Kinds[u.Kind]++
	}
	for g := range t.Groups {
		if u.Groups>>g&1 != 0 {
			t.Groups[g]++
			t.Places[g] = t.Places[g].Plus(u.At)
		}
	}
}
