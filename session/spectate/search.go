package spectate

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
)

var (
	// ErrEnd is the end of the stream: the match is over, and the hosts have nothing more to send. Servers and
	// their clients also return it, so its text fits all of them.
	ErrEnd = errors.New("the match is over")
	// ErrLeft means that the spectator has left.
	ErrLeft = errors.New("the spectator has left")

	errSilent   = errors.New("it is silent")
	errNoAnswer = errors.New("it does not answer")
	errIdle     = errors.New("it sends nothing")
	errBehind   = errors.New("it is behind")

	// ErrRestarted means that a host was given up because its process was restarted and has forgotten its match. The
	// next match of that host is watched, unless another host continues the earlier match.
	ErrRestarted = errors.New("it was started again")
)

// ByeError is the farewell of a host.
type ByeError struct{ Reason string }

// Error gives the host's reason.
func (e *ByeError) Error() string { return "it says: " + e.Reason }

// HostsError means that none of the hosts can be watched, and why.
type HostsError struct {
	Hosts []netip.AddrPort
	Why   []error
	Lost  bool // one of them was watched before
}

// Error names each host and the reason.
func (e *HostsError) Error() string {
	var list []string
	for i, h := range e.Hosts {
		list = append(list, fmt.Sprintf("%v: %v", h, e.Why[i]))
	}
	text := "no host lets us in: "
	if e.Lost {
		text = "no host is left: "
	}
	return text + strings.Join(list, "; ")
}

// Unwrap returns the reasons.
func (e *HostsError) Unwrap() []error { return e.Why }

// search decides which host to try next, and when it is of no use to go on.
type search struct {
	hosts    []hostRecord
	host     int           // index of the current one
	since    time.Duration // when any host was last heard
	failures int           // number of consecutive hosts that had nothing for us
}

// hostRecord is what is known of a host.
type hostRecord struct {
	addr         netip.AddrPort
	reason       error         // why it was lost
	final        bool          // asking again would give the same reason
	run          uint64        // the run of the process that answered last, or 0
	behind       time.Duration // since when it has been showing an earlier match than the newest that we know of, or 0
	tokenRefused time.Duration // since when it has refused our token, or 0
	said         string        // the reason of its newest farewell
}

const (
	// MaxHosts is the maximum number of hosts, including added ones.
	MaxHosts = 32
	// retryAfter is how long to wait before all hosts are tried again.
	retryAfter = 500 * time.Millisecond
	// believeAfter is how long a host may lag behind the others because it has not noticed the end of a match. After
	// that we assume that the host that announced a later match was wrong.
	believeAfter = 5 * time.Second
	// tokenPatience is how long a host that does not know our token is asked again: it may be about to get that
	// token, as the other hosts do.
	tokenPatience = 3 * time.Second
)

// add adds a host.
func (s *search) add(addr netip.AddrPort) { s.hosts = append(s.hosts, hostRecord{addr: addr}) }

// has reports whether a host with this address is known.
func (s *search) has(addr netip.AddrPort) bool {
	return slices.ContainsFunc(s.hosts, func(h hostRecord) bool { return h.addr == addr })
}

// current returns the current host.
func (s *search) current() *hostRecord { return &s.hosts[s.host] }

// heard notes that a host was heard.
func (s *search) heard(now time.Duration) { s.since = now }

// forgetful reports whether a host was restarted and has sent nothing of a match since.
func (h *hostRecord) forgetful() bool { return errors.Is(h.reason, ErrRestarted) }

// answered notes which run of its process has answered for the current host.
func (s *search) answered(run uint64) {
	h := s.current()
	if h.run != 0 && h.run != run && !h.forgetful() {
		h.reason = ErrRestarted // it was silent for longer than we kept querying it
	}
	h.run = run
}

// fed notes that the current host has sent frames.
func (s *search) fed() {
	h := s.current()
	s.failures, h.final = 0, false
	if h.forgetful() {
		h.reason = nil
	}
}

// fault notes that an earlier host was at fault.
func (s *search) fault(host int, why error) { s.hosts[host].reason, s.hosts[host].final = why, true }

// lost notes why the current host was lost, and moves on to the next one, which is to be called after wait. final
// means that asking the lost one again would be useless. If it was restarted before and has sent nothing since, the
// reason says that, too.
func (s *search) lost(why error, final bool) (wait time.Duration) {
	h := s.current()
	if s.failures++; why == errIdle || why == ErrRestarted {
		s.failures = 0 // the host answers, so its next match may come
	}
	if h.forgetful() && !errors.Is(why, ErrRestarted) {
		why = fmt.Errorf("%w, and then: %w", ErrRestarted, why)
	}
	h.reason, h.final = why, final
	s.host = (s.host + 1) % len(s.hosts)
	if s.failures > 0 && s.failures%len(s.hosts) == 0 {
		return retryAfter
	}
	return 0
}

// saysAnew reports whether the current host says why it does not let us in, and has not just said the same.
func (s *search) saysAnew(why error) bool {
	var bye *ByeError
	h := s.current()
	if !errors.As(why, &bye) || h.said == bye.Reason {
		return false
	}
	h.said = bye.Reason
	return true
}

// useless reports whether asking any host again would be useless.
func (s *search) useless() bool {
	return !slices.ContainsFunc(s.hosts, func(h hostRecord) bool { return !h.final })
}

// behind reports whether the current host plays an earlier match than the one that we know, and should be asked again
// later.
func (s *search) behind(match, known uint32, now time.Duration) bool {
	h := s.current()
	if match >= known || len(s.hosts) == 1 && h.forgetful() { // no other host knows the later one
		h.behind = 0
		return false
	}
	if h.behind == 0 {
		h.behind = now
	}
	return now-h.behind < believeAfter
}

// refused notes that the current host has refused our token, and reports whether it has for so long that asking again
// is useless.
func (s *search) refused(now time.Duration) bool {
	h := s.current()
	if h.tokenRefused == 0 {
		h.tokenRefused = max(now, 1)
	}
	return now-h.tokenRefused >= tokenPatience
}

// failed returns the error that says why none of the hosts can be watched.
func (s *search) failed(watched bool) error {
	e := &HostsError{Lost: watched}
	for _, h := range s.hosts {
		switch why := h.reason; {
		case why == nil:
			h.reason = errNoAnswer
		case why == ErrRestarted:
			h.reason = fmt.Errorf("%w, and then: %w", ErrRestarted, errNoAnswer)
		}
		e.Hosts, e.Why = append(e.Hosts, h.addr), append(e.Why, h.reason)
	}
	return e
}
