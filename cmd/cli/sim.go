package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/replay/rplk"
)

// simResult is the end of a simulated match. The tags are the keys of --json.
type simResult struct {
	Game     string `json:"game"`
	Script   string `json:"script"`
	Seed     uint32 `json:"seed"`
	Frames   uint32 `json:"frames"`
	Checksum string `json:"checksum"`
	File     string `json:"file"` // the recording; empty without --record
}

// simOptions are the flags of the sim command.
type simOptions struct {
	game, script, record string
	seed, frames         uint32
	json                 bool
}

func (a *app) simCommand() *cobra.Command {
	var o simOptions
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Play a match from a script of inputs and print how it ends",
		Long: "Plays a match without a screen, from a seed and a script of inputs, and prints\n" +
			"the checksum of the last state; with --record it also writes the inputs to a\n" +
			"recording (RPLK v1).\n\nScripts:\n" + a.scriptList(),
		Example: "  " + a.name + " sim --seed 1 --frames 1000 --script " + a.games[0].Scripts[0] + "\n" +
			"  " + a.name + " sim --seed 7 --frames 216000 --record hour.rplk",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.record == "" && cmd.Flags().Changed("record") {
				return usagef("--record needs the name of a file")
			}
			return a.sim(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.game, "game", a.games[0].ID, "the `ID` of the game to play")
	f.Uint32Var(&o.seed, "seed", 1, "the seed `N` of the match, and of a random script")
	f.Uint32Var(&o.frames, "frames", 3600, "the number `N` of frames to play")
	f.StringVar(&o.script, "script", "", "the `NAME` of the script of inputs (default the game's first)")
	f.StringVar(&o.record, "record", "", "write the match to this `FILE`")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

func (a *app) scriptList() string {
	var list strings.Builder
	for _, g := range a.games {
		fmt.Fprintf(&list, "  %-10s %s\n", g.ID, strings.Join(g.Scripts, ", "))
	}
	return strings.TrimSuffix(list.String(), "\n")
}

func (a *app) sim(ctx context.Context, o simOptions) error {
	game, err := a.games.find(o.game)
	if err != nil {
		return err
	}
	if o.script == "" {
		o.script = game.Scripts[0]
	}
	if !slices.Contains(game.Scripts, o.script) {
		return usagef("%s has no script %q; there are: %s", game.ID, o.script, strings.Join(game.Scripts, ", "))
	}
	match, err := game.start(o.seed)
	if err != nil {
		return usagef("--seed %d: %w", o.seed, err)
	}
	if o.seed == 0 && o.record != "" {
		return usagef("--seed 0: a recording cannot hold that seed; use any other")
	}
	if a.isOutput(o.record) {
		return usagef("--record %s: that is where the result is printed", o.record)
	}
	script, err := game.Script(o.script, o.seed)
	if err != nil {
		return usagef("--script %s: %w", o.script, err)
	}

	start := time.Now()
	if err := survive(func() error { return a.simulate(ctx, match, script, o) }); err != nil {
		return failure{err}
	}
	res := simResult{game.ID, o.script, o.seed, o.frames, match.Checksum(), o.record}
	if o.json {
		a.printJSON(res)
		return nil
	}
	rows := newTable("GAME", "SCRIPT", "FRAMES", "SEED", "CHECKSUM", "SPEED", "RECORDING")
	rows.add(res.Game, res.Script, res.Frames, res.Seed, res.Checksum, speed(res.Frames, time.Since(start)), orDash(res.File))
	rows.print(a.stdout)
	return nil
}

// isOutput reports whether a path leads to the file or pipe of the standard
// output. Both ends of a device such as /dev/null do no harm.
func (a *app) isOutput(path string) bool {
	output, ok := a.output.(*os.File)
	if !ok || path == "" {
		return false
	}
	theirs, errTheirs := os.Stat(path)
	ours, errOurs := output.Stat()
	return errTheirs == nil && errOurs == nil && ours.Mode()&os.ModeDevice == 0 && os.SameFile(theirs, ours)
}

// simulate plays the script, and records it if asked.
func (a *app) simulate(ctx context.Context, match Match, script func(uint32) rplk.Inputs, o simOptions) error {
	if o.record == "" {
		return a.play(ctx, match, script, o.frames, func([]rplk.Inputs) error { return nil })
	}
	rec, err := newRecording(ctx, o.record, o.seed)
	if err == nil {
		defer rec.discard()
		err = a.play(ctx, match, script, o.frames, rec.Write)
	}
	if err == nil {
		err = rec.commit(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.record, bare(err))
	}
	return nil
}

// play advances the match by frames of the script, a batch at a time, which it
// also hands to record.
func (a *app) play(ctx context.Context, match Match, script func(uint32) rplk.Inputs, frames uint32, record func([]rplk.Inputs) error) error {
	p := newProgress(a.stderr, int64(frames), "playing")
	defer p.hide()
	batch := make([]rplk.Inputs, batchFrames)
	for frame := uint32(0); frame < frames; {
		if ctx.Err() != nil {
			return errInterrupted
		}
		n := min(batchFrames, frames-frame)
		for i := range n {
			batch[i] = script(frame + i)
		}
		match.Play(batch[:n])
		if err := record(batch[:n]); err != nil {
			return err
		}
		frame += n
		p.add(int64(n))
	}
	return nil
}
