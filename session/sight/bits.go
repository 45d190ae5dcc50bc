package sight

import "encoding/binary"

// bitWriter appends bits, starting with the lowest bit of each byte.
type bitWriter struct {
	out     []byte
	pending uint64
	n       uint // number of pending bits, less than 64
}

// put appends the lowest n bits of v, up to 64; the higher bits must be 0.
func (w *bitWriter) put(v uint64, n uint) {
	w.pending |= v << w.n
	if w.n += n; w.n >= 64 {
		w.flush(v, n)
	}
}

// flush writes 64 bits, the last of which are the first bits of v.
func (w *bitWriter) flush(v uint64, n uint) {
	w.out = binary.LittleEndian.AppendUint64(w.out, w.pending)
	w.n -= 64
	w.pending = v >> (n - w.n)
}

func (w *bitWriter) bit(set bool) {
	v := uint64(0)
	if set {
		v = 1
	}
	w.put(v, 1)
}

// close pads the last byte with zeros.
func (w *bitWriter) close() []byte {
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.out = append(w.out, byte(w.pending))
		w.pending >>= 8
	}
	return w.out
}

// bitReader reads what a bitWriter has written. Beyond the end it returns zeros and sets short.
type bitReader struct {
	in    []byte
	used  int // bits of the first byte that have been read
	short bool
}

func (r *bitReader) get(n int) (v uint64) {
	for at := 0; at < n; {
		if len(r.in) == 0 {
			r.short = true
			return 0
		}
		take := min(n-at, 8-r.used)
		v |= uint64(r.in[0]>>r.used) & (1<<take - 1) << at
		if at, r.used = at+take, r.used+take; r.used == 8 {
			r.in, r.used = r.in[1:], 0
		}
	}
	return v
}

func (r *bitReader) bit() bool { return r.get(1) == 1 }

// close reads the padding of the last byte, and returns the rest.
func (r *bitReader) close() (rest []byte, ok bool) {
	if r.used > 0 && r.get(8-r.used) != 0 {
		return nil, false
	}
	return r.in, !r.short
}
