package lab

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
)

// Cycle is the number of frames in the script of [Scripted].
const Cycle = 60

// script is what a scripted player holds, and the frame of the cycle at which that begins: towards the other
// player, a strike, away, a jump, a strike in the air, a rest. The other peer can predict none of the changes.
var script = [...]struct {
	from  tickback.Frame
	input duel.Input // as the player at the left; the other one is mirrored
}{
	{0, duel.Right}, {14, duel.Attack}, {20, duel.Left}, {34, duel.Jump | duel.Right}, {42, duel.Attack}, {48, 0},
}

// Scripted is a [Player] that repeats the same inputs every [Cycle] frames, regardless of the state, so that an
// experiment can be repeated, and compared with another network. The second player is half a cycle later.
func Scripted(p tickback.Player, f tickback.Frame, _ *duel.State) (in duel.Input) {
	at := (f + tickback.Frame(p)*Cycle/2) % Cycle
	for _, s := range script {
		if at >= s.from {
			in = s.input
		}
	}
	if p == 1 && in&(duel.Left|duel.Right) != 0 {
		in ^= duel.Left | duel.Right
	}
	return in
}
