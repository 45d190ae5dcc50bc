package contest

import (
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

const (
	// CountdownFrames is the number of frames at the beginning of a round in which inputs are ignored. The caller
	// that samples the inputs has to do that: the rules do not know about the countdown.
	CountdownFrames = 2 * duel.TicksPerSecond
	// RoundFrames is the maximum number of frames of a round, including its countdown.
	RoundFrames = CountdownFrames + 60*duel.TicksPerSecond
)

// GameID is the name of a round for peers and recordings.
const GameID = duel.RoundID

// The results of a round, as passed to [rollback.Tick.Finish].
const (
	Draw = duel.Draw
	Won1 = duel.Won1 // player 1 has won
	Won2 = duel.Won2
)

// Round returns the duel with this seed that ends in the frame in which a fighter has no health left;
// see [duel.Round]. Seed 0 is an error.
func Round(seed uint32) (rollback.Game[duel.State, duel.Input], error) { return duel.Round(seed) }

// Verdict returns the winner of a round that is over: the fighter with more health.
func Verdict(s *duel.State) uint64 { return duel.Verdict(s) }

// Held returns the input that is used for a frame: none during the countdown.
func Held(f rollback.Frame, in duel.Input) duel.Input {
	if f < CountdownFrames {
		return 0
	}
	return in
}

const (
	// WinsNeeded is how many won rounds win a match.
	WinsNeeded = 2
	// MaxRounds is the maximum number of rounds of a match: after draws, it may end without a winner.
	MaxRounds = 5
)

// Score is the score of a match. The zero value is the score before the first round.
type Score struct {
	Wins  [2]int
	Round int // how many rounds are over
}

// Count adds a round's result.
func (s *Score) Count(result uint64) {
	s.Round++
	switch result {
	case Won1:
		s.Wins[0]++
	case Won2:
		s.Wins[1]++
	}
}

// Over reports whether the match is over, and returns the player who has won it, or -1.
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
