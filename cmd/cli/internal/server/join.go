package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/cmd/cli/internal/terminal"
	"github.com/tickback/tickback/online"
)

// keyboard is the name under which a person plays.
const keyboard = "keyboard"

const joinHelp = `Plays at a server, which "serve" runs: at its UDP ADDRESS, or by the LINK of its room. The client runs ahead of what it has heard, so that
what its player does is there at once, and goes back when the server tells another truth.

Give the same --players and --sight as the server, and its --token. A client that comes
again with the same --id has its place again, if nobody else has taken it.

If a state here is not the server's, the command writes a report that explains it, for
"desync show" and "desync replay".

At the end the command prints the checksum of the last state: with full sight that is the
server's. Ctrl-C leaves.

Exit codes: 0 the match came to its end; 1 it did not (no server, no place, the server was
lost, an interrupt), or the states here were not the server's; 2 wrong usage.
`

const botsHelp = `Plays at a server, as several clients in one process, each with a socket of its own, or,
by the LINK of a room, with a place of its own there. All end when the match does.

Exit codes: 0 the match came to its end for all; 1 it did not for some; 2 wrong usage.
`

// joinFlags are the flags of join and bots.
type joinFlags struct {
	shared
	listen  string
	bot     string
	id      uint64
	desync  string
	perTick int
	behind  time.Duration
	timeout time.Duration
	count   int
	bots    bool // only bots can play
	observe observe.Flags
}

// clientSetup is a client, according to the flags.
type clientSetup struct {
	game      *games.Info
	flags     *joinFlags
	where     string         // a description of the server for people
	server    netip.AddrPort // the address of the server, over UDP
	transport tickback.Transport
	room      *online.Room // the room, or nil
	id        uint64
	keys      *terminal.Keys // the keys of the keyboard, if a person plays
	log       *live.Log
	observers *observe.Observers // nil if there are none
}

func (a *family) joinCommand() *cobra.Command {
	g := a.game.Info()
	o := joinFlags{count: 1}
	cmd := &cobra.Command{
		Use: "join ADDRESS|LINK", Short: "Play at a server", Long: joinHelp + a.players(), Args: oneAddress,
		Example: "  " + a.above + " join host1:7000 --bot " + g.Bots[0],
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.observe.Check(a.App, cmd); err != nil {
				return err
			}
			return a.join(cmd.Context(), &o, args[0])
		},
	}
	a.addJoin(cmd, &o)
	cmd.Flags().StringVar(&o.listen, "listen", ":0", "the local `ADDRESS` to receive on")
	cmd.Flags().StringVar(&o.desync, "desync", "", "if a state here is not the server's, write a report to this `FILE` (default desync-MATCH-STATE.tbd)")
	cmd.Flags().Uint64Var(&o.id, "id", 0, "come as the client `N` that has been there before (default a random number)")
	o.observe.AddTrace(cmd)
	o.observe.AddLog(cmd)
	o.observe.AddRecord(cmd)
	return cmd
}

func (a *family) botsCommand() *cobra.Command {
	o := joinFlags{listen: ":0", bots: true}
	cmd := &cobra.Command{
		Use: "bots ADDRESS|LINK", Short: "Let several bots play at a server", Long: botsHelp, Args: oneAddress,
		Example: "  " + a.above + " bots 127.0.0.1:7000 --count 8",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.join(cmd.Context(), &o, args[0]) },
	}
	a.addJoin(cmd, &o)
	cmd.Flags().IntVar(&o.count, "count", 2, "how many clients (`N`) play")
	return cmd
}

func oneAddress(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return console.Usagef("%s needs one ADDRESS, not %d", cmd.CommandPath(), len(args))
	}
	if len(args) == 0 {
		return console.Usagef("%s needs the ADDRESS of a server, such as host1:7000", cmd.CommandPath())
	}
	return nil
}

func (a *family) addJoin(cmd *cobra.Command, o *joinFlags) {
	o.add(cmd, a.game.Info())
	f := cmd.Flags()
	f.StringVar(&o.token, "token", "", "the `TOKEN` of the server, or @FILE")
	f.StringVar(&o.bot, "bot", "", "the `NAME` of the bot that plays, or with join keyboard (default keyboard in a terminal, else the first bot)")
	f.IntVar(&o.perTick, "per-tick", 2, "send `N` datagrams in a tick, 1 to 4: more of them make losses cost less time")
	f.DurationVar(&o.behind, "behind", 100*time.Millisecond, "show the others as they were so much `TIME` ago")
	f.DurationVar(&o.timeout, "timeout", 15*time.Second, "wait at most `TIME` for the server to answer")
}

// players describes the bots and the keys.
func (a *family) players() string {
	g := a.game.Info()
	text := "\nBots: " + strings.Join(g.Bots, ", ") + "."
	if g.Screen {
		text += "\nKeys: " + g.Keys + "."
	}
	return text + "\n"
}

// checkJoin completes the flags; every error is about wrong usage.
func (o *joinFlags) checkJoin(g *games.Info, terminal bool) error {
	if err := o.check(g, false); err != nil {
		return err
	}
	if o.bot == "" {
		if o.bot = g.Bots[0]; terminal && g.Screen && !o.bots {
			o.bot = keyboard
		}
	}
	switch {
	case o.bot == keyboard && (o.bots || !g.Screen):
		return console.Usagef("--bot keyboard: there are: %s", strings.Join(g.Bots, ", "))
	case o.bot == keyboard && !terminal:
		return console.Usagef("--bot keyboard needs a terminal for input and output")
	case o.bot == keyboard && o.observe.Log == "-":
		return console.Usagef("--log - would write into the picture of the match: give a file")
	case o.bot != keyboard && !slices.Contains(g.Bots, o.bot):
		return console.Usagef("%s has no bot %q; there are: %s", g.ID, o.bot, strings.Join(g.Bots, ", "))
	case o.count < 1 || o.count > o.players:
		return console.Usagef("--count %d: must be 1 to %d, the places of the match", o.count, o.players)
	case o.perTick < 1 || o.perTick > 4:
		return console.Usagef("--per-tick %d: must be 1 to 4", o.perTick)
	case o.behind < time.Millisecond || o.behind > time.Second:
		return console.Usagef("--behind %v: must be 1ms to a second", o.behind)
	case o.timeout < time.Second:
		return console.Usagef("--timeout %v: must be at least a second", o.timeout)
	case disk.CheckPlace("--desync", o.desync) != nil:
		return disk.CheckPlace("--desync", o.desync)
	case o.observe.Record != "" && o.sight == sightPartial:
		return console.Usagef("--record needs full sight: with --sight partial the server alone knows the match")
	}
	return nil
}

// join plays at a server, and prints how it went.
func (a *family) join(ctx context.Context, o *joinFlags, address string) error {
	address = cmp.Or(online.LinkIn(address), address) // the argument may be a whole message that contains a link
	g := a.game.Info()
	if err := o.checkJoin(g, console.IsTerminal(a.Stdin) && console.IsTerminal(a.Output)); err != nil {
		return err
	}
	log := &live.Log{App: a.App, Quiet: o.quiet}
	var seats []*clientSetup
	defer func() {
		for _, s := range seats {
			s.close()
		}
	}()
	for i := range o.count {
		s := &clientSetup{game: g, flags: o, id: o.id, log: log}
		seats = append(seats, s)
		if err := s.open(ctx, address, i, seats[0]); err != nil {
			return err
		}
	}
	results := make([]*clientResult, len(seats))
	for i, s := range seats {
		results[i] = &clientResult{Game: g.ID, Server: s.where, Players: o.players, Bot: o.bot, Health: "unverified", Reason: "failed"}
	}
	log.Say("asking %s", seats[0].where)
	observers, err := o.observe.Open(ctx, a.App)
	if err == nil {
		seats[0].observers = observers
		err = a.play(ctx, seats, results)
		err = errors.Join(err, observers.Close())
	}
	if len(results) == 1 {
		results[0].Error = console.ErrorText(err)
	}
	switch {
	case o.json && len(results) == 1:
		a.PrintJSON(results[0])
	case o.json:
		a.PrintJSON(results)
	case slices.ContainsFunc(results, func(r *clientResult) bool { return r.begun() }):
		printClients(a.Stdout, results, o.sight == sightPartial)
	}
	if err != nil && !errors.As(err, new(console.Failure)) {
		err = console.Failed(err)
	}
	return err
}

// open connects one client to the room or the server at an address. Only the first client resolves the server's
// address, and the others use the result.
func (s *clientSetup) open(ctx context.Context, address string, i int, first *clientSetup) error {
	o := s.flags
	if online.RoomOf(address) != "" {
		s.where = "the room"
		return s.enter(ctx, address, fmt.Sprintf("%s %d", o.bot, i+1))
	}
	if strings.Contains(address, "://") {
		return console.Usagef("%q is no link of a room, such as https://host/#room=ID, and no ADDRESS, such as host1:7000", address)
	}
	conn, transport, err := o.open(ctx, s.log, false, o.listen, uint64(i))
	if err != nil {
		return err
	}
	s.transport = transport
	if s.server = first.server; s == first {
		if s.server, err = find(ctx, conn, address, o.timeout); err != nil {
			return err
		}
	}
	s.where = s.server.String()
	return nil
}

// close frees everything that the client does not own.
func (s *clientSetup) close() {
	if s.transport != nil {
		s.transport.Close()
	}
	if s.room != nil {
		s.room.Close()
	}
}

// play plays at all seats until the match is over for each of them.
func (a *family) play(ctx context.Context, seats []*clientSetup, results []*clientResult) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := seats[0]
	if s.flags.bot == keyboard {
		screen, err := terminal.Open(a.App, s.game.ID+"   at "+s.where, s.game.Keys+"; Ctrl-C leaves", cancel)
		if err != nil {
			return err
		}
		defer screen.Close()
		s.keys, s.log.Screen = screen.Keys, screen
	}
	s.log.Bar = console.NewProgress(a.Stderr, -1, "playing")
	defer s.log.Hide()
	all := new(group)
	err := console.CatchPanic(func() error {
		for i, s := range seats {
			m, err := a.game.join(s)
			if err != nil {
				return err
			}
			all.list = append(all.list, &one{playing: m, setup: s, result: results[i]})
		}
		return s.log.Loop(ctx, all)
	})
	if len(all.list) == 0 {
		return err
	}
	if told := console.CatchPanic(all.Leave); told != nil {
		err = errors.Join(err, told)
	}
	interrupted := errors.Is(err, console.ErrInterrupted)
	for _, m := range all.list {
		if why := console.CatchPanic(func() error { m.ended, m.finished = m.playing.result(m.result); return nil }); why != nil {
			return why
		}
		m.why = m.verdict(interrupted)
	}
	if interrupted {
		return err
	}
	return errors.Join(err, all.explainError())
}
