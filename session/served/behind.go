package served

import "time"

// behind is how far behind the server a client is: how many ticks before the tick of an input the newest
// state was that the client held when it made the input.
//
// There are two measures, and the smaller one counts. What a client has acknowledged with an input it has held
// by then. And a state that was told a round trip before an input came was there when that was made. A client
// that wants to seem farther away has to acknowledge states late and to answer late, always; then it is
// told states as one that is so far away.
//
// An input that is repeated comes later than it was made, so only inputs that were just made are
// measured; and a state may be lost, so the largest of the last ones counts.
type behind struct {
	list [behindHeld]uint8
	next uint8
}

// behindHeld is how many inputs are remembered: with more of them a client that lies could go back as far as it
// was behind in its worst moment lately. It divides 256.
const behindHeld = 4

// add measures the input of a tick that has just been made and has come. newest is the newest state that
// the client holds, and closes the tick that the server closes next.
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
