package inputs

import (
	"slices"

	"github.com/tickback/tickback/wire/datagram"
)

// book holds the orders of one player that are in flight. For a local player these are their lengths; for another
// player, orders whose input has not arrived yet, and inputs whose orders have not.
type book struct {
	sizes   []uint16 // by frame, in a ring; nil until there are orders
	early   []Orders
	waiting []Frame
}

func (o *book) note(f uint32, size int) {
	if o.sizes == nil {
		if size == 0 {
			return
		}
		o.sizes = make([]uint16, datagram.HistoryFrames)
	}
	o.sizes[f%datagram.HistoryFrames] = uint16(size)
}

func (o *book) size(f uint32) int {
	if o.sizes == nil {
		return 0
	}
	return int(o.sizes[f%datagram.HistoryFrames])
}

// limit returns the first frame whose orders no longer fit into a datagram.
func (o *book) limit(from, to uint32, room, inline int) uint32 {
	if o.sizes == nil {
		return to
	}
	for f := from; f != to; f++ {
		n := o.size(f)
		if n == 0 {
			continue
		}
		if room -= datagram.OrderSize; n <= inline {
			room -= n
		}
		if room < 0 {
			return f
		}
	}
	return to
}

// takeEarly removes and returns orders that arrived before their input.
func (o *book) takeEarly(f Frame) ([]byte, bool) {
	i := slices.IndexFunc(o.early, func(e Orders) bool { return e.Frame == f })
	if i < 0 {
		return nil, false
	}
	orders := o.early[i].Bytes
	o.early = slices.Delete(o.early, i, i+1)
	return orders, true
}

// takeWaiting reports whether an input waits for the orders of a frame, and removes it from the list.
func (o *book) takeWaiting(f Frame) bool {
	i := slices.Index(o.waiting, f)
	if i >= 0 {
		o.waiting = slices.Delete(o.waiting, i, i+1)
	}
	return i >= 0
}
