package served

import (
	"encoding/binary"

	"github.com/tickback/tickback/wire/datagram"
)

// clientBody is the body of a datagram from a client to its server.
type clientBody struct {
	plain bool   // send plain updates, because a hash has differed
	any   bool   // the client holds a state
	anew  bool   // the client asks for a whole state, and takes no updates relative to the one that it holds
	state uint32 // the newest state, if any
	next  uint32 // the client's next tick
	count uint32 // number of inputs, for the ticks before next; 0: no inputs
	block []byte // the inputs, as encoded by datagram.History
}

const (
	upPlain = 1 << iota
	upState
	upInputs
	upAnew
	upEnd
)

// append appends the body up to its inputs, which follow.
func (u *clientBody) append(b []byte) []byte {
	flags := bit(u.plain, upPlain) | bit(u.any, upState) | bit(u.count > 0, upInputs) | bit(u.anew, upAnew)
	b = binary.LittleEndian.AppendUint16(append(b, flags), uint16(u.next))
	if u.any {
		b = datagram.AppendInt(b, int32(u.next-u.state))
	}
	if u.count > 0 {
		b = datagram.AppendUint(b, u.count)
	}
	return b
}

// consume reads a body. near is a tick close to the expected next tick of the client.
func (u *clientBody) consume(b []byte, near uint32) error {
	*u = clientBody{}
	if len(b) < 3 {
		return datagram.ErrShort
	}
	flags := b[0]
	if flags >= upEnd {
		return datagram.ErrKind
	}
	u.next, b = datagram.Widen(near, binary.LittleEndian.Uint16(b[1:])), b[3:]
	u.plain, u.anew = flags&upPlain != 0, flags&upAnew != 0
	if u.any = flags&upState != 0; u.any {
		ahead, n := datagram.ConsumeInt(b)
		if n == 0 {
			return datagram.ErrVarint
		}
		u.state, b = u.next-uint32(ahead), b[n:]
	}
	if flags&upInputs == 0 {
		if len(b) > 0 {
			return datagram.ErrTrailing
		}
		return nil
	}
	count, n := datagram.ConsumeUint(b)
	switch {
	case n == 0:
		return datagram.ErrVarint
	case count == 0 || count > u.next || count >= datagram.HistoryFrames:
		return datagram.ErrRange
	}
	u.count, u.block = count, b[n:]
	return nil
}

func bit(set bool, b byte) byte {
	if set {
		return b
	}
	return 0
}
