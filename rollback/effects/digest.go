package effects

import "encoding/binary"

// Digest returns a hash of what frame f emitted when it was last simulated:
// kinds, keys and payloads, in their order. If two simulations of a frame have
// different digests, the step depends on more than the state and the inputs. The digest
// is the same on every machine. It is 0 if nothing was emitted or the frame is not
// kept: final frames are forgotten.
func (j *Journal) Digest(f Frame) uint64 {
	if f < j.frames.low || f >= j.next {
		return 0
	}
	h := uint64(0)
	for _, m := range j.frames.slot(f).now {
		h = mix(h, uint64(m.id)+1)
		for p := m.payload[:]; len(p) > 0; p = p[8:] {
			h = mix(h, binary.LittleEndian.Uint64(p))
		}
	}
	return h
}

// mix adds a word to a hash, by the finalizer of splitmix64.
func mix(h, word uint64) uint64 {
	h = h*0x9e3779b97f4a7c15 + word
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
