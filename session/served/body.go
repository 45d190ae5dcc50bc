package served

import (
	"encoding/binary"
	"time"

	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/wire/datagram"
)

// upward is the body of a datagram from a client to its server.
type upward struct {
	plain bool   // updates shall be plain, since a hash has differed
	any   bool   // the client holds a state
	state uint32 // the newest one, if any
	next  uint32 // the client's next tick
	count uint32 // of inputs, for the ticks before next; 0 without inputs
	block []byte // the inputs, as datagram.History has them
}

const (
	upPlain = 1 << iota
	upState
	upInputs
	upEnd
)

// append appends the body up to its inputs, which follow.
func (u *upward) append(b []byte) []byte {
	flags := bit(u.plain, upPlain) | bit(u.any, upState) | bit(u.count > 0, upInputs)
	b = binary.LittleEndian.AppendUint16(append(b, flags), uint16(u.next))
	if u.any {
		b = datagram.AppendInt(b, int32(u.next-u.state))
	}
	if u.count > 0 {
		b = datagram.AppendUint(b, u.count)
	}
	return b
}

// consume reads a body. near is about where the client's next tick is expected.
func (u *upward) consume(b []byte, near uint32) error {
	*u = upward{}
	if len(b) < 3 {
		return datagram.ErrShort
	}
	flags := b[0]
	if flags >= upEnd {
		return datagram.ErrKind
	}
	u.next, b = datagram.Widen(near, binary.LittleEndian.Uint16(b[1:])), b[3:]
	u.plain = flags&upPlain != 0
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

// downward is the body of a datagram from a server to a client.
type downward struct {
	next    uint32 // the server's next tick
	any     bool   // the server has inputs of the client
	taken   uint32 // the first tick of which it has none, if any
	margins []sequencer.Margin
	update  []byte // what the client may know of a state; nil if there is nothing new
}

const (
	downMargins = 0x0F // how many there are
	downTaken   = 0x10
	downUpdate  = 0x20
	downEnd     = 0x40
)

// marginUnit is the resolution of margins.
const marginUnit = 500 * time.Microsecond

// append appends the body up to its update, which follows.
func (d *downward) append(b []byte) []byte {
	flags := byte(len(d.margins)) | bit(d.any, downTaken) | bit(d.update != nil, downUpdate)
	b = binary.LittleEndian.AppendUint16(append(b, flags), uint16(d.next))
	if d.any {
		b = datagram.AppendInt(b, int32(d.taken-d.next))
	}
	tick := d.next
	for _, m := range d.margins {
		b = datagram.AppendInt(b, int32(uint32(m.Tick)-tick))
		b = datagram.AppendInt(b, units(m.Early))
		tick = uint32(m.Tick)
	}
	return b
}

// units rounds a margin towards late, so that none counts as earlier than it is.
func units(early time.Duration) int32 {
	early = min(max(early, -time.Hour), time.Hour)
	n := early / marginUnit
	if early%marginUnit < 0 {
		n--
	}
	return int32(n)
}

// consume reads a body. near is about where the server's next tick is expected. Margins are
// written over those that d has.
func (d *downward) consume(b []byte, near uint32) error {
	*d = downward{margins: d.margins[:0]}
	if len(b) < 3 {
		return datagram.ErrShort
	}
	flags := b[0]
	if flags >= downEnd {
		return datagram.ErrKind
	}
	d.next, b = datagram.Widen(near, binary.LittleEndian.Uint16(b[1:])), b[3:]
	bad := false
	number := func() int32 {
		v, n := datagram.ConsumeInt(b)
		bad = bad || n == 0
		b = b[n:]
		return v
	}
	if d.any = flags&downTaken != 0; d.any {
		d.taken = d.next + uint32(number())
	}
	tick := d.next
	for range flags & downMargins {
		tick += uint32(number())
		d.margins = append(d.margins, sequencer.Margin{Tick: Frame(tick), Early: time.Duration(number()) * marginUnit})
	}
	switch {
	case bad:
		return datagram.ErrVarint
	case flags&downUpdate != 0:
		d.update = b
	case len(b) > 0:
		return datagram.ErrTrailing
	}
	return nil
}

func bit(set bool, b byte) byte {
	if set {
		return b
	}
	return 0
}
