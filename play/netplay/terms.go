package netplay

import (
	"encoding/json"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/contest"
)

// terms is what the host says about the matches of a room: its settings, and how a duel
// stands, so that who comes late knows it.
type terms struct {
	Seconds int       `json:"seconds"` // of a round or match; 0 is the usual
	Bots    int       `json:"bots"`    // who stands in for players who are not there
	Frames  int       `json:"frames"`  // instead of Seconds
	Round   int       `json:"round"`   // that are over
	Wins    [2]int    `json:"wins"`
	Who     [2]uint32 `json:"who"` // whose score it is
}

// lengths are what a round or a match may take, in seconds; 0 is the usual.
var lengths = map[string][]int{duelID: {0, 30, 90}, arenaID: {0, 60, 120, 300}}

// lengthNames are what they are called.
var lengthNames = map[string][]string{
	duelID:  {"60 s a round", "30 s a round", "90 s a round"},
	arenaID: {"three rounds", "at most 1 min", "at most 2 min", "at most 5 min"},
}

// standIns are the bots who play for who is not there, as the parameters of a match name
// them, and skills what they are called.
var (
	standIns = []string{"", "easy", "normal", "hard"}
	skills   = []string{"nobody", "easy bots", "normal bots", "hard bots"}
)

// parse reads the settings of a room. They come from others: what makes no sense is the
// usual.
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
		return "" // there is nothing in it that could fail
	}
	return string(b)
}

// length is the place of the length among those that there are, or -1.
func (t *terms) length(game string) int {
	for i, n := range lengths[game] {
		if n == t.Seconds {
			return i
		}
	}
	return -1
}

func (t *terms) score() contest.Score { return contest.Score{Wins: t.Wins, Round: t.Round} }

// frames is how long a match is at most; 0 is until its rules end it.
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
