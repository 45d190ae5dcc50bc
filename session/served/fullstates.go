package served

import (
	"time"

	"github.com/tickback/tickback/session/bulk"
)

// fullStates schedules the whole states sent to a client.
type fullStates struct {
	left   bulk.Sender // what is left of the one being sent
	number Frame       // number of the newest one
	row    int         // how many have begun since the client last held one
	at     time.Duration
	size   int  // size of the newest one
	asked  bool // the client has requested the next one although it held a state
}

const (
	// wholeEvery is the minimum time between the beginnings of two whole states.
	wholeEvery = 250 * time.Millisecond
	// wholeDoublings is how often wholeEvery doubles while the client completes none of these states: a client that
	// requests states endlessly gets few.
	wholeDoublings = 4
)

// due reports whether another whole state may begin. pending is the number of bytes in the client's stream: they do not
// matter once the client has reported that it holds the last one, since then only acknowledgements were lost.
func (w *fullStates) due(now, timeout time.Duration, pending int) bool {
	switch {
	case w.at == 0:
		return true
	case !w.left.Done() || w.row > 0 && pending > 0:
		return false
	}
	if w.asked && now < w.at+max(anewEvery, time.Duration(w.size)*time.Second/anewRate) {
		return false
	}
	return now >= w.at+max(timeout, wholeEvery<<min(max(w.row-1, 0), wholeDoublings))
}

// begin starts sending a whole state.
func (w *fullStates) begin(f Frame, state []byte, now time.Duration) {
	w.left.Begin(state, 0)
	w.number, w.at, w.size, w.asked = f, now, len(state), false
	w.row++
}

// held notes that the client holds state f.
func (w *fullStates) held(f Frame) {
	if w.row > 0 && f >= w.number {
		w.row = 0
	}
}
