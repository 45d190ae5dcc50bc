package pace

import (
	"time"

	"github.com/tickback/tickback/rollback"
)

const (
	// slowdownEvery is how long a match has to be slow to be called slow; slowdownPeriods is for low
	// tick rates.
	slowdownEvery   = 3 * time.Second
	slowdownPeriods = 32
	// slowdownShare is the part of the time, one in so many, that a slow match loses. With half
	// of that it is not slow any more.
	slowdownShare = 20
	// slowdownWaits is how many waits it takes at least. Fewer are interruptions.
	slowdownWaits = 4
	// slowdownLongest is for how long these waits are counted: where a datagram takes seconds, each of them
	// lasts as long.
	slowdownLongest = time.Minute
)

// slowdown notices when a match loses time again and again, since frames wait for the same
// players. The zero value is that of a match that begins.
type slowdown struct {
	began   time.Duration // what is looked at; 0: nothing yet
	stalled time.Duration // the figures of Stalls then
	waits   uint64
	waited  [rollback.MaxPlayers]time.Duration
	slow    bool
	players rollback.PlayerSet // for whom it is slow
}

// Slow looks at the time since it was last called with a result. If a match has become slow, it returns
// for whom it waits, and how much time it has lost in how long; else players is empty.
func (s *Stalls) Slow(now, nominal time.Duration) (players rollback.PlayerSet, lost, within time.Duration) {
	d := &s.slowdown
	switch within = now - d.began; {
	case d.began == 0:
		d.look(now, s)
		return 0, 0, 0
	case within < max(slowdownEvery, slowdownPeriods*nominal):
		return 0, 0, 0
	}
	was := *d
	lost = s.stalled - was.stalled
	if waits := s.waits - was.waits; waits != 0 && waits < slowdownWaits && lost*slowdownShare >= within && within < slowdownLongest {
		return 0, 0, 0 // that may be one interruption, or the first of long waits
	}
	d.look(now, s)
	if lost*slowdownShare < within || s.waits-was.waits < slowdownWaits {
		if d.slow = was.slow && lost*2*slowdownShare >= within; !d.slow {
			d.players = 0
		}
		return 0, 0, 0
	}
	for p := range rollback.Player(rollback.MaxPlayers) {
		if 2*(s.waited[p]-was.waited[p]) >= lost {
			players |= rollback.SetOf(p)
		}
	}
	d.slow, d.players = true, players
	if was.slow {
		return 0, 0, 0
	}
	return players, lost, within
}

// SlowFor returns for whom the match is slow: nobody, if it is not.
func (s *Stalls) SlowFor() rollback.PlayerSet { return s.slowdown.players }

// look begins to look anew.
func (d *slowdown) look(now time.Duration, s *Stalls) {
	d.began, d.stalled, d.waits, d.waited = now, s.stalled, s.waits, s.waited
}
