package tbr

import (
	"encoding/binary"
	"iter"
)

// shortHash is the bytes of a hash that is not the last one of its block. The last
// one has all 8.
const shortHash = 4

// Hash is the hash of a state, or as much of it as the recording has.
type Hash struct {
	State uint32 // the state before the frame of this number
	Hash  uint64
	Bits  int // how many of its lowest bits Hash has: 32 or 64
}

// Matches reports whether h may be of a state with this hash.
func (h Hash) Matches(hash uint64) bool { return (h.Hash^hash)<<(64-h.Bits) == 0 }

// hashWriter collects the hashes of a block.
type hashWriter struct {
	every   uint32
	missing uint32 // the state whose hash has to come next; 0 for none
	list    []uint64
	out     []byte
}

func (w *hashWriter) due(state uint32) bool { return w.every > 0 && state%w.every == 0 }

func (w *hashWriter) begin() { w.list = w.list[:0] }

func (w *hashWriter) add(h uint64) { w.list, w.missing = append(w.list, h), 0 }

// take returns the payload of the hashes, which are then forgotten.
func (w *hashWriter) take() []byte {
	w.out = w.out[:0]
	for i, h := range w.list {
		if i < len(w.list)-1 {
			w.out = binary.LittleEndian.AppendUint32(w.out, uint32(h))
		} else {
			w.out = binary.LittleEndian.AppendUint64(w.out, h)
		}
	}
	w.list = w.list[:0]
	return w.out
}

// Hashes goes through the hashes of the states from this one on, in order. The
// last error, if any, ends it.
func (r *Reader) Hashes(from uint32) iter.Seq2[Hash, error] {
	return func(yield func(Hash, error) bool) {
		if r.header.HashEvery == 0 {
			return
		}
		w, err := r.walkFrom(min(max(from, r.First()+1)-1, r.next))
		if err != nil {
			yield(Hash{}, err)
			return
		}
		for {
			c, err := w.step()
			if err != nil || c == nil {
				if err != nil {
					yield(Hash{}, err)
				}
				return
			}
			if c.Kind == KindHashes && !r.yieldHashes(w, c, from, yield) {
				return
			}
		}
	}
}

// yieldHashes gives the hashes of a chunk that are from this state on.
func (r *Reader) yieldHashes(w *walker, c *Chunk, from uint32, yield func(Hash, error) bool) bool {
	payload, err := w.payload(c, MaxChunk)
	every := uint32(r.header.HashEvery)
	first := w.begun/every*every + every // the first state of the block that has one
	if most := int(w.at-w.begun)/int(every) + 1; err == nil && (len(payload) < 8 || len(payload)%shortHash != 0 || len(payload)/shortHash-1 > most) {
		err = c.fail(ErrRange, "")
	}
	if err != nil {
		yield(Hash{}, err)
		return false
	}
	for state := first; len(payload) > 0; state += every {
		h := Hash{state, 0, 64}
		if len(payload) > 8 {
			h.Hash, h.Bits = uint64(binary.LittleEndian.Uint32(payload)), 32
			payload = payload[shortHash:]
		} else {
			h.Hash = binary.LittleEndian.Uint64(payload)
			payload = nil
		}
		if state > w.at {
			yield(Hash{}, c.fail(ErrRange, "more hashes than states"))
			return false
		}
		if state >= from && !yield(h, nil) {
			return false
		}
	}
	return true
}
