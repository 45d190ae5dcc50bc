package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/replay/rplk"
)

// verifyResult is what is known of one recording. The tags are the keys of
// --json.
type verifyResult struct {
	File     string `json:"file"`
	Game     string `json:"game"`
	Frames   uint32 `json:"frames"`
	Seed     uint32 `json:"seed"`
	Checksum string `json:"checksum"` // of the last state; empty on failure
	OK       bool   `json:"ok"`
	Error    string `json:"error"` // empty when ok

	took time.Duration
}

// verifyOptions are the flags of the verify command.
type verifyOptions struct {
	game   string
	expect expectation
	json   bool
}

func (a *app) verifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Replay recordings and print how they end",
		Long: "Replays each recording (RPLK v1) from its seed and prints the checksum of the\n" +
			"last state. The same inputs give the same checksum on every machine and build,\n" +
			"or the game is not deterministic: --expect holds it against a known one. Without\n" +
			"it, ok means that the file is whole and was played to its end.\n\n" +
			"A file named - is the standard input.",
		Example: "  " + a.name + " replay verify match.rplk\n" +
			"  " + a.name + " replay verify match.rplk --expect 0x1B977CCD\n" +
			"  " + a.name + " replay verify --json matches/*.rplk",
		Args: someFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.verify(cmd.Context(), files, o)
		},
	}
	cmd.Flags().StringVar(&o.game, "game", a.games.classic()[0].info().id, "the `ID` of the game that was recorded")
	cmd.Flags().Var(&o.expect, "expect", "fail unless this `CHECKSUM` is the last one (for exactly one file)")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object a line for each file")
	return cmd
}

func (a *app) verify(ctx context.Context, files []string, o verifyOptions) error {
	game, err := a.games.classic().find(o.game)
	if err != nil {
		return err
	}
	if o.expect != "" && len(files) != 1 {
		return usagef("--expect goes with exactly one file, not %d", len(files))
	}

	rows := newTable("FILE", "FRAMES", "SEED", "CHECKSUM", "SPEED", "RESULT")
	err = eachFile(ctx, a, files, func(src io.Reader, p *progress) (verifyResult, error) {
		return replay(ctx, game, src, p, o.expect)
	}, func(path string, res verifyResult, err error) {
		res.File, res.Game, res.OK, res.Error = path, game.info().id, err == nil, errorText(err)
		if o.json {
			a.printJSON(res)
			return
		}
		if err != nil {
			rows.add(path, "-", "-", "-", "-", "FAILED") // what a header claims is no result
			return
		}
		rows.add(path, res.Frames, res.Seed, res.Checksum, speed(res.Frames, res.took), "ok")
	})
	rows.print(a.stdout)
	return err
}

// replay plays a recording to its end. With an error the result has what was
// known until then.
func replay(ctx context.Context, game Game, src io.Reader, p *progress, expect expectation) (res verifyResult, err error) {
	var match replayed
	start := time.Now()
	err = scan(ctx, src, p, func(h rplk.Header) (err error) {
		res.Seed, res.Frames = h.Seed, h.Frames
		match, err = game.replay(h.Seed)
		return err
	}, func(frames []rplk.Inputs) { match.play(frames) })
	if err != nil {
		return res, err
	}
	res.took = time.Since(start)
	checksum := match.checksum()
	if !expect.met(checksum) {
		return res, fmt.Errorf("the last state has checksum %s, expected %s", checksum, expect)
	}
	res.Checksum = checksum
	return res, nil
}

// expectation is the value of --expect: hexadecimal digits, with or without
// "0x". Empty, anything is expected.
type expectation string

// Set takes the flag's value.
func (e *expectation) Set(text string) error {
	if _, err := parseChecksum(text); err != nil {
		return fmt.Errorf("not a checksum such as 0x1B977CCD")
	}
	*e = expectation(text)
	return nil
}

// String returns what Set was given.
func (e *expectation) String() string { return string(*e) }

// Type names the flag's value for help texts.
func (e *expectation) Type() string { return "checksum" }

// met compares values, whatever their case and leading zeros.
func (e expectation) met(checksum string) bool {
	if e == "" {
		return true
	}
	want, errWant := parseChecksum(string(e))
	got, errGot := parseChecksum(checksum)
	return errWant == nil && errGot == nil && want == got
}

func parseChecksum(text string) (uint64, error) {
	digits := strings.TrimPrefix(strings.ToLower(text), "0x")
	return strconv.ParseUint(digits, 16, 64)
}

// speed is a rate for people. Work too short to time has none.
func speed(frames uint32, took time.Duration) string {
	if frames == 0 || took <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f Mframes/s", float64(frames)/took.Seconds()/1e6)
}
