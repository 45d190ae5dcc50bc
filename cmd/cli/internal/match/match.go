package match

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

func (a *family) matchCommand() *cobra.Command {
	cmd := a.newMatchCommand("match", "Play a match with others over a network", a.games[0])
	cmd.Long = "Plays a match of two or more players over UDP, one player on each machine.\n\n" + help + a.botList() + "\n" + networkTable()
	cmd.Example = "  " + a.Name + " match --players 3 --player 1 --listen :7000 --peer host2:7000 --peer host3:7000\n" +
		"  " + a.Name + " match --players 3 --player 2 --listen :7000 --peer host1:7000 --peer host3:7000\n" +
		"  " + a.Name + " match --players 3 --player 3 --listen :7000 --peer host1:7000 --peer host2:7000\n\n" +
		"  # Player 3 comes later, and may come again (TOKEN is what \"" + a.Name + " token\" prints):\n" +
		"  " + a.Name + " match --players 3 --player 1 --listen :7000 --peer host2:7000 --reserved 3 --on-leave continue --token TOKEN\n" +
		"  " + a.Name + " match --players 3 --player 2 --listen :7000 --peer host1:7000 --reserved 3 --on-leave continue --token TOKEN\n" +
		"  " + a.Name + " match --players 3 --player 3 --join host1:7000,host2:7000 --token TOKEN"
	return cmd
}

// shortMatch returns the match command of one game, under its name.
func (a *family) shortMatch(g Game) *cobra.Command {
	info := g.Info()
	cmd := a.newMatchCommand(info.ID, "Play a match of "+info.ID+": "+info.About, g)
	cmd.Flags().Lookup("game").Hidden = true
	cmd.Long = "Short for \"" + a.Name + " match --game " + info.ID + "\", whose help says more.\n\nBots: " + strings.Join(info.Bots, ", ") + "."
	if info.Screen {
		cmd.Long += "\nKeys: " + info.Keys + ", P pauses."
	}
	for _, line := range info.SettingLines() {
		cmd.Long += "\n" + line
	}
	line := func(player, listen, peer int) string {
		return fmt.Sprintf("  %s %s --listen 127.0.0.1:%d --peer 127.0.0.1:%d --player %d --bot %s --frames 3600", a.Name, info.ID, listen, peer, player, info.Bots[0])
	}
	if info.MinPlayers == 2 {
		cmd.Example = line(1, 7000, 7001) + "\n" + line(2, 7001, 7000)
	}
	return cmd
}

const help = `Each machine gives the addresses of all others, in the order of their players.
Players count from 1. Player 1 is the host, whose --seed and --frames hold for all
(with --wire rbn1 nothing is negotiated: give the same on both sides). The machine that
starts first waits for the others. Frames run until --frames are played, the game ends,
or a player leaves.

With --on-leave continue the match goes on when a player leaves or is lost, as long as
more than half of the players are left (or half, with the lowest player; of two, either
one). The player can come back with --join and the address of any other player. So can
a newcomer in a place that was --reserved. Give all machines the same --token, and
--join works at each of them; without it, each makes and prints its own. The token keeps
out spectators, too: they need it, or that of --watch-token. Players who are away do
nothing, unless --stand-in lets a bot play for them.

Progress goes to stderr. At the end the command prints the checksum of the last state,
which is the same on all machines, and how the match went; --json prints that as one
object. Ctrl-C leaves: it tells the others at once, and prints what is known so far.

Exit codes: 0 the match came to its end; 1 it did not (nobody came, a player was lost or
left before --frames, an interrupt, the others went on without this player, or too few
were left), or the players' states differed; 2 wrong usage.

` + secure.Help + `Without --secure nothing is encrypted or authenticated: use that in a LAN, or between
machines that trust each other. RBN1 is a classic protocol for two players, which other
programs speak; it has no ping and no goodbye.

`

func (a *family) newMatchCommand(use, short string, g Game) *cobra.Command {
	var o flags
	cmd := &cobra.Command{
		Use: use, Short: short, Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.play.given.seed = cmd.Flags().Changed("seed"); !cmd.Flags().Changed("player") {
				o.place.player = nobody
			}
			o.play.given.frames = cmd.Flags().Changed("frames")
			o.play.given.delay, o.play.given.window = cmd.Flags().Changed("delay"), cmd.Flags().Changed("window")
			o.members.onLeaveGiven = cmd.Flags().Changed("on-leave")
			if err := o.observe.Check(a.App, cmd); err != nil {
				return err
			}
			return a.match(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.game, "game", g.Info().ID, "the `ID` of the game to play")
	cmd.Flags().IntVar(&o.place.players, "players", g.Info().MinPlayers, "how many players (`N`) the match has")
	o.add(cmd)
	return cmd
}

// botList describes the bots of each game, and the keys.
func (a *family) botList() string {
	text := "Games, players, bots:\n"
	for _, g := range a.games {
		info := g.Info()
		text += fmt.Sprintf("  %-10s %-15s %s\n", info.ID, words.Span(info.MinPlayers, info.MaxPlayers), strings.Join(info.Bots, ", "))
		if info.Screen {
			text += fmt.Sprintf("  %-10s keys: %s, P pauses\n", "", info.Keys)
		}
		for _, line := range info.SettingLines() {
			text += fmt.Sprintf("  %-10s %s\n", "", line)
		}
	}
	return text
}

// match plays a match, and prints how it went.
func (a *family) match(ctx context.Context, o flags) error {
	g, err := a.games.Find(o.game)
	if err != nil {
		return err
	}
	s, err := o.setup(g, console.IsTerminal(a.Stdin) && console.IsTerminal(a.Output))
	if err != nil {
		return err
	}
	s.log = &live.Log{App: a.App, Quiet: o.quiet}
	res := newMatchResult(s)
	at, err := s.connect(ctx)
	if err != nil {
		return a.endMatch(o, res, err)
	}
	defer s.transport.Close()
	if s.observers, err = o.observe.Open(ctx, a.App); err != nil {
		return a.endMatch(o, res, err)
	}
	err = a.playMatch(ctx, g, s, at, res)
	if failed := s.observers.Close(); err == nil {
		err = failed
	} else if failed != nil {
		a.Complain(failed)
	}
	if err != nil {
		return a.endMatch(o, res, console.Failed(err))
	}
	return a.endMatch(o, res, nil)
}

// endMatch prints how a match went. After wrong usage there was none.
func (a *family) endMatch(o flags, res *matchResult, err error) error {
	if err != nil && !errors.As(err, new(console.Failure)) {
		return err
	}
	res.Error = console.ErrorText(err)
	switch {
	case o.json:
		a.PrintJSON(res)
	case res.ending.started:
		res.print(a.Stdout)
	}
	return err
}
