package theatre

import (
	"time"

	"github.com/tickback/tickback"
)

// Deck is what plays a file, whatever its game: a [tickback.Replayer] is one.
type Deck interface {
	At() tickback.Frame
	First() tickback.Frame
	Next() tickback.Frame
	Seek(f tickback.Frame) error
}

// span is states that were met, so that the deck comes to each of them quickly.
type span struct{ from, to tickback.Frame }

// Seeker brings a deck to a state in slices, so that a jump over half an hour that nobody
// has seen yet does not stop the pictures. It is told of all jumps, since it remembers
// which states the deck has met.
type Seeker struct {
	deck   Deck
	keys   []tickback.Frame // states in the file
	met    []span           // in order, apart from each other
	target tickback.Frame
	active bool
}

// stride is how many frames are simulated from one look at the clock to the next.
const stride = 64

// NewSeeker returns a seeker for a file and what plays it.
func NewSeeker(f *File, d Deck) *Seeker {
	s := &Seeker{deck: d}
	for k := range f.Reader.Keyframes() {
		s.keys = append(s.keys, tickback.Frame(k))
	}
	return s
}

// Go begins to go to a state, of the first to the last one, instead of where it is going.
func (s *Seeker) Go(f tickback.Frame) {
	s.target, s.active = min(max(f, s.deck.First()), s.deck.Next()), true
}

// Active reports whether it is on the way, and to where.
func (s *Seeker) Active() (to tickback.Frame, on bool) { return s.target, s.active }

// Work goes on for so long, about, and reports whether the deck has arrived. An error ends
// the way where the deck is then.
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

// nearest returns the state before the target from which it is to be reached by
// simulating, or the target if the deck comes there at once.
func (s *Seeker) nearest() tickback.Frame {
	from := s.deck.First()
	for _, m := range s.met {
		if m.from <= s.target {
			from = max(from, min(m.to, s.target))
		}
	}
	for _, k := range s.keys {
		if k < s.target {
			// The deck wants to draw the state before as well: it loads k for the one behind.
			from = max(from, k+1)
		}
	}
	return from
}

// Met remembers that the deck has come to where it is, by playing or by a jump.
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

// replayed is how many frames a deck plays between two pictures, at most.
const replayed = 8 * 64

// join makes one of a span and those that it has reached.
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
