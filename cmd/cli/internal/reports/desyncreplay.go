package reports

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/agreed"
)

// replayFlags are the flags of the replay command.
type replayFlags struct {
	game  string
	frame int64
}

const (
	// fewChanges is the maximum number of changed fields shown for a frame in a list of frames, and allChanges that
	// for a requested frame.
	fewChanges, allChanges = 4, 1000
)

func (a *family) desyncReplayCommand() *cobra.Command {
	var o replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Step through the frames before the states differed",
		Long: "Begins with the state that a report has, runs the inputs of all players on this\n" +
			"build, and prints for each frame the inputs, the hash of the state that they lead\n" +
			"to, and the fields that change. At the state that differed it says whose this\n" +
			"build comes to.",
		Example: "  " + a.Name + " desync replay desync-1-4711.tbd\n" +
			"  " + a.Name + " desync replay desync-1-4711.tbd --frame 4710",
		Args: disk.ExactlyFiles(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.desyncReplay(cmd.Context(), files[0], o)
		},
	}
	cmd.Flags().StringVar(&o.game, "game", "", "the `ID` of the game, if it is not the one that the report names")
	cmd.Flags().Int64Var(&o.frame, "frame", -1, "show this frame (`N`) alone, with all fields that change")
	return cmd
}

func (a *family) desyncReplay(ctx context.Context, path string, o replayFlags) error {
	return disk.Each(ctx, a.App, []string{path}, func(src io.Reader, _ *console.Progress) (struct{}, error) {
		r, err := readReport(src)
		if err == nil {
			err = a.replayReport(ctx, r, o)
		}
		return struct{}{}, err
	}, func(string, struct{}, error) {})
}

// replayReport replays a report, if this program can.
func (a *family) replayReport(ctx context.Context, r *desync.Report, o replayFlags) error {
	id := o.game
	if id == "" {
		id = r.Game
	}
	g, err := a.games.Find(id)
	switch {
	case err != nil && o.game == "":
		return fmt.Errorf("the report is of the game %q, which this program does not have: %s", r.Game, strings.Join(a.games.IDs(), ", "))
	case err != nil:
		return err
	case r.Begin == nil:
		return fmt.Errorf("the report has no state to begin with: it was too large, or the game gives none")
	case o.frame >= 0 && (o.frame < int64(r.First) || o.frame >= int64(r.State)):
		return fmt.Errorf("the report has the frames %d to %d, and not %d", r.First, r.State-1, o.frame)
	}
	if build := g.Info().Build; build != r.Build {
		a.Complain(fmt.Errorf("this is build %q of the game, and the report is of build %q: what it comes to may differ", build, r.Build))
	}
	m, err := g.follow(r.Begin, r.Shape.Players)
	if err != nil {
		return err
	}
	return a.stepThrough(ctx, r, m, o)
}

// stepThrough prints what each frame changes.
func (a *family) stepThrough(ctx context.Context, r *desync.Report, m follower, o replayFlags) error {
	fmt.Fprintf(a.Stdout, "From state %d, where all were the same, on this build:\n\n", r.First)
	err := r.Frames(func(f *agreed.Frame) error {
		if ctx.Err() != nil {
			return console.ErrInterrupted
		}
		most := fewChanges
		if o.frame >= 0 {
			most = allChanges
		}
		changed, err := m.step(f, most)
		if err != nil {
			return fmt.Errorf("frame %d: %w", f.Number, err)
		}
		if o.frame >= 0 && int64(f.Number) != o.frame {
			return nil
		}
		hash, err := m.hash()
		if err != nil {
			return fmt.Errorf("state %d: %w", f.Number+1, err)
		}
		fmt.Fprintf(a.Stdout, "frame %d: inputs %s, state %d is %s\n", f.Number, joined(inputCells(r.Shape, f)), f.Number+1, words.Checksum64(hash))
		for line := range strings.Lines(changed.String()) {
			fmt.Fprintf(a.Stdout, "  %s\n", console.Printable(strings.TrimSuffix(line, "\n")))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return a.judge(r, m)
}

func joined(cells []any) string {
	text := make([]string, len(cells))
	for i, c := range cells {
		text[i] = fmt.Sprint(c)
	}
	return strings.Join(text, ", ")
}

// judge says which peer's state this build has reached.
func (a *family) judge(r *desync.Report, m follower) error {
	hash, err := m.hash()
	if err != nil {
		return err
	}
	whose := "nobody's"
	for g, h := range r.Groups {
		if h == hash {
			whose = "that of " + groupName(r, g)
		}
	}
	fmt.Fprintf(a.Stdout, "\nState %d, the first that differed, is %s here: %s.\n", r.State, words.Checksum64(hash), whose)
	if len(r.Fields) == 0 {
		return nil
	}
	text, err := m.text()
	if err != nil {
		return err
	}
	heading := []any{"FIELD", "HERE"}
	for g := range r.Groups {
		heading = append(heading, words.Capital(groupName(r, g)))
	}
	rows := console.NewTable(heading...)
	for _, f := range r.Fields {
		here, ok := text.Value(f.Path)
		if !ok {
			here = "(missing)"
		}
		row := []any{f.Path, here}
		for _, v := range f.Values {
			row = append(row, v)
		}
		rows.Add(row...)
	}
	rows.Print(a.Stdout)
	return nil
}
