package recordings

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

func (a *family) replayCommand() *cobra.Command {
	cmd := console.Group("replay", "Look at, verify and edit recordings of matches")
	cmd.AddCommand(a.infoCommand(), a.verifyCommand(), a.bisectCommand(), a.diffCommand(),
		a.cutCommand(), a.joinCommand(), a.convertCommand(), a.exportCommand(), a.statsCommand(),
		a.showCommand(), a.statesCommand())
	return cmd
}

// batchFrames is how many frames are read, and played, at a time: few enough to stay in the nearest cache, and enough
// to make the cost of the loop negligible.
const batchFrames = 4096

// scan reads a recording to its end, which also proves that it is undamaged, and passes its frames to each, a batch at
// a time. Before that, it passes the header to begin.
func scan(ctx context.Context, src io.Reader, p *console.Progress, begin func(rplk.Header) error, each func([]rplk.Inputs)) error {
	r, err := rplk.NewReader(src)
	if err != nil {
		return err
	}
	if err := begin(r.Header()); err != nil {
		return err
	}
	p.Add(rplk.HeaderSize)
	frames := make([]rplk.Inputs, batchFrames)
	for ctx.Err() == nil {
		n, err := r.Read(frames)
		each(frames[:n])
		p.Add(int64(n) * rplk.FrameSize)
		if err == io.EOF { // not errors.Is: a wrapped EOF is an error of the source
			return nil
		}
		if err != nil {
			return err
		}
	}
	return console.ErrInterrupted
}
