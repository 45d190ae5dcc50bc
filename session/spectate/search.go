package spectate

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
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

// search is the state of the search for a host.
type search struct {
	host   int
	since  time.Duration // when any host was last heard
	tried  time.Duration // when the first Hello was sent to the current one
	next   time.Duration // when to send the next one
	nonce  uint64        // ours, for this host
	theirs uint64        // the host's
	sets   datagram.Sets // encoding of player sets in its match
	number byte          // of the last Hello
	sentAt [256]time.Duration

	failures int     // number of consecutive hosts that had nothing for us
	reasons  []error // by host: why it was lost
	final    []bool  // by host: asking again would give the same reason
	// tokenRefused is, by host, since when it has refused our token, or 0.
	tokenRefused []time.Duration
	runs         []uint64 // by host: the run of the process that answered last, or 0
	runCheck
	behind []time.Duration // by host: since when it has been showing an earlier match than the newest that we know of, or 0
}

// begin starts over with the current host.
func (s *search) begin(v *Follower) {
	s.tried, s.next, s.nonce, s.number = v.now, v.now, v.cfg.Random(), 0
	if v.pipe != nil {
		v.traffic.add(v.pipe)
	}
	v.pipe, v.heard, v.unsaid, v.memberList = nil, false, 0, nil
	v.following, v.partial.here, s.runCheck = false, false, runCheck{}
}

// retryAfter is how long to wait before all hosts are tried again.
const retryAfter = 500 * time.Millisecond

// tellLost reports that the current host is lost, if it was found before.
func (v *Follower) tellLost(why error) {
	if v.heard {
		v.news = append(v.news, HostNews{Addr: v.Host(), Why: why, Over: v.over})
	}
}

// lose moves on to the next host. final means that asking this host again would be useless.
func (v *Follower) lose(why error, final bool) {
	s := &v.search
	v.tellLost(why)
	s.reasons[s.host], s.final[s.host] = s.because(why), final
	if s.failures++; why == errIdle || why == ErrRestarted {
		s.failures = 0 // the host answers, so its next match may come
	}
	v.depart()
	all := true
	for _, f := range s.final {
		all = all && f
	}
	switch {
	case v.over && s.failures >= len(v.cfg.Hosts):
		v.err = ErrEnd
	case all:
		v.fail()
	}
	s.host = (s.host + 1) % len(v.cfg.Hosts)
	s.begin(v)
	if s.failures > 0 && s.failures%len(v.cfg.Hosts) == 0 {
		s.next = v.now + retryAfter
		s.tried = s.next
	}
}

func (v *Follower) fail() {
	for i, why := range v.search.reasons {
		switch {
		case why == nil:
			v.search.reasons[i] = errNoAnswer
		case why == ErrRestarted:
			v.search.reasons[i] = fmt.Errorf("%w, and then: %w", ErrRestarted, errNoAnswer)
		}
	}
	v.err = &HostsError{Hosts: v.cfg.Hosts, Why: v.search.reasons, Lost: v.match != 0}
}

// askHost sends Hellos to the current host, and gives up after a while.
func (v *Follower) askHost() (next time.Duration) {
	s := &v.search
	wait := answerTimeout(v)
	switch {
	case v.now-s.since > v.cfg.Timeout:
		v.fail()
		return v.now
	case v.now-s.tried > wait:
		v.lose(errNoAnswer, false)
		return v.now
	case v.now >= s.next:
		v.hello()
	}
	return s.next
}

// ResetTimeout restarts the time-out for finding a host.
func (v *Follower) ResetTimeout() { v.search.since = v.now }

// answerTimeout returns how long the current host may take to answer.
func answerTimeout(v *Follower) time.Duration {
	if len(v.cfg.Hosts) == 1 {
		return v.cfg.Timeout
	}
	return v.cfg.Drop
}

func (v *Follower) hello() {
	s := &v.search
	if s.next = v.now + helloEvery; v.now-s.tried > time.Second {
		s.next = v.now + 5*helloEvery
	}
	v.helloOf(datagram.MaxSize)
	if v.now-s.tried >= min(narrowAfter, answerTimeout(v)/2) {
		v.helloOf(datagram.MinSize) // the path may not carry large datagrams
	}
}

// narrowAfter is how long Hellos go unanswered before small ones are sent as well; it is at most half of the time
// that a host has to answer.
const narrowAfter = time.Second

// helloOf sends a Hello of this size.
func (v *Follower) helloOf(size int) {
	if v.out.Full() {
		return
	}
	s := &v.search
	s.number++
	s.sentAt[s.number] = v.now
	h := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: s.nonce, Attempt: s.number}
	v.out.Seal(h.AppendPadded(v.out.Bytes, size), v.Host())
}

// helloEvery is the interval between Hellos in the first second; after that it is five
// times as long.
const helloEvery = 50 * time.Millisecond

// receiveWelcome handles a host's answer.
func (v *Follower) receiveWelcome(at time.Duration, b []byte) {
	s := &v.search
	if v.pipe != nil {
		receiveRun(v, b) // or an earlier Hello has been answered
		return
	}
	body, ok := datagram.Key(s.nonce).Open(b, 0)
	if !ok {
		v.traffic.Strangers++
		return
	}
	w, err := datagram.ConsumeWelcome(body)
	if err != nil {
		v.traffic.Strangers++
		return
	}
	if err := v.cfg.Compare(v.Host(), w.Version, &w.Items); err != nil {
		v.lose(err, true)
		return
	}
	p := peer.NewPipe(v.Host(), s.nonce, w.Nonce, v.cfg.Period, at)
	if w.Attempt-1 < s.number {
		p.RoundTrip.Add(at - s.sentAt[w.Attempt])
		p.Channel.SetTimeout(p.Timeout())
	}
	if was := s.runs[s.host]; was != 0 && was != w.Run && !s.forgetful(s.host) {
		s.reasons[s.host] = ErrRestarted // it was silent for longer than we kept querying it
	}
	s.runs[s.host], s.runCheck.run = w.Run, w.Run
	v.pipe, s.theirs, s.sets, s.next = p, w.Nonce, datagram.SetsOf(int(w.Items.Players)), v.now+attachEvery
	v.ask()
	v.send()
}

// ask sends the host our request: for everything, or for what has not come yet.
func (v *Follower) ask() {
	p := &v.partial
	r := request{v.match, v.next, v.trust.marked, v.trust.chain, p.transfer, uint32(len(p.bytes))}
	if v.search.forgetful(v.search.host) {
		r = request{} // its current match may have the same number
	}
	_ = v.pipe.Channel.Send(r.append(nil)) // a new stream has room
}
