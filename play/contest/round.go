package contest

import (
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

const (
	// CountdownFrames are the first frames of a round, in which nobody holds anything.
	// That is left to who samples the inputs: the rules know nothing of it.
	CountdownFrames = 2 * duel.TicksPerSecond
	// RoundFrames is how long a round is at most, with its countdown.
	RoundFrames = CountdownFrames + 60*duel.TicksPerSecond
)

// GameID is what peers and recordings call a round.
const GameID = duel.RoundID

// The results of a round, as [rollback.Tick.Finish] has them.
const (
	Draw = duel.Draw
	Won1 = duel.Won1 // player 1 has won
	Won2 = duel.Won2
)

// Round returns the duel of a seed, which ends in the frame in which a fighter has no
// health left; see [duel.Round]. Seed 0 is an error.
func Round(seed uint32) (rollback.Game[duel.State, duel.Input], error) { return duel.Round(seed) }

// Verdict returns who has won when a round is over: who has more health.
func Verdict(s *duel.State) uint64 { return duel.Verdict(s) }

// Held is what counts of an input for a frame: nothing in the countdown.
func Held(f rollback.Frame, in duel.Input) duel.Input {
	if f < CountdownFrames {
		return 0
	}
	return in
}

const (
	// WinsNeeded is how many rounds win a match.
	WinsNeeded = 2
	// MaxRounds is after how many a match is over, though nobody has won it: there can
	// be draws.
	MaxRounds = 5
)

// Score is how a match stands. The zero value is before its first round.
type Score struct {
	Wins  [2]int
	Round int // how many are over
}

// Count counts a round.
func (s *Score) Count(result uint64) {
	s.Round++
	switch result {
	case Won1:
		s.Wins[0]++
	case Won2:
		s.Wins[1]++
	}
}

// Over reports whether the match is over, and who has won it: a player, or -1.
func (s *Score) Over() (winner int, over bool) {
	for p, w := range s.Wins {
		if w == WinsNeeded {
			return p, true
		}
	}
	if s.Round < MaxRounds {
		return -1, false
	}
	switch {
	case s.Wins[0] > s.Wins[1]:
		return 0, true
	case s.Wins[1] > s.Wins[0]:
		return 1, true
	}
	return -1, true
}
