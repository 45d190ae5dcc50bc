package tbr

import (
	"encoding/binary"
	"math/bits"

	"github.com/tickback/tickback/wire/agreed"
)

// ordersChunk is the number of bytes of orders that are collected before they are written, and maxOrders the maximum
// size of a chunk's payload: the last frame may exceed ordersChunk.
const (
	ordersChunk = 1 << 20
	maxOrders   = ordersChunk + binary.MaxVarintLen32 + 2 + agreed.MaxPlayers*(2+agreed.MaxOrders)
)

// ordersWriter collects the orders of a block.
type ordersWriter struct {
	shape agreed.Shape
	last  int    // the index in the block of the last frame with orders
	out   []byte // what was not taken yet
}

// begin begins a block.
func (w *ordersWriter) begin() { w.last = 0 }

// add adds the orders of a frame, if any player gives some: the number of frames since the last one with orders, the
// set of players who give orders, and the orders themselves.
func (w *ordersWriter) add(at int, orders [][]byte) {
	var set uint16
	for p, o := range orders {
		if len(o) > 0 {
			set |= 1 << p
		}
	}
	if set == 0 {
		return
	}
	w.out = w.shape.AppendPlayers(binary.AppendUvarint(w.out, uint64(at-w.last)), set)
	for _, o := range orders {
		if len(o) > 0 {
			w.out = appendBytes(w.out, o)
		}
	}
	w.last = at
}

// take returns the payload of the collected orders, which is valid until the next call of add, and clears them.
func (w *ordersWriter) take() []byte {
	out := w.out
	w.out = out[:0]
	return out
}

// ordersReader reads the orders of a block.
type ordersReader struct {
	shape  agreed.Shape
	raw    parser
	at     int // the index in the block of the next frame with orders, or of the one whose orders were read last
	orders [agreed.MaxPlayers][]byte
}

// begin begins a block.
func (o *ordersReader) begin() { o.at, o.raw = -1, parser{} }

// next reads the index in the block of the next frame with orders. If the payload ends there, read reports an error.
func (o *ordersReader) next(block int) bool {
	delta := int(o.raw.uint(uint64(block)))
	switch {
	case o.at < 0:
		o.at = delta
	case delta == 0:
		return false
	default:
		o.at += delta
	}
	return o.at < block
}

// read reads the orders of the frame. They are slices of the payload.
func (o *ordersReader) read() ([][]byte, bool) {
	clear(o.orders[:])
	set := o.raw.players(o.shape)
	if set == 0 || int(set)>>o.shape.Players != 0 {
		return nil, false
	}
	for ; set != 0; set &= set - 1 {
		t := o.raw.bytes(o.shape.MaxOrders)
		if len(t) == 0 {
			return nil, false
		}
		o.orders[bits.TrailingZeros16(set)] = t
	}
	return o.orders[:o.shape.Players], !o.raw.bad
}
