package netplay

import (
	"encoding/json"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/contest"
)

// terms are the host's decisions about the matches of a room: its settings, and the score of a duel, for members who
// join late.
type terms struct {
	Seconds int       `json:"seconds"` // the length of a round or match; 0 means the default
	Bots    int       `json:"bots"`    // which bots stand in for missing players: an index of kind.standIns
	Frames  int       `json:"frames"`  // instead of Seconds
	Map     int       `json:"map"`     // the size of a skirmish's map: an index of mapSizes
	Army    int       `json:"army"`    // the initial units of each player there: an index of armySizes
	Predict bool      `json:"predict"` // a skirmish is played with rollback; otherwise in lockstep
	Round   int       `json:"round"`   // how many rounds are over
	Wins    [2]int    `json:"wins"`
	Who     [2]uint32 `json:"who"` // the members with that score
}

// standIns are the bots that play for missing players in the arena, as in the parameters of a match.
var standIns = []string{"", "easy", "normal", "hard"}

// The choices for a skirmish: the sizes of maps, and the numbers of units at the beginning. The first is the default.
var (
	mapSizes  = []int{128, 64, 96, 192, 256}
	armySizes = []int{10, 0, 50, 100, 250, 500, 1250}
)

// parse reads the settings of a room. They come from others: invalid ones are replaced by defaults.
func parse(k *kind, text string) terms {
	var t terms
	if len(text) > rooms.MaxSettings || json.Unmarshal([]byte(text), &t) != nil {
		t = terms{}
	}
	if t.length(k) < 0 {
		t.Seconds = 0
	}
	if t.Bots < 0 || t.Bots >= max(len(k.standIns), 1) {
		t.Bots = 0
	}
	if t.Frames < 0 || t.Frames > 1<<24 {
		t.Frames = 0
	}
	if k.id != skirmishID || t.Map < 0 || t.Map >= len(mapSizes) || t.Army < 0 || t.Army >= len(armySizes) {
		t.Map, t.Army = 0, 0
	}
	t.Predict = t.Predict && k.id == skirmishID
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
func (t *terms) length(k *kind) int {
	for i, n := range k.lengths {
		if n == t.Seconds {
			return i
		}
	}
	return -1
}

func (t *terms) score() contest.Score { return contest.Score{Wins: t.Wins, Round: t.Round} }

// frames returns the maximum length of a match in frames; 0 means that only the rules of the game end it.
func (t *terms) frames(k *kind) tickback.Frame {
	switch {
	case t.Frames != 0:
		return tickback.Frame(t.Frames)
	case t.Seconds != 0:
		return tickback.Frame(k.countdown + t.Seconds*k.rate)
	case k.id == duelID:
		return contest.RoundFrames
	}
	return 0
}
