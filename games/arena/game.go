package arena

import "github.com/tickback/tickback/rollback"

// Game returns the game with this seed for the engine. The match may have up to [MaxPlayers]
// players; it begins when two are there. Its result is [State.Result].
func Game(seed uint64) rollback.Game[State, Input] {
	return rollback.Game[State, Input]{
		Init:    func(s *State) { *s = New(seed) },
		Step:    stepTick,
		Effects: declarations(),
	}
}

func stepTick(s *State, t *rollback.Tick[Input]) {
	var in [MaxPlayers]Input
	var present rollback.PlayerSet
	for p := range min(t.Players(), MaxPlayers) {
		there := true
		if t.Status(p) != rollback.Disconnected {
			in[p] = t.Input(p)
		} else {
			in[p], there = s.StandIn(p)
		}
		if there {
			present |= rollback.SetOf(p)
		}
	}
	Step(s, &in, present, t.Effects())
	if s.Phase == MatchOver {
		t.Finish(s.Result())
	}
}

// Draw is the result of a match that nobody won.
const Draw uint64 = 0

// Result returns the result of a match that is over: the winner's number + 1, or [Draw].
// Before the end it returns Draw, too.
func (s *State) Result() uint64 {
	if s.Phase != MatchOver {
		return Draw
	}
	return uint64(s.Winner)
}

// WinnerOf returns the winner that a result names, if there is one.
func WinnerOf(result uint64) (p rollback.Player, ok bool) {
	if result == Draw || result > MaxPlayers {
		return 0, false
	}
	return rollback.Player(result - 1), true
}
