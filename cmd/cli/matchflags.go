package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
)

// Protocols.
const (
	wireTickback = "tickback"
	wireRBN1     = "rbn1"
)

// keyboard is the name under which a person plays.
const keyboard = "keyboard"

// autoRollback is how many frames of rollback an automatic delay leaves: hardly
// anybody sees them, and each frame of delay is felt.
const autoRollback = 3

// matchFlags are the flags of the match command.
type matchFlags struct {
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
	spectators      int
	spectatorDelay  int
	secure          secureFlag
	observe         observeFlags
	members         memberFlags

	seedGiven, framesGiven, delayGiven bool
}

func (o *matchFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.player, "player", 0, "the player `N` who plays here, from 1 on; player 1 is the host")
	f.StringVar(&o.listen, "listen", "", "the local `ADDRESS` to receive on, such as :7000 or 127.0.0.1:7000 (with --join default :0)")
	f.StringArrayVar(&o.peers, "peer", nil, "the `ADDRESS` of another player; once for each of them, lowest player first")
	f.StringVar(&o.bot, "bot", "", "who plays: the `NAME` of a bot, or keyboard (default keyboard in a terminal, else the first bot)")
	f.Uint32Var(&o.frames, "frames", 0, "end after `N` frames; 0 is when the game ends or somebody leaves. The host's counts")
	f.Uint64Var(&o.seed, "seed", 1, "the seed `N` of the match. The host's counts")
	f.StringVar(&o.delay, "delay", "2", "the input delay in `FRAMES`, or auto: as the way to the others takes it; with --lockstep the default is auto")
	f.IntVar(&o.window, "window", 0, fmt.Sprintf("predict `N` frames at most, 1 to %d (default %d, with rbn1 %d)", rollback.MaxWindow, 8, classic.DefaultWindow))
	f.BoolVar(&o.lockstep, "lockstep", false, "predict nothing: wait for the inputs of all players")
	f.StringVar(&o.network, "net", "", "make what is sent from here as bad as this `PROFILE` of a network")
	f.Uint64Var(&o.netSeed, "net-seed", 1, "the seed `N` of what happens on that network by chance")
	f.StringVar(&o.wire, "wire", wireTickback, "the `PROTOCOL`: tickback or rbn1")
	f.IntVar(&o.spectators, "spectators", spectate.MaxGuests, "let `N` spectators watch at this player")
	f.IntVar(&o.spectatorDelay, "spectator-delay", 0, "spectators are so many `FRAMES` behind, so that they cannot help a player")
	f.DurationVar(&o.timeout, "timeout", 30*time.Second, "wait for so long (`TIME`) for the others to appear")
	f.DurationVar(&o.drop, "drop", 5*time.Second, "give a player up who has been silent for so long (`TIME`)")
	f.StringVar(&o.desync, "desync", "", "if the players' states differ, write why to this `FILE` (default desync-MATCH-STATE.tbd)")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	o.secure.add(cmd, true)
	o.members.add(cmd)
	o.observe.addTrace(cmd)
	o.observe.addLog(cmd)
	o.observe.addRecord(cmd)
	f.BoolVar(&o.quiet, "quiet", false, "say nothing while playing, except what goes wrong")
}

// seat checks the flags; every error is wrong usage.
func (o *matchFlags) seat(g matchGame, terminal bool) (*seat, error) {
	info := g.info()
	s := &seat{
		game: info, wire: o.wire, players: o.players, player: tickback.Player(o.player - 1),
		listen: o.listen, peers: o.peers, bot: o.bot, seed: o.seed, frames: tickback.Frame(o.frames),
		window: o.window, lockstep: o.lockstep, netSeed: o.netSeed, timeout: o.timeout, drop: o.drop, desync: o.desync,
		seedGiven: o.seedGiven, framesGiven: o.framesGiven,
		spectators: tickback.Spectators{Max: o.spectators, Delay: o.spectatorDelay},
	}
	if s.players == 0 {
		s.players = info.minPlayers
	}
	for _, check := range []func(*seat) error{o.checkPlayer, o.members.check, o.checkSecure, o.checkPlaces, o.checkBot, o.checkPlay, o.checkDelay, o.checkWire} {
		if err := check(s); err != nil {
			return nil, err
		}
	}
	if s.bot == "" {
		if s.bot = info.bots[0]; terminal && info.screen {
			s.bot = keyboard
		}
	}
	if s.bot == keyboard && !terminal {
		return nil, usagef("--bot keyboard needs a terminal for input and output")
	}
	if s.bot == keyboard && o.observe.log == "-" {
		return nil, usagef("--log - would write into the picture of the match: give a file")
	}
	if s.proposes() || s.wire == wireRBN1 {
		if err := g.check(s.seed); err != nil {
			return nil, usagef("--seed %d: %w", s.seed, err)
		}
	}
	return s, nil
}

func (o *matchFlags) checkPlayer(s *seat) error {
	switch {
	case s.players < s.game.minPlayers || s.players > s.game.maxPlayers:
		return usagef("--players %d: %s is for %s", s.players, s.game.id, span(s.game.minPlayers, s.game.maxPlayers))
	case o.player == 0:
		return usagef("--player is missing: which player, 1 to %d, plays here?", s.players)
	case o.player < 1 || o.player > s.players:
		return usagef("--player %d: the players are 1 to %d", o.player, s.players)
	}
	return nil
}

func (o *matchFlags) checkPlaces(s *seat) error {
	there := s.players - 1 - s.reserved.Len()
	switch {
	case s.joining():
		if s.listen == "" {
			s.listen = ":0"
		}
	case s.listen == "":
		return usagef("--listen is missing: the others must know where to send to, such as --listen :7000")
	case len(s.peers) != there && s.reserved != 0:
		return usagef("--peer was given %s, and %d other players are there at first: give the address of each, lowest player first, and none for those who are --reserved", times(len(s.peers)), there)
	case len(s.peers) != there:
		return usagef("--peer was given %s, and there are %d other players: give the address of each, lowest player first", times(len(s.peers)), there)
	}
	switch {
	case s.timeout <= 0 || s.drop <= 0:
		return usagef("--timeout and --drop must be longer than nothing")
	}
	return nil
}

func (o *matchFlags) checkBot(s *seat) error {
	switch {
	case s.bot == "" || slices.Contains(s.game.bots, s.bot):
		return nil
	case s.bot == keyboard && s.game.screen:
		return nil
	case s.bot == keyboard:
		return usagef("%s cannot be played in a terminal; its bots are: %s", s.game.id, strings.Join(s.game.bots, ", "))
	}
	return usagef("%s has no bot %q; there are: %s", s.game.id, s.bot, strings.Join(s.game.bots, ", "))
}

func (o *matchFlags) checkPlay(s *seat) error {
	if o.network != "" {
		profile, err := netem.ProfileNamed(o.network)
		if err != nil {
			return usagef("--net: %w", err)
		}
		s.network = &profile
	}
	switch {
	case o.spectators < 0 || o.spectators > spectate.MaxGuests:
		return usagef("--spectators %d: must be 0 to %d", o.spectators, spectate.MaxGuests)
	case o.spectatorDelay < 0 || o.spectatorDelay > spectate.MaxDelay:
		return usagef("--spectator-delay %d: must be 0 to %d frames", o.spectatorDelay, spectate.MaxDelay)
	case s.lockstep && s.window != 0:
		return usagef("--lockstep predicts nothing, and --window %d says how much to predict", s.window)
	case o.window < 0 || o.window > rollback.MaxWindow:
		return usagef("--window %d: must be 1 to %d", o.window, rollback.MaxWindow)
	case s.frames == rollback.NoFrame:
		return usagef("--frames %d is too many", s.frames)
	}
	return nil
}

func (o *matchFlags) checkDelay(s *seat) error {
	text := o.delay
	if !o.delayGiven && s.lockstep && o.wire != wireRBN1 {
		text = "auto"
	}
	if s.autoDelay = text == "auto"; s.autoDelay {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > rollback.MaxDelay {
		return usagef("--delay %q: must be auto, or 0 to %d frames", text, rollback.MaxDelay)
	}
	s.delay = n
	return nil
}

func (o *matchFlags) checkSecure(s *seat) (err error) {
	s.secure, s.secureMade, err = o.secure.token()
	switch {
	case err != nil:
		return err
	case s.secureMade && s.joining():
		return usagef("--secure new is for who begins a match, and --join for a match that is played already: give its token")
	}
	return nil
}

// checkWire refuses what RBN1 does not have.
func (o *matchFlags) checkWire(s *seat) error {
	switch {
	case o.wire == wireTickback:
		return nil
	case o.wire != wireRBN1:
		return usagef("--wire %q: there are: %s, %s", o.wire, wireTickback, wireRBN1)
	case !s.game.classic || s.players != 2:
		return usagef("--wire rbn1 is for games of two players with 16 buttons, and %s for %d is not one", s.game.id, s.players)
	case s.autoDelay:
		return usagef("--delay auto needs a ping, which rbn1 does not have: give a number of frames")
	case s.delay > classic.MaxDelay:
		return usagef("--delay %d: with rbn1 at most %d", s.delay, classic.MaxDelay)
	case o.observe.trace != "" || o.observe.log != "":
		return usagef("--trace and --log are not for rbn1, which is played without a session")
	case o.observe.record != "":
		return usagef("--record is not for rbn1, which is played without a session")
	case !s.secure.IsZero():
		return usagef("--secure is not for rbn1, which other programs speak without it")
	case o.members.pauseAt != "":
		return usagef("--pause-at is not for rbn1, where nobody pauses")
	case s.joining():
		return usagef("--join is not for rbn1, where nobody joins")
	case s.onLeave == tickback.Continue:
		return usagef("--on-leave continue is not for rbn1, where nobody says goodbye")
	}
	return nil
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
