package theatre

import (
	"time"

	"github.com/tickback/tickback"
)

// Seekable plays a file of any of the games, like a [tickback.Replayer].
type Seekable interface {
	At() tickback.Frame
	First() tickback.Frame
	Next() tickback.Frame
	Seek(f tickback.Frame) error
}

// span is a range of states that were reached before, so that the deck reaches each of them quickly.
type span struct{ from, to tickback.Frame }

// Seeker brings a deck to a state in slices, so that a jump over half an hour that has not been played yet does not
// stop the pictures. Met must be called after all jumps, since it records which states the deck has reached.
type Seeker struct {
	deck   Seekable
	keys   []tickback.Frame // states in the file
	met    []span           // the ranges of states reached so far, in order, without overlaps
	target tickback.Frame
	active bool
}

// stride is how many frames are simulated between two checks of the clock.
const stride = 64

// NewSeeker returns a seeker for a file and the deck that plays it.
func NewSeeker(f *File, d Seekable) *Seeker {
	s := &Seeker{deck: d}
	for k := range f.Reader.Keyframes() {
		s.keys = append(s.keys, tickback.Frame(k))
	}
	return s
}

// Go starts to go to a state, from the first to the last one, and replaces any earlier target.
func (s *Seeker) Go(f tickback.Frame) {
	s.target, s.active = min(max(f, s.deck.First()), s.deck.Next()), true
}

// Active reports whether the deck is still on its way, and to which state.
func (s *Seeker) Active() (to tickback.Frame, on bool) { return s.target, s.active }

// Work continues for about this long, and reports whether the deck has arrived. After an error the deck stays where
// it is.
func (s *Seeker) Work(budget time.Duration) (arrived bool, err error) {
	if !s.active {
		return true, nil
	}
	until := time.Now().Add(budget)
	s.Met()
	next := s.nearest()
	if at := s.deck.At(); at <= s.target && at >= next {
		next = min(at+stride, s.target)
	}
	for {
		err = s.deck.Seek(next)
		s.Met()
		if err != nil || s.deck.At() == s.target {
			s.active = false
			return true, err
		}
		if !time.Now().Before(until) {
			return false, nil
		}
		next = min(s.deck.At()+stride, s.target)
	}
}

// nearest returns the state before the target from which the target is reached by simulating, or the target if the
// deck can reach it at once.
func (s *Seeker) nearest() tickback.Frame {
	from := s.deck.First()
	for _, m := range s.met {
		if m.from <= s.target {
			from = max(from, min(m.to, s.target))
		}
	}
	for _, k := range s.keys {
		if k < s.target {
			// The deck also needs the state before, for drawing: it loads k for state k+1.
			from = max(from, k+1)
		}
	}
	return from
}

// Met records that the deck has reached its current state, by playing or by a jump.
func (s *Seeker) Met() {
	at := s.deck.At()
	for i := range s.met {
		m := &s.met[i]
		if at >= m.from && at <= m.to+stride+replayed {
			m.to = max(m.to, at)
			s.join(i)
			return
		}
	}
	s.met = append(s.met, span{at, at})
}

// replayed is the maximum number of frames that a deck plays between two pictures.
const replayed = 8 * 64

// join merges a span with those that it touches.
func (s *Seeker) join(i int) {
	for k := 0; k < len(s.met); k++ {
		if k == i || s.met[k].from < s.met[i].from || s.met[k].from > s.met[i].to {
			continue
		}
		s.met[i].to = max(s.met[i].to, s.met[k].to)
		s.met = append(s.met[:k], s.met[k+1:]...)
		if k < i {
			i--
		}
		k--
	}
}
