package match

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/cmd/cli/internal/terminal"
	"github.com/tickback/tickback/netem"
)

// matchSetup is this machine's place in a match, according to the flags.
type matchSetup struct {
	game       *games.Info
	wire       string
	players    int
	player     tickback.Player // from 0 on
	listen     string
	peers      []string // of the others, lowest player first
	bot        string   // or keyboard
	seed       uint64
	frames     tickback.Frame
	delay      int
	autoDelay  bool
	window     int // 0 is the default
	lockstep   bool
	network    *netem.Profile
	netSeed    uint64
	onLeave    tickback.OnLeave
	token      tickback.Token
	secure     tickback.Token                      // nil: nothing is encrypted
	made       struct{ token, secure, watch bool } // which of the tokens were made here
	reserved   tickback.PlayerSet
	joins      []string // addresses of the match to join
	data       []byte   // of the match's parameters: a stand-in, or the settings
	acts       acts
	spectators tickback.Spectators
	timeout    time.Duration
	drop       time.Duration
	desync     string // the file for a report; empty: choose one

	seedGiven, framesGiven bool

	// These are set once the socket is open.
	transport tickback.Transport
	remote    []tickback.Peer
	hosts     []netip.AddrPort // those of joins
	keys      *terminal.Keys   // of the keyboard, if a person plays
	log       *live.Log
	observers *observe.Observers
}

// others returns the players who play elsewhere at first, ascending.
func (s *matchSetup) others() (list []tickback.Player) {
	for p := range tickback.Player(s.players) {
		if p != s.player && !s.reserved.Has(p) {
			list = append(list, p)
		}
	}
	return list
}

// host reports whether we are the host.
func (s *matchSetup) host() bool { return s.player == 0 }

// joining reports whether we join a running match.
func (s *matchSetup) joining() bool { return len(s.joins) > 0 }

// proposes reports whether we decide what is played.
func (s *matchSetup) proposes() bool { return s.host() && !s.joining() }
