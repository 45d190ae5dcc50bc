package effects

import "fmt"

// Frame numbers a step of the simulation: frame f drives state f to state f+1.
type Frame uint32

// NoFrame means no frame.
const NoFrame Frame = 1<<32 - 1

// What is the kind of an event: what happened to an effect.
type What uint8

// The kinds of events, in the order in which they can happen.
const (
	// Started: show the effect. Event.Late frames have passed since it should have begun.
	Started What = iota + 1
	// Moved: the effect is already shown, but happens at another frame than predicted. Event.From is the frame it had
	// before. Do not start it again.
	Moved
	// Updated: the payload of an effect that is shown has changed.
	Updated
	// Ended: a sustained effect that really happened is over.
	Ended
	// Cancelled: the effect was shown because of a wrong prediction, and never happened. Fade it out.
	Cancelled
	// Confirmed: every peer agrees that the effect happened, and it will not be taken back. Wait for this where a mistake
	// would be embarrassing.
	Confirmed
)

var names = [...]string{Started: "started", Moved: "moved", Updated: "updated", Ended: "ended", Cancelled: "cancelled", Confirmed: "confirmed"}

// String names the kind of event in lower case.
func (w What) String() string {
	if w >= Started && int(w) < len(names) {
		return names[w]
	}
	return fmt.Sprintf("What(%d)", uint8(w))
}

// Event reports a change of one effect. The presentation knows the effect as (Kind, Key,
// From); from now on it is (Kind, Key, Frame), unless it is over. [Kind.Is] tells
// the kind and [Kind.Payload] decodes what was emitted with it.
//
// Events are values that can be copied, kept and compared with ==.
type Event struct {
	What What
	Kind uint8  // the id of the kind
	Key  uint32 // the key that it was emitted with
	// Frame is the frame at which the effect happens, or begins if it is
	// sustained. For Ended it is the first frame of silence.
	Frame Frame
	// From is the frame that was reported before: for Moved, where the effect was
	// thought to happen; for Ended, where it began. For all others it is Frame.
	From Frame
	// Late is for Started: how many frames have been simulated after Frame. Skip that much of a sound, or leave out a
	// spark if it is a lot.
	Late uint32

	spec    *spec
	payload payload
}

// Bytes returns the payload in its canonical encoding, the same on all machines. It is
// the current payload, or for Ended and Cancelled the one last reported. The bytes
// belong to the event.
func (e *Event) Bytes() []byte {
	if e.spec == nil {
		return nil
	}
	return e.payload[:e.spec.size:e.spec.size]
}

// String formats the event for logs, as in "moved hit 7 from 118 to 120 [0a00]". The
// payload is in hexadecimal.
func (e *Event) String() string {
	name := fmt.Sprintf("kind %d", e.Kind)
	if e.spec != nil {
		name = e.spec.name
	}
	text := fmt.Sprintf("%v %s %d at %d", e.What, name, e.Key, e.Frame)
	switch {
	case e.What == Moved:
		text = fmt.Sprintf("%v %s %d from %d to %d", e.What, name, e.Key, e.From, e.Frame)
	case e.What == Ended:
		text += fmt.Sprintf(" since %d", e.From)
	case e.Late > 0:
		text += fmt.Sprintf(" late %d", e.Late)
	}
	if b := e.Bytes(); len(b) > 0 {
		text += fmt.Sprintf(" [%x]", b)
	}
	return text
}

// Sustained reports whether the effect is of a sustained kind, one that is on for a while; see [Sustained].
func (e *Event) Sustained() bool { return e.spec != nil && e.spec.mode&sustained != 0 }
