package reliable

// incoming is the slot of a fragment, with a buffer while it holds one.
type incoming struct {
	bytes     []byte
	continues bool
	here      bool
}

// receiver puts fragments in order and assembles messages.
type receiver struct {
	maxMessage int
	bound      int // maximum bytes of waiting messages

	// Fragments below taken are part of messages. The ring holds those from taken on. Those from taken to arrived-1
	// have all arrived, and wait until the application has taken messages.
	taken, arrived uint64
	free           [][]byte // unused buffers
	partial        int      // bytes of the message that is incomplete at arrived
	owing          bool     // whether an acknowledgement has to be sent

	bytes    fifo[byte]   // the bytes of complete messages, then of the incomplete one
	complete fifo[uint32] // lengths of complete messages
	growing  int          // bytes of the incomplete message
	handed   int          // bytes at the front that Next has returned
	stats    *Stats
	ring     []incoming // a power of two up to Window, as long as needed so far
}

func (r *receiver) slot(n uint64) *incoming { return &r.ring[n&uint64(len(r.ring)-1)] }

// reach makes the ring long enough to have a slot for fragment n, which is less than Window above taken.
func (r *receiver) reach(n uint64) {
	size := uint64(max(len(r.ring), leastRing))
	for n-r.taken >= size {
		size *= 2
	}
	if size == uint64(len(r.ring)) {
		return
	}
	old := *r
	r.ring = make([]incoming, size)
	for i := range uint64(len(old.ring)) {
		*r.slot(r.taken + i) = *old.slot(r.taken + i)
	}
}

// accept stores a fragment. It accepts the sender's window, which starts at arrived at the latest. The ring may
// start earlier while the application does not take its messages: then the fragment is silently refused, and the
// sender will try again.
func (r *receiver) accept(f fragment) error {
	if f.number < r.arrived {
		r.stats.Duplicates++
		r.owing = true
		return nil
	}
	if f.number-r.arrived >= Window {
		return ErrWindow
	}
	if f.number-r.taken >= Window {
		r.stats.Refused++
		return nil
	}
	r.owing = true
	r.reach(f.number)
	slot := r.slot(f.number)
	if slot.here {
		r.stats.Duplicates++
		return nil
	}
	r.stats.Received++
	if n := len(r.free); n > 0 {
		slot.bytes, r.free = r.free[n-1], r.free[:n-1]
	}
	slot.bytes = append(slot.bytes, f.bytes...)
	slot.continues, slot.here = f.continues, true
	return r.advance()
}

// advance moves arrived to the first gap. It checks the lengths of messages, so that assembling them cannot fail.
func (r *receiver) advance() error {
	for r.arrived-r.taken < uint64(len(r.ring)) {
		slot := r.slot(r.arrived)
		if !slot.here {
			return nil
		}
		r.partial += len(slot.bytes)
		if r.partial > r.maxMessage {
			return ErrTooLong
		}
		if !slot.continues {
			r.partial = 0
		}
		r.arrived++
	}
	return nil
}

// gather moves what has arrived from the ring into messages, as far as the bound allows. If no complete message
// waits, the incomplete one may always grow; otherwise it could never be completed.
func (r *receiver) gather() {
	for r.taken < r.arrived {
		slot := r.slot(r.taken)
		used := r.bytes.len() + len(slot.bytes) + messageCost*(r.complete.len()+1)
		if r.complete.len() > 0 && used > r.bound {
			return
		}
		r.bytes.push(slot.bytes...)
		r.growing += len(slot.bytes)
		r.free = append(r.free, slot.bytes[:0])
		slot.bytes, slot.here = nil, false
		r.taken++
		if !slot.continues {
			r.complete.push(uint32(r.growing))
			r.growing = 0
		}
	}
}

// next returns the oldest complete message.
func (r *receiver) next() (message []byte, ok bool) {
	r.release()
	r.gather()
	if r.complete.len() == 0 {
		return nil, false
	}
	r.handed = int(r.complete.at(0, 1)[0])
	r.complete.drop(1)
	return r.bytes.at(0, r.handed), true
}

// release drops the message that next has returned.
func (r *receiver) release() {
	if r.handed > 0 {
		r.bytes.drop(r.handed)
		r.handed = 0
	}
}

// acknowledgement describes what has arrived.
func (r *receiver) acknowledgement() (a acknowledgement) {
	a.arrived = r.arrived
	for n := r.arrived + 1; n < r.taken+uint64(len(r.ring)); n++ {
		if r.slot(n).here {
			a.set(n)
		}
	}
	return a
}
