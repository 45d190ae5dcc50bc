package replay

import (
	"context"
	"runtime"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/replay/tbr"
)

// VerifyOptions are how a recording is verified.
type VerifyOptions struct {
	// Workers is how many parts of the recording are simulated at the same time; 0 is as
	// many as there are processors. A recording without keyframes has one part, and a game
	// of which there can be only one simulation ([Game.Several]) one worker.
	Workers int
	// MostFields is how many fields a [Mismatch] names; the default is 20.
	MostFields int
	// Last, if given, is called once with the simulation of the last state, if that is
	// reached without a mismatch. It may look at it, and may be called from another
	// goroutine.
	Last func(s Sim)
	// Progress, if given, gets the number of frames that are done. Calls do not overlap,
	// but may come from other goroutines.
	Progress func(frames uint32)
}

// Verification is what simulating a recording again has shown.
type Verification struct {
	First, Next uint32 // the frames of the recording: First, before Next
	Frames      uint32 // how many were simulated
	Workers     int    // how many simulations there were side by side
	// Hashes and Keyframes are how many recorded ones are as simulated.
	Hashes, Keyframes uint32
	// Checked is the last state that was compared, by hash or keyframe: the frames before
	// it are proved, if there is no mismatch. It is First if nothing was compared.
	Checked uint32
	// Mismatch is the first part of the recording that this build computes differently;
	// nil if there is none.
	Mismatch *Mismatch
	// Damage is why frames could not be read: those of a part, or all from somewhere on.
	// Other parts are still verified. Or it is another defect of the file: in an optional
	// chunk, or in the digest of the body.
	Damage error
	// Chained says that the chain of the match's hashes was compared, too: the recording
	// has it and hashes, begins with frame 0, and is not longer than some 4 million frames.
	Chained bool
	// Last is the hash of the last state, if LastKnown: as simulated.
	Last      uint64
	LastKnown bool
}

// OK reports whether the recording is whole, something in it could be compared with
// what was simulated, and all of that is the same.
func (v *Verification) OK() bool { return v.Mismatch == nil && v.Damage == nil && !v.Unverified() }

// Unverified reports whether there was nothing to compare: no hash and no keyframe.
func (v *Verification) Unverified() bool {
	return v.Hashes == 0 && v.Keyframes == 0 && v.Mismatch == nil
}

// Mismatch is where a recording and this build diverge.
type Mismatch struct {
	// Good is the last state that is known to be the same, and State the first that is
	// known to differ. If they are neighbours, frame Good is the one: see Exact.
	Good, State uint32
	// Recorded is the hash that the recording has of State, and Computed that of the
	// simulation. If they match, it is the state itself that differs, in a keyframe, or
	// how the match ended.
	Recorded tbr.Hash
	Computed uint64
	// Fields are the differences, recorded (A) and simulated (B), in the first keyframe
	// that is not the same: of state FieldsAt. There are none without such a keyframe.
	Fields   canon.Report
	FieldsAt uint32
	// Ended, if not empty, says that the match did not end as the recording says.
	Ended string
	// Floats says that those of this program are others than the recording's, which is why it came out differently;
	// nil if they are the same, the game has none, or the recording does not say.
	Floats *FloatsError
}

// Exact returns the frame that came out differently, and whether it is known exactly.
func (m *Mismatch) Exact() (frame uint32, ok bool) {
	return m.Good, m.State == m.Good+1
}

// Verify simulates a recording again on this build, and compares the states with the
// recorded hashes and keyframes. An error means that this was not possible: [*GameError],
// one of the game or of ctx, a [*PanicError]. Defects of the recording are in the result.
//
// All chunks are read, too ([tbr.Reader.CheckChunks]), also those that are not needed to
// simulate: by one worker, while others begin.
//
// The parts between keyframes are simulated independently, each from its recorded state,
// which must come out at the end of the part before.
func Verify(ctx context.Context, r *tbr.Reader, g Game, o VerifyOptions) (*Verification, error) {
	v := &verifier{r: r, game: g, o: o, every: chainEvery(r)}
	if v.o.MostFields <= 0 {
		v.o.MostFields = 20
	}
	if err := v.divide(); err != nil {
		return nil, err
	}
	v.result = Verification{First: r.First(), Next: r.Next(), Checked: r.First()}
	workers := min(v.o.Workers, len(v.parts))
	if v.o.Workers <= 0 {
		workers = min(runtime.GOMAXPROCS(0), len(v.parts))
	}
	if !g.Several() {
		workers = 1
	}
	v.result.Workers = workers
	v.wrong.Store(int64(len(v.parts)))
	if err := v.run(ctx, workers, v.inspect); err != nil {
		return nil, err
	}
	v.sum()
	if err := v.checkChain(ctx, workers); err != nil {
		return nil, err
	}
	if m := v.result.Mismatch; m != nil {
		m.Floats = floatsDiffer(r.Header().Platform, g.Platform())
	}
	return &v.result, nil
}

// firstOf returns the first error that is one.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
