package spectate

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// A host that was killed and restarted knows nothing of its spectators, and answers nothing that they send. So a
// spectator queries a silent host with a Hello beside the connection. The Welcome contains the number of the
// process's run. Its tag depends on the nonce of that Hello, which is sent only to the host's address.

// ErrRestarted means that a host was given up because its process was restarted and has forgotten its match. The
// next match of that host is watched, unless another host continues the earlier match.
var ErrRestarted = errors.New("it was started again")

// runCheck is a spectator's query to a silent host.
type runCheck struct {
	run   uint64        // of the process that we are connected to
	nonce uint64        // of the query; 0: none was sent
	next  time.Duration // when to send the next one
}

const (
	// askAfter is the silence after which a host is queried. A host sends at least every 250 ms.
	askAfter = 400 * time.Millisecond
	// askEvery is the interval between queries.
	askEvery = 200 * time.Millisecond
)

// askRun queries the current host if it is silent, and returns when to call it again.
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

// receiveRun handles the answer. If the host's process is still the same, the network is at fault, not the host.
func receiveRun(v *Follower, b []byte) {
	a := &v.search.runCheck
	if a.nonce == 0 {
		return // the answer to another one of several Hellos
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

// forgetful reports whether a host was restarted and has sent nothing of a match since.
func (s *search) forgetful(host int) bool { return errors.Is(s.reasons[host], ErrRestarted) }

// because returns why a host was lost. If it was restarted before and has sent nothing since, the error says that,
// too.
func (s *search) because(why error) error {
	if s.forgetful(s.host) && !errors.Is(why, ErrRestarted) {
		return fmt.Errorf("%w, and then: %w", ErrRestarted, why)
	}
	return why
}
