package sight

// bitWriter appends bits, the lowest one of each byte first.
type bitWriter struct {
	out  []byte
	free int // bits of the last byte that are not used
}

func (w *bitWriter) put(v uint64, n int) {
	for n > 0 {
		if w.free == 0 {
			w.out, w.free = append(w.out, 0), 8
		}
		take := min(n, w.free)
		w.out[len(w.out)-1] |= byte(v&(1<<take-1)) << (8 - w.free)
		v >>= take
		n, w.free = n-take, w.free-take
	}
}

func (w *bitWriter) bit(set bool) {
	if set {
		w.put(1, 1)
	} else {
		w.put(0, 1)
	}
}

// bitReader reads what a bitWriter has written. Behind the end there are zeros, and short is set.
type bitReader struct {
	in    []byte
	used  int // bits of the first byte
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

// close reads the zeros to the end of the byte, and returns what follows.
func (r *bitReader) close() (rest []byte, ok bool) {
	if r.used > 0 && r.get(8-r.used) != 0 {
		return nil, false
	}
	return r.in, !r.short
}
