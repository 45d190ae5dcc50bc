package recordings

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// editResult is the result of writing a recording. The tags are the keys of --json.
type editResult struct {
	File   string `json:"file"` // the output file
	Format string `json:"format"`
	Game   string `json:"game"`
	First  uint32 `json:"first"`
	Frames uint32 `json:"frames"`
	OK     bool   `json:"ok"`
	Error  string `json:"error"` // empty when ok
}

// editOptions are flags of the commands that write a recording.
type editOptions struct {
	game, out string
	json      bool
}

func (a *family) editFlags(cmd *cobra.Command, o *editOptions) {
	a.gameFlag(cmd, &o.game)
	jsonFlag(cmd, &o.json)
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "the `FILE` to write; one of that name is replaced when the new one is whole")
}

func (o *editOptions) check() error {
	if o.out == "" {
		return console.Usagef("-o needs the name of a file to write")
	}
	if o.out == "-" {
		return console.Usagef("-o - is no file: a recording is written to one, or to /dev/stdout")
	}
	return nil
}

func (a *family) cutCommand() *cobra.Command {
	var o editOptions
	var span frameSpan
	cmd := &cobra.Command{
		Use:   "cut FILE -o FILE",
		Short: "Write a part of a recording as one of its own",
		Long: "Writes the frames of a recording from one on, before another. Hashes and keyframes\n" +
			"are the recorded ones. Where there is no keyframe to begin with, or the part ends\n" +
			"within a block, this build simulates what is missing, and refuses to if it does\n" +
			"not come to the hashes that were recorded.",
		Example: "  " + a.Name + " replay cut match.tbr -o goal.tbr --from 7200 --to 7800",
		Args:    disk.ExactlyFiles(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := cmp.Or(o.check(), span.check(cmd)); err != nil {
				return err
			}
			return a.edit(o, func(res *editResult) error {
				return a.with(cmd.Context(), files[0], o.game, func(m *recorded) error {
					from, to, err := span.in(m.r)
					if err != nil {
						return err
					}
					res.Game, res.Format, res.First, res.Frames = m.game.Info().ID, formatTBR, from, to-from
					return writeFile(cmd.Context(), o.out, func(w io.Writer) error {
						return replay.Cut(cmd.Context(), w, m.r, m.replay, from, to)
					})
				})
			})
		},
	}
	a.editFlags(cmd, &o)
	span.flags(cmd)
	return cmd
}

// edit runs work, which writes a recording, and prints the result.
func (a *family) edit(o editOptions, work func(res *editResult) error) error {
	res := editResult{File: o.out}
	err := work(&res)
	if errors.Is(err, console.ErrInterrupted) {
		return err
	}
	res.OK, res.Error = err == nil, console.ErrorText(err)
	switch {
	case o.json:
		a.PrintJSON(res)
	case err == nil:
		fmt.Fprintf(a.Stdout, "%s: %d frames from frame %d on (%s)\n", console.Printable(o.out), res.Frames, res.First, res.Format)
	}
	return err
}

// writeFile writes a file, which gets its name when it is complete. Errors name it.
func writeFile(ctx context.Context, path string, work func(w io.Writer) error) error {
	file, err := disk.Create(ctx, path)
	if err != nil {
		return fmt.Errorf("%s: %w", disk.NameOf(path), disk.Bare(err))
	}
	defer file.Discard()
	w := bufio.NewWriterSize(file, 64<<10)
	if err := work(w); err != nil {
		return interrupted(ctx, disk.Bare(err))
	}
	if err := file.Commit(ctx, w.Flush); err != nil {
		return interrupted(ctx, fmt.Errorf("%s: %w", disk.NameOf(path), disk.Bare(err)))
	}
	return nil
}

// frameSpan has the values of the flags --from and --to.
type frameSpan struct{ from, to int64 }

func (s *frameSpan) flags(cmd *cobra.Command) {
	cmd.Flags().Int64Var(&s.from, "from", -1, "begin with this frame (`N`; default: the first)")
	cmd.Flags().Int64Var(&s.to, "to", -1, "end before this frame (`N`; default: all)")
}

// in returns the range of frames in a recording that the flags select.
func (s *frameSpan) in(r *tbr.Reader) (from, to uint32, err error) {
	from, to = r.First(), r.Next()
	for _, v := range []int64{s.from, s.to} {
		if v >= 0 && (v < int64(from) || v > int64(to)) {
			return 0, 0, fmt.Errorf("it has the frames %d to %d: %d is not between them", from, max(int64(to)-1, int64(from)), v)
		}
	}
	if s.from >= 0 {
		from = uint32(s.from)
	}
	if s.to >= 0 {
		to = uint32(s.to)
	}
	if to < from {
		return 0, 0, fmt.Errorf("--to %d is before --from %d", to, from)
	}
	return from, to, nil
}

// check returns an error for values that are invalid for any recording.
func (s *frameSpan) check(cmd *cobra.Command) error {
	for name, v := range map[string]int64{"from": s.from, "to": s.to} {
		if v < 0 && cmd.Flags().Changed(name) {
			return console.Usagef("--%s %d: frames are counted from 0", name, v)
		}
	}
	if s.to >= 0 && s.to <= s.from {
		return console.Usagef("--from %d --to %d: there is no frame between them", s.from, s.to)
	}
	return nil
}

func (a *family) joinCommand() *cobra.Command {
	var o editOptions
	cmd := &cobra.Command{
		Use:   "join FILE... -o FILE",
		Short: "Make one recording of parts of a match",
		Long: "Puts together recordings of one match that touch or overlap, in any order. Others\n" +
			"are refused: of another match, with other frames or hashes where they overlap, or\n" +
			"with a hole between them.",
		Example: "  " + a.Name + " replay join first.tbr second.tbr -o match.tbr",
		Args:    disk.SomeFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := o.check(); err != nil {
				return err
			}
			files, err := disk.Expand(a.App, files)
			if err != nil {
				return err
			}
			return a.edit(o, func(res *editResult) error { return a.join(cmd.Context(), files, o, res) })
		},
	}
	a.editFlags(cmd, &o)
	return cmd
}

// join opens all parts, then joins them.
func (a *family) join(ctx context.Context, files []string, o editOptions, res *editResult) error {
	var parts []*tbr.Reader
	var next func(i int) error
	next = func(i int) error {
		return a.with(ctx, files[i], o.game, func(m *recorded) error {
			parts = append(parts, m.r)
			if i+1 < len(files) {
				return next(i + 1)
			}
			first, last := parts[0].First(), uint32(0)
			for _, p := range parts {
				first, last = min(first, p.First()), max(last, p.Next())
			}
			res.Game, res.Format, res.First, res.Frames = m.game.Info().ID, formatTBR, first, last-first
			return writeFile(ctx, o.out, func(w io.Writer) error { return replay.Join(ctx, w, parts, m.replay) })
		})
	}
	return next(0)
}
