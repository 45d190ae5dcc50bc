package match

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Protocols.
const (
	wireTickback = "tickback"
	wireRBN1     = "rbn1"
)

// keyboard is the name under which a person plays.
const keyboard = "keyboard"

// autoRollback is how many frames of rollback an automatic delay leaves: hardly anybody sees them, but each frame of
// delay is felt.
const autoRollback = 3

// flags are the flags of the match command.
type flags struct {
	game            string
	players, player int
	listen          string
	peers           []string
	bot             string
	frames          uint32
	seed, netSeed   uint64
	delay           string
	window          int
	lockstep        bool
	network         string
	wire            string
	desync          string
	timeout, drop   time.Duration
	json, quiet     bool
	watch           watchFlags
	secure          secure.Flag
	observe         observe.Flags
	members         memberFlags

	given givenFlags
}

// givenFlags says which of these flags were given, where that matters.
type givenFlags struct{ seed, frames, delay, window bool }

func (o *flags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.player, "player", 0, "the player `N` who plays here, from 1 on; player 1 is the host")
	f.StringVar(&o.listen, "listen", "", "the local `ADDRESS` to receive on, such as :7000 or 127.0.0.1:7000 (with --join default :0)")
	f.StringArrayVar(&o.peers, "peer", nil, "the `ADDRESS` of another player; once for each of them, lowest player first")
	f.StringVar(&o.bot, "bot", "", "the `NAME` of the bot that plays, or keyboard (default keyboard in a terminal, else the first bot)")
	f.Uint32Var(&o.frames, "frames", 0, "end after `N` frames; with 0 when the game ends or a player leaves; the host decides")
	f.Uint64Var(&o.seed, "seed", 1, "the seed `N` of the match; the host decides")
	f.StringVar(&o.delay, "delay", "2", "the input delay in `FRAMES`, or auto: as long as the round trip needs; with --lockstep the default is auto")
	f.IntVar(&o.window, "window", 0, fmt.Sprintf("predict `N` frames at most, 1 to %d (default 133 ms of them, %d at %d frames a second; with rbn1 %d)", rollback.MaxWindow, session.DefaultWindow, session.DefaultTickRate, classic.DefaultWindow))
	f.BoolVar(&o.lockstep, "lockstep", false, "predict nothing: wait for the inputs of all players")
	f.StringVar(&o.network, "net", "", "delay and lose what is sent from here, like this `PROFILE` of a network")
	f.Uint64Var(&o.netSeed, "net-seed", 1, "the seed `N` of that network's losses and delays")
	f.StringVar(&o.wire, "wire", wireTickback, "the `PROTOCOL`: tickback or rbn1")
	o.watch.add(cmd)
	f.DurationVar(&o.timeout, "timeout", 30*time.Second, "wait at most `TIME` for the others to appear")
	f.DurationVar(&o.drop, "drop", 5*time.Second, "give a player up after `TIME` of silence")
	f.StringVar(&o.desync, "desync", "", "if the players' states differ, write a report to this `FILE` (default desync-MATCH-STATE.tbd)")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	o.secure.Add(cmd, true)
	o.members.add(cmd)
	o.observe.AddTrace(cmd)
	o.observe.AddLog(cmd)
	o.observe.AddRecord(cmd)
	f.BoolVar(&o.quiet, "quiet", false, "say nothing while playing, except what goes wrong")
}

// setup checks the flags; every error is about wrong usage.
func (o *flags) setup(g Game, terminal bool) (*matchSetup, error) {
	info := g.Info()
	s := &matchSetup{
		game: info, wire: o.wire, players: o.players, player: tickback.Player(o.player - 1),
		listen: o.listen, peers: o.peers, bot: o.bot, seed: o.seed, frames: tickback.Frame(o.frames),
		window: o.window, lockstep: o.lockstep, netSeed: o.netSeed, timeout: o.timeout, drop: o.drop, desync: o.desync,
		seedGiven: o.given.seed, framesGiven: o.given.frames,
	}
	for _, check := range []func(*matchSetup) error{o.checkPlayer, o.members.check, o.watch.check, checkSeed, o.checkSecure, o.checkPlaces, o.checkBot, o.checkPlay, o.checkDelay, o.checkWire} {
		if err := check(s); err != nil {
			return nil, err
		}
	}
	if s.bot == "" {
		if s.bot = info.Bots[0]; terminal && info.Screen {
			s.bot = keyboard
		}
	}
	if err := disk.CheckPlace("--desync", s.desync); err != nil {
		return nil, err
	}
	if s.bot == keyboard && !terminal {
		return nil, console.Usagef("--bot keyboard needs a terminal for input and output")
	}
	if s.bot == keyboard && o.observe.Log == "-" {
		return nil, console.Usagef("--log - would write into the picture of the match: give a file")
	}
	if s.proposes() || s.wire == wireRBN1 {
		if err := g.Check(s.seed, s.data); err != nil {
			return nil, console.Usagef("--seed %d: %w", s.seed, err)
		}
	}
	return s, nil
}

// nobody is the value of the player flag if it was not given.
const nobody = math.MinInt

func (o *flags) checkPlayer(s *matchSetup) error {
	switch {
	case s.players < s.game.MinPlayers || s.players > s.game.MaxPlayers:
		return console.Usagef("--players %d: %s is for %s", s.players, s.game.ID, words.Span(s.game.MinPlayers, s.game.MaxPlayers))
	case o.player == nobody:
		return console.Usagef("--player is missing: which player, 1 to %d, plays here?", s.players)
	case o.player < 1 || o.player > s.players:
		return console.Usagef("--player %d: the players are 1 to %d", o.player, s.players)
	}
	return nil
}

// checkSeed returns an error for a seed from a player who does not decide it. With RBN1 nothing is negotiated.
func checkSeed(s *matchSetup) error {
	switch {
	case !s.seedGiven || s.proposes() || s.wire == wireRBN1:
		return nil
	case s.joining():
		return console.Usagef("--seed %d: the match that is joined has a seed already: leave it out", s.seed)
	}
	return console.Usagef("--seed %d: player 1 is the host, and decides: leave it out here, and give it there", s.seed)
}

func (o *flags) checkPlaces(s *matchSetup) error {
	there := s.players - 1 - s.reserved.Len()
	switch {
	case s.joining():
		if s.listen == "" {
			s.listen = ":0"
		}
	case s.listen == "":
		return console.Usagef("--listen is missing: the others must know where to send to, such as --listen :7000")
	case len(s.peers) != there && s.reserved != 0:
		return console.Usagef("--peer was given %s, and %s; those who are --reserved have none", times(len(s.peers)), others(there))
	case len(s.peers) != there:
		return console.Usagef("--peer was given %s, and %s", times(len(s.peers)), others(there))
	}
	switch {
	case s.timeout <= 0:
		return console.Usagef("--timeout %v: must be longer than nothing", s.timeout)
	case s.drop <= 0 || s.wire == wireTickback && (s.drop < time.Second || s.drop > session.MaxDropAfter):
		return console.Usagef("--drop %v: must be a second to %v", s.drop, session.MaxDropAfter)
	}
	return nil
}

func (o *flags) checkBot(s *matchSetup) error {
	switch {
	case s.bot == "" || slices.Contains(s.game.Bots, s.bot):
		return nil
	case s.bot == keyboard && s.game.Screen:
		return nil
	case s.bot == keyboard:
		return console.Usagef("%s cannot be played in a terminal; its bots are: %s", s.game.ID, strings.Join(s.game.Bots, ", "))
	}
	return console.Usagef("%s has no bot %q; there are: %s", s.game.ID, s.bot, strings.Join(s.game.Bots, ", "))
}

func (o *flags) checkPlay(s *matchSetup) error {
	if o.network != "" {
		profile, err := netem.ProfileNamed(o.network)
		if err != nil {
			return console.Usagef("--net: %w", err)
		}
		s.network = &profile
	}
	switch {
	case s.lockstep && s.window != 0:
		return console.Usagef("--lockstep predicts nothing, and --window %d says how much to predict", s.window)
	case o.given.window && o.window < 1 || o.window > rollback.MaxWindow:
		return console.Usagef("--window %d: must be 1 to %d; --lockstep predicts nothing", o.window, rollback.MaxWindow)
	case s.frames == rollback.NoFrame:
		return console.Usagef("--frames %d is too many", s.frames)
	}
	return nil
}

func (o *flags) checkDelay(s *matchSetup) error {
	text := o.delay
	if !o.given.delay && s.lockstep && o.wire != wireRBN1 {
		text = "auto"
	}
	if s.autoDelay = text == "auto"; s.autoDelay {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > rollback.MaxDelay {
		return console.Usagef("--delay %q: must be auto, or 0 to %d frames", text, rollback.MaxDelay)
	}
	s.delay = n
	return nil
}

func (o *flags) checkSecure(s *matchSetup) (err error) {
	s.secure, s.made.secure, err = o.secure.Token()
	switch {
	case err != nil:
		return err
	case s.made.secure && len(o.members.join) > 0:
		return console.Usagef("--secure new is for who begins a match, and --join for a match that is played already: give its token")
	}
	return nil
}

// checkWire returns an error for flags that RBN1 does not support.
func (o *flags) checkWire(s *matchSetup) error {
	switch {
	case o.wire == wireTickback:
		return nil
	case o.wire != wireRBN1:
		return console.Usagef("--wire %q: there are: %s, %s", o.wire, wireTickback, wireRBN1)
	case !s.game.Classic || s.players != 2:
		return console.Usagef("--wire rbn1 is for games of two players with 16 buttons, and %s for %d is not one", s.game.ID, s.players)
	case s.autoDelay:
		return console.Usagef("--delay auto needs a ping, which rbn1 does not have: give a number of frames")
	case s.delay > classic.MaxDelay:
		return console.Usagef("--delay %d: with rbn1 at most %d", s.delay, classic.MaxDelay)
	case o.observe.Trace != "" || o.observe.Log != "":
		return console.Usagef("--trace and --log are not for rbn1, which is played without a session")
	case o.observe.Record != "":
		return console.Usagef("--record is not for rbn1, which is played without a session")
	case s.secure != nil:
		return console.Usagef("--secure is not for rbn1, which other programs speak without it")
	case o.members.pauseAt != "":
		return console.Usagef("--pause-at is not for rbn1, where nobody pauses")
	case s.joining():
		return console.Usagef("--join is not for rbn1, where nobody joins")
	case s.onLeave == tickback.Continue:
		return console.Usagef("--on-leave continue is not for rbn1, where nobody says goodbye")
	}
	return nil
}

// others says how many others there are when a match begins, and which flags to give for them.
func others(n int) string {
	switch n {
	case 0:
		return "no other player is there at first: give none"
	case 1:
		return "1 other player is there at first: give its address"
	}
	return fmt.Sprintf("%d other players are there at first: give the address of each, lowest player first", n)
}

func times(n int) string {
	switch n {
	case 0:
		return "not at all"
	case 1:
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
