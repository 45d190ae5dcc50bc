package served

import (
	"encoding/binary"

	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/wire/datagram"
)

// serverBody is the body of a datagram from a server to a client.
type serverBody struct {
	next    uint32 // the server's next tick
	near    bool   // the client holds a state that is less than sight.Keep ticks older
	any     bool   // the server has inputs of the client
	taken   uint32 // the first tick without an input of the client, if any is true
	margins []sequencer.Margin
	update  []byte // what the client may know of a state; nil if there is nothing new
}

const (
	downMargins = 0x0F // number of margins
	downTaken   = 0x10
	downUpdate  = 0x20
	downNear    = 0x40
	downOrder   = 0x80 // the margins are those of the last ticks before taken
)

// With one byte of next, the reader has to derive the other bytes from the newest state that it knows: next is less
// than sight.Keep ticks newer, and at most nearBefore older. The latter holds for a datagram that has been
// overtaken by at most overtakenMost others, if datagrams are at most nearTicks ticks apart.
const (
	nearBefore    = 192
	overtakenMost = 48
	nearTicks     = 3
)

// append appends the body up to its update, which follows.
func (d *serverBody) append(b []byte) []byte {
	flags := byte(len(d.margins)) | bit(d.any, downTaken) | bit(d.update != nil, downUpdate) | bit(d.near, downNear) | bit(d.ordered(), downOrder)
	if b = append(b, flags, byte(d.next)); !d.near {
		b = append(b, byte(d.next>>8))
	}
	if d.any {
		b = datagram.AppendInt(b, int32(d.taken-d.next))
	}
	tick := d.next
	for _, m := range d.margins {
		if flags&downOrder == 0 {
			b = datagram.AppendInt(b, int32(uint32(m.Tick)-tick))
			tick = uint32(m.Tick)
		}
		b = datagram.AppendInt(b, earlyCode(m.Early))
	}
	return b
}

// ordered reports whether there are margins and they belong to the last ticks before taken.
func (d *serverBody) ordered() bool {
	for i, m := range d.margins {
		if uint32(m.Tick) != d.orderedTick(i) {
			return false
		}
	}
	return d.any && len(d.margins) > 0
}

func (d *serverBody) orderedTick(i int) uint32 { return d.taken - uint32(len(d.margins)) + uint32(i) }

// consume reads a body. newest is the newest known state. The memory of d's margins is reused.
func (d *serverBody) consume(b []byte, newest uint32) error {
	*d = serverBody{margins: d.margins[:0]}
	if len(b) < 2 || b[0]&downNear == 0 && len(b) < 3 {
		return datagram.ErrShort
	}
	flags := b[0]
	if d.near = flags&downNear != 0; d.near {
		first := newest - nearBefore
		d.next, b = first+uint32(b[1]-byte(first)), b[2:]
	} else {
		d.next, b = datagram.Widen(newest, binary.LittleEndian.Uint16(b[1:])), b[3:]
	}
	r := numbers{b: b}
	if d.any = flags&downTaken != 0; d.any {
		d.taken = d.next + uint32(r.next())
	}
	count := flags & downMargins
	if flags&downOrder != 0 && (!d.any || count == 0) {
		return datagram.ErrRange
	}
	d.consumeMargins(&r, int(count), flags&downOrder != 0)
	switch {
	case r.err != nil:
		return r.err
	case flags&downUpdate != 0:
		d.update = r.b
	case len(r.b) > 0:
		return datagram.ErrTrailing
	}
	return nil
}

func (d *serverBody) consumeMargins(r *numbers, count int, ordered bool) {
	tick := d.next
	if ordered {
		tick = d.taken - uint32(count) - 1
	}
	for range count {
		by := int32(1)
		if !ordered {
			by = r.next()
		}
		tick += uint32(by)
		early, ok := earlyOf(r.next())
		if !ok && r.err == nil {
			r.err = datagram.ErrRange
		}
		d.margins = append(d.margins, sequencer.Margin{Tick: Frame(tick), Early: early})
	}
}

// numbers reads consecutive numbers and keeps the first error.
type numbers struct {
	b   []byte
	err error
}

func (r *numbers) next() int32 {
	v, n := datagram.ConsumeInt(r.b)
	if n == 0 && r.err == nil {
		r.err = datagram.ErrVarint
	}
	r.b = r.b[n:]
	return v
}
