package spectate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/cmd/cli/internal/terminal"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

const help = `Watches a match, from its beginning or from now on. Give the address of a player with
--host, or of several: they are asked in turn, and when one is lost, the next one
continues where it was. Players choose how many may watch (see match --spectators).

A game that can encode its state is shown from the present on; any other one is run from
frame 0, as fast as --hurry allows. The picture is --delay frames behind what has
arrived, so that late datagrams do not interrupt it.

A match with a token lets only those watch who know it, or that of its spectators: give
it with --token. To watch a match that is played with --secure, give the same --secure
TOKEN, @FILE, or TICKBACK_SECURE, which does for --token, too.

At the end the command prints the checksum of the last state, which is that of the
players; --json prints it as one object. Ctrl-C leaves, which does not disturb the match.

Exit codes: 0 the match came to its end; 1 it did not (no host, all hosts lost, an
interrupt), or the states here were not the host's; 2 wrong usage.
`

// flags are the flags of the spectate command.
type flags struct {
	spectatorSetup
	gameID, tokenText string
	json, quiet       bool
	playersGiven      bool
	secure            secure.Flag
	observe           observe.Flags
}

func (a *family) spectateCommand() *cobra.Command {
	var o flags
	cmd := &cobra.Command{
		Use: "spectate", Short: "Watch a match that others play", Long: help, Args: noArgs,
		Example: "  " + a.Name + " spectate --host host1:7000\n" +
			"  " + a.Name + " spectate --host host1:7000 --host host2:7000 --game " + a.games[len(a.games)-1].Info().ID + " --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.observe.Check(a.App, cmd); err != nil {
				return err
			}
			o.playersGiven = cmd.Flags().Changed("players")
			return a.spectate(cmd.Context(), &o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.gameID, "game", a.games[0].Info().ID, "the `ID` of the game that is played")
	f.StringArrayVar(&o.hosts, "host", nil, "the `ADDRESS` of a player to watch; once for each")
	f.StringVar(&o.listen, "listen", ":0", "the local `ADDRESS` to receive on")
	f.IntVar(&o.players, "players", 0, "how many players (`N`) the match has (default as the host says)")
	f.IntVar(&o.delay, "delay", 0, "stay `FRAMES` behind what has arrived (default a fifth of a second: 12 at 60 frames a second)")
	f.IntVar(&o.hurry, "hurry", 8, "run at most `N` frames at a time to catch up with the present")
	o.network.Add(cmd, "")
	f.DurationVar(&o.timeout, "timeout", 30*time.Second, "give up after `TIME` without any host")
	f.DurationVar(&o.drop, "drop", 2*time.Second, "try the next host after `TIME` of silence")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.quiet, "quiet", false, "say nothing while watching, except what goes wrong")
	f.StringVar(&o.tokenText, "token", "", "the `TOKEN` of the match or of its spectators, or @FILE (default that of --secure)")
	o.secure.Add(cmd, false)
	o.observe.AddTrace(cmd)
	o.observe.AddLog(cmd)
	o.observe.AddRecord(cmd)
	return cmd
}

// noArgs returns an error for arguments; one that is an address was most likely meant for --host.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && !cmd.Flags().Changed("host") && strings.Contains(args[0], ":") {
		return console.Usagef("--host is missing: whom to watch, such as --host %s", args[0])
	}
	return console.NoArgs(cmd, args)
}

// check completes the flags; every error is about wrong usage.
func (o *flags) check(g Game) error {
	o.game = g.Info()
	switch {
	case len(o.hosts) == 0:
		return console.Usagef("--host is missing: whom to watch, such as --host 192.0.2.1:7000")
	case (o.players != 0 || o.playersGiven) && (o.players < o.game.MinPlayers || o.players > o.game.MaxPlayers):
		return console.Usagef("--players %d: %s is for %s", o.players, o.game.ID, words.Span(o.game.MinPlayers, o.game.MaxPlayers))
	case o.delay < 0 || o.delay > 1<<16:
		return console.Usagef("--delay %d: must be 1 to %d frames, or 0 for the default", o.delay, 1<<16)
	case o.hurry < 1 || o.hurry > 1<<10:
		return console.Usagef("--hurry %d: must be 1 to %d frames", o.hurry, 1<<10)
	case o.timeout < time.Second:
		return console.Usagef("--timeout %v: must be at least a second", o.timeout)
	case o.drop < time.Second || o.drop > time.Minute:
		return console.Usagef("--drop %v: must be a second to a minute", o.drop)
	}
	if err := o.network.Check(); err != nil {
		return err
	}
	return o.checkSecure()
}

func (o *flags) checkSecure() (err error) {
	made := false
	if o.spectatorSetup.secure, made, err = o.secure.Token(); made {
		return console.Usagef("--secure new is for those who play: give the token of the match")
	}
	if o.token = o.spectatorSetup.secure; err == nil && o.tokenText != "" {
		o.token, err = secure.Given("--token", o.tokenText)
	}
	return err
}

// spectate watches a match, and prints how it went.
func (a *family) spectate(ctx context.Context, o *flags) error {
	g, err := a.games.Find(o.gameID)
	if err != nil {
		return err
	}
	if err := o.check(g); err != nil {
		return err
	}
	s := &o.spectatorSetup
	s.log = &live.Log{App: a.App, Quiet: o.quiet}
	res := newResult(s)
	if err = s.connect(ctx); err == nil {
		defer s.transport.Close()
		if s.observers, err = o.observe.Open(ctx, a.App); err == nil {
			err = a.watchMatch(ctx, g, s, res)
			err = errors.Join(err, s.observers.Close())
		}
	}
	if err != nil && !errors.As(err, new(console.Failure)) && s.transport == nil {
		return err // wrong usage
	}
	res.Error = console.ErrorText(err)
	switch {
	case o.json:
		a.PrintJSON(res)
	case res.seen > 0:
		res.print(a.Stdout)
	}
	if err != nil && !errors.As(err, new(console.Failure)) {
		err = console.Failed(err)
	}
	return err
}

// watchMatch watches until the match is over.
func (a *family) watchMatch(ctx context.Context, g Game, s *spectatorSetup, res *spectateResult) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.game.Screen && !s.log.Quiet && console.IsTerminal(a.Stdin) && console.IsTerminal(a.Output) {
		screen, err := terminal.Open(a.App, s.game.ID+"   spectator", "Ctrl-C leaves", cancel)
		if err != nil {
			return err
		}
		defer screen.Close()
		s.log.Screen = screen
	}
	s.log.Bar = console.NewProgress(a.Stderr, -1, "watching")
	defer s.log.Hide()
	var m spectating
	err := console.CatchPanic(func() (err error) {
		if m, err = g.watch(s); err == nil {
			s.log.Say("asking %v", s.addresses[0])
			err = s.log.Loop(ctx, m)
		}
		return err
	})
	if m == nil {
		return err
	}
	if told := console.CatchPanic(m.Leave); told != nil {
		err = errors.Join(err, told)
	}
	if failed := console.CatchPanic(func() error { m.summary(res); return nil }); failed != nil {
		return failed
	}
	return s.verdict(err, res)
}

// verdict returns an error unless everything went well. err is the error that ended the loop.
func (s *spectatorSetup) verdict(err error, res *spectateResult) error {
	switch {
	case errors.Is(err, console.ErrInterrupted):
		res.Reason = "interrupted"
		return err
	case err != nil && !res.over:
		res.Reason = "lost"
		if res.seen == 0 {
			res.Reason = "failed"
		}
		return s.explainError(err)
	case res.Health == "desynced":
		res.Reason = "desynced"
		return fmt.Errorf("desync: our states were not those of the host, from frame %d on at the latest: the game is not deterministic, or a build differs", s.log.DesyncAt)
	case res.finished:
		res.Reason = "finished"
	case res.limit != 0 && res.Frames == uint32(res.limit):
		res.Reason = "length"
	default:
		res.Reason = "left"
	}
	return nil
}

// spectating is a match of any game that is being watched.
type spectating interface {
	live.Running
	// summary fills in what is known about the match.
	summary(res *spectateResult)
}

// watchedMatch is a match that is being watched, over Tickback's own protocol.
type watchedMatch[S any, I comparable] struct {
	*tickback.Spectator[S, I]
	game   *typed[S, I]
	setup  *spectatorSetup
	params tickback.Parameters
	host   string
	seen   bool
	seated bool // sit has been called
	asked  bool // it was reported that a state is on its way
}

// watch begins to watch a match that is played elsewhere.
func (g *typed[S, I]) watch(s *spectatorSetup) (spectating, error) {
	m := &watchedMatch[S, I]{game: g, setup: s}
	o := tickback.SpectatorOptions[S, I]{
		Hosts: s.addresses, Transport: s.transport, Start: m.start,
		GameID: g.ID, Build: g.Build, TickRate: g.TickRate, Rate: g.Rate, MaxOrders: g.MaxOrders, Players: s.players, Token: s.token,
		JitterBuffer: s.delay, CatchUp: s.hurry, Timeouts: tickback.Timeouts{Connect: s.timeout, Drop: s.drop},
		Log: s.observers.Log, Trace: s.observers.Trace, Record: s.observers.RecordTo(),
	}
	var err error
	m.Spectator, err = tickback.Spectate(g.Game, o)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (m *watchedMatch[S, I]) start(p tickback.Parameters) (func(*S), error) {
	m.params = p
	return m.game.Begin(p)
}

// Turn updates the spectator, and reports its events, once that a state is on its way, and once who was away when we
// began to watch.
func (m *watchedMatch[S, I]) Turn() (wait time.Duration, over bool, err error) {
	wait, err = m.Update()
	log := m.setup.log
	for _, e := range m.Events() {
		switch e.What {
		case tickback.Connected:
			m.host = e.Text
			log.Say("%s lets us watch", e.Text)
		case tickback.Started:
			log.Resumed(0)
			log.Say("the match: %d players, seed %d, %s", m.Players(), m.params.Seed, words.Length(m.params.Frames))
		case tickback.Lost:
			log.Say("the host is gone, at frame %d: %s", e.Frame, e.Text)
		case tickback.Left:
			m.left(e)
		case tickback.Ended:
			log.Say("the match is over after %d frames", e.Frame)
		case tickback.Recorded:
			m.setup.observers.Recorded(e, log)
		case tickback.Live:
			log.Say("up to date, at frame %d", e.Frame)
		case tickback.Desync:
			if log.DesyncAt == 0 {
				log.DesyncAt = e.Frame
			}
			log.Say("desync: our state is not that of the host, at frame %d at the latest", e.Frame)
		case tickback.Waiting:
			if m.View().Running {
				log.Wait(e.Text, e.For)
			}
		default:
			log.Event(e)
		}
	}
	if have, size := m.Transfer(); size > 0 && !m.asked {
		m.asked = true
		log.Say("a state of %d bytes is on its way (%d have come)", size, have)
	}
	_, over = m.Outcome()
	m.seen = m.seen || m.View().Running
	m.sit()
	return wait, over, err
}

// left reports who has left. If the host says goodbye after everything has been shown, no line is needed, because the
// end follows.
func (m *watchedMatch[S, I]) left(e tickback.Event) {
	if e.Players != 0 {
		m.setup.log.Event(e)
	}
}

// sit reports who was away when we began to watch. It does so once.
func (m *watchedMatch[S, I]) sit() {
	present := m.Stats().Members
	if m.seated || present == 0 {
		return
	}
	m.seated = true
	if away := (tickback.PlayerSet(1)<<m.Players() - 1) &^ present; away != 0 {
		m.setup.log.Left |= away
		m.setup.log.Say("not there: %s", words.People(away))
	}
}

// Rest waits for d, or until a datagram arrives that a frame may wait for.
func (m *watchedMatch[S, I]) Rest(d time.Duration) { m.Wait(d) }

// Frames returns the number of the state that is shown, so it includes the frames before the spectator came.
func (m *watchedMatch[S, I]) Frames() tickback.Frame { return m.View().Frame }

// Leave closes the spectator, and reports the recording that ends with it.
func (m *watchedMatch[S, I]) Leave() error {
	err := m.Close()
	m.setup.observers.LastEvents(m.Events(), m.setup.log)
	return err
}

// Picture draws the state that is shown. It returns nil for a game that cannot be drawn as text.
func (m *watchedMatch[S, I]) Picture() []string {
	if m.game.Screen == nil {
		return nil
	}
	return m.game.Screen.View(m.View().Current, m.Players())
}

func (m *watchedMatch[S, I]) summary(res *spectateResult) {
	s := m.Stats()
	res.Host, res.Players, res.Seed, res.limit = m.host, m.Players(), m.params.Seed, m.params.Frames
	res.Frames, res.Health, res.Stalls = uint32(m.View().Frame), s.Health.String(), s.Stalls
	if m.seen {
		res.seen = res.Frames
	}
	if out, over := m.Outcome(); over {
		res.over, res.finished = true, out.Finished
		res.Frames, res.Health = uint32(out.Frames), out.Health.String()
		res.Checksum, res.Result = m.game.EndChecksum(m.Spectator, out), m.game.ResultText(out)
	}
}
