package fleet

import (
	"fmt"
	"time"
)

// FaultKind is what goes wrong, or changes.
type FaultKind uint8

const (
	_ FaultKind = iota
	// Partition cuts all ways between the machines of the set Side and the others, to
	// which all who watch belong.
	Partition
	// OneWay cuts the way from Machine to Other.
	OneWay
	// Stall is a machine that does nothing and hears nothing: it sleeps.
	Stall
	// Hitch is a machine that does nothing, while what arrives waits for it: its
	// game loads.
	Hitch
	// Detour makes all ways from Machine longer by Value milliseconds.
	Detour
	// Move gives a machine another address.
	Move
	// Leave is a machine that leaves, and says so.
	Leave
	// Kill is a machine that is gone for ever.
	Kill
	// SetDelay changes the input delay of the players of a machine to Value frames.
	SetDelay
	// Talk is a message of Value bytes to the applications of all others.
	Talk
	// Desync is a machine that simulates frame Value of the first match twice, each
	// time that it simulates it: from there on it has another state. Only a
	// rollback.Game can be broken in this way. The fault has no time.
	Desync
	// Kick is a machine that the host sends away, if both still play.
	Kick
	// Pause is a machine that asks for the match to stand still, and after For for it
	// to go on.
	Pause
	// Return is a machine that has gone, and joins the match anew, from another address.
	Return
	// Suspend stops the processes of the machines of the set Side, as SIGSTOP does. What
	// arrives waits in their sockets; they read it when they go on, and have no other time
	// for it than that.
	Suspend
	// Clock is a clock that jumps, of Machine, by Value milliseconds: back, if negative.
	Clock
	// Echo is a network that delivers twice: what Machine has sent to other players'
	// machines in the time of the fault comes once more at its end, all at once.
	Echo
	// Replay is somebody who has recorded what was sent to Machine by the other players'
	// machines, and sends it again, evenly over the time of the fault. Value says what and
	// from where: see ReplayEarlier and ReplayElsewhere.
	Replay
	// Crash is a machine that is gone for ever as soon as its log of who is in the match
	// has something to decide: from At on, for For. Value datagrams of that moment still
	// leave it.
	Crash

	kinds
)

var kindNames = [kinds]string{
	"nothing", "partition", "oneway", "stall", "hitch", "detour", "move", "leave", "kill", "setdelay", "talk", "desync", "kick", "pause", "return",
	"suspend", "clock", "echo", "replay", "crash",
}

// Values of a [Replay], added up. With 0 it is what was sent in this run so far, from the
// addresses that it came from.
const (
	// ReplayEarlier is an earlier session of the same machines, with other nonces.
	ReplayEarlier = 1 << iota
	// ReplayElsewhere has all come from one address that nobody knows.
	ReplayElsewhere
)

// String returns the name, in lower case.
func (k FaultKind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("FaultKind(%d)", uint8(k))
}

// MarshalText is String, for JSON.
func (k FaultKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText takes a name.
func (k *FaultKind) UnmarshalText(text []byte) error {
	for i, name := range kindNames[1:] {
		if name == string(text) {
			*k = FaultKind(i + 1)
			return nil
		}
	}
	return fmt.Errorf("fleet: no kind of fault is called %.40q; there are: %v", text, kindNames[1:])
}

// Fault is one thing that goes wrong, at a time and for a while.
type Fault struct {
	Kind FaultKind
	// At is when, from the start of the run, or from what Match says.
	At      time.Duration
	For     time.Duration `json:",omitzero"` // Partition to Detour, Pause, Suspend, Echo, Replay, Crash
	Machine int           `json:",omitzero"`
	Other   int           `json:",omitzero"` // OneWay
	Side    uint8         `json:",omitzero"` // Partition, Suspend: bit i is machine i
	Value   int           `json:",omitzero"` // Detour, SetDelay, Talk, Desync, Clock, Replay, Crash
	// Match, if it is not 0, is a match, and At counts from when the first machine is at
	// a frame of it: at frame Frame, or if that is not positive, so many frames before
	// the match's last one, where 0 is its end. A match that is over is at all frames.
	// What never comes to that has no such fault.
	Match int `json:",omitzero"`
	Frame int `json:",omitzero"`
}

// String is a line about it.
func (f Fault) String() string {
	at := fmt.Sprintf("%9v  ", f.At.Round(time.Millisecond))
	switch {
	case f.Match > 0 && f.Frame > 0:
		at = fmt.Sprintf("match %d, frame %d, and %v:  ", f.Match, f.Frame, f.At.Round(time.Millisecond))
	case f.Match > 0:
		at = fmt.Sprintf("match %d, %d frames before its end, and %v:  ", f.Match, -f.Frame, f.At.Round(time.Millisecond))
	}
	span := fmt.Sprintf(" for %v", f.For.Round(time.Millisecond))
	switch f.Kind {
	case Partition:
		return at + fmt.Sprintf("partition: machines %v and the others", machineSet(f.Side)) + span
	case OneWay:
		return at + fmt.Sprintf("cut: from machine %d to machine %d", f.Machine, f.Other) + span
	case Stall, Hitch, Pause:
		return at + fmt.Sprintf("%v: machine %d", f.Kind, f.Machine) + span
	case Detour:
		return at + fmt.Sprintf("detour: from machine %d, %d ms longer", f.Machine, f.Value) + span
	case SetDelay:
		return at + fmt.Sprintf("input delay: machine %d, %d frames", f.Machine, f.Value)
	case Talk:
		return at + fmt.Sprintf("message: machine %d, %d bytes", f.Machine, f.Value)
	case Suspend:
		return at + fmt.Sprintf("suspend: machines %v", machineSet(f.Side)) + span
	case Clock:
		return at + fmt.Sprintf("clock: machine %d, %+d ms", f.Machine, f.Value)
	case Echo:
		return at + fmt.Sprintf("echo: all from machine %d comes again,", f.Machine) + span
	case Replay:
		return at + fmt.Sprintf("replay: to machine %d, %s,", f.Machine, f.replayed()) + span
	case Crash:
		return at + fmt.Sprintf("crash: machine %d, once its log is busy and %d datagrams have left,", f.Machine, f.Value) + span
	case Desync:
		return fmt.Sprintf("           desync: machine %d simulates frame %d twice", f.Machine, f.Value)
	}
	return at + fmt.Sprintf("%v: machine %d", f.Kind, f.Machine)
}

// replayed says what a Replay sends again.
func (f Fault) replayed() string {
	text := "this run"
	if f.Value&ReplayEarlier != 0 {
		text = "an earlier session"
	}
	if f.Value&ReplayElsewhere != 0 {
		text += " from elsewhere"
	}
	return text
}

// lasts reports whether a fault has an end that is something to do.
func (f Fault) lasts() bool {
	return f.harms() || f.Kind == Echo || f.Kind == Crash // a Replay ends by itself
}

// harms reports whether not all that is promised holds while a fault lasts.
func (f Fault) harms() bool {
	return f.Kind >= Partition && f.Kind <= Detour || f.Kind == Pause || f.Kind == Suspend
}

// absents reports whether machines do nothing while a fault lasts.
func (f Fault) absents() bool { return f.Kind == Suspend || f.Kind == Stall || f.Kind == Hitch }

// splits reports whether a fault cuts the way from one machine to another while it
// lasts, in one way or another. Where two are suspended together, none of them has a
// time in which the other is silent.
func (f Fault) splits(from, to int) bool {
	switch f.Kind {
	case Suspend:
		return f.Side>>from&1 != f.Side>>to&1
	case Partition:
		return f.Side>>from&1 != f.Side>>to&1 // who watches is beyond the eighth, or in no set
	case OneWay:
		return f.Machine == from && f.Other == to
	case Stall, Hitch, Move:
		return f.Machine == from || f.Machine == to
	}
	return false
}

// machineSet is a set of machines, as text.
type machineSet uint8

// String names the machines by their numbers: "0+2".
func (s machineSet) String() string {
	text := ""
	for i := range 8 {
		if s>>i&1 != 0 {
			text += fmt.Sprintf("+%d", i)
		}
	}
	if text == "" {
		return "none"
	}
	return text[1:]
}
