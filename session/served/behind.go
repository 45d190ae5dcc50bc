package served

import "time"

// behind measures how far a client is behind the server: the number of ticks from the newest state that the client
// held when it made an input to the tick of that input.
//
// There are two measures, and the smaller one counts. First, a client held every state that it acknowledged with
// the input. Second, a state that was sent a round trip before the input arrived was there when the input was made.
// A client that wants to seem farther away has to acknowledge states late and answer late all the time; then it
// also gets its states as late as a client that far away.
//
// A repeated input arrives later than it was made, so only inputs that were just made are measured. And a state may
// be lost, so the largest of the last measurements counts.
type behind struct {
	list [behindHeld]uint8
	next uint8
}

// behindHeld is how many measurements are kept: with more of them a lying client could go back as far as its lag at
// its worst recent moment. It divides 256.
const behindHeld = 4

// add measures a newly made input for tick f that has just arrived. newest is the newest state that the client has
// acknowledged, and closes is the tick that the server closes next.
func (b *behind) add(f, newest, closes Frame, way, period time.Duration) {
	acknowledged := max(int64(f)-int64(newest), 0)
	answered := max(int64(f)-int64(closes)+1, 0) + int64((way+period-1)/period)
	b.list[b.next%behindHeld] = uint8(min(acknowledged, answered, 255))
	b.next++
}

// ticks returns the measure, 0 to 255.
func (b *behind) ticks() int {
	most := uint8(0)
	for _, n := range b.list {
		most = max(most, n)
	}
	return int(most)
}
