package stream

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Recorder records what is agreed in a match. The session calls it from within its own calls,
// and everything but states is valid during the call only. First comes Begin, then State (if
// there is one) and Frame for each frame, and at last End. End may come without Begin.
type Recorder interface {
	// Begin begins the recording.
	Begin(b *Begin)
	// State is state f, encoded, right before frame f: one that [Wants] asks for. The
	// recorder may keep the bytes.
	State(f rollback.Frame, encoded []byte)
	// Frame is an agreed frame, and the hash of the state after it if that is hashed.
	Frame(f *agreed.Frame, hash uint64, hashed bool)
	// End ends the recording; nothing more comes.
	End(e *End)
}

// Wants is what a recording needs besides frames. Each interval is in frames; 0 means none.
type Wants struct {
	// States are wanted whose number is a multiple of this.
	States rollback.Frame
	// Hashes are needed of states whose number is a multiple of this. More may come.
	Hashes rollback.Frame
}

// Begin says what is recorded.
type Begin struct {
	Match      uint32 // its number
	Parameters Parameters
	Initial    uint64 // hash of state 0; 0 if it is not known
	Shape      agreed.Shape
	First      rollback.Frame // the first frame
	State      []byte         // state First, encoded; the recorder may keep it. Nil if First is 0
}

// End says how a recording ends.
type End struct {
	// Next is the frame after the last one that was recorded.
	Next rollback.Frame
	// Ended says that the match has ended, as Outcome describes; its Health, Fairness and
	// Told are not known yet.
	Ended   bool
	Outcome Outcome
	// Over is why the session ended before the match, or nil.
	Over error
	// Failed is why the recording cannot go on, or nil: [ErrRecordGap], [ErrUnrecorded], or
	// what was passed to StopRecording.
	Failed error
	// Log is the membership log.
	Log []Entry
}

var (
	// ErrRecording means a second recording at the same time.
	ErrRecording = errors.New("session: a match is being recorded already, or is about to be")
	// ErrUnrecorded means a recording that ended before it had anything to record.
	ErrUnrecorded = errors.New("session: there was nothing to record")
	// ErrRecordGap means a recording that cannot go on because agreed frames are missing: a
	// spectator has continued with a later state.
	ErrRecordGap = errors.New("session: frames are missing, so that the recording cannot go on")
)
