package served

import "time"

// fullStates are the whole states that a client is sent.
type fullStates struct {
	state  []byte // one that is on its way, or nil
	sent   int    // bytes of it
	number Frame  // of the newest one
	row    int    // how many have begun since the client has held one
	at     time.Duration
	size   int  // of the newest one
	asked  bool // the client has asked for the next one, although it held a state
}

const (
	// wholeEvery is how far apart whole states begin at least.
	wholeEvery = 250 * time.Millisecond
	// wholeDoublings is how often that time doubles while the client takes none of them: who asks
	// for states without end gets few.
	wholeDoublings = 4
)

// due reports whether another one may begin. pending are the bytes in the client's stream: they do not matter once the
// client has said that it holds the last one, since then only what acknowledges them has got lost.
func (w *fullStates) due(now, timeout time.Duration, pending int) bool {
	switch {
	case w.at == 0:
		return true
	case w.state != nil || w.row > 0 && pending > 0:
		return false
	}
	if w.asked && now < w.at+max(anewEvery, time.Duration(w.size)*time.Second/anewRate) {
		return false
	}
	return now >= w.at+max(timeout, wholeEvery<<min(max(w.row-1, 0), wholeDoublings))
}

// begin begins one.
func (w *fullStates) begin(f Frame, state []byte, now time.Duration) {
	w.state, w.sent, w.number, w.at, w.size, w.asked = state, 0, f, now, len(state), false
	w.row++
}

// held notes that the client holds a state.
func (w *fullStates) held(f Frame) {
	if w.row > 0 && f >= w.number {
		w.row = 0
	}
}

// next returns the next bytes to send, or nil.
func (w *fullStates) next() []byte {
	if w.state == nil {
		return nil
	}
	n := min(len(w.state)-w.sent, maxChunk)
	b := w.state[w.sent : w.sent+n]
	if w.sent += n; w.sent == len(w.state) {
		w.state = nil
	}
	return b
}
