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

// appendOrders appends the orders of a frame: the number of frames since the last one with orders, the players that
// give some, and the orders.
func appendOrders(b []byte, s agreed.Shape, delta int, orders [][]byte) []byte {
	b = binary.AppendUvarint(b, uint64(delta))
	var set uint16
	for p, o := range orders {
		if len(o) > 0 {
			set |= 1 << p
		}
	}
	b = s.AppendPlayers(b, set)
	for _, o := range orders {
		if len(o) > 0 {
			b = appendBytes(b, o)
		}
	}
	return b
}

// someOrders reports whether any player gives orders.
func someOrders(orders [][]byte) bool {
	for _, o := range orders {
		if len(o) > 0 {
			return true
		}
	}
	return false
}

// ordersReader reads the orders of a block.
type ordersReader struct {
	shape  agreed.Shape
	raw    parser
	at     int // the frame of the block with the next orders, or with the last ones read
	orders [agreed.MaxPlayers][]byte
}

// begin begins a block.
func (o *ordersReader) begin() { o.at, o.raw = -1, parser{} }

// next reads which frame of the block has the next orders. If the payload ends there, read refuses them.
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
