package recordings

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/replay"
)

// exportOptions are the flags of the export command.
type exportOptions struct {
	game, out, format string
	span              frameSpan
	states, hashes    bool
}

func (a *family) exportCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write the frames of a recording as a table or as JSON lines",
		Long: "Writes a line for each frame: the inputs of each player by the names of their\n" +
			"fields, statuses, orders in hexadecimal, and the hash of the state that they lead to\n" +
			"where one was recorded. --hashes and --states simulate the match on this build, for\n" +
			"the hashes of all states, and for the states themselves by the names of their fields.\n" +
			"A game with its own memory has states as JSON alone.",
		Example: "  " + a.Name + " replay export match.tbr > match.csv\n" +
			"  " + a.Name + " replay export match.tbr --format jsonl --states --from 600 --to 660",
		Args: disk.ExactlyFiles(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if o.format != "csv" && o.format != "jsonl" {
				return console.Usagef("--format %q: the formats are csv and jsonl", o.format)
			}
			if err := o.span.check(cmd); err != nil {
				return err
			}
			return a.with(cmd.Context(), files[0], o.game, func(m *recorded) error { return a.export(cmd.Context(), m, o) })
		},
	}
	a.gameFlag(cmd, &o.game)
	o.span.flags(cmd)
	cmd.Flags().StringVar(&o.format, "format", "csv", "csv, or jsonl: a JSON object a line")
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "write this `FILE` instead of the standard output")
	cmd.Flags().BoolVar(&o.hashes, "hashes", false, "simulate, and write the hash of every state")
	cmd.Flags().BoolVar(&o.states, "states", false, "simulate, and write every state")
	var json bool
	jsonFlag(cmd, &json)
	cmd.PreRun = func(*cobra.Command, []string) {
		if json {
			o.format = "jsonl"
		}
	}
	return cmd
}

func (a *family) export(ctx context.Context, m *recorded, o exportOptions) error {
	from, to, err := o.span.in(m.r)
	if err != nil {
		return err
	}
	if o.out == "" {
		err := a.exportTo(ctx, a.Stdout, m, o, from, to)
		return cmp.Or(err, a.Stdout.Flush())
	}
	return writeFile(ctx, o.out, func(w io.Writer) error { return a.exportTo(ctx, w, m, o, from, to) })
}

// rowWriter writes rows in one of the formats.
type rowWriter interface {
	row(row *replay.Row) error
	end() error
}

func (a *family) exportTo(ctx context.Context, w io.Writer, m *recorded, o exportOptions, from, to uint32) error {
	t, err := newRowTeller(m, o)
	if err != nil {
		return err
	}
	var out rowWriter = &jsonRows{teller: t, w: w}
	if o.format == "csv" {
		if out, err = newCSVRows(t, w, o); err != nil {
			return err
		}
	}
	var g replay.Game
	if o.hashes || o.states {
		g = m.replay
	}
	p := console.NewProgress(a.Stderr, int64(to-from), "exporting")
	if o.out == "" {
		p.Mute() // a bar would disturb the rows
	}
	defer p.Hide()
	for row, err := range replay.Rows(ctx, m.r, g, from, to) {
		if err == nil {
			err = out.row(row)
			p.Add(1)
		}
		if err != nil {
			return interrupted(ctx, err)
		}
	}
	return out.end()
}
