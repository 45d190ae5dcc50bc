package fleet

import (
	"fmt"
	"time"
)

// FaultKind is a kind of fault.
type FaultKind uint8

const (
	_ FaultKind = iota
	// Partition cuts all paths between the machines of the set Side and the others. All spectators count as others.
	Partition
	// OneWay cuts the path from Machine to Other.
	OneWay
	// Stall makes a machine do nothing and receive nothing, as if it slept.
	Stall
	// Hitch makes a machine do nothing while datagrams wait for it, as when a game loads.
	Hitch
	// Detour makes all paths from Machine longer by Value milliseconds.
	Detour
	// Move gives a machine another address.
	Move
	// Leave makes a machine leave, with a goodbye.
	Leave
	// Kill removes a machine for ever, without a goodbye.
	Kill
	// SetDelay changes the input delay of the players of a machine to Value frames.
	SetDelay
	// Talk sends a message of Value bytes to the applications of all others.
	Talk
	// Desync makes a machine simulate frame Value of the first match twice, whenever it simulates that frame. From there
	// on its state differs. Only a rollback.Game can be broken in this way. The fault has no time.
	Desync
	// Kick makes the host kick a machine, if both still play.
	Kick
	// Pause makes a machine ask for a pause, and after For for the end of the pause.
	Pause
	// Return makes a machine that is gone join the match, from another address.
	Return
	// Suspend stops the processes of the machines of the set Side, as SIGSTOP does. Datagrams wait in their sockets. When
	// the processes go on, they read the datagrams, and treat that moment as the time of arrival.
	Suspend
	// Clock makes the clock of Machine jump by Value milliseconds; back, if negative.
	Clock
	// Echo delivers datagrams twice: everything that Machine has sent to other players' machines during the fault arrives
	// again at its end, all at once.
	Echo
	// Replay is an attacker that has recorded what other players' machines have sent to Machine, and sends it again,
	// evenly over the duration of the fault. Value says what and from where: see ReplayEarlier and ReplayElsewhere.
	Replay
	// Crash kills a machine as soon as its membership log has something to decide, from At on, for the time For. Value
	// datagrams of that moment are still sent.
	Crash
	// Restart kills the process of Machine without a goodbye, and starts it again at the same address after For, without
	// any memory. Between peers it joins the running match, or, if Value is RestartAsBefore, starts as it did originally.
	// A server begins a new match.
	Restart

	kinds
)

var kindNames = [kinds]string{
	"nothing", "partition", "oneway", "stall", "hitch", "detour", "move", "leave", "kill", "setdelay", "talk", "desync", "kick", "pause", "return",
	"suspend", "clock", "echo", "replay", "crash", "restart",
}

// Values of a [Replay], which can be added up. The value 0 repeats what was sent in this run so far, from the original
// addresses.
const (
	// ReplayEarlier repeats an earlier session of the same machines, with other nonces.
	ReplayEarlier = 1 << iota
	// ReplayElsewhere sends everything from one unknown address.
	ReplayElsewhere
)

// RestartAsBefore is the Value of a [Restart] of a process that does not know of the running match.
const RestartAsBefore = 1

// String returns the name, in lower case.
func (k FaultKind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("FaultKind(%d)", uint8(k))
}

// MarshalText returns the name, for JSON.
func (k FaultKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText parses a name.
func (k *FaultKind) UnmarshalText(text []byte) error {
	for i, name := range kindNames[1:] {
		if name == string(text) {
			*k = FaultKind(i + 1)
			return nil
		}
	}
	return fmt.Errorf("fleet: there is no fault %.40q; there are: %v", text, kindNames[1:])
}

// Fault is something that goes wrong at a certain time, for a certain duration.
type Fault struct {
	Kind FaultKind
	// At is when it happens, counted from the start of the run, or from the moment that Match defines.
	At      time.Duration
	For     time.Duration `json:",omitzero"` // Partition to Detour, Pause, Suspend, Echo, Replay, Crash, Restart
	Machine int           `json:",omitzero"`
	Other   int           `json:",omitzero"` // OneWay
	Side    uint16        `json:",omitzero"` // Partition, Suspend: bit i is machine i
	Value   int           `json:",omitzero"` // Detour, SetDelay, Talk, Desync, Clock, Replay, Crash, Restart
	// Match, if not 0, is the match from which At is counted: from when the first machine is at frame Frame of it. If
	// Frame is not positive, it counts back from the end: 0 is the end of the match. A match that is over counts as having
	// reached all frames. If that moment never comes, the fault does not happen.
	Match int `json:",omitzero"`
	Frame int `json:",omitzero"`
}

// String describes the fault in a line.
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
	case Restart:
		how := ""
		if f.Value == RestartAsBefore {
			how = ", as it was at first"
		}
		return at + fmt.Sprintf("restart: machine %d, away%s%s", f.Machine, span, how)
	case Desync:
		return fmt.Sprintf("           desync: machine %d simulates frame %d twice", f.Machine, f.Value)
	}
	return at + fmt.Sprintf("%v: machine %d", f.Kind, f.Machine)
}

// replayed describes what a Replay repeats.
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

// lasts reports whether there is something to do at the end of a fault.
func (f Fault) lasts() bool {
	return f.harms() || f.Kind == Echo || f.Kind == Crash || f.Kind == Restart // a Replay ends by itself
}

// harms reports whether some promises do not hold while a fault lasts.
func (f Fault) harms() bool {
	return f.Kind >= Partition && f.Kind <= Detour || f.Kind == Pause || f.Kind == Suspend
}

// absents reports whether machines do nothing while a fault lasts.
func (f Fault) absents() bool { return f.Kind == Suspend || f.Kind == Stall || f.Kind == Hitch }

// splits reports whether a fault blocks the path from one machine to another while it lasts, in any way. Two machines
// that are suspended together never see each other silent.
func (f Fault) splits(from, to int) bool {
	switch f.Kind {
	case Suspend:
		return f.Side>>from&1 != f.Side>>to&1
	case Partition:
		return f.Side>>from&1 != f.Side>>to&1 // spectators are in no set
	case OneWay:
		return f.Machine == from && f.Other == to
	case Stall, Hitch, Move:
		return f.Machine == from || f.Machine == to
	}
	return false
}

// machineSet is a set of machines, for printing.
type machineSet uint16

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
