package match

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/cmd/cli/internal/terminal"
)

// matchSetup is this machine's part in a match, according to the flags.
type matchSetup struct {
	seat       seat
	terms      terms
	pace       pace
	listen     string
	network    live.Impairment
	contacts   contacts
	tokens     tokens
	members    members
	spectators tickback.Spectators
	acts       acts
	desync     string // the file for the report of a desync; empty to choose one

	// These are set once the socket is open.
	transport tickback.Transport
	keys      *terminal.Keys // the keys of the keyboard, if a person plays
	log       *live.Log
	observers *observe.Observers
}

// seat is who plays here, and what.
type seat struct {
	game    *games.Info
	wire    string
	players int
	player  tickback.Player // counted from 0
	bot     string          // the name of the bot, or keyboard
}

// host reports whether we are the host.
func (s *seat) host() bool { return s.player == 0 }

// terms are what we propose to play, or expect.
type terms struct {
	seed   uint64
	frames tickback.Frame
	data   []byte // the Data of the match's parameters: a stand-in, or the settings
	given  givenFlags
}

// pace is how far inputs and predictions reach.
type pace struct {
	delay     int
	autoDelay bool
	window    int // 0 is the default
	lockstep  bool
}

// tokens are the secrets of a match.
type tokens struct {
	match  tickback.Token
	secure tickback.Token                      // nil if nothing is encrypted
	made   struct{ token, secure, watch bool } // which of them, and that of spectators, were made here
}

// members says what happens when players leave, and who comes later.
type members struct {
	onLeave  tickback.OnLeave
	reserved tickback.PlayerSet
}

// others returns the players who play elsewhere at the beginning, in ascending order.
func (s *matchSetup) others() (list []tickback.Player) {
	for p := range tickback.Player(s.seat.players) {
		if p != s.seat.player && !s.members.reserved.Has(p) {
			list = append(list, p)
		}
	}
	return list
}

// proposes reports whether we decide what is played.
func (s *matchSetup) proposes() bool { return s.seat.host() && !s.contacts.joining() }
