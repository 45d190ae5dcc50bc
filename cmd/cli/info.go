package cli

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/replay/rplk"
)

// infoResult is what a recording's header says; unless OK, it may not be true of
// the rest. The tags are the keys of --json.
type infoResult struct {
	File    string  `json:"file"`
	Format  string  `json:"format"` // empty if it could not be told
	Seed    uint32  `json:"seed"`
	Frames  uint32  `json:"frames"`
	Seconds float64 `json:"seconds"` // of play, at the game's tick rate
	OK      bool    `json:"ok"`
	Error   string  `json:"error"` // empty when ok
}

// infoOptions are the flags of the info command.
type infoOptions struct {
	game string
	json bool
}

func (a *app) infoCommand() *cobra.Command {
	var o infoOptions
	cmd := &cobra.Command{
		Use:   "info FILE...",
		Short: "Print what recordings say of themselves",
		Long: "Prints the header of each recording (RPLK v1) and checks that the file is whole\n" +
			"and undamaged, without playing it. A file named - is the standard input.",
		Example: "  " + a.name + " replay info match.rplk\n" +
			"  " + a.name + " replay info --json matches/*.rplk",
		Args: someFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.info(cmd.Context(), files, o)
		},
	}
	cmd.Flags().StringVar(&o.game, "game", a.games.classic()[0].info().id, "the `ID` of the game that was recorded")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object a line for each file")
	return cmd
}

func (a *app) info(ctx context.Context, files []string, o infoOptions) error {
	game, err := a.games.classic().find(o.game)
	if err != nil {
		return err
	}
	rows := newTable("FILE", "FORMAT", "FRAMES", "SEED", "LENGTH", "RESULT")
	err = eachFile(ctx, a, files, func(src io.Reader, p *progress) (res infoResult, err error) {
		err = scan(ctx, src, p, func(h rplk.Header) error {
			res.Format, res.Seed, res.Frames = "RPLK v1", h.Seed, h.Frames
			res.Seconds = float64(h.Frames) / float64(game.info().tickRate)
			return nil
		}, func([]rplk.Inputs) {})
		return res, err
	}, func(path string, res infoResult, err error) {
		res.File, res.OK, res.Error = path, err == nil, errorText(err)
		if o.json {
			a.printJSON(res)
			return
		}
		if err != nil {
			rows.add(path, "-", "-", "-", "-", "FAILED")
			return
		}
		rows.add(path, res.Format, res.Frames, res.Seed, clock(res.Seconds), "ok")
	})
	rows.print(a.stdout)
	return err
}

// clock shows a length of play as 1m23.3s.
func clock(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(100 * time.Millisecond).String()
}
