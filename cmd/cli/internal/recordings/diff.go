package recordings

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// diffResult says how two recordings differ. The tags are the keys of --json.
type diffResult struct {
	File  string `json:"file"`
	Other string `json:"other"`
	OK    bool   `json:"ok"`    // whether there is no difference
	Error string `json:"error"` // empty when ok

	Header   []string         `json:"header"` // differences, as "seed: 1 != 2"
	SameBody bool             `json:"same_body"`
	From     uint32           `json:"from"` // the range of frames that both have: From to To - 1
	To       uint32           `json:"to"`
	Frame    *frameDifference `json:"frame"` // null if there is none
	Hash     *hashDifference  `json:"hash"`  // null if there is none
	Hashes   uint32           `json:"hashes"`
	End      []string         `json:"end"`
	Damage   []string         `json:"damage"`
}

// frameDifference is the first frame that differs.
type frameDifference struct {
	Number uint32 `json:"number"`
	What   string `json:"what"`
	Player *int   `json:"player"` // null if it does not concern one player
	A      string `json:"a"`
	B      string `json:"b"`
}

// hashDifference is the first state whose hashes differ.
type hashDifference struct {
	Good  uint32 `json:"good"`
	State uint32 `json:"state"`
	A     string `json:"a"`
	B     string `json:"b"`
}

func (a *family) diffCommand() *cobra.Command {
	var game string
	var json bool
	cmd := &cobra.Command{
		Use:   "diff FILE FILE",
		Short: "Say how two recordings of a match differ",
		Long: "Compares what two recordings say of the match, the frames that both have, and the\n" +
			"hashes of their states. Nothing is simulated, except that one of RPLK v1 has the\n" +
			"hashes that this build comes to. What recordings say of themselves, such as when\n" +
			"they were made, does not count.\n\n" +
			"Exit codes: 0 no difference, 1 a difference or something failed, 2 wrong usage.",
		Example: "  " + a.Name + " replay diff mine.tbr yours.tbr",
		Args:    disk.ExactlyFiles(2),
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.diff(cmd.Context(), files[0], files[1], game, json)
		},
	}
	a.gameFlag(cmd, &game)
	jsonFlag(cmd, &json)
	return cmd
}

func (a *family) diff(ctx context.Context, first, second, game string, json bool) error {
	res := diffResult{File: first, Other: second, Header: []string{}, End: []string{}, Damage: []string{}}
	err := a.compareFiles(ctx, first, second, game, &res)
	if res.Error = console.ErrorText(err); err == nil && !res.OK {
		err = console.ErrReported
	}
	if json {
		a.PrintJSON(res)
	} else if res.Error == "" {
		printDiff(a.Stdout, &res)
	}
	return err
}

// compareFiles compares two recordings.
func (a *family) compareFiles(ctx context.Context, first, second, game string, res *diffResult) error {
	return a.with(ctx, first, game, func(m *recorded) error {
		return a.with(ctx, second, game, func(n *recorded) error {
			c, err := replay.Compare(ctx, m.r, n.r)
			if err != nil {
				return interrupted(ctx, err)
			}
			res.take(c, m.replay, m.r)
			return nil
		})
	})
}

// take fills in the result of a comparison.
func (res *diffResult) take(c *replay.Comparison, g replay.Game, r *tbr.Reader) {
	res.OK, res.SameBody, res.From, res.To, res.Hashes = c.Same(), c.SameBody, c.From, c.To, c.Hashes
	res.Header, res.End = append(res.Header, c.Header...), append(res.End, c.End...)
	for _, err := range []error{c.DamageA, c.DamageB} {
		if err != nil {
			res.Damage = append(res.Damage, err.Error())
		}
	}
	if d := c.Frame; d != nil {
		show := frameShower(g, r.Header())
		res.Frame = &frameDifference{Number: d.Number, What: d.What, A: show(d, &d.A), B: show(d, &d.B)}
		if d.Player >= 0 {
			res.Frame.Player = &d.Player
		}
	}
	if d := c.Hash; d != nil {
		res.Hash = &hashDifference{d.Good, d.State, hashText(d.A), hashText(d.B)}
	}
}

// hashText returns as much of a hash as was recorded.
func hashText(h tbr.Hash) string {
	if h.Bits == 32 {
		return words.Checksum32(uint32(h.Hash))
	}
	return words.Checksum64(h.Hash)
}

// frameShower returns a function that shows the part of a frame that a difference is about.
func frameShower(g replay.Game, h *tbr.Header) func(d *replay.FrameDifference, f *agreed.Frame) string {
	sim, err := g.Sim(h)
	return func(d *replay.FrameDifference, f *agreed.Frame) string {
		switch d.What {
		case "inputs":
			size := h.Shape.InputSize
			in := f.Inputs[d.Player*size : (d.Player+1)*size]
			if err == nil {
				return inputText(sim, in)
			}
			return hex.EncodeToString(in)
		case "statuses":
			return statusOf(f, d.Player)
		case "orders":
			if d.Player < len(f.Orders) {
				return hex.EncodeToString(f.Orders[d.Player])
			}
			return ""
		}
		if f.Finished {
			return fmt.Sprintf("finished with result %d", f.Result)
		}
		return "not finished"
	}
}

// inputText returns an input with the names of its fields.
func inputText(sim replay.Sim, in []byte) string {
	list, err := sim.Inputs(in)
	if err != nil {
		return hex.EncodeToString(in)
	}
	text := ""
	for i, f := range list {
		if i > 0 {
			text += " "
		}
		if f.Path != "" {
			text += f.Path + "="
		}
		text += f.Text
	}
	return text
}

func statusOf(f *agreed.Frame, p int) string {
	if f.Gone>>p&1 != 0 {
		return "disconnected"
	}
	return "confirmed"
}

// printDiff prints the result for people.
func printDiff(w io.Writer, res *diffResult) {
	say := func(format string, args ...any) {
		fmt.Fprintln(w, console.Printable(fmt.Sprintf(format, args...)))
	}
	for _, line := range res.Header {
		say("match: %s", line)
	}
	switch d := res.Frame; {
	case res.SameBody:
		say("The agreed bodies are the same, byte for byte.")
	case res.From == res.To:
		say("They have no frame in common.")
	case d != nil && d.Player != nil:
		say("frame %d is the first that is not the same: %s of %s are %s and %s", d.Number, d.What, words.Person(*d.Player), console.OrDash(d.A), console.OrDash(d.B))
	case d != nil:
		say("frame %d is the first that is not the same: %s and %s", d.Number, d.A, d.B)
	default:
		say("The frames %d to %d are the same.", res.From, res.To-1)
	}
	switch d := res.Hash; {
	case d != nil:
		say("state %d is the first whose hashes are not the same, after state %d: %s and %s", d.State, d.Good, d.A, d.B)
	case res.Hashes > 0:
		say("%d hashes are the same.", res.Hashes)
	}
	for _, line := range res.End {
		say("end: %s", line)
	}
	for _, line := range res.Damage {
		say("damaged: %s", line)
	}
}
