package skirmish

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
)

// Verb is what a player orders.
type Verb uint8

// The verbs. The zero Verb is none.
const (
	// Select makes the player's own units in a rectangle a group: all of them, or, if Only says so,
	// only those of some kinds, or only idle ones.
	Select Verb = 1 + iota
	// Extend adds such units to the group.
	Extend
	// Copy copies group Other to the group.
	Copy
	// Move sends the group to a place.
	Move
	// March sends the group to a place; on the way it attacks enemies that it meets.
	March
	// Strike makes the group attack a unit or a building.
	Strike
	// Halt makes the group stand where it is.
	Halt
	// Train makes a building train a unit of a kind.
	Train
	// Cancel removes the last unit from the queue of a building, and returns its gold.
	Cancel
	// Rally sets the place to which the units that a building trains go.
	Rally
	// Build begins a building, with its north-western cell at a place.
	Build
	// Resign gives up the match.
	Resign
)

const verbs = int(Resign)

var verbNames = [...]string{"none", "select", "extend", "copy", "move", "march", "strike", "halt", "train", "cancel", "rally", "build", "resign"}

// String names the verb.
func (v Verb) String() string { return name(verbNames[:], uint8(v)) }

// Groups is the number of control groups of a player. Group 0 is the selection.
const Groups = 10

// Only says which units a selection takes.
type Only uint8

// The bits of an Only. If no kind is set, it takes all kinds.
const (
	OnlySpearmen  Only = 1 << iota
	OnlyArchers        //
	OnlyKnights        //
	OnlyCatapults      //
	OnlyIdle           // units that do nothing
)

const onlyKinds = OnlySpearmen | OnlyArchers | OnlyKnights | OnlyCatapults

// takes reports whether the selection takes a kind.
func (o Only) takes(k Kind) bool { return o&onlyKinds == 0 || k.Valid() && o>>(k-1)&1 != 0 }

// Spot is a place on the map, in sixty-fourths of a cell.
type Spot struct{ X, Y uint16 }

// SpotOf returns the spot at a position, or the nearest one on a map of the largest size.
func SpotOf(p fixed.Vec2) Spot {
	unit := func(n fixed.Num) uint16 { return uint16(max(min(n, (1<<10)*fixed.One-1), 0) >> (fixed.FracBits - 6)) }
	return Spot{unit(p.X), unit(p.Y)}
}

// Vec returns the position of the spot.
func (s Spot) Vec() fixed.Vec2 {
	return fixed.Vec2{X: fixed.Num(s.X) << (fixed.FracBits - 6), Y: fixed.Num(s.Y) << (fixed.FracBits - 6)}
}

// Order is an order of a player in a tick. Fields that a verb does not use are zero.
type Order struct {
	Verb   Verb
	Group  uint8        // 0 to Groups - 1
	Other  uint8        // the other group of Copy
	Only   Only         // which units Select and Extend take
	What   Kind         // the unit that Train trains
	Plan   Structure    // the building that Build builds
	At, To Spot         // a place; Select and Extend have two corners
	Target world.Entity // the target of Strike; the building of Train, Cancel and Rally
}

// OrderSize is the size of an encoded order in bytes.
const OrderSize = 22

// MaxOrders is the maximum number of orders of a player in a tick: together with the player's input
// they fit into a datagram.
const MaxOrders = 5

// MaxOrderBytes is the maximum size of a player's orders in a tick, in bytes.
const MaxOrderBytes = MaxOrders * OrderSize

// Append appends the encoded order.
func (o *Order) Append(b []byte) []byte {
	b = append(b, byte(o.Verb), o.Group, o.Other, byte(o.Only), byte(o.What), byte(o.Plan))
	for _, v := range [...]uint16{o.At.X, o.At.Y, o.To.X, o.To.Y} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return binary.LittleEndian.AppendUint64(b, uint64(o.Target))
}

// ErrOrder means that bytes are not an order.
var ErrOrder = errors.New("skirmish: no order")

// ConsumeOrder reads an order from the front of b, and returns the remaining bytes. The error wraps
// [ErrOrder].
func ConsumeOrder(b []byte) (o Order, rest []byte, err error) {
	if len(b) < OrderSize {
		return o, b, fmt.Errorf("%w: %d bytes of %d", ErrOrder, len(b), OrderSize)
	}
	u16 := func(i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }
	o = Order{
		Verb: Verb(b[0]), Group: b[1], Other: b[2], Only: Only(b[3]), What: Kind(b[4]), Plan: Structure(b[5]),
		At: Spot{u16(6), u16(8)}, To: Spot{u16(10), u16(12)}, Target: world.Entity(binary.LittleEndian.Uint64(b[14:])),
	}
	if err := o.check(); err != nil {
		return Order{}, b, err
	}
	return o, b[OrderSize:], nil
}

// check reports what is wrong with an order by itself, regardless of the state.
func (o *Order) check() error {
	switch {
	case o.Verb == 0 || int(o.Verb) > verbs:
		return fmt.Errorf("%w: verb %d", ErrOrder, o.Verb)
	case o.Group >= Groups || o.Other >= Groups:
		return fmt.Errorf("%w: groups %d and %d of %d", ErrOrder, o.Group, o.Other, Groups)
	case o.Only > onlyKinds|OnlyIdle:
		return fmt.Errorf("%w: a selection of %#x", ErrOrder, uint8(o.Only))
	case o.What > Catapult || o.Verb == Train && !o.What.Valid():
		return fmt.Errorf("%w: unit %d", ErrOrder, o.What)
	case o.Plan > Mine || o.Verb == Build && o.Plan.Of().Cost == 0:
		return fmt.Errorf("%w: building %d", ErrOrder, o.Plan)
	}
	return nil
}
