package tbr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
)

// shortHash is the size in bytes of a hash that is not the last one of its block. The last one has all 8 bytes.
const shortHash = 4

// Hash is the hash of a state, or the part of it that is recorded.
type Hash struct {
	State uint32 // the state before the frame of this number
	Hash  uint64
	Bits  int // the number of recorded bits, which are the lowest ones: 32 or 64
}

// Matches reports whether a state with this full hash can have the recorded hash h.
func (h Hash) Matches(hash uint64) bool { return (h.Hash^hash)<<(64-h.Bits) == 0 }

// hashWriter collects the hashes of a block.
type hashWriter struct {
	every   uint32
	missing uint32 // the state whose hash must come next; 0: none
	list    []uint64
	out     []byte
}

func (w *hashWriter) due(state uint32) bool { return w.every > 0 && state%w.every == 0 }

// await makes the hash of a state the one that must come next, if it is due.
func (w *hashWriter) await(state uint32) {
	if w.due(state) {
		w.missing = state
	}
}

func (w *hashWriter) add(h uint64) { w.list, w.missing = append(w.list, h), 0 }

// take returns the payload of the collected hashes, and clears them.
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

// Hashes yields the recorded hashes of the given state and later ones, in order. An error ends the iteration: an
// [*Error], or an error of the source.
func (r *Reader) Hashes(from uint32) iter.Seq2[Hash, error] {
	return func(yield func(Hash, error) bool) {
		if r.header.HashEvery == 0 || from > r.next || r.next == r.First() {
			return
		}
		// The hash of state s is in the block of frame s-1.
		for w := r.walkFrom(max(from, r.First()+1) - 1); ; {
			c, err := w.step()
			switch {
			case err != nil:
			case c == nil && (w.hashed || !r.closed):
				return
			case c == nil:
				err = w.unhashed()
			case c.Kind != KindHashes:
				continue
			default:
				err = r.readHashes(w, c, from, yield)
			}
			if err != nil {
				if err != errStop {
					yield(Hash{}, err)
				}
				return
			}
		}
	}
}

// errStop means that the caller wants no further values.
var errStop = errors.New("stop")

// readHashes yields the hashes in a chunk, for the given state and later ones.
func (r *Reader) readHashes(w *walker, c *Chunk, from uint32, yield func(Hash, error) bool) error {
	every, size := uint32(r.header.HashEvery), 8+shortHash*(w.due()-1)
	payload, err := w.payload(c, size)
	if err != nil {
		return err
	}
	// In a recording that was not closed, the last hash may be missing.
	if len(payload) != size && (r.closed || w.at != r.next || len(payload) != size-shortHash || len(payload) < 8) {
		return c.fail(ErrRange, fmt.Sprintf("%d bytes of hashes, want %d", len(payload), size))
	}
	for state := w.begun/every*every + every; len(payload) > 0; state += every {
		h := Hash{State: state, Bits: 8 * shortHash}
		if len(payload) > 8 {
			h.Hash, payload = uint64(binary.LittleEndian.Uint32(payload)), payload[shortHash:]
		} else {
			h.Hash, h.Bits, payload = binary.LittleEndian.Uint64(payload), 64, nil
		}
		if state >= from && !yield(h, nil) {
			return errStop
		}
	}
	return nil
}
