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
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// The values of --wire.
const (
	wireTickback = "tickback"
	wireRBN1     = "rbn1"
)

// keyboard is the name under which a person plays.
const keyboard = "keyboard"

// autoRollback is the number of frames of rollback that an automatic delay allows: hardly anybody notices those, while
// every frame of delay is felt.
const autoRollback = 3

// flags are the flags of the match command.
type flags struct {
	game        string
	place       placeFlags
	play        playFlags
	watch       watchFlags
	secure      secure.Flag
	observe     observe.Flags
	members     memberFlags
	json, quiet bool
}

// placeFlags say who plays here, and where the others are.
type placeFlags struct {
	players, player int
	listen          string
	peers           []string
	network         live.Impairment
	timeout, drop   time.Duration
}

// playFlags say what is played, and how.
type playFlags struct {
	bot      string
	frames   uint32
	seed     uint64
	delay    string
	window   int
	lockstep bool
	wire     string
	desync   string

	given givenFlags
}

// givenFlags says which of these flags were given, where that matters.
type givenFlags struct{ seed, frames, delay, window bool }

func (o *flags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.place.player, "player", 0, "the player `N` who plays here, from 1 on; player 1 is the host")
	f.StringVar(&o.place.listen, "listen", "", "the local `ADDRESS` to receive on, such as :7000 or 127.0.0.1:7000 (with --join default :0)")
	f.StringArrayVar(&o.place.peers, "peer", nil, "the `ADDRESS` of another player; once for each of them, lowest player first")
	f.StringVar(&o.play.bot, "bot", "", "the `NAME` of the bot that plays, or keyboard (default keyboard in a terminal, else the first bot)")
	f.Uint32Var(&o.play.frames, "frames", 0, "end after `N` frames; with 0 when the game ends or a player leaves; the host decides")
	f.Uint64Var(&o.play.seed, "seed", 1, "the seed `N` of the match; the host decides")
	f.StringVar(&o.play.delay, "delay", "2", "the input delay in `FRAMES`, or auto: as long as the round trip needs; with --lockstep the default is auto")
	f.IntVar(&o.play.window, "window", 0, fmt.Sprintf("predict `N` frames at most, 1 to %d (default 133 ms of them, %d at %d frames a second; with rbn1 %d)", rollback.MaxWindow, session.DefaultWindow, session.DefaultTickRate, classic.DefaultWindow))
	f.BoolVar(&o.play.lockstep, "lockstep", false, "predict nothing: wait for the inputs of all players")
	o.place.network.Add(cmd, "")
	f.StringVar(&o.play.wire, "wire", wireTickback, "the `PROTOCOL`: tickback or rbn1")
	o.watch.Add(cmd, " at this player", "frames")
	f.DurationVar(&o.place.timeout, "timeout", 30*time.Second, "wait at most `TIME` for the others to appear")
	f.DurationVar(&o.place.drop, "drop", 5*time.Second, "give a player up after `TIME` of silence")
	f.StringVar(&o.play.desync, "desync", "", "if the players' states differ, write a report to this `FILE` (default desync-MATCH-STATE.tbd)")
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
	place, play := &o.place, &o.play
	s := &matchSetup{
		seat:     seat{info, play.wire, place.players, tickback.Player(place.player - 1), play.bot},
		terms:    terms{seed: play.seed, frames: tickback.Frame(play.frames), given: play.given},
		pace:     pace{window: play.window, lockstep: play.lockstep},
		listen:   place.listen,
		contacts: contacts{peers: place.peers, timeout: place.timeout, drop: place.drop},
		desync:   play.desync,
	}
	for _, check := range []func(*matchSetup) error{place.checkPlayer, o.members.check, o.watch.check, checkSeed, o.checkSecure, checkPlaces, checkBot, place.checkNetwork, play.checkPace, o.checkWire} {
		if err := check(s); err != nil {
			return nil, err
		}
	}
	if s.seat.bot == "" {
		if s.seat.bot = info.Bots[0]; terminal && info.Screen {
			s.seat.bot = keyboard
		}
	}
	if err := disk.CheckPlace("--desync", s.desync); err != nil {
		return nil, err
	}
	if s.seat.bot == keyboard && !terminal {
		return nil, console.Usagef("--bot keyboard needs a terminal for input and output")
	}
	if s.seat.bot == keyboard && o.observe.Log == "-" {
		return nil, console.Usagef("--log - would write into the picture of the match: give a file")
	}
	if s.proposes() || s.seat.wire == wireRBN1 {
		if err := g.Check(s.terms.seed, s.terms.data); err != nil {
			return nil, console.Usagef("--seed %d: %w", s.terms.seed, err)
		}
	}
	return s, nil
}

// nobody is the value of the player flag when it is not given.
const nobody = math.MinInt

func (o *placeFlags) checkPlayer(s *matchSetup) error {
	switch {
	case s.seat.players < s.seat.game.MinPlayers || s.seat.players > s.seat.game.MaxPlayers:
		return console.Usagef("--players %d: %s is for %s", s.seat.players, s.seat.game.ID, words.Span(s.seat.game.MinPlayers, s.seat.game.MaxPlayers))
	case o.player == nobody:
		return console.Usagef("--player is missing: which player, 1 to %d, plays here?", s.seat.players)
	case o.player < 1 || o.player > s.seat.players:
		return console.Usagef("--player %d: the players are 1 to %d", o.player, s.seat.players)
	}
	return nil
}

// checkSeed returns an error if a seed is given by a player who does not decide it. With RBN1 nothing is negotiated.
func checkSeed(s *matchSetup) error {
	switch {
	case !s.terms.given.seed || s.proposes() || s.seat.wire == wireRBN1:
		return nil
	case s.contacts.joining():
		return console.Usagef("--seed %d: the match that is joined has a seed already: leave it out", s.terms.seed)
	}
	return console.Usagef("--seed %d: player 1 is the host, and decides: leave it out here, and give it there", s.terms.seed)
}

func checkPlaces(s *matchSetup) error {
	there := s.seat.players - 1 - s.members.reserved.Len()
	switch {
	case s.contacts.joining():
		if s.listen == "" {
			s.listen = ":0"
		}
	case s.listen == "":
		return console.Usagef("--listen is missing: the others must know where to send to, such as --listen :7000")
	case len(s.contacts.peers) != there && s.members.reserved != 0:
		return console.Usagef("%s, and %s; those who are --reserved have none", peersGiven(len(s.contacts.peers)), others(there))
	case len(s.contacts.peers) != there:
		return console.Usagef("%s, and %s", peersGiven(len(s.contacts.peers)), others(there))
	}
	switch {
	case s.contacts.timeout <= 0:
		return console.Usagef("--timeout %v: must be longer than nothing", s.contacts.timeout)
	case s.contacts.drop <= 0 || s.seat.wire == wireTickback && (s.contacts.drop < time.Second || s.contacts.drop > session.MaxDropAfter):
		return console.Usagef("--drop %v: must be a second to %v", s.contacts.drop, session.MaxDropAfter)
	}
	return nil
}

func checkBot(s *matchSetup) error {
	switch {
	case s.seat.bot == "" || slices.Contains(s.seat.game.Bots, s.seat.bot):
		return nil
	case s.seat.bot == keyboard && s.seat.game.Screen:
		return nil
	case s.seat.bot == keyboard:
		return console.Usagef("%s cannot be played in a terminal; its bots are: %s", s.seat.game.ID, strings.Join(s.seat.game.Bots, ", "))
	}
	return console.Usagef("%s has no bot %q; there are: %s", s.seat.game.ID, s.seat.bot, strings.Join(s.seat.game.Bots, ", "))
}

func (o *placeFlags) checkNetwork(s *matchSetup) error {
	err := o.network.Check()
	s.network = o.network
	return err
}

func (o *playFlags) checkPace(s *matchSetup) error {
	switch {
	case o.lockstep && o.window != 0:
		return console.Usagef("--lockstep predicts nothing, and --window %d says how much to predict", o.window)
	case o.given.window && o.window < 1 || o.window > rollback.MaxWindow:
		return console.Usagef("--window %d: must be 1 to %d; --lockstep predicts nothing", o.window, rollback.MaxWindow)
	case s.terms.frames == rollback.NoFrame:
		return console.Usagef("--frames %d is too many", o.frames)
	}
	text := o.delay
	if !o.given.delay && o.lockstep && o.wire != wireRBN1 {
		text = "auto"
	}
	if s.pace.autoDelay = text == "auto"; s.pace.autoDelay {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > rollback.MaxDelay {
		return console.Usagef("--delay %q: must be auto, or 0 to %d frames", text, rollback.MaxDelay)
	}
	s.pace.delay = n
	return nil
}

func (o *flags) checkSecure(s *matchSetup) (err error) {
	s.tokens.secure, s.tokens.made.secure, err = o.secure.Token()
	switch {
	case err != nil:
		return err
	case s.tokens.made.secure && len(o.members.join) > 0:
		return console.Usagef("--secure new is for who begins a match, and --join for a match that is played already: give its token")
	}
	return nil
}

// checkWire returns an error for flags that RBN1 does not support.
func (o *flags) checkWire(s *matchSetup) error {
	switch {
	case o.play.wire == wireTickback:
		return nil
	case o.play.wire != wireRBN1:
		return console.Usagef("--wire %q: there are: %s, %s", o.play.wire, wireTickback, wireRBN1)
	case !s.seat.game.Classic || s.seat.players != 2:
		return console.Usagef("--wire rbn1 is for games of two players with 16 buttons, and %s for %d is not one", s.seat.game.ID, s.seat.players)
	case s.pace.autoDelay:
		return console.Usagef("--delay auto needs a ping, which rbn1 does not have: give a number of frames")
	case s.pace.delay > classic.MaxDelay:
		return console.Usagef("--delay %d: with rbn1 at most %d", s.pace.delay, classic.MaxDelay)
	case o.observe.Trace != "" || o.observe.Log != "":
		return console.Usagef("--trace and --log are not for rbn1, which is played without a session")
	case o.observe.Record != "":
		return console.Usagef("--record is not for rbn1, which is played without a session")
	case s.tokens.secure != nil:
		return console.Usagef("--secure is not for rbn1, which other programs speak without it")
	case o.members.pauseAt != "":
		return console.Usagef("--pause-at is not for rbn1, where nobody pauses")
	case s.contacts.joining():
		return console.Usagef("--join is not for rbn1, where nobody joins")
	case s.members.onLeave == tickback.Continue:
		return console.Usagef("--on-leave continue is not for rbn1, where nobody says goodbye")
	}
	return nil
}

// others says how many other players there are at the beginning of a match, and which flags to give for them.
func others(n int) string {
	switch n {
	case 0:
		return "no other player is there at first: give none"
	case 1:
		return "1 other player is there at first: give its address"
	}
	return fmt.Sprintf("%d other players are there at first: give the address of each, lowest player first", n)
}

// peersGiven says how often --peer was given.
func peersGiven(n int) string {
	switch n {
	case 0:
		return "--peer is missing"
	case 1:
		return "--peer was given once"
	}
	return fmt.Sprintf("--peer was given %d times", n)
}
