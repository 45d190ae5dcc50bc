package netplay

import (
	"encoding/json"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/contest"
)

// terms is what the host has decided about the matches of a room: its settings, and the score of a duel,
// for members that come late.
type terms struct {
	Seconds int       `json:"seconds"` // of a round or match; 0 means the default
	Bots    int       `json:"bots"`    // the bots that stand in for missing players, by standIns
	Frames  int       `json:"frames"`  // instead of Seconds
	Round   int       `json:"round"`   // how many are over
	Wins    [2]int    `json:"wins"`
	Who     [2]uint32 `json:"who"` // the members with that score
}

// lengths are the possible lengths of a round or match, in seconds; 0 means the default.
var lengths = map[string][]int{duelID: {0, 30, 90}, arenaID: {0, 60, 120, 300}}

// lengthNames are their names.
var lengthNames = map[string][]string{
	duelID:  {"60 s a round", "30 s a round", "90 s a round"},
	arenaID: {"three rounds", "at most 1 min", "at most 2 min", "at most 5 min"},
}

// standIns are the bots that play for missing players, as in the parameters of a match, and skills are
// their names.
var (
	standIns = []string{"", "easy", "normal", "hard"}
	skills   = []string{"nobody", "easy bots", "normal bots", "hard bots"}
)

// parse reads the settings of a room. They come from others: invalid ones are replaced by defaults.
func parse(game, text string) terms {
	var t terms
	if len(text) > rooms.MaxSettings || json.Unmarshal([]byte(text), &t) != nil {
		t = terms{}
	}
	if t.length(game) < 0 {
		t.Seconds = 0
	}
	if t.Bots < 0 || t.Bots >= len(standIns) {
		t.Bots = 0
	}
	if t.Frames < 0 || t.Frames > 1<<24 {
		t.Frames = 0
	}
	s := t.score()
	if _, over := s.Over(); over || s.Wins[0] < 0 || s.Wins[1] < 0 || s.Round < s.Wins[0]+s.Wins[1] {
		t.Round, t.Wins = 0, [2]int{}
	}
	return t
}

func (t *terms) text() string {
	b, err := json.Marshal(t)
	if err != nil {
		return "" // terms can always be encoded
	}
	return string(b)
}

// length returns the index of the length in lengths, or -1.
func (t *terms) length(game string) int {
	for i, n := range lengths[game] {
		if n == t.Seconds {
			return i
		}
	}
	return -1
}

func (t *terms) score() contest.Score { return contest.Score{Wins: t.Wins, Round: t.Round} }

// frames returns the longest that a match can be; 0 means until its rules end it.
func (t *terms) frames(game string) tickback.Frame {
	switch {
	case t.Frames != 0:
		return tickback.Frame(t.Frames)
	case t.Seconds != 0 && game == duelID:
		return tickback.Frame(contest.CountdownFrames + t.Seconds*duel.TicksPerSecond)
	case t.Seconds != 0:
		return tickback.Frame(t.Seconds * arena.TicksPerSecond)
	case game == duelID:
		return contest.RoundFrames
	}
	return 0
}
