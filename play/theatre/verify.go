package theatre

import (
	"context"
	"errors"
	"io"

	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// Verification resimulates a recording, and compares the results.
type Verification struct {
	*Task
	file   *File
	frames uint32 // the number of frames simulated so far
	result *replay.Verification
}

// paceEvery is how many steps there are between two checks of the clock.
const paceEvery = 32

// Verify starts to verify the whole recording, in slices.
func (f *File) Verify() *Verification {
	v := &Verification{file: f}
	v.Task = Begin(func(p *Pace) (err error) {
		r, err := tbr.Open(&pacedSource{f.source(), p}, int64(len(f.bytes)))
		if err != nil {
			return err
		}
		game, err := f.kind.verifier(f.Header().Game, func() {
			if v.frames++; v.frames%paceEvery == 0 {
				if err := p.Yield(); err != nil {
					panic(err) // package replay recovers from it
				}
			}
		})
		if err != nil {
			return err
		}
		v.result, err = replay.Verify(context.Background(), r, game, replay.VerifyOptions{Workers: 1, MostFields: 3})
		return err
	})
	return v
}

// pacedSource yields when a file is read.
type pacedSource struct {
	r io.ReaderAt
	p *Pace
}

// ReadAt waits for the next slice if this one is used up. It fails if the verification was cancelled.
func (s *pacedSource) ReadAt(b []byte, at int64) (int, error) {
	if s.p != nil {
		if err := s.p.Yield(); err != nil {
			return 0, err
		}
	}
	return s.r.ReadAt(b, at)
}

// Verified is the text for a recording that is correct.
const Verified = "ok"

// Unhashed is the text for a recording that can be played to its end, but has nothing to compare the results with.
const Unhashed = "unhashed"

// Text returns the progress, "running 40%", and finally [Verified] or [Unhashed], which are the same in each
// language, or what is wrong.
func (v *Verification) Text() string {
	if !v.over {
		return words.F("running %d%%", min(uint64(v.frames)*100/uint64(max(v.file.Frames(), 1)), 99))
	}
	var panicked *replay.PanicError
	switch {
	case errors.As(v.err, &panicked):
		return words.F("the game fails at what is recorded: %v", panicked.Value)
	case v.err != nil:
		return Plainly(v.err)
	}
	return v.judge(v.result)
}

func (v *Verification) judge(r *replay.Verification) string {
	switch {
	case r.Mismatch != nil:
		return mismatch(r.Mismatch)
	case r.Damage != nil && v.file.Damage == nil:
		return words.F("damaged: %s; right before frame %d", Plainly(r.Damage), r.Checked)
	case v.file.Damage != nil:
		return words.F("damaged: %s; right before frame %d", Plainly(v.file.Damage), r.Checked)
	case r.Unverified():
		return Unhashed
	}
	return Verified
}

// Details returns a text that says what was compared in a recording that is correct.
func (v *Verification) Details() string {
	if !v.over || v.result == nil {
		return ""
	}
	if v.result.Unverified() {
		return words.F("%d frames were played to the end; the file has no hashes", v.result.Frames)
	}
	if v.result.Keyframes > 0 {
		return words.F("%d frames simulated again, %d hashes and %d states the same", v.result.Frames, v.result.Hashes, v.result.Keyframes)
	}
	return words.F("%d frames simulated again, %d hashes the same", v.result.Frames, v.result.Hashes)
}

// mismatch returns a text that says where the recording and this program differ.
func mismatch(m *replay.Mismatch) (text string) {
	switch frame, exact := m.Exact(); {
	case m.Ended != "":
		text = m.Ended
	case m.State == 0:
		text = words.T("the match does not begin as it was recorded")
	case exact:
		text = words.F("frame %d does not lead to the state that was recorded", frame)
	default:
		text = words.F("one of the frames %d to %d does not lead to the state that was recorded", m.Good, m.State-1)
	}
	for _, d := range m.Fields.Differences {
		text += "; " + words.F("%s is %s, and was %s", d.Path, d.B, d.A)
	}
	return text
}
