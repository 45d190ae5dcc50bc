package server

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/journal"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/rate"
)

const serveHelp = `Owns a match, which clients join and leave at any time. It begins at once, runs a tick
every period with the inputs that have come, and waits for nobody: what comes too late
counts in the next tick, if the game can carry it, and a client that is silent is
replaced by its last input for a quarter of a second.

With --room the server also opens a room at the server of that page (the command "play"),
and prints its link: pages that open it play, over WebRTC. Without --listen nobody else
can join. With --room-file the place in the room is kept in a file, however the server
ends: one that is started again with it within two minutes goes on in the same room, with
the same link, and its pages play on by themselves. Later it has the same link, as long as
somebody is in the room, or else a new room. The file is a secret.

Every --status the command also says what has come that gained nobody anything, and of
whom: datagrams of strangers, repeated and forged ones, inputs against the rules and for
ticks that are far away. Modified clients show there.

With --journal the match survives this process: one that is started again with the same file
goes on after the last tick that anybody was told, and its clients come back by themselves
to their places. With --journal-sync it survives the machine, too, and every tick waits for
the disk. What the file has counts: seed, length and token of the command line are those of
a match that begins. The file is a secret, as the IDs of the clients are in it.

With --token clients must know it to get a place, and spectators to watch; --token new
makes one and prints it. Spectators can have one of their own, with --watch-token.

With --sight partial a client is told no more than its player may know, and not the seed,
which is a random one. Spectators see everything, so that they are let in only with --spectator-delay, which keeps them behind,
or with --spectators-live, if those who watch may tell a player what they see.

At the end the command prints the checksum of the last state, and --record keeps the
match, for "replay verify". Ctrl-C ends the match for all.

Exit codes: 0 the match came to its end; 1 it did not (an interrupt, or the game
failed); 2 wrong usage.
`

// serveFlags are the flags of serve.
type serveFlags struct {
	shared
	listen         string
	listens        bool // listens for UDP
	room, name     string
	roomFile       string
	seed           uint64
	seeded         bool // --seed was given
	length, status time.Duration
	watch          watchFlags
	journal        string
	journalSync    bool
	states         int
	statesGiven    bool
	perAddress     int
	observe        observe.Flags
}

// watchFlags are the flags that decide who may watch.
type watchFlags struct {
	live.Watching
	live, given bool // given: --spectators was given
}

// serverSetup is a server, according to the flags.
type serverSetup struct {
	game       *games.Info
	flags      *serveFlags
	frames     tickback.Frame
	spectators tickback.Spectators
	watchMade  bool               // whether the token for spectators was made here
	transport  tickback.Transport // the transport over UDP, or nil
	room       *online.Room       // the room, or nil
	kept       string             // the link in the file of --room-file
	unkept     bool               // the file could not be written, which has been reported
	roster     online.Roster
	tellAt     time.Time // the time of the next update of the room
	log        *live.Log
	observers  *observe.Observers
	journal    *journal.File // that of --journal, or nil
}

func (a *family) serveCommand() *cobra.Command {
	g := a.game.Info()
	var o serveFlags
	cmd := &cobra.Command{
		Use: "serve", Short: "Own a match, which clients join over a network", Long: serveHelp, Args: console.NoArgs,
		Example: "  " + a.above + " serve --listen :7000 --record match.tbr\n" +
			"  " + a.above + " serve --token new --length 10m\n" +
			"  " + a.above + " serve --room http://127.0.0.1:8080/",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.listens, o.watch.given = o.room == "" || cmd.Flags().Changed("listen"), cmd.Flags().Changed("spectators")
			o.seeded, o.statesGiven = cmd.Flags().Changed("seed"), cmd.Flags().Changed("states")
			if err := o.observe.Check(a.App, cmd); err != nil {
				return err
			}
			return a.serve(cmd.Context(), &o)
		},
	}
	o.add(cmd, g)
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", ":7000", "the local `ADDRESS` to receive on over UDP; with --room none, unless it is given")
	f.StringVar(&o.room, "room", "", "open a room at the server of this page (`URL`), for pages, and print its link")
	f.StringVar(&o.roomFile, "room-file", "", "keep the place in the room in this `FILE`: a server that is killed and started again with it comes back to the same room")
	f.StringVar(&o.name, "name", "server", "the `NAME` of the server in its room")
	f.StringVar(&o.token, "token", "", "let in only clients and spectators that know this `TOKEN`, or @FILE; new makes one")
	f.Uint64Var(&o.seed, "seed", 1, "the seed `N` of the match; with --sight partial a random one, which no client can guess")
	f.DurationVar(&o.length, "length", 0, "end after so much `TIME`; with 0 when the game ends")
	f.DurationVar(&o.status, "status", 10*time.Second, "say every so often (`TIME`) how things are; with 0 never")
	f.StringVar(&o.journal, "journal", "", "keep what the match needs to go on in this `FILE`: a server that is killed and started again with it goes on with the match")
	f.BoolVar(&o.journalSync, "journal-sync", false, "with --journal, wait for the disk in every tick: the match survives a power failure, too")
	f.IntVar(&o.states, "states", 0, "tell each client `N` states a second (default one for each tick)")
	f.IntVar(&o.perAddress, "per-address", 0, "let one IP address have `N` places at most; -1 is any number, and 0 half of them, at least 4, or any with --token and in a LAN")
	o.watch.Add(cmd, "; with --sight partial none, unless they are late or live", "ticks")
	f.BoolVar(&o.watch.live, "spectators-live", false, "with --sight partial, let spectators see everything at once")
	o.observe.AddTrace(cmd)
	o.observe.AddLog(cmd)
	o.observe.AddRecord(cmd)
	return cmd
}

// setup checks the flags; every error is about wrong usage.
func (a *family) setup(ctx context.Context, o *serveFlags) (*serverSetup, error) {
	g := a.game.Info()
	h := &serverSetup{game: g, flags: o}
	if err := o.check(g, true); err != nil {
		return nil, err
	}
	if o.sight == sightPartial {
		if o.seeded {
			return nil, console.Usagef("--seed with --sight partial: a client that guesses it predicts what is hidden; leave it out, and a random one is drawn")
		}
		o.seed = 0 // the server chooses a seed
	}
	most := time.Duration(rollback.NoFrame-1) * time.Second / time.Duration(g.TickRate)
	switch {
	case o.length < 0 || o.length > most:
		return nil, console.Usagef("--length %v: must be 0 to %v", o.length, most.Truncate(time.Hour))
	case o.status < 0:
		return nil, console.Usagef("--status %v: must not be negative", o.status)
	case o.statesGiven && o.states < 1 || o.states > g.TickRate:
		return nil, console.Usagef("--states %d: must be 1 to %d", o.states, g.TickRate)
	case o.perAddress < -1 || o.perAddress > o.players:
		return nil, console.Usagef("--per-address %d: must be 1 to %d, the places of the match; -1 for any number", o.perAddress, o.players)
	case o.watch.live && o.sight != sightPartial:
		return nil, console.Usagef("--spectators-live goes with --sight partial: with full sight all spectators are")
	}
	if err := o.checkRoom(); err != nil {
		return nil, err
	}
	if err := o.checkJournal(); err != nil {
		return nil, err
	}
	var err error
	if h.spectators, h.watchMade, err = o.watch.check(o.sight == sightPartial); err != nil {
		return nil, err
	}
	if err := h.readRoom(ctx); err != nil {
		return nil, err
	}
	if err := a.game.Check(o.seed, nil); err != nil {
		return nil, console.Usagef("--seed %d: %w", o.seed, err)
	}
	h.frames = tickback.Frame(rate.Count(o.length, g.TickRate, g.Rate))
	return h, nil
}

// check says who may watch, and whether the token for them was made here. It refuses spectators if they would see what
// players must not see.
func (o *watchFlags) check(partial bool) (s tickback.Spectators, made bool, err error) {
	nobody := partial && o.Delay == 0 && !o.live
	if nobody && (o.given && o.Max > 0 || o.Token != "") {
		return s, false, console.Usagef("--sight partial: spectators see everything: keep them behind with --spectator-delay TICKS, or say --spectators-live if they may tell a player at once")
	}
	s, made, err = o.Check()
	if s.Live = o.live; nobody {
		s.Max = 0
	}
	return s, made, err
}

// serve runs the server of a match, and prints how it went.
func (a *family) serve(ctx context.Context, o *serveFlags) error {
	h, err := a.setup(ctx, o)
	if err != nil {
		return err
	}
	h.log = &live.Log{App: a.App, Quiet: o.quiet}
	if err := h.openJournal(); err != nil {
		return err
	}
	err = a.serveWith(ctx, h)
	if closed := h.closeJournal(); closed != nil {
		err = errors.Join(err, console.Failed(closed))
	}
	return err
}

// serveWith runs the server with its journal.
func (a *family) serveWith(ctx context.Context, h *serverSetup) (err error) {
	o := h.flags
	if err := a.openWays(ctx, h); err != nil {
		return err
	}
	defer h.close()
	res := &serveResult{Game: h.game.ID, Players: o.players, Sight: o.sight, Seed: o.seed, Reason: "failed"}
	if h.observers, err = o.observe.Open(ctx, a.App); err == nil {
		err = a.own(ctx, h, res)
		err = errors.Join(err, h.observers.Close())
	}
	res.Error = console.ErrorText(err)
	switch {
	case o.json:
		a.PrintJSON(res)
	case res.begun:
		res.print(a.Stdout)
	}
	if err != nil && !errors.As(err, new(console.Failure)) {
		err = console.Failed(err)
	}
	return err
}

// own runs the match until it is over.
func (a *family) own(ctx context.Context, h *serverSetup, res *serveResult) error {
	total := int64(-1)
	if h.frames > 0 {
		total = int64(h.frames)
	}
	h.log.Bar = console.NewProgress(a.Stderr, total, "serving")
	defer h.log.Hide()
	var m serving
	err := console.CatchPanic(func() (err error) {
		if m, err = a.game.serve(h); err == nil {
			err = h.log.Loop(ctx, m)
		}
		return h.explainJournal(err)
	})
	if m == nil {
		return err
	}
	if told := console.CatchPanic(m.Leave); told != nil {
		err = errors.Join(err, told)
	}
	if failed := console.CatchPanic(func() error { m.result(res); return nil }); failed != nil {
		return failed
	}
	switch {
	case errors.Is(err, console.ErrInterrupted):
		res.Reason = "interrupted"
	case err != nil:
	case res.finished:
		res.Reason = "finished"
	default:
		res.Reason = "length"
	}
	return err
}

// serving is a server for any game.
type serving interface {
	live.Running
	// result fills in what is known about the match.
	result(res *serveResult)
}
