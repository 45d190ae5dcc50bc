package reports

import (
	"encoding/hex"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

func (a *family) desyncShowCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "show FILE...",
		Short: "Print what a report says",
		Long: "Prints who had another state than whom, which state was the first that differed,\n" +
			"the fields in which it did, and the inputs of the frames before. Players are\n" +
			"counted from 1, frames and states from 0: state 7 is what the inputs of frame 6\n" +
			"led to. A file named - is the standard input.",
		Example: "  " + a.Name + " desync show desync-1-4711.tbd",
		Args:    disk.SomeFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			return disk.Each(cmd.Context(), a.App, files, func(src io.Reader, _ *console.Progress) (*desync.Report, error) {
				return readReport(src)
			}, func(path string, r *desync.Report, err error) {
				switch {
				case asJSON:
					a.PrintJSON(reportObject(path, r, err))
				case err == nil:
					a.showReport(path, r)
				}
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line for each file")
	return cmd
}

// showReport prints a report for people.
func (a *family) showReport(path string, r *desync.Report) {
	w := a.Stdout
	fmt.Fprintf(w, "%s: %s, build %s, match %d\n", console.Printable(path), console.Printable(r.Game), console.Printable(console.OrDash(r.Build)), r.Match)
	fmt.Fprintf(w, "State %d is the first that differs. %s\n\n", r.State, Differing(r))
	rows := console.NewTable("PLAYERS", "HASH OF THE STATE", "THE STATE IS", "INPUTS", "MACHINE")
	for i := range r.Peers {
		p := &r.Peers[i]
		hash := "-"
		if p.Group != desync.None {
			hash = words.Checksum64(r.Groups[p.Group])
		}
		rows.Add(words.People(tickback.PlayerSet(p.Players)), hash, sourceText(p), p.Inputs, console.OrDash(p.Machine))
	}
	rows.Print(w)
	fmt.Fprintln(w)
	showFields(w, r)
	fmt.Fprintf(w, "\nThe machines compared state %d, which was equal, and then state %d, which was not. They hash %s.\n", r.Equal, r.Noticed, hashed(r.HashEvery))
	fmt.Fprintf(w, "Seed %d, content %016x, %s, %d bytes of parameters, %s frames a second.\n\n", r.Seed, r.Content, words.Length(tickback.Frame(r.Limit)), len(r.Data), rate.Text(int(r.TickRate), r.Rate))
	showInputs(w, r)
	if r.Begin == nil {
		fmt.Fprintf(w, "There is no state to begin with: the report cannot be replayed.\n")
	}
}

// hashed says which states are hashed.
func hashed(every uint32) string {
	if every == 1 {
		return "every state"
	}
	return fmt.Sprintf("every %dth state", every)
}

// showFields prints the fields with the values of all sides.
func showFields(w io.Writer, r *desync.Report) {
	if len(r.Fields) == 0 {
		fmt.Fprintln(w, "No fields are known: there are not two sides whose state could be looked at.")
		return
	}
	heading := []any{"FIELD"}
	for g := range r.Groups {
		heading = append(heading, words.Capital(groupName(r, g)))
	}
	rows := console.NewTable(heading...)
	for _, f := range r.Fields {
		row := []any{f.Path}
		for _, v := range f.Values {
			row = append(row, v)
		}
		rows.Add(row...)
	}
	rows.Print(w)
	fmt.Fprintln(w, totalText(r))
}

// totalText returns a text about how many fields differ.
func totalText(r *desync.Report) string {
	most := ""
	if r.AtLeast {
		most = "At least "
	}
	if r.Total == 1 {
		return most + "1 field differs."
	}
	text := fmt.Sprintf("%s%d fields differ", most, r.Total)
	if int(r.Total) > len(r.Fields) {
		text += fmt.Sprintf("; these are %d of them", len(r.Fields))
	}
	return text + "."
}

// showInputs prints the inputs in hexadecimal, with one row for each run of frames without a change.
func showInputs(w io.Writer, r *desync.Report) {
	heading := []any{"FRAMES"}
	for p := range r.Shape.Players {
		heading = append(heading, fmt.Sprintf("PLAYER %d", p+1))
	}
	rows := console.NewTable(heading...)
	var cells []any
	from, last := uint32(0), uint32(0)
	flush := func() {
		if cells == nil {
			return
		}
		frames := fmt.Sprint(from)
		if last > from {
			frames += fmt.Sprintf(" to %d", last)
		}
		rows.Add(append([]any{frames}, cells...)...)
	}
	// There is no error: Decode has already read the frames.
	_ = r.Frames(func(f *agreed.Frame) error {
		now := inputCells(r.Shape, f)
		if cells == nil || fmt.Sprint(now) != fmt.Sprint(cells) {
			flush()
			from, cells = f.Number, now
		}
		last = f.Number
		return nil
	})
	flush()
	rows.Print(w)
}

// inputCells returns the inputs of a frame as cells of a table.
func inputCells(shape agreed.Shape, f *agreed.Frame) (cells []any) {
	for p := range shape.Players {
		cell := hex.EncodeToString(f.Inputs[p*shape.InputSize : (p+1)*shape.InputSize])
		if f.Gone>>p&1 != 0 {
			cell = "gone"
		}
		if f.Orders != nil && len(f.Orders[p]) > 0 {
			cell += fmt.Sprintf(" +%d bytes of orders", len(f.Orders[p]))
		}
		cells = append(cells, cell)
	}
	return cells
}
