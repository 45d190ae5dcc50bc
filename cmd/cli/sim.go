package cli

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
)

// simResult is the end of a simulated match. The tags are the keys of --json.
type simResult struct {
	Game     string `json:"game"`
	Script   string `json:"script"`
	Seed     uint64 `json:"seed"`
	Frames   uint32 `json:"frames"`
	Checksum string `json:"checksum"`
	File     string `json:"file"` // the recording; empty without --record
}

// simOptions are the flags of the sim command.
type simOptions struct {
	game, script, record string
	players              int
	seed                 uint64
	frames               uint32
	json                 bool
	observe              observeFlags
}

func (a *simFamily) simCommand() *cobra.Command {
	var o simOptions
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Play a match from a script of inputs and print how it ends",
		Long: "Plays a match without a screen or a network, from a seed and a script of inputs or\n" +
			"with bots, and prints the checksum of the last state; with --record it also\n" +
			"writes it to a recording: a FILE.tbr has any game, and another name a classic one\n" +
			"(RPLK v1). A game may end the match before its last frame.\n\nScripts:\n" + a.scriptList(),
		Example: "  " + a.name + " sim --seed 1 --frames 1000 --script " + a.games[0].info().players()[0] + "\n" +
			"  " + a.name + " sim --seed 7 --frames 216000 --record hour.rplk",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.record == "" && cmd.Flags().Changed("record") {
				return usagef("--record needs the name of a file")
			}
			if err := o.observe.check(a.app, cmd); err != nil {
				return err
			}
			return a.sim(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.game, "game", a.games[0].info().id, "the `ID` of the game to play")
	f.IntVar(&o.players, "players", 0, "how many players (`N`) the match has (default as few as the game takes)")
	f.Uint64Var(&o.seed, "seed", 1, "the seed `N` of the match, and of a random script")
	f.Uint32Var(&o.frames, "frames", 3600, "the number `N` of frames to play")
	f.StringVar(&o.script, "script", "", "the `NAME` of the script of inputs, or of a bot (default the game's first)")
	f.StringVar(&o.record, "record", "", "write the match to this `FILE`")
	o.observe.addTrace(cmd)
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

func (a *simFamily) scriptList() string {
	var list strings.Builder
	for _, g := range a.games {
		fmt.Fprintf(&list, "  %-10s %s\n", g.info().id, strings.Join(g.info().players(), ", "))
	}
	return strings.TrimSuffix(list.String(), "\n")
}

func (a *simFamily) sim(ctx context.Context, o simOptions) error {
	game, err := a.games.find(o.game)
	if err != nil {
		return err
	}
	if err := a.checkSim(game, &o); err != nil {
		return err
	}
	start := time.Now()
	var end simulated
	err = survive(func() (err error) {
		end, err = a.simulate(ctx, game, o)
		return err
	})
	if err != nil {
		return failure{err}
	}
	res := simResult{o.game, o.script, o.seed, end.frames, end.checksum, o.record}
	if o.json {
		a.printJSON(res)
		return nil
	}
	rows := newTable("GAME", "SCRIPT", "FRAMES", "SEED", "CHECKSUM", "SPEED", "RESULT", "RECORDING")
	rows.add(res.Game, res.Script, res.Frames, res.Seed, orDash(res.Checksum), speed(res.Frames, time.Since(start)), orDash(end.result), orDash(res.File))
	rows.print(a.stdout)
	return nil
}

// checkSim completes the flags and refuses what cannot be.
func (a *simFamily) checkSim(game simGame, o *simOptions) error {
	info := game.info()
	if o.script == "" {
		o.script = info.players()[0]
	}
	if o.players == 0 {
		o.players = info.minPlayers
	}
	switch {
	case o.players < info.minPlayers || o.players > info.maxPlayers:
		return usagef("--players %d: %s is for %s", o.players, info.id, span(info.minPlayers, info.maxPlayers))
	case !slices.Contains(info.players(), o.script):
		return usagef("%s has no script %q; there are: %s", info.id, o.script, strings.Join(info.players(), ", "))
	}
	if err := game.check(o.seed); err != nil {
		return usagef("--seed %d: %w", o.seed, err)
	}
	switch {
	case o.record != "" && !o.modern() && (!info.classic || o.players != 2):
		return usagef("--record: %s for %d players cannot be recorded so (RPLK v1 holds two players with 16 buttons): give the name of a .tbr file", info.id, o.players)
	case o.record != "" && !o.modern() && (o.seed == 0 || o.seed > math.MaxUint32):
		return usagef("--seed %d: a recording cannot hold that seed; use another one, up to %d", o.seed, uint32(math.MaxUint32))
	case o.modern() && o.frames == 0:
		return usagef("--frames 0: a match without frames is nothing to record")
	case a.isOutput(o.record):
		return usagef("--record %s: that is where the result is printed", o.record)
	}
	return nil
}

// modern reports whether the match is recorded in Tickback's own format.
func (o *simOptions) modern() bool { return strings.EqualFold(filepath.Ext(o.record), ".tbr") }

// simulateTo plays the match, and records it to a file, which gets its name when it is
// whole.
func simulateTo(ctx context.Context, game simGame, s simulation, path string) (end simulated, err error) {
	file, err := newOutfile(ctx, path)
	if err == nil {
		defer file.discard()
		s.film = file
		if end, err = game.simulate(ctx, s); err == nil {
			err = file.commit(ctx, func() error { return nil })
		}
	}
	if err != nil {
		return end, fmt.Errorf("%s: %w", path, bare(err))
	}
	return end, nil
}

// simulate plays the match, and records it if asked.
func (a *simFamily) simulate(ctx context.Context, game simGame, o simOptions) (end simulated, err error) {
	p := newProgress(a.stderr, int64(o.frames), "playing")
	defer p.hide()
	look, err := o.observe.open(ctx, a.app)
	if err != nil {
		return end, err
	}
	defer func() { err = errors.Join(err, look.close()) }()
	s := simulation{players: o.players, seed: o.seed, frames: o.frames, script: o.script, count: p.add, trace: look.trace}
	switch {
	case o.record == "":
		return game.simulate(ctx, s)
	case o.modern():
		return simulateTo(ctx, game, s, o.record)
	}
	rec, err := newRecording(ctx, o.record, uint32(o.seed))
	if err == nil {
		defer rec.discard()
		s.record = rec.Write
		end, err = game.simulate(ctx, s)
	}
	if err == nil {
		err = rec.commit(ctx)
	}
	if err != nil {
		return end, fmt.Errorf("%s: %w", o.record, bare(err))
	}
	return end, nil
}
