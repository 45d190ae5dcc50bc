package match

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
)

// memberFlags are the flags about who is in a match, and who joins and leaves.
type memberFlags struct {
	onLeave         string
	token           string
	reserved        string
	join            []string
	standIn         string
	pauseAt, kickAt string
	settings        games.Settings

	onLeaveGiven bool
}

func (o *memberFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.onLeave, "on-leave", "end", "what happens when a player leaves or is lost: `end or continue`; the same on all machines")
	f.StringVar(&o.token, "token", "", "with --on-leave continue, let players join, and spectators watch, that know this `TOKEN`, or @FILE (default that of --secure, or a new one, which is printed)")
	f.StringVar(&o.reserved, "reserved", "", "a `LIST` of players such as 3,4 whose places are free: somebody joins later")
	f.StringSliceVar(&o.join, "join", nil, "join a running match at the `ADDRESS` of one of its players; also a list, to ask in turn")
	f.StringVar(&o.standIn, "stand-in", "", "let the bot `NAME` play for players who are away; the host decides")
	o.settings.Add(cmd, "; the host decides")
	f.StringVar(&o.pauseAt, "pause-at", "", "pause the match at a frame, for the time of so many frames: `FRAME,FRAMES`")
	f.StringVar(&o.kickAt, "kick-at", "", "as the host, send a player away at a frame: `FRAME,PLAYER`")
}

// check completes the setup; every error is about wrong usage.
func (o *memberFlags) check(s *matchSetup) error {
	switch o.onLeave {
	case "end":
	case "continue":
		s.members.onLeave = tickback.Continue
	default:
		return console.Usagef("--on-leave %q: there are: end, continue", o.onLeave)
	}
	for _, check := range []func(*matchSetup) error{o.checkJoin, o.checkReserved, o.checkToken, o.checkStandIn, o.checkSettings, o.checkActs} {
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

func (o *memberFlags) checkJoin(s *matchSetup) error {
	if s.contacts.joins = o.join; len(s.contacts.joins) == 0 {
		return nil
	}
	switch {
	case slices.Contains(s.contacts.joins, ""):
		return console.Usagef("--join has an empty address")
	case o.onLeaveGiven && s.members.onLeave != tickback.Continue:
		return console.Usagef("--join: a match with --on-leave end ends when somebody leaves, and nobody can join it")
	case len(s.contacts.peers) > 0:
		return console.Usagef("--join finds the others by itself: give no --peer")
	case o.reserved != "":
		return console.Usagef("--reserved is for who begins a match, and --join for a match that is played already")
	case o.token == "" && s.tokens.secure == nil:
		return console.Usagef("--join needs the --token of the match, which its players were told")
	}
	s.members.onLeave = tickback.Continue
	return nil
}

func (o *memberFlags) checkReserved(s *matchSetup) error {
	if o.reserved == "" {
		return nil
	}
	for text := range strings.SplitSeq(o.reserved, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		switch {
		case err != nil:
			return console.Usagef("--reserved %q: must be a list of players, such as 3,4", o.reserved)
		case n < 1 || n > s.seat.players:
			return console.Usagef("--reserved %d: the players are 1 to %d", n, s.seat.players)
		case n == 1:
			return console.Usagef("--reserved 1: player 1 is the host, without whom no match begins")
		case s.seat.player == tickback.Player(n-1):
			return console.Usagef("--reserved %d: that is who plays here", n)
		case s.members.onLeave != tickback.Continue:
			return console.Usagef("--reserved is for those who join later, which takes --on-leave continue")
		}
		s.members.reserved |= tickback.SetOf(tickback.Player(n - 1))
	}
	return nil
}

func (o *memberFlags) checkToken(s *matchSetup) (err error) {
	switch {
	case s.members.onLeave != tickback.Continue && o.token != "":
		return console.Usagef("--token is for those who join later, which takes --on-leave continue")
	case s.members.onLeave != tickback.Continue || s.seat.wire == wireRBN1:
		return nil
	case o.token == "" && s.tokens.secure != nil:
		s.tokens.match = s.tokens.secure
		return nil
	case o.token == "":
		s.tokens.match, s.tokens.made.token = tickback.NewToken(), true
		return nil
	case s.contacts.joining():
		s.tokens.match, err = secure.Given("--token", o.token)
		return err
	}
	s.tokens.match, s.tokens.made.token, err = secure.Read("--token", o.token)
	return err
}

func (o *memberFlags) checkStandIn(s *matchSetup) error {
	switch {
	case o.standIn == "":
		return nil
	case len(s.seat.game.StandIns) == 0:
		return console.Usagef("--stand-in: no bots stand in for players of %s", s.seat.game.ID)
	case !slices.Contains(s.seat.game.StandIns, o.standIn):
		return console.Usagef("--stand-in %q: there are: %s", o.standIn, strings.Join(s.seat.game.StandIns, ", "))
	case s.members.onLeave != tickback.Continue:
		return console.Usagef("--stand-in is for a match that goes on without a player, which takes --on-leave continue")
	case !s.proposes():
		return console.Usagef("--stand-in is for player 1 to say, who begins the match")
	}
	s.terms.data = []byte(o.standIn)
	return nil
}

func (o *memberFlags) checkSettings(s *matchSetup) error {
	data, err := o.settings.Data(s.seat.game)
	switch {
	case err != nil:
		return err
	case o.settings.Given() && !s.proposes():
		return console.Usagef("--set is for player 1 to say, who begins the match")
	case o.settings.Given():
		s.terms.data = data
	}
	return nil
}

func (o *memberFlags) checkActs(s *matchSetup) error {
	if o.pauseAt != "" {
		at, n, err := framePair("--pause-at", o.pauseAt, "FRAME,FRAMES", "the frame to pause at, and for how many frames", 1, math.MaxUint16)
		if err != nil {
			return err
		}
		s.acts.pauseAt, s.acts.pauseFor = &at, n
	}
	if o.kickAt == "" {
		return nil
	}
	if !s.seat.host() {
		return console.Usagef("--kick-at is for player 1, the host")
	}
	at, n, err := framePair("--kick-at", o.kickAt, "FRAME,PLAYER", "the frame, and the player to send away", 2, s.seat.players)
	switch {
	case err != nil:
		return err
	case s.members.onLeave != tickback.Continue:
		return console.Usagef("--kick-at is for a match that goes on without the player, which takes --on-leave continue")
	}
	s.acts.kickAt, s.acts.kick = &at, tickback.Player(n-1)
	return nil
}

// framePair parses a frame and a second number, which must be in the range least to most.
func framePair(flag, text, form, means string, least, most int) (at, n tickback.Frame, err error) {
	one, two, _ := strings.Cut(text, ",")
	a, errA := strconv.ParseUint(one, 10, 31)
	b, errB := strconv.ParseUint(two, 10, 31)
	if errA != nil || errB != nil || b < uint64(least) || b > uint64(most) {
		limits := fmt.Sprintf("%d to %d", least, most)
		if least == most {
			limits = fmt.Sprintf("which can only be %d", least)
		}
		return 0, 0, console.Usagef("%s %q: must be %s, two numbers: %s, %s", flag, text, form, means, limits)
	}
	return tickback.Frame(a), tickback.Frame(b), nil
}

// invitation returns a text about how others can join through this machine; it is empty if they cannot.
func (s *matchSetup) invitation(name, address string) string {
	if s.tokens.match == nil || !s.tokens.made.token {
		return ""
	}
	how := fmt.Sprintf("who comes later joins with: %s match --game %s --players %d --player N --join %s --token %v",
		name, s.seat.game.ID, s.seat.players, address, s.tokens.match)
	if s.spectators.Enabled() && s.spectators.Token == nil && !s.spectators.Open {
		how += " (who watches gives that --token, too)"
	}
	if s.tokens.secure != nil {
		how += " (with the same --secure as here)"
	}
	return how
}
