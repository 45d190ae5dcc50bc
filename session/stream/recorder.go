package stream

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Recorder takes what is agreed in a match, for a recording. It is called from within the
// calls of its session, and everything but states is valid during the call only. First comes Begin, then for each frame State, if
// there is one, and Frame, and at last End. End may come without Begin.
type Recorder interface {
	// Begin begins it.
	Begin(b *Begin)
	// State is state f, encoded, right before frame f: one that [Wants] asks for.
	// The bytes are the recorder's.
	State(f rollback.Frame, encoded []byte)
	// Frame is a frame that is agreed, and the hash of the state after it, if hashed.
	Frame(f *agreed.Frame, hash uint64, hashed bool)
	// End ends it; nothing more comes.
	End(e *End)
}

// Wants is what a recording has besides frames, each in an interval in frames; 0 is
// none.
type Wants struct {
	// States are wanted whose number is a multiple of it.
	States rollback.Frame
	// Hashes are needed of states whose number is a multiple of it. More may come.
	Hashes rollback.Frame
}

// Begin says what is recorded.
type Begin struct {
	Match      uint32 // its number
	Parameters Parameters
	Initial    uint64 // hash of state 0; 0 is not known
	Shape      agreed.Shape
	First      rollback.Frame // the first frame
	State      []byte         // state First, encoded; the recorder's. Nil if it is frame 0
}

// End says how it ends.
type End struct {
	// Next is one behind the last frame that was recorded.
	Next rollback.Frame
	// Ended says that the match has ended, as Outcome says, whose Health, Fairness and
	// Told are not known yet.
	Ended   bool
	Outcome Outcome
	// Over is why the session is over before the match has ended, or nil.
	Over error
	// Failed is why the recording cannot go on, or nil: [ErrRecordGap],
	// [ErrUnrecorded], or what was given to StopRecording.
	Failed error
	// Log is the membership log.
	Log []Entry
}

var (
	// ErrRecording is a second recording at one time.
	ErrRecording = errors.New("session: a match is being recorded already, or is about to be")
	// ErrUnrecorded is a recording that ended before anything could be recorded.
	ErrUnrecorded = errors.New("session: there was nothing to record")
	// ErrRecordGap is a recording that cannot go on, because agreed frames were left out:
	// a spectator has gone on with another state.
	ErrRecordGap = errors.New("session: frames are missing, so that the recording cannot go on")
)
