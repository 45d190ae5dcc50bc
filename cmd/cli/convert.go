package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

func (a *recordingsFamily) convertCommand() *cobra.Command {
	var o editOptions
	var to string
	cmd := &cobra.Command{
		Use:   "convert FILE -o FILE",
		Short: "Translate a recording from or to RPLK v1",
		Long: "Writes a recording in the other format: the one that the new name ends in, .tbr or\n" +
			".rplk, or that --to says. What RPLK v1 cannot hold is refused. A recording of\n" +
			"RPLK v1 is simulated, so that the new one has hashes and keyframes: they say what\n" +
			"this build comes to.",
		Example: "  " + a.name + " replay convert old.rplk -o new.tbr\n" +
			"  " + a.name + " replay convert match.tbr -o match.rplk",
		Args: exactly(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := o.check(); err != nil {
				return err
			}
			format, err := formatOf(to, o.out)
			if err != nil {
				return err
			}
			return a.edit(o, func(res *editResult) error {
				res.Format = format
				return a.with(cmd.Context(), files[0], o.game, func(m *recorded) error {
					return a.convert(cmd.Context(), m, o, res)
				})
			})
		},
	}
	a.editFlags(cmd, &o)
	cmd.Flags().StringVar(&to, "to", "", "the `FORMAT` to write, tbr or rplk, if the name does not say")
	return cmd
}

// formatOf is the format of a file that is to be written.
func formatOf(flag, name string) (string, error) {
	what := flag
	if what == "" {
		what = strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	}
	switch {
	case what == "tbr":
		return formatTBR, nil
	case what == "rplk":
		return formatRPLK, nil
	case flag != "":
		return "", usagef("--to %q: the formats are tbr and rplk", flag)
	}
	return "", usagef("-o %s does not end in .tbr or .rplk; say --to tbr or --to rplk", name)
}

func (a *recordingsFamily) convert(ctx context.Context, m *recorded, o editOptions, res *editResult) error {
	res.Game, res.First, res.Frames = m.game.info().id, m.r.First(), m.r.Next()-m.r.First()
	if res.Format == formatTBR {
		// A recording that is one already is written anew, which completes one that was cut off.
		return writeFile(ctx, o.out, func(w io.Writer) error {
			return replay.Join(ctx, w, []*tbr.Reader{m.r}, m.replay)
		})
	}
	if !m.game.info().classic {
		return fmt.Errorf("RPLK v1 cannot hold %s", m.game.info().id)
	}
	rec, err := newRecording(ctx, o.out, max(uint32(m.r.Header().Seed), 1))
	if err != nil {
		return fmt.Errorf("%s: %w", nameOf(o.out), bare(err))
	}
	defer rec.discard()
	if err := replay.Export(ctx, rec.Writer, m.r, m.game.buttons()); err != nil {
		return interrupted(ctx, err)
	}
	if err := rec.commit(ctx); err != nil {
		return interrupted(ctx, fmt.Errorf("%s: %w", nameOf(o.out), bare(err)))
	}
	return nil
}
