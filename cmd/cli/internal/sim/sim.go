package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/observe"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// simResult is the result of a simulated match. The tags are the keys of --json.
type simResult struct {
	Game     string `json:"game"`
	Script   string `json:"script"`
	Seed     uint64 `json:"seed"`
	Frames   uint32 `json:"frames"`
	Checksum string `json:"checksum"`
	File     string `json:"file"` // the recording; empty without --record
}

// options are the flags of the sim command.
type options struct {
	game, script, record string
	players              int
	seed                 uint64
	frames               uint32
	json                 bool
	observe              observe.Flags
	settings             games.Settings
	data                 []byte // encoded from the settings
	playersGiven         bool
}

func (a *family) simCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Play a match from a script of inputs and print how it ends",
		Long: "Plays a match without a screen or a network, from a seed and a script of inputs or\n" +
			"with bots, and prints the checksum of the last state; with --record it also\n" +
			"writes it to a recording: a FILE.tbr has any game, and another name a classic one\n" +
			"(RPLK v1). A game may end the match before its last frame.\n\nScripts:\n" + a.scriptList(),
		Example: "  " + a.Name + " sim --seed 1 --frames 1000 --script " + a.games[0].Info().Players()[0] + "\n" +
			"  " + a.Name + " sim --seed 7 --frames 216000 --record hour.rplk",
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.record == "" && cmd.Flags().Changed("record") {
				return console.Usagef("--record needs the name of a file")
			}
			if err := o.observe.Check(a.App, cmd); err != nil {
				return err
			}
			o.playersGiven = cmd.Flags().Changed("players")
			return a.sim(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.game, "game", a.games[0].Info().ID, "the `ID` of the game to play")
	f.IntVar(&o.players, "players", 0, "how many players (`N`) the match has (default as few as the game takes)")
	f.Uint64Var(&o.seed, "seed", 1, "the seed `N` of the match, and of a random script")
	o.settings.Add(cmd, "")
	f.Uint32Var(&o.frames, "frames", 3600, "the number `N` of frames to play")
	f.StringVar(&o.script, "script", "", "the `NAME` of the script of inputs, or of a bot (default the game's first)")
	f.StringVar(&o.record, "record", "", "write the match to this `FILE`, in place of one that is there")
	o.observe.AddTrace(cmd)
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

func (a *family) scriptList() string {
	var list strings.Builder
	for _, g := range a.games {
		fmt.Fprintf(&list, "  %-10s %s\n", g.Info().ID, strings.Join(g.Info().Players(), ", "))
		for _, line := range g.Info().SettingLines() {
			fmt.Fprintf(&list, "  %-10s %s\n", "", line)
		}
	}
	return strings.TrimSuffix(list.String(), "\n")
}

func (a *family) sim(ctx context.Context, o options) error {
	game, err := a.games.Find(o.game)
	if err != nil {
		return err
	}
	if err := a.checkSim(game, &o); err != nil {
		return err
	}
	start := time.Now()
	var end simulated
	err = console.CatchPanic(func() (err error) {
		end, err = a.simulate(ctx, game, o)
		return err
	})
	if err != nil {
		return console.Failed(err)
	}
	res := simResult{o.game, o.script, o.seed, end.frames, end.checksum, o.record}
	if o.json {
		a.PrintJSON(res)
		return nil
	}
	rows := console.NewTable("GAME", "SCRIPT", "FRAMES", "SEED", "CHECKSUM", "SPEED", "RESULT", "RECORDING")
	rows.Add(res.Game, res.Script, res.Frames, res.Seed, console.OrDash(res.Checksum), words.Speed(res.Frames, time.Since(start)), console.OrDash(end.result), console.OrDash(res.File))
	rows.Print(a.Stdout)
	return nil
}

// checkSim completes the flags and returns an error for invalid ones.
func (a *family) checkSim(game Game, o *options) error {
	info := game.Info()
	if o.script == "" {
		o.script = info.Players()[0]
	}
	if !o.playersGiven {
		o.players = info.MinPlayers
	}
	switch {
	case o.players < info.MinPlayers || o.players > info.MaxPlayers:
		return console.Usagef("--players %d: %s is for %s", o.players, info.ID, words.Span(info.MinPlayers, info.MaxPlayers))
	case !slices.Contains(info.Players(), o.script):
		return console.Usagef("%s has no script %q; there are: %s", info.ID, o.script, strings.Join(info.Players(), ", "))
	}
	var err error
	if o.data, err = o.settings.Data(info); err != nil {
		return err
	}
	if err := game.Check(o.seed, o.data); err != nil {
		return console.Usagef("--seed %d: %w", o.seed, err)
	}
	switch {
	case o.record != "" && !o.modern() && (!info.Classic || o.players != 2):
		return console.Usagef("--record: %s for %d players cannot be recorded so (RPLK v1 holds two players with 16 buttons): give the name of a .tbr file", info.ID, o.players)
	case o.record != "" && !o.modern() && (o.seed == 0 || o.seed > math.MaxUint32):
		return console.Usagef("--seed %d: a recording cannot hold that seed; use another one, up to %d", o.seed, uint32(math.MaxUint32))
	case o.modern() && o.frames == 0:
		return console.Usagef("--frames 0: a match without frames is nothing to record")
	case a.IsOutput(o.record):
		return console.Usagef("--record %s: that is where the result is printed", o.record)
	}
	return nil
}

// modern reports whether the match is recorded in Tickback's own format.
func (o *options) modern() bool { return strings.EqualFold(filepath.Ext(o.record), ".tbr") }

// simulateTo plays the match, and records it to a file, which gets its name when it is complete.
func simulateTo(ctx context.Context, game Game, s simulation, path string) (end simulated, err error) {
	file, err := disk.Create(ctx, path)
	if err == nil {
		defer file.Discard()
		s.film = file
		if end, err = game.simulate(ctx, s); err == nil {
			err = file.Commit(ctx, func() error { return nil })
		}
	}
	if err != nil {
		return end, fmt.Errorf("%s: %w", path, disk.Bare(err))
	}
	return end, nil
}

// simulate plays the match, and records it if requested.
func (a *family) simulate(ctx context.Context, game Game, o options) (end simulated, err error) {
	p := console.NewProgress(a.Stderr, int64(o.frames), "playing")
	defer p.Hide()
	look, err := o.observe.Open(ctx, a.App)
	if err != nil {
		return end, err
	}
	defer func() { err = errors.Join(err, look.Close()) }()
	s := simulation{players: o.players, seed: o.seed, data: o.data, frames: o.frames, script: o.script, count: p.Add, trace: look.Trace}
	switch {
	case o.record == "":
		return game.simulate(ctx, s)
	case o.modern():
		return simulateTo(ctx, game, s, o.record)
	}
	rec, err := disk.CreateRPLK(ctx, o.record, uint32(o.seed))
	if err == nil {
		defer rec.Discard()
		s.record = rec.Write
		end, err = game.simulate(ctx, s)
	}
	if err == nil {
		err = rec.Commit(ctx)
	}
	if err != nil {
		return end, fmt.Errorf("%s: %w", o.record, disk.Bare(err))
	}
	return end, nil
}
