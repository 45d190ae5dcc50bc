package recordings

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/replay"
)

// mostChanges limits how many changed fields are shown.
const mostChanges = 1000

// showResult is one frame. The tags are the keys of --json.
type showResult struct {
	File  string `json:"file"`
	Game  string `json:"game"`
	Frame uint32 `json:"frame"`
	OK    bool   `json:"ok"`
	Error string `json:"error"` // empty when ok

	Players []shownPlayer `json:"players"`
	Hash    string        `json:"hash"`     // the hash of the simulated state before the frame
	Next    string        `json:"next"`     // the hash of the simulated state after the frame
	Record  string        `json:"recorded"` // the recorded hash of that state; empty if there is none
	Match   *bool         `json:"match"`    // null if there is none
	State   string        `json:"state"`    // the state before the frame, as text
	Changes []fieldResult `json:"changes"`  // the fields that the frame changes
	More    int           `json:"more"`     // changes that are not listed
}

// shownPlayer is what a player did in the frame.
type shownPlayer struct {
	Input  string `json:"input"`
	Status string `json:"status"`
	Orders string `json:"orders"` // in hexadecimal
}

func (a *family) showCommand() *cobra.Command {
	var game string
	var json bool
	var frame int64
	cmd := &cobra.Command{
		Use:   "show FILE --frame N",
		Short: "Print one frame of a recording",
		Long: "Simulates a recording up to a frame, from the nearest keyframe, and prints the state\n" +
			"then, the inputs, statuses and orders of the frame, and which fields it changes.",
		Example: "  " + a.Name + " replay show match.tbr --frame 7243",
		Args:    disk.ExactlyFiles(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			switch {
			case !cmd.Flags().Changed("frame"):
				return console.Usagef("%s needs a frame: --frame N", cmd.CommandPath())
			case frame < 0 || frame >= 1<<32-1:
				return console.Usagef("--frame %d: frames are counted from 0 to %d", frame, uint32(1<<32-2))
			}
			return a.show(cmd.Context(), files[0], game, uint32(frame), json)
		},
	}
	a.gameFlag(cmd, &game)
	jsonFlag(cmd, &json)
	cmd.Flags().Int64Var(&frame, "frame", -1, "the frame (`N`) to show")
	return cmd
}

func (a *family) show(ctx context.Context, path, game string, frame uint32, json bool) error {
	res := showResult{File: path, Frame: frame, Players: []shownPlayer{}, Changes: []fieldResult{}}
	err := a.with(ctx, path, game, func(m *recorded) error {
		res.Game = m.game.Info().ID
		if frame < m.r.First() || frame >= m.r.Next() {
			return fmt.Errorf("it has the frames %d to %d, and not %d", m.r.First(), max(m.r.Next(), 1)-1, frame)
		}
		return interrupted(ctx, showFrame(ctx, m, &res))
	})
	res.OK, res.Error = err == nil, console.ErrorText(err)
	if json {
		a.PrintJSON(res)
	} else if err == nil {
		printFrame(a.Stdout, &res)
	}
	return err
}

// showFrame simulates up to the frame, and then the frame itself.
func showFrame(ctx context.Context, m *recorded, res *showResult) error {
	sim, err := replay.At(ctx, m.r, m.replay, res.Frame)
	if err != nil {
		return err
	}
	before, err := replay.ViewOf(m.replay, sim)
	if err != nil {
		return err
	}
	res.Hash, res.State = words.Checksum64(before.Hash), string(before.Text)
	for row, err := range replay.Rows(ctx, m.r, nil, res.Frame, res.Frame+1) {
		if err != nil {
			return err
		}
		size := m.r.Header().Shape.InputSize
		for p := range m.r.Header().Shape.Players {
			res.Players = append(res.Players, shownPlayer{
				inputText(sim, row.Frame.Inputs[p*size:(p+1)*size]), statusOf(row.Frame, p), ordersText(row, p),
			})
		}
		if err := sim.Step(row.Frame); err != nil {
			return err
		}
		after, err := replay.ViewOf(m.replay, sim)
		if err != nil {
			return err
		}
		res.Next = words.Checksum64(after.Hash)
		if row.Recorded.Bits > 0 {
			same := row.Recorded.Matches(after.Hash)
			res.Record, res.Match = hashText(row.Recorded), &same
		}
		changes := changesOf(sim, before, after)
		res.Changes, res.More = fieldResults(changes), changes.Total-len(changes.Differences)
	}
	return nil
}

// changesOf compares two states. The second one is the live state.
func changesOf(sim replay.Sim, before, after *replay.View) canon.Report {
	if before.Encoded != nil {
		if r, err := sim.Differences(before.Encoded, mostChanges); err == nil {
			return r
		}
	}
	return canon.DiffTexts(before.Text, after.Text, mostChanges)
}

// printFrame prints the result for people.
func printFrame(w io.Writer, res *showResult) {
	fmt.Fprintf(w, "state %d is %s:\n", res.Frame, res.Hash)
	for line := range strings.Lines(res.State) {
		fmt.Fprintf(w, "  %s\n", console.Printable(strings.TrimSuffix(line, "\n")))
	}
	fmt.Fprintf(w, "frame %d:\n", res.Frame)
	rows := console.NewTable("  PLAYER", "INPUT", "STATUS", "ORDERS")
	for p, s := range res.Players {
		rows.Add(fmt.Sprintf("  %d", p+1), s.Input, s.Status, console.OrDash(s.Orders))
	}
	rows.Print(w)
	verdict := ""
	if res.Match != nil {
		verdict = ", as recorded"
		if !*res.Match {
			verdict = ", but " + res.Record + " was recorded"
		}
	}
	fmt.Fprintf(w, "state %d is %s%s; what has changed:\n", res.Frame+1, res.Next, verdict)
	printFields(w, "BEFORE", "AFTER", res.Changes, res.More)
	if len(res.Changes) == 0 {
		fmt.Fprintln(w, "  nothing")
	}
}
