package recordings

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// verifyOptions are the flags of the verify command.
type verifyOptions struct {
	game   string
	expect expectation
	jobs   int
	json   bool
}

func (a *family) verifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify FILE|DIRECTORY...",
		Short: "Simulate recordings again and compare with what was recorded",
		Long: "Simulates each recording again on this build, and compares with the hashes and the\n" +
			"keyframes that it has. The first part that is not the same is named: the frame\n" +
			"itself if every state was hashed, and fields if a keyframe shows them. A recording\n" +
			"without hashes is unverified, and not ok, unless --expect holds the checksum of its\n" +
			"last state. A damaged one is verified as far as it can be read, and not ok.\n\n" +
			"One of RPLK v1 has no hashes: there, ok means that the file is whole and was played\n" +
			"to its end; --expect holds its checksum against a known one.\n\n" +
			"The parts between keyframes are simulated side by side, unless there can be only one\n" +
			"simulation of the game. A directory stands for all recordings below it. A file named\n" +
			"- is the standard input.",
		Example: "  " + a.Name + " replay verify match.tbr\n" +
			"  " + a.Name + " replay verify match.rplk --expect 0x1B977CCD\n" +
			"  " + a.Name + " replay verify --json -j 8 recordings/",
		Args: disk.SomeFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.verify(cmd.Context(), files, o)
		},
	}
	a.gameFlag(cmd, &o.game)
	cmd.Flags().Var(&o.expect, "expect", "fail unless this `CHECKSUM` is that of the last state (for exactly one file)")
	cmd.Flags().IntVarP(&o.jobs, "jobs", "j", 0, "simulate `N` parts side by side (default: as many as there are processors)")
	jsonFlag(cmd, &o.json)
	return cmd
}

// gameFlag adds the flag --game, and jsonFlag adds --json: most commands have both.
func (a *family) gameFlag(cmd *cobra.Command, game *string) {
	cmd.Flags().StringVar(game, "game", "", "the `ID` of the game, if it is not the one that the recording names (RPLK names none: "+a.classicName()+")")
}

func jsonFlag(cmd *cobra.Command, json *bool) {
	cmd.Flags().BoolVar(json, "json", false, "print one JSON object a line")
}

// classicName returns the ID of the game to which recordings in RPLK are assumed to belong, or a text that says that
// there is none.
func (a *family) classicName() string {
	if list := a.games.Classic(); len(list) > 0 {
		return list[0].Info().ID
	}
	return "this program has no such game"
}

func (a *family) verify(ctx context.Context, args []string, o verifyOptions) error {
	if err := a.checkGame(o.game); err != nil {
		return err
	}
	if o.jobs < 0 {
		return console.Usagef("-j %d: a number from 1 on, or 0 for as many as there are processors", o.jobs)
	}
	files, missing := disk.Expand(a.App, args)
	if o.expect != "" && len(files) != 1 {
		return console.Usagef("--expect goes with exactly one file, not %d", len(files))
	}

	rows := console.NewTable("FILE", "FRAMES", "SEED", "CHECKSUM", "SPEED", "RESULT")
	var wrong []verifyResult
	err := disk.Each(ctx, a.App, files, func(src io.Reader, p *console.Progress) (verifyResult, error) {
		return a.verifyOne(ctx, src, p, o)
	}, func(path string, res verifyResult, err error) {
		res.File, res.OK, res.Error = path, err == nil, console.ErrorText(err)
		if res.Verdict == "" {
			res.Verdict = verdictFailed
		}
		if o.json {
			a.PrintJSON(res)
			return
		}
		if res.Mismatch != nil {
			wrong = append(wrong, res)
		}
		if err != nil && res.Verdict == verdictFailed {
			rows.Add(path, "-", "-", "-", "-", "FAILED") // do not show values from the header as results
			return
		}
		rows.Add(path, res.Frames, res.Seed, console.OrDash(res.Checksum), words.Speed(res.Frames, res.took), shownResult(&res, o.expect))
	})
	rows.Print(a.Stdout)
	for i := range wrong {
		printMismatch(a.Stdout, &wrong[i])
	}
	return cmp.Or(err, missing)
}

// shownResult returns the verdict for a table. Frames after the last compared state are not proved.
func shownResult(res *verifyResult, expect expectation) string {
	if res.Verdict == verdictOK && res.Format == formatTBR && expect == "" && res.Checked < res.First+res.Frames {
		return fmt.Sprintf("ok before frame %d", res.Checked)
	}
	return shown(res.Verdict)
}

// shown returns a verdict as text for a table: in upper case unless it is ok.
func shown(verdict string) string {
	if verdict == verdictOK {
		return verdict
	}
	return strings.ToUpper(verdict)
}

// verifyOne verifies a recording in either format.
func (a *family) verifyOne(ctx context.Context, src io.Reader, p *console.Progress, o verifyOptions) (res verifyResult, err error) {
	s := &recordingFile{}
	defer s.close()
	if err := s.sniff(src); err != nil {
		return res, err
	}
	g, err := a.gameOf(s, o.game)
	if err != nil {
		return res, err
	}
	res.Game = g.Info().ID
	if s.r == nil {
		res.Format = formatRPLK
		err = replayClassic(ctx, g, s.stream, p, o.expect, &res)
	} else {
		res.Format = formatTBR
		err = verifyRecording(ctx, g, s, p, o, &res)
	}
	return res, err
}

// The names of the formats of recordings.
const (
	formatRPLK = "RPLK v1"
	formatTBR  = "TBR v1"
)

// replayClassic plays a recording in RPLK to its end. After an error, the result has everything that was known before
// it.
func replayClassic(ctx context.Context, game Game, src io.Reader, p *console.Progress, expect expectation, res *verifyResult) error {
	var match replayed
	start := time.Now()
	err := scan(ctx, src, p, func(h rplk.Header) (err error) {
		res.Seed, res.Frames, res.Workers = uint64(h.Seed), h.Frames, 1
		match, err = game.replayClassic(h.Seed)
		return err
	}, func(frames []rplk.Inputs) { match.play(frames) })
	if err != nil {
		return err
	}
	res.took = time.Since(start)
	checksum := match.checksum()
	if !expect.met(checksum) {
		return fmt.Errorf("the last state has checksum %s, expected %s", checksum, expect)
	}
	res.Checksum, res.Verdict = checksum, verdictOK
	return nil
}
