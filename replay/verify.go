package replay

import (
	"context"
	"runtime"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/replay/tbr"
)

// VerifyOptions configures a verification.
type VerifyOptions struct {
	// Workers is how many parts of the recording are simulated at the same time; 0 means as many as there are processors.
	// A recording without keyframes has one part, and a game that allows only one simulation ([Game.Several]) gets one
	// worker.
	Workers int
	// MostFields is the maximum number of fields that a [Mismatch] names; the default is 20.
	MostFields int
	// Last, if given, is called once with a simulation whose live state is the last one, if there was no mismatch
	// before it. It may only read it. It may be called from another goroutine.
	Last func(s Sim)
	// Progress, if given, gets the number of frames done. Calls do not overlap, but may come from other goroutines.
	Progress func(frames uint32)
}

// Verification is the result of simulating a recording again.
type Verification struct {
	First, Next uint32 // the frames of the recording: First, before Next
	Frames      uint32 // the number of simulated frames
	Workers     int    // the number of simulations that ran at the same time
	// Hashes and Keyframes are the numbers of recorded hashes and keyframes that match the simulation.
	Hashes, Keyframes uint32
	// Checked is the last state that was compared, by hash or keyframe: the frames before
	// it are proved, if there is no mismatch. It is First if nothing was compared.
	Checked uint32
	// Mismatch is the first part of the recording that this build computes differently;
	// nil if there is none.
	Mismatch *Mismatch
	// Damage says why frames could not be read, which may be those of one part, or all from some point on. Other parts
	// are still verified. It may also be another defect of the file: in an optional chunk, or in the digest of the
	// body.
	Damage error
	// Chained says that the chain of the match's hashes was also compared: the recording has it and hashes, begins with
	// frame 0, and is not longer than some 4 million frames.
	Chained bool
	// Last is the hash of the last simulated state, if LastKnown.
	Last      uint64
	LastKnown bool
}

// OK reports whether the recording is complete, something in it could be compared with the simulation, and all of that
// matches.
func (v *Verification) OK() bool { return v.Mismatch == nil && v.Damage == nil && !v.Unverified() }

// Unverified reports whether there was nothing to compare: no hash and no keyframe.
func (v *Verification) Unverified() bool {
	return v.Hashes == 0 && v.Keyframes == 0 && v.Mismatch == nil
}

// Mismatch says where a recording and this build diverge.
type Mismatch struct {
	// Good is the last state known to be the same, and State the first known to differ. If State is Good + 1, frame
	// Good is the one with the different result: see Exact.
	Good, State uint32
	// Recorded is the recorded hash of State, and Computed the simulated one. If they match, what differs is the state in
	// a keyframe, or how the match ended.
	Recorded tbr.Hash
	Computed uint64
	// Fields are the differences between the recorded state (A) and the simulated one (B) in the first keyframe that
	// differs, which is that of state FieldsAt. It is empty without such a keyframe.
	Fields   canon.Report
	FieldsAt uint32
	// Ended, if not empty, says that the match did not end as it did in the recording.
	Ended string
	// Floats says that this program's floats differ from the recording's, which explains the mismatch. It is nil if
	// they are the same, if the game has none, or if the recording does not say.
	Floats *FloatsError
}

// Exact returns the frame with the different result, and whether it is known exactly.
func (m *Mismatch) Exact() (frame uint32, ok bool) {
	return m.Good, m.State == m.Good+1
}

// Verify simulates a recording again on this build, and compares the states with the recorded hashes and keyframes. An
// error means that this was not possible: a [*GameError], an error of the game or of ctx, or a [*PanicError]. Defects
// of the recording are in the result.
//
// One worker also reads all chunks ([tbr.Reader.CheckChunks]), including those that are not needed to simulate, while
// the others begin.
//
// The parts between keyframes are simulated independently, each from its recorded state, which must be the result of
// the part before.
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

// firstOf returns the first error that is not nil.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
