package tanks

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
)

// Buttons is a mask of held buttons. The rules look at Fire; the others are ignored.
type Buttons uint8

// Fire shoots while it is held, as often as the gun is loaded.
const Fire Buttons = 1

// StickEnd is the end of the range of Turn and Throttle. -128 counts as -StickEnd.
const StickEnd = 127

// Input is what one player holds for a while: a tick, or any number of milliseconds.
type Input struct {
	Turn     int8 // clockwise on the screen, -StickEnd to StickEnd
	Throttle int8 // forwards, -StickEnd to StickEnd
	Buttons  Buttons

	// Seen is the age of the player's picture of the others, in ticks. A shot goes back by that time, by
	// [Rewind] at most.
	Seen uint8
}

// PictureTicks is the maximum delay of a client's picture behind the newest state that the client holds,
// in ticks: 100 ms, so that a late datagram does not interrupt the motion.
const PictureTicks = TicksPerSecond / 10

// Correct is for a server that has measured how many ticks the newest state that a client holds is behind
// the tick of an input: it accepts Seen only as far as the client's picture can be that late.
func Correct(_ *State, _ rollback.Player, in Input, behind int) Input {
	in.Seen = uint8(min(int(in.Seen), max(behind, 0)+PictureTicks))
	return in
}

// part returns the part of a rate per second that applies to a stick's position and a time, rounded to
// nearest, halves away from zero.
func part(stick int8, rate, ms int64) fixed.Num {
	return fixed.FromRatio(max(int64(stick), -StickEnd)*rate*ms, StickEnd*1000)
}

// Carry merges an input that came too late into the next one of its player: a shot is fired then.
func Carry(late, next Input) Input {
	next.Buttons |= late.Buttons & Fire
	return next
}
