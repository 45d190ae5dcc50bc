package recordings

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/replay"
)

// bisectResult says where two recordings or builds diverge. The tags are the keys of --json.
type bisectResult struct {
	File  string `json:"file"`
	Other string `json:"other"` // the other file or program; empty for this build
	Game  string `json:"game"`
	OK    bool   `json:"ok"`    // whether they do not diverge
	Error string `json:"error"` // empty unless something failed

	Found bool          `json:"found"`
	Frame *uint32       `json:"frame"` // the first frame that differs; null if it is not known
	State *uint32       `json:"state"` // the first state that is known to differ; null if there is none
	Good  *uint32       `json:"good"`  // the last state that is known to be the same
	What  string        `json:"what"`  // state, inputs, statuses, orders, finish, match or end
	A     string        `json:"a"`     // hashes, inputs, or whatever differs
	B     string        `json:"b"`
	At    uint32        `json:"fields_at"` // the state that the fields belong to
	More  int           `json:"more"`      // fields that are not listed
	List  []fieldResult `json:"fields"`
	Input []string      `json:"inputs"` // the inputs of each player in the frame
	From  *uint32       `json:"from"`   // the first frame that both files have; null unless two files are compared
	To    *uint32       `json:"to"`     // the frame after the last one that both files have
	// Floats says how this program's floats differ from the recording's; empty if they do not.
	Floats string `json:"floats"`

	called [2]string // the names of A and B
}

// bisectOptions are the flags of the bisect command.
type bisectOptions struct {
	game string
	with string
	jobs int
	json bool
}

func (a *family) bisectCommand() *cobra.Command {
	var o bisectOptions
	cmd := &cobra.Command{
		Use:   "bisect FILE [FILE]",
		Short: "Find the first frame in which recordings or builds part",
		Long: "With two files: the first frame of a match that two recordings have differently,\n" +
			"in inputs, statuses, orders or hashes.\n\n" +
			"With one: the first part of the recording that is not what this build makes of it:\n" +
			"the frame itself if every state was hashed.\n\n" +
			"With one and --with: the first frame that this build and another one simulate\n" +
			"differently, exactly, and the fields in which the states differ. The other build is\n" +
			"a program with these same commands, which is run: give only one that you trust.\n\n" +
			"Exit codes: 0 no difference, 1 a difference or something failed, 2 wrong usage.",
		Example: "  " + a.Name + " replay bisect mine.tbr yours.tbr\n" +
			"  " + a.Name + " replay bisect match.tbr\n" +
			"  " + a.Name + " replay bisect match.tbr --with ./" + a.Name + "-yesterday",
		Args: func(cmd *cobra.Command, files []string) error {
			switch {
			case len(files) < 1 || len(files) > 2:
				return console.Usagef("%s needs one or two FILEs, not %d", cmd.CommandPath(), len(files))
			case o.with != "" && (len(files) != 1 || files[0] == "-"):
				return console.Usagef("--with goes with one file, which both programs open")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.bisect(cmd.Context(), files, o)
		},
	}
	a.gameFlag(cmd, &o.game)
	cmd.Flags().StringVar(&o.with, "with", "", "compare this build with that of another `PROGRAM`")
	cmd.Flags().IntVarP(&o.jobs, "jobs", "j", 0, "simulate `N` parts side by side (default: as many as there are processors)")
	jsonFlag(cmd, &o.json)
	return cmd
}

func (a *family) bisect(ctx context.Context, files []string, o bisectOptions) error {
	res := bisectResult{File: files[0], Other: o.with, List: []fieldResult{}, Input: []string{}}
	err := a.with(ctx, files[0], o.game, func(m *recorded) error {
		res.Game = m.game.Info().ID
		switch {
		case o.with != "":
			return a.bisectPrograms(ctx, m, o, &res)
		case len(files) == 2:
			res.Other = files[1]
			return a.with(ctx, files[1], o.game, func(n *recorded) error { return bisectFiles(ctx, m, n, &res) })
		}
		return a.bisectHere(ctx, m, o, &res)
	})
	if errors.Is(err, console.ErrInterrupted) {
		return err
	}
	res.Error, res.OK = console.ErrorText(err), err == nil && !res.Found
	if err == nil && res.Found {
		err = console.ErrReported
	}
	if o.json {
		a.PrintJSON(res)
	} else if res.Error == "" {
		printBisect(a.Stdout, &res)
	}
	return err
}

// bisectFiles compares two recordings.
func bisectFiles(ctx context.Context, m, n *recorded, res *bisectResult) error {
	c, err := replay.Compare(ctx, m.r, n.r)
	if err != nil {
		return interrupted(ctx, err)
	}
	d := diffResult{}
	d.take(c, m.replay, m.r)
	res.Found, res.From, res.To = !c.Same(), &c.From, &c.To
	res.called[0], res.called[1] = m.path, n.path
	switch {
	case len(c.Header) > 0:
		res.What, res.A = "match", c.Header[0]
	case d.Frame != nil && (d.Hash == nil || d.Frame.Number < d.Hash.State):
		res.What, res.Frame, res.Good, res.A, res.B = d.Frame.What, &d.Frame.Number, &d.Frame.Number, d.Frame.A, d.Frame.B
		if d.Frame.Player != nil {
			res.What += " of " + words.Person(*d.Frame.Player)
		}
	case d.Hash != nil:
		res.What, res.Good, res.State, res.A, res.B = "state", &d.Hash.Good, &d.Hash.State, d.Hash.A, d.Hash.B
		if d.Hash.State == d.Hash.Good+1 {
			res.Frame = &d.Hash.Good
		}
	case c.DamageA != nil:
		return m.name(sameUpTo(c, c.DamageA))
	case c.DamageB != nil:
		return n.name(sameUpTo(c, c.DamageB))
	case res.Found:
		res.What, res.A = "end", c.End[0]
	}
	return nil
}

// sameUpTo adds to an error in which frames the recordings do not differ.
func sameUpTo(c *replay.Comparison, err error) error {
	if c.From == c.To {
		return err
	}
	return fmt.Errorf("no difference in the frames %d to %d, but: %w", c.From, c.To-1, err)
}

// bisectHere verifies a recording on this build.
func (a *family) bisectHere(ctx context.Context, m *recorded, o bisectOptions, res *bisectResult) error {
	if m.recordingFile.r == nil {
		return errUnverified // hashes to compare with would come from this build
	}
	p := console.NewProgress(a.Stderr, m.size, "simulating")
	defer p.Hide()
	v, err := replay.Verify(ctx, m.r, m.replay, replay.VerifyOptions{Workers: o.jobs, Progress: framesOf(p, m.recordingFile)})
	switch {
	case err != nil:
		return interrupted(ctx, err)
	case v.Mismatch == nil && v.Damage != nil:
		return v.Damage
	case v.Unverified():
		return errUnverified
	case v.Mismatch == nil:
		return nil
	}
	if v.Mismatch.Floats != nil {
		res.Floats = v.Mismatch.Floats.Error()
	}
	x := mismatchOf(v.Mismatch)
	res.Found, res.What, res.Frame, res.Good, res.State = true, "state", x.Frame, &x.Good, &x.State
	if x.Ended != "" {
		res.What, res.A = "end", x.Ended
		return nil
	}
	res.A, res.B, res.At, res.List, res.More = x.Recorded, x.Computed, x.FieldsAt, x.Fields, x.More
	res.called[0], res.called[1] = "recorded", "simulated"
	return inputsOf(ctx, m, res)
}

// inputsOf fills in the inputs of the players in the frame.
func inputsOf(ctx context.Context, m *recorded, res *bisectResult) error {
	if res.Frame == nil {
		return nil
	}
	sim, err := m.replay.Sim(m.r.Header())
	if err != nil {
		return err
	}
	for row, err := range replay.Rows(ctx, m.r, nil, *res.Frame, *res.Frame+1) {
		if err != nil {
			return err
		}
		size := m.r.Header().Shape.InputSize
		for p := range m.r.Header().Shape.Players {
			text := inputText(sim, row.Frame.Inputs[p*size:(p+1)*size])
			if row.Frame.Gone>>p&1 != 0 {
				text = "disconnected"
			}
			res.Input = append(res.Input, text)
		}
	}
	return nil
}

// printBisect prints the result for people.
func printBisect(w io.Writer, res *bisectResult) {
	say := func(format string, args ...any) {
		fmt.Fprintln(w, console.Printable(fmt.Sprintf(format, args...)))
	}
	if res.Floats != "" {
		say("%s.", res.Floats)
	}
	switch {
	case !res.Found && res.From != nil && *res.From == *res.To:
		say("They have no frame in common.")
		return
	case !res.Found && res.From != nil:
		say("No difference: the frames %d to %d are the same.", *res.From, *res.To-1)
		return
	case !res.Found:
		say("No difference.")
		return
	case res.Frame != nil && res.What == "state":
		say("Frame %d is the first that comes out differently: state %d is %s (%s) and %s (%s).", *res.Frame, *res.State, console.OrDash(res.A), res.called[0], res.B, res.called[1])
	case res.Frame != nil:
		say("Frame %d is the first that is not the same. The %s: %s (%s) and %s (%s).", *res.Frame, res.What, console.OrDash(res.A), res.called[0], console.OrDash(res.B), res.called[1])
	case res.State != nil && *res.State > 0 && res.Good != nil && *res.Good < *res.State && res.What == "state":
		say("One of the frames %d to %d comes out differently: state %d is %s (%s) and %s (%s).", *res.Good, *res.State-1, *res.State, console.OrDash(res.A), res.called[0], res.B, res.called[1])
	case res.State != nil && res.What == "state":
		say("State %d, with which it begins, is not the same: %s (%s) and %s (%s).", *res.State, console.OrDash(res.A), res.called[0], res.B, res.called[1])
	default:
		say("The %s is not the same: %s", res.What, res.A)
	}
	for p, in := range res.Input {
		say("  %s: %s", words.Person(p), in)
	}
	if len(res.List) > 0 {
		say("What differs in state %d:", res.At)
		printFields(w, words.Capital(res.called[0]), words.Capital(res.called[1]), res.List, res.More)
	}
}
