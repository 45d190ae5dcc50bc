package stream

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Recorder records what is agreed in a match. The session calls it from its own methods, and all arguments except
// states are valid only during the call. First comes Begin, then State (if there is one) and Frame for each frame,
// and finally End. End may come without Begin.
type Recorder interface {
	// Begin begins the recording.
	Begin(b *Begin)
	// State records the encoded state f, right before frame f; [Wants] says which states are wanted. The recorder
	// may keep the bytes.
	State(f rollback.Frame, encoded []byte)
	// Frame records an agreed frame, and the hash of the state after it if hashed is set.
	Frame(f *agreed.Frame, hash uint64, hashed bool)
	// End ends the recording; nothing more comes.
	End(e *End)
}

// Patient is a [Recorder] that writes beside the match, and fails if it cannot keep up with it.
type Patient interface {
	Recorder
	// CatchUp makes the recorder wait for its writer instead, while much comes at once.
	CatchUp(on bool)
}

// Wants says what a recording needs besides frames. Each interval is in frames; 0 means none.
type Wants struct {
	// States is the interval of wanted states: those whose number is a multiple of it.
	States rollback.Frame
	// Hashes is the interval of wanted hashes, of states whose number is a multiple of it. More hashes may come.
	Hashes rollback.Frame
}

// Begin describes what is recorded.
type Begin struct {
	Match      uint32 // the number of the match
	Parameters Parameters
	Initial    uint64 // hash of state 0; 0 if it is not known
	Shape      agreed.Shape
	First      rollback.Frame // the first frame
	State      []byte         // encoded state First; the recorder may keep it. Nil if First is 0
}

// End says how a recording ends.
type End struct {
	// Next is the frame after the last one recorded.
	Next rollback.Frame
	// Ended says that the match has ended as described by Outcome, whose Health, Fairness and Told are not known
	// yet.
	Ended   bool
	Outcome Outcome
	// Over is why the session ended before the match, or nil.
	Over error
	// Failed is why the recording cannot continue, or nil: [ErrRecordGap], [ErrUnrecorded], or the error passed to
	// StopRecording.
	Failed error
	// Log is the membership log.
	Log []Entry
}

var (
	// ErrRecording means that a recording is already running or prepared.
	ErrRecording = errors.New("session: a match is being recorded already, or is about to be")
	// ErrUnrecorded means that a recording ended before there was anything to record.
	ErrUnrecorded = errors.New("session: there was nothing to record")
	// ErrRecordGap means that a recording cannot continue because agreed frames are missing: a spectator has
	// skipped to a later state.
	ErrRecordGap = errors.New("session: frames are missing, so that the recording cannot go on")
)
