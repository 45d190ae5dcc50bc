package effects

// slot is a frame's place in the ring.
type slot struct {
	now []emission // the emissions of the last simulation, in order
	was []emission // the emissions reported by the last Flush, if the frame has been simulated again
	// tick is the tick in which the frame was last simulated again. If it is the journal's current tick, was is valid.
	tick uint64
}

// frames holds the emissions of the frames that may still change, and of as many earlier frames as the rules look back
// at. Lists of emissions are reused: a frame takes one when something is emitted, and returns it when the frame is
// forgotten.
type frames struct {
	ring []slot // frame f is in f & mask
	mask Frame
	low  Frame // the lowest frame that is kept; the slots of all others are empty
	most int   // the maximum number of emissions in a frame
	used int   // the number of lists that slots hold
	free [][]emission
}

// newFrames makes room for at least count frames.
func newFrames(count, most int) frames {
	size := 1
	for size < count {
		size *= 2
	}
	return frames{ring: make([]slot, size), mask: Frame(size - 1), most: most}
}

func (r *frames) slot(f Frame) *slot { return &r.ring[f&r.mask] }

// at returns the emission of an identity in frame f, which is below next, or nil
// if there is none or the frame is not kept.
func (r *frames) at(f Frame, hint int, id identity) *emission {
	if f < r.low {
		return nil
	}
	return find(r.slot(f).now, hint, id)
}

// take returns an empty list with room for a frame.
func (r *frames) take() []emission {
	r.used++
	if n := len(r.free); n > 0 {
		list := r.free[n-1]
		r.free = r.free[:n-1]
		return list
	}
	return make([]emission, 0, r.most)
}

// give returns a list to the pool, unless it is nil.
func (r *frames) give(list []emission) {
	if list != nil {
		r.used--
		r.free = append(r.free, list[:0])
	}
}

// forget drops the frames below low.
func (r *frames) forget(low Frame) {
	for ; r.low < low; r.low++ {
		s := r.slot(r.low)
		r.give(s.now)
		s.now = nil
	}
}

// reset drops everything; the next frame is start.
func (r *frames) reset(start Frame) {
	for i := range r.ring {
		s := &r.ring[i]
		r.give(s.now)
		r.give(s.was)
		*s = slot{}
	}
	r.low = start
}
