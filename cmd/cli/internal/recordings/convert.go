package recordings

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

func (a *family) convertCommand() *cobra.Command {
	var o editOptions
	var to string
	cmd := &cobra.Command{
		Use:   "convert FILE -o FILE",
		Short: "Translate a recording from or to RPLK v1",
		Long: "Writes a recording in the other format: the one that the new name ends in, .tbr or\n" +
			".rplk, or that --to says. What RPLK v1 cannot hold is refused. A recording of\n" +
			"RPLK v1 is simulated, so that the new one has hashes and keyframes: they say what\n" +
			"this build comes to.",
		Example: "  " + a.Name + " replay convert old.rplk -o new.tbr\n" +
			"  " + a.Name + " replay convert match.tbr -o match.rplk",
		Args: disk.ExactlyFiles(1),
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
					return convert(cmd.Context(), m, o, res)
				})
			})
		},
	}
	a.editFlags(cmd, &o)
	cmd.Flags().StringVar(&to, "to", "", "the `FORMAT` to write, tbr or rplk, if the name does not say")
	return cmd
}

// formatOf returns the format of an output file.
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
		return "", console.Usagef("--to %q: the formats are tbr and rplk", flag)
	}
	return "", console.Usagef("-o %s does not end in .tbr or .rplk; say --to tbr or --to rplk", name)
}

func convert(ctx context.Context, m *recorded, o editOptions, res *editResult) error {
	res.Game, res.First, res.Frames = m.game.Info().ID, m.r.First(), m.r.Next()-m.r.First()
	if res.Format == formatTBR {
		// A recording in our own format is rewritten, which also completes one that was cut off.
		return writeFile(ctx, o.out, func(w io.Writer) error {
			return replay.Join(ctx, w, []*tbr.Reader{m.r}, m.replay)
		})
	}
	if !m.game.Info().Classic {
		return fmt.Errorf("RPLK v1 cannot hold %s", m.game.Info().ID)
	}
	rec, err := disk.CreateRPLK(ctx, o.out, max(uint32(m.r.Header().Seed), 1))
	if err != nil {
		return fmt.Errorf("%s: %w", disk.NameOf(o.out), disk.Bare(err))
	}
	defer rec.Discard()
	if err := replay.Export(ctx, rec.Writer, m.r, m.game.buttons()); err != nil {
		return interrupted(ctx, err)
	}
	if err := rec.Commit(ctx); err != nil {
		return interrupted(ctx, fmt.Errorf("%s: %w", disk.NameOf(o.out), disk.Bare(err)))
	}
	return nil
}
