package membership

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Aliases of the types of the engine.
type (
	Frame     = rollback.Frame
	Player    = rollback.Player
	PlayerSet = rollback.PlayerSet
)

// NoFrame means that there is no frame.
const NoFrame = rollback.NoFrame

const maxPlayers = datagram.MaxPlayers

// Kind says what an entry changes.
type Kind uint8

// The kinds of entries.
const (
	None   Kind = iota // nothing: whatever was stopped for its slot continues
	Leave              // a member leaves at its own request
	Drop               // silent members are dropped
	Kick               // members are kicked
	Join               // a newcomer becomes a member
	Pause              // play stops
	Resume             // play continues
	kinds
)

var kindNames = [kinds]string{"none", "leave", "drop", "kick", "join", "pause", "resume"}

// String returns the kind in lower case.
func (k Kind) String() string {
	if k >= kinds {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// cuts reports whether entries of this kind have a frame for each player.
func (k Kind) cuts() bool { return k == Drop || k == Kick }

// Entry is one line of the log. Fields that its kind does not use are zero.
type Entry struct {
	Kind Kind
	// Players are the players of the member that the entry is about (Drop and Kick: of one or more members). For
	// Pause and Resume they are those of the member that asked.
	Players PlayerSet
	// Frame is the first frame without the players (Leave), the first one with them (Join), or the first one that
	// does not run (Pause). Resume repeats the frame of its pause.
	Frame Frame
	// Cuts are the first frames without each of Players, for Drop and Kick. All remaining members have all inputs
	// of these players before them.
	Cuts [maxPlayers]Frame
	// ID is the incarnation of a newcomer. It is not zero.
	ID uint64
}

// Cut returns the first frame without player p, which the entry must remove.
func (e *Entry) Cut(p Player) Frame {
	if e.Kind.cuts() {
		return e.Cuts[p]
	}
	return e.Frame
}

// String describes the entry: "drop player 2 at 120".
func (e Entry) String() string {
	at := []string{fmt.Sprint(e.Frame)}
	if e.Kind.cuts() {
		at = nil
		for p := range e.Players.All() {
			at = append(at, fmt.Sprint(e.Cuts[p]))
		}
	}
	s := fmt.Sprintf("%v %v at %s", e.Kind, e.Players, strings.Join(at, ", "))
	switch e.Kind {
	case None:
		return "none"
	case Join:
		return fmt.Sprintf("%s, %x", s, e.ID)
	}
	return s
}

// append appends the encoded entry. Equal entries have equal bytes: only players of the entry have cuts.
func (e Entry) append(b []byte, sets datagram.Sets) []byte {
	if b = append(b, byte(e.Kind)); e.Kind == None {
		return b
	}
	b = sets.Append(b, uint16(e.Players))
	if !e.Kind.cuts() {
		b = appendFrame(b, e.Frame)
	} else {
		for p := range e.Players.All() {
			b = appendFrame(b, e.Cuts[p])
		}
	}
	if e.Kind == Join {
		b = le.AppendUint64(b, e.ID)
	}
	return b
}

func (r *reader) entry() (e Entry) {
	if e.Kind = Kind(r.byte()); e.Kind == None {
		return e
	}
	r.check(e.Kind < kinds)
	e.Players = r.set()
	r.check(e.Players != 0)
	if !e.Kind.cuts() {
		e.Frame = r.frame()
	} else {
		for p := range e.Players.All() {
			e.Cuts[p] = r.frame()
		}
	}
	if e.Kind == Join {
		e.ID = r.uint64()
		r.check(e.ID != 0)
	}
	return e
}

// lowest returns the lowest player of a non-empty set.
func lowest(s PlayerSet) Player { return Player(bits.TrailingZeros16(uint16(s))) % maxPlayers }
