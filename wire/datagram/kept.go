package datagram

import "math/bits"

// Block is a block of a history that is kept, since most of it stays the same from datagram to datagram: the oldest
// inputs have been acknowledged meanwhile, and new ones have come. The zero value is empty.
type Block struct {
	// Bytes is the block. It belongs to the Block and is valid until the next call.
	Bytes []byte

	from, to uint32 // its frames
	after    uint32 // the first of them that has no token yet
	made     bool
}

// Holds reports whether the block is that of these frames, and certainly fits.
func (k *Block) Holds(from, to uint32, room int) bool {
	return k.made && from == k.from && to == k.to && len(k.Bytes)+2*maxToken <= room
}

// End returns the frame after the last one in the block.
func (k *Block) End() uint32 { return k.to }

// Discard makes the block begin anew: the history may have been started again. Otherwise inputs are only added.
func (k *Block) Discard() { k.made = false }

// shortBlock is the number of frames of a block that is made anew as quickly as it is moved on.
const shortBlock = 4

// MakeBlock makes the block k the one of the frames from from to before to, or as many of them as fit into room bytes.
// The bytes are those that [History.AppendBlock] appends.
func (h *History) MakeBlock(k *Block, from, to uint32, room int) {
	if to-from > shortBlock && k.made && from-k.from <= k.to-k.from && int32(to-k.to) >= 0 && h.slide(k, from, to, room) {
		return
	}
	k.Bytes, k.to, k.after = h.appendBlock(k.Bytes[:0], from, to, room)
	k.from, k.made = from, true
}

// slide moves a block on to frames that begin and end later, or at the same ones. It reports whether that was possible:
// tokens must have one byte, and be far from filling the room.
func (h *History) slide(k *Block, from, to uint32, room int) bool {
	added := to - k.to
	if added > 64 || h.width > narrow || len(k.Bytes)+int(added+1)*2*maxToken > room {
		return false
	}
	if from != k.from && !k.drop(from) {
		return false
	}
	for changes := h.changesFrom(k.to) << (64 - added); changes != 0; changes &= changes - 1 {
		f := to - 64 + uint32(bits.TrailingZeros64(changes))
		k.Bytes, k.after = h.appendChange(k.Bytes, f-k.after, f, room), f+1
	}
	k.to = to
	return true
}

// drop leaves out the frames before from. It reports whether the tokens allow that: one of a longest run does not.
func (k *Block) drop(from uint32) bool {
	b := k.Bytes
	for len(b) > 0 && k.from != from {
		run, mask := uint32(b[0]>>4), b[0]&0x0F
		if mask == 0 {
			return false
		}
		if left := from - k.from; left <= run {
			b[0] -= byte(left << 4)
			k.from = from
			break
		}
		b, k.from = b[1+bits.OnesCount8(mask):], k.from+run+1
	}
	if len(b) != len(k.Bytes) {
		k.Bytes = k.Bytes[:copy(k.Bytes, b)]
	}
	k.from = from
	if int32(from-k.after) > 0 {
		k.after = from
	}
	return true
}
