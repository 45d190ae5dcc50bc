package netplay

import (
	"fmt"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/words"
)

// The names of the games in addresses of pages, rooms and recordings.
const (
	duelID     = duel.RoundID
	arenaID    = arena.ID
	skirmishID = skirmish.ID
)

// kind has the texts and settings of a game's rooms. Its rules define how it is played.
type kind struct {
	id, title string
	build     string // only clients with the same build can play together
	most      int    // seats
	rate      int    // frames a second
	// lengths are the possible lengths of a round or match, in seconds; 0 means the default. lengthNames are
	// their names. These and the other texts are marked for translation.
	lengths     []int
	lengthNames []string
	// standIns are the names of the bots that play for missing players, indexed by terms.Bots; nil if the
	// game has none.
	standIns []string
	// countdown is the number of frames before the frames of a selected length.
	countdown int
	help      []string // how it is played
	labels    map[controls.Action]string
}

// kinds are the games, in the order of the choice.
var kinds = []*kind{
	{
		id: duelID, title: words.K("Duel"), build: digest.Build(digest.Duel), most: 2, rate: duel.TicksPerSecond, countdown: contest.CountdownFrames,
		lengths: []int{0, 30, 90}, lengthNames: []string{words.K("60 s a round"), words.K("30 s a round"), words.K("90 s a round")},
		help:   []string{words.K("Run, jump and hit. Two rounds win."), words.K("The match shows the keys.")},
		labels: app.DuelLabels,
	},
	{
		id: arenaID, title: words.K("Arena"), build: digest.Build(digest.Arena), most: arena.MaxPlayers, rate: arena.TicksPerSecond,
		lengths: []int{0, 60, 120, 300}, lengthNames: []string{words.K("three rounds"), words.K("at most 1 min"), words.K("at most 2 min"), words.K("at most 5 min")},
		standIns: []string{words.K("nobody"), words.K("easy bots"), words.K("normal bots"), words.K("hard bots")},
		help:     []string{words.K("Run, dash, shield; hold a shot to charge it."), words.K("Three rounds win. The match shows the keys.")},
		labels:   app.ArenaLabels,
	},
	{
		id: skirmishID, title: words.K("Skirmish"), build: digest.Build(digest.Skirmish), most: skirmish.MaxPlayers, rate: skirmish.TicksPerSecond,
		lengths: []int{0, 600, 1200, 2400}, lengthNames: []string{words.K("until one is left"), words.K("at most 10 min"), words.K("at most 20 min"), words.K("at most 40 min")},
		standIns: []string{words.K("nobody"), words.K("bots")},
		help:     []string{words.K("Drag a box to select, click right to send or attack."), words.K("Train units in the keep (K). Break all other keeps.")},
	},
}

// bots reports whether bots play for missing players, by these terms.
func (k *kind) bots(t *terms) bool { return k.standIns != nil && t.Bots > 0 }

// row is a setting of a room.
type row struct {
	label string
	of    []string
	get   func(t *terms) int
	set   func(t *terms, n int)
}

// rows returns the settings of a room of the game.
func (k *kind) rows() []row {
	list := []row{{words.T("Length"), words.Each(k.lengthNames), func(t *terms) int { return t.length(k) }, func(t *terms, n int) { t.Seconds = k.lengths[n] }}}
	if k.standIns != nil {
		list = append(list, row{words.T("In empty places"), words.Each(k.standIns), func(t *terms) int { return t.Bots }, func(t *terms, n int) { t.Bots = n }})
	}
	if k.id != skirmishID {
		return list
	}
	pick := func(label, number string, of []int, field func(t *terms) *int) row {
		r := row{label: label, get: func(t *terms) int { return *field(t) }, set: func(t *terms, n int) { *field(t) = n }}
		for _, n := range of {
			r.of = append(r.of, fmt.Sprintf(number, n))
		}
		return r
	}
	return append(list,
		pick(words.T("Map"), words.T("%d cells"), mapSizes, func(t *terms) *int { return &t.Map }),
		pick(words.T("Units to begin with"), "%d", armySizes, func(t *terms) *int { return &t.Army }),
		row{words.T("Network"), []string{words.T("lockstep"), words.T("rollback")}, func(t *terms) int {
			if t.Predict {
				return 1
			}
			return 0
		}, func(t *terms, n int) { t.Predict = n == 1 }},
	)
}

// buildOf returns the build of a game, or "" if there is no such game.
func buildOf(game string) string {
	if k := kindOf(game); k != nil {
		return k.build
	}
	return ""
}

// kindOf returns a game by its ID, or by the shorter ID of a duel; nil if there is none.
func kindOf(id string) *kind {
	for _, k := range kinds {
		if k.id == id || id == "duel" && k.id == duelID {
			return k
		}
	}
	return nil
}

// titles returns the titles of games, for a choice.
func titles() (list []string) {
	for _, k := range kinds {
		list = append(list, words.T(k.title))
	}
	return list
}

// choose shows the choice of a game, and of its number of seats.
func (c *Config) choose(choice func(label string, chosen int, of ...string) int) {
	game := 0
	for i, k := range kinds {
		if c.Game == k.id {
			game = i
		}
	}
	k := kinds[choice(words.T("Game"), game, titles()...)]
	if c.Game = k.id; k.most > 2 {
		numbers := []string{"2", "3", "4", "5", "6", "7", "8"}[:k.most-1]
		c.Seats = 2 + choice(words.T("Seats"), min(max(c.Seats, 2), k.most)-2, numbers...)
	}
}
