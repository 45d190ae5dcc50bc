package tanks

import "github.com/tickback/tickback/rollback"

// Game returns the game with this seed for the engine, for up to [MaxPlayers] players, or as many as the
// engine takes. Its result is [State.Result].
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
		if t.Status(p) != rollback.Disconnected {
			in[p] = t.Input(p)
			present |= rollback.SetOf(p)
		}
	}
	Step(s, &in, present, t.Effects())
	if s.Over() {
		t.Finish(s.Result())
	}
}

// Over reports whether the match is over. Then nothing moves any more.
func (s *State) Over() bool { return s.EndsAt != 0 && s.Frame >= s.EndsAt }

// Draw is the result of a match that nobody won.
const Draw uint64 = 0

// Result returns who has won if the match ends now, as the player's number + 1: the player with the
// most kills, and among those the one with the fewest deaths. If two are equal, or if nobody has
// destroyed anybody, it is a [Draw].
func (s *State) Result() uint64 {
	winner, best := Draw, uint32(0xFFFF)
	for p := range s.Tanks {
		switch score := uint32(s.Tanks[p].Kills)<<16 | uint32(^s.Tanks[p].Deaths); {
		case score > best:
			winner, best = uint64(p)+1, score
		case score == best:
			winner = Draw
		}
	}
	return winner
}

// WinnerOf returns the winner that a result names, if there is one.
func WinnerOf(result uint64) (p rollback.Player, ok bool) {
	if result == Draw || result > MaxPlayers {
		return 0, false
	}
	return rollback.Player(result - 1), true
}
