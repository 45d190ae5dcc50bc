package recordings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/replay"
)

// errUnverified means that a recording has no hashes to compare with.
var errUnverified = errors.New("unverified: the recording has no hashes to compare with")

// verifyRecording verifies a recording in our format.
func verifyRecording(ctx context.Context, game Game, s *recordingFile, p *console.Progress, o verifyOptions, res *verifyResult) error {
	h := s.r.Header()
	res.Seed, res.First, res.Frames = h.Seed, s.r.First(), s.r.Next()-s.r.First()
	g, err := game.recorded()
	if err != nil {
		return err
	}
	start := time.Now()
	checksum := ""
	v, err := replay.Verify(ctx, s.r, g, replay.VerifyOptions{
		Workers: o.jobs, Progress: framesOf(p, s), Last: func(sim replay.Sim) { checksum = game.checksumOf(sim) },
	})
	if err != nil {
		return interrupted(ctx, err)
	}
	res.took = time.Since(start)
	res.Frames, res.Hashes, res.Keyframes = v.Frames, v.Hashes, v.Keyframes
	res.Checked, res.Workers = v.Checked, v.Workers
	if v.Mismatch == nil && v.Damage == nil {
		res.Checksum = checksum
		if v.LastKnown {
			res.Hash = words.Checksum64(v.Last)
		}
	}
	return judgeVerification(v, o.expect, res)
}

// judgeVerification turns a verification into a verdict, and into an error unless it is ok.
func judgeVerification(v *replay.Verification, expect expectation, res *verifyResult) error {
	switch {
	case v.Mismatch != nil:
		res.Verdict, res.Mismatch = verdictWrong, mismatchOf(v.Mismatch)
		if v.Mismatch.Floats != nil { // known before the first frame, where the number of a frame would be misleading
			return fmt.Errorf("%w; %s", v.Mismatch.Floats, mismatchText(v.Mismatch))
		}
		return errors.New(mismatchText(v.Mismatch))
	case v.Damage != nil:
		res.Verdict = verdictDamaged
		if v.Next == v.First {
			return fmt.Errorf("%w; there is no frame to verify", v.Damage)
		}
		return fmt.Errorf("%w; %d of the frames %d to %d were simulated, and are proved before frame %d", v.Damage, v.Frames, v.First, v.Next-1, v.Checked)
	case !expect.met(res.Checksum) && !expect.met(res.Hash):
		res.Verdict = verdictWrong
		return fmt.Errorf("the last state has checksum %s, expected %s", res.Checksum, expect)
	case v.Unverified() && expect == "":
		res.Verdict = verdictUnverified
		return errUnverified
	}
	res.Verdict = verdictOK
	return nil
}

// interrupted returns the error for an interrupt if ctx has ended, and otherwise err.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && err != nil {
		return console.ErrInterrupted
	}
	return err
}

// framesOf returns a function that converts progress in frames to progress in bytes, using their average size.
func framesOf(p *console.Progress, s *recordingFile) func(done uint32) {
	told := int64(0)
	total := max(int64(s.r.Next()-s.r.First()), 1)
	return func(done uint32) {
		now := s.size * int64(done) / total
		p.Add(now - told)
		told = now
	}
}

func mismatchOf(m *replay.Mismatch) *mismatchResult {
	res := &mismatchResult{
		Good: m.Good, State: m.State, Computed: words.Checksum64(m.Computed), Ended: m.Ended,
		FieldsAt: m.FieldsAt, Fields: fieldResults(m.Fields), More: m.Fields.Total - len(m.Fields.Differences),
	}
	if frame, exact := m.Exact(); exact && m.Ended == "" {
		res.Frame = &frame
	}
	switch m.Recorded.Bits {
	case 32:
		// Most hashes are recorded with half of their bits, and are compared with that half.
		res.Recorded, res.Computed = words.Checksum32(uint32(m.Recorded.Hash)), words.Checksum32(uint32(m.Computed))
	case 64:
		res.Recorded = words.Checksum64(m.Recorded.Hash)
	}
	return res
}

// fieldResults converts differences for JSON; the list is never null.
func fieldResults(r canon.Report) []fieldResult {
	list := []fieldResult{}
	for _, d := range r.Differences {
		list = append(list, fieldResult{d.Path, d.A, d.B})
	}
	return list
}

// mismatchText says in one line where a recording and this build diverge.
func mismatchText(m *replay.Mismatch) string {
	switch frame, exact := m.Exact(); {
	case m.Ended != "":
		return m.Ended
	case m.State == 0:
		return "state 0 is not the one that was recorded"
	case exact:
		return fmt.Sprintf("frame %d does not lead to the state that was recorded", frame)
	}
	return fmt.Sprintf("one of the frames %d to %d does not lead to the state that was recorded", m.Good, m.State-1)
}

// printMismatch prints the hashes and the fields.
func printMismatch(w io.Writer, res *verifyResult) {
	m := res.Mismatch
	fmt.Fprintf(w, "\n%s: state %d is the last that is the same, and state %d is not:\n", console.Printable(disk.NameOf(res.File)), m.Good, m.State)
	fmt.Fprintf(w, "  recorded %s, simulated %s\n", console.OrDash(m.Recorded), m.Computed)
	if len(m.Fields) > 0 {
		fmt.Fprintf(w, "in state %d, of which there is a keyframe:\n", m.FieldsAt)
		printFields(w, "RECORDED", "SIMULATED", m.Fields, m.More)
	}
}

// printFields prints fields that differ, with the names of the two sides.
func printFields(w io.Writer, first, second string, list []fieldResult, more int) {
	rows := console.NewTable("  FIELD", first, second)
	for _, f := range list {
		rows.Add("  "+label(f.Path), f.A, f.B)
	}
	rows.Print(w)
	if more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

// label returns a path, or a name for the whole value if the path is empty.
func label(path string) string {
	if path == "" {
		return "(value)"
	}
	return path
}
