package recordings

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
)

// infoResult is the information that a recording has about itself; unless OK is true, some of it may be wrong. The
// tags are the keys of --json.
type infoResult struct {
	File    string  `json:"file"`
	Format  string  `json:"format"` // empty if the format was not recognized
	Seed    uint64  `json:"seed"`
	Frames  uint32  `json:"frames"`
	Seconds float64 `json:"seconds"` // the playing time, at the game's tick rate
	OK      bool    `json:"ok"`
	Error   string  `json:"error"` // empty when ok

	Game     string         `json:"game"`
	First    uint32         `json:"first"`
	Players  int            `json:"players"`
	TickRate int            `json:"tick_rate"`
	Rate     string         `json:"rate,omitempty"` // the exact tick rate, "39375000/655171", if it is no integer
	Complete bool           `json:"complete"`       // whether the recording was closed
	Details  *detailsResult `json:"details"`        // null for RPLK, which has none
}

// detailsResult has the information that only our own format has.
type detailsResult struct {
	Build         string            `json:"build"`
	Platform      string            `json:"platform"`
	Recorder      string            `json:"recorder"`
	Created       string            `json:"created"` // empty if it was not recorded
	Match         uint32            `json:"match"`
	InputSize     int               `json:"input_size"`
	MaxOrders     int               `json:"max_orders"`
	Content       uint64            `json:"content"`
	Length        uint32            `json:"length"` // the maximum length of the match in frames; 0: no limit
	DataBytes     int               `json:"data_bytes"`
	HashEvery     int               `json:"hash_every"`
	KeyframeEvery int               `json:"keyframe_every"`
	Finished      bool              `json:"finished"`
	Result        uint64            `json:"result"`
	Reason        string            `json:"reason"`
	Digest        string            `json:"digest"` // SHA-256 of the agreed body; empty unless complete
	Meta          map[string]string `json:"meta"`
}

// infoOptions are the flags of the info command.
type infoOptions struct {
	game string
	json bool
}

func (a *family) infoCommand() *cobra.Command {
	var o infoOptions
	cmd := &cobra.Command{
		Use:   "info FILE|DIRECTORY...",
		Short: "Print what recordings say of themselves",
		Long: "Prints what each recording says of itself, and checks that the file is whole and\n" +
			"undamaged, without simulating it. A directory stands for all recordings below it.\n" +
			"A file named - is the standard input.",
		Example: "  " + a.Name + " replay info match.tbr\n" +
			"  " + a.Name + " replay info --json matches/*.rplk",
		Args: disk.SomeFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.info(cmd.Context(), files, o)
		},
	}
	a.gameFlag(cmd, &o.game)
	jsonFlag(cmd, &o.json)
	return cmd
}

func (a *family) info(ctx context.Context, args []string, o infoOptions) error {
	if err := a.checkGame(o.game); err != nil {
		return err
	}
	files, missing := disk.Expand(a.App, args)
	rows := console.NewTable("FILE", "FORMAT", "GAME", "FRAMES", "SEED", "LENGTH", "RESULT")
	var last infoResult
	err := disk.Each(ctx, a.App, files, func(src io.Reader, p *console.Progress) (infoResult, error) {
		return a.infoOne(ctx, src, p, o)
	}, func(path string, res infoResult, err error) {
		res.File, res.OK, res.Error = path, err == nil, console.ErrorText(err)
		last = res
		if o.json {
			a.PrintJSON(res)
			return
		}
		switch {
		case err != nil && res.Details == nil:
			rows.Add(path, "-", "-", "-", "-", "-", "FAILED")
			return
		case err != nil: // show what could be read
			rows.Add(path, res.Format, res.Game, res.Frames, res.Seed, clock(res.Seconds), "DAMAGED")
			return
		}
		rows.Add(path, res.Format, res.Game, res.Frames, res.Seed, clock(res.Seconds), "ok")
	})
	rows.Print(a.Stdout)
	if len(files) == 1 && !o.json && last.Details != nil {
		printDetails(a.Stdout, &last)
	}
	return cmp.Or(err, missing)
}

// infoOne reads the information in a recording, and then the rest of it, to check that it is complete.
func (a *family) infoOne(ctx context.Context, src io.Reader, p *console.Progress, o infoOptions) (res infoResult, err error) {
	s := &recordingFile{}
	defer s.close()
	if err := s.sniff(src); err != nil {
		return res, err
	}
	if s.r != nil {
		return infoOf(ctx, s)
	}
	g, err := a.gameOf(s, o.game)
	if err != nil {
		return res, err
	}
	err = scan(ctx, s.stream, p, func(h rplk.Header) error {
		res.Format, res.Seed, res.Frames = formatRPLK, uint64(h.Seed), h.Frames
		res.Game, res.Players, res.TickRate = g.Info().ID, 2, g.Info().TickRate
		res.Seconds = float64(h.Frames) / float64(res.TickRate)
		return nil
	}, func([]rplk.Inputs) {})
	res.Complete = err == nil
	return res, err
}

// clock formats a playing time as 1m23.3s.
func clock(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(100 * time.Millisecond).String()
}
