package spectate

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// A host that was killed and started again knows nothing of its spectators, and answers nothing that they send. So a
// spectator asks a host that is silent, with a Hello beside the connection. The Welcome says which run of the
// process it is from. Its tag takes the nonce of that Hello, which only the host's address is told.

// ErrRestarted is why a host is given up whose process was started again: it has forgotten its match. Its
// next one is watched, unless another host goes on with the match.
var ErrRestarted = errors.New("it was started again")

// runCheck is a spectator's question to a silent host.
type runCheck struct {
	run   uint64        // of the process that we are connected to
	nonce uint64        // of the question; 0: it is not asked
	next  time.Duration // when to ask again
}

const (
	// askAfter is how long nothing has come from a host when it is asked. It sends every 250 ms at least.
	askAfter = 400 * time.Millisecond
	// askEvery is how often.
	askEvery = 200 * time.Millisecond
)

// askRun asks the present host which process it is, if it is silent, and returns when to call again.
func askRun(v *Follower) (next time.Duration) {
	a := &v.search.runCheck
	switch {
	case !v.heard:
		return v.now + v.cfg.Drop
	case v.now-v.pipe.Heard < askAfter:
		a.nonce = 0
		return v.pipe.Heard + askAfter
	case a.nonce == 0:
		a.nonce, a.next = v.cfg.Random()|1, v.now
	}
	if v.now >= a.next && !v.out.Full() {
		h := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: a.nonce}
		v.out.Seal(h.AppendPadded(v.out.Bytes, datagram.MinSize), v.Host())
		a.next = v.now + askEvery
	}
	return max(a.next, v.now+v.cfg.Period)
}

// receiveRun takes the answer. A host that is the one that it was is not to blame: the way to it is at fault.
func receiveRun(v *Follower, b []byte) {
	a := &v.search.runCheck
	if a.nonce == 0 {
		return // another of several Hellos was answered
	}
	body, ok := datagram.Key(a.nonce).Open(b, 0)
	if !ok {
		v.traffic.Strangers++
		return
	}
	if w, err := datagram.ConsumeWelcome(body); err == nil && w.Run != a.run && v.now-v.pipe.Heard >= askAfter {
		v.lose(ErrRestarted, false)
	}
}

// forgetful reports whether a host was started again, and has shown nothing since.
func (s *search) forgetful(host int) bool { return errors.Is(s.reasons[host], ErrRestarted) }

// because returns why a host is lost, and that it was started again before, if it has shown nothing since.
func (s *search) because(why error) error {
	if s.forgetful(s.host) && !errors.Is(why, ErrRestarted) {
		return fmt.Errorf("%w, and then: %w", ErrRestarted, why)
	}
	return why
}
