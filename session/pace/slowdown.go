package pace

import (
	"time"

	"github.com/tickback/tickback/rollback"
)

const (
	// slowdownEvery is how long a match has to be slow to count as slow; slowdownPeriods is the same for low tick
	// rates.
	slowdownEvery   = 3 * time.Second
	slowdownPeriods = 32
	// slowdownShare is the divisor of the time that gives the loss at which a match counts as slow. With half of
	// that loss it no longer does.
	slowdownShare = 20
	// slowdownWaits is the minimum number of waits. Fewer are considered interruptions.
	slowdownWaits = 4
	// slowdownLongest is the longest time over which these waits are counted: on a path that takes seconds, each of
	// them lasts for seconds.
	slowdownLongest = time.Minute
)

// slowdown notices when a match loses time again and again because frames wait for the same players. The zero value
// is for a match that begins.
type slowdown struct {
	began   time.Duration // start of the current observation; 0: none yet
	stalled time.Duration // the figures of Stalls at that time
	waits   uint64
	waited  [rollback.MaxPlayers]time.Duration
	slow    bool
	players rollback.PlayerSet // the players that it waits for
}

// Slow evaluates the time since its last evaluation. If a match has become slow, it returns the players that it
// waits for, how much time it has lost, and within how long; otherwise players is empty.
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
		return 0, 0, 0 // it may be one interruption, or the first of several long waits
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

// SlowFor returns the players that make the match slow; none if it is not slow.
func (s *Stalls) SlowFor() rollback.PlayerSet { return s.slowdown.players }

// look starts a new observation.
func (d *slowdown) look(now time.Duration, s *Stalls) {
	d.began, d.stalled, d.waits, d.waited = now, s.stalled, s.waits, s.waited
}
