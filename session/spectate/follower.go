package spectate

import (
	"errors"
	"fmt"
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// FollowerConfig configures a [Follower]. All fields except MaxState, Out, Token and Join are required.
type FollowerConfig struct {
	// Hosts are tried in turn.
	Hosts []netip.AddrPort
	// Items are what must be equal at the host; Own is not compared.
	Items datagram.Items
	// Compare returns an error if a host with other items cannot be watched.
	Compare func(host netip.AddrPort, version byte, theirs *datagram.Items) error
	// Period is the tick period.
	Period time.Duration
	// Timeout limits the search for a host that answers. Drop is how long the current host may be silent before the
	// next one is tried.
	Timeout, Drop time.Duration
	// Random returns random numbers.
	Random func() uint64
	// MaxState is the maximum size of a state in bytes; 0 means 64 MiB.
	MaxState int
	// Out, if given, is the outbox for datagrams, and its owner sends them; otherwise [Follower.Outgoing] yields
	// them.
	Out *peer.Outbox
	// Token, if given, is proved to hosts that require one of spectators.
	Token []byte
	// Join, if given, is the request made at each host. Its token must pass [admission.CheckToken].
	Join *JoinRequest
}

// Follower is the spectator's side of the protocol.
type Follower struct {
	cfg        FollowerConfig
	now        time.Duration
	started    bool
	updated    time.Duration // when Update was last called
	search     search
	connection connection
	sets       datagram.Sets // encoding of player sets in the host's match
	received   received
	memberList []byte // for a newcomer: the newest member list from the host
	news       []HostNews
	err        error
}

// HostNews reports that a host was found or lost, or that it has not let us in, and why.
type HostNews struct {
	Addr  netip.AddrPort
	Found bool
	Why   error // why it was lost, or does not let us in
	Over  bool  // whether the whole match, with its end, had arrived by then
}

// NewFollower creates a follower that has not started yet.
func NewFollower(cfg FollowerConfig) *Follower {
	if cfg.MaxState == 0 {
		cfg.MaxState = 64 << 20
	}
	if cfg.Out == nil {
		cfg.Out = &peer.Outbox{Most: MaxOutgoing}
	}
	v := &Follower{cfg: cfg}
	v.connection.cfg, v.connection.out, v.received.maxState = &v.cfg, cfg.Out, cfg.MaxState
	for _, h := range cfg.Hosts {
		v.search.add(h)
	}
	return v
}

// AddHost adds a host to try, unless it is in the list or there are [MaxHosts] already.
func (v *Follower) AddHost(addr netip.AddrPort) {
	if !v.search.has(addr) && len(v.search.hosts) < MaxHosts {
		v.search.add(addr)
	}
}

// Err returns why nothing more will come: [ErrEnd], or [*HostsError].
func (v *Follower) Err() error { return v.err }

// Host returns the host that is being watched or tried.
func (v *Follower) Host() netip.AddrPort { return v.search.current().addr }

// Over reports whether the match has arrived in full, with its end.
func (v *Follower) Over() bool { return v.received.over }

// Attached reports whether a host has accepted us.
func (v *Follower) Attached() bool { return v.connection.heard }

// Traffic describes the connection.
func (v *Follower) Traffic() Traffic { return v.connection.total() }

// Live returns how many frames are agreed, as far as is known.
func (v *Follower) Live() uint32 { return v.received.live }

// Buffered returns how many frames are waiting in the queue.
func (v *Follower) Buffered() int { return v.received.queue.frames }

// Full reports whether the queue is full, so that nothing is read from the host until an item is popped.
func (v *Follower) Full() bool { return v.received.queue.full() }

// Transfer returns how many bytes of a state have arrived, and its size; both are 0 if no state is being
// transferred.
func (v *Follower) Transfer() (have, size int) {
	return len(v.received.partial.Bytes()), int(v.received.partial.size)
}

// Front returns the next item, or nil. It is valid until [Follower.Pop].
func (v *Follower) Front() *Item { return v.received.queue.front() }

// Pop moves on to the next item. The frames of the item popped before this one must not be used any more.
func (v *Follower) Pop() { v.received.queue.pop() }

// News returns which hosts were found and lost since the last call, and which do not let us in. The result is valid until the next call.
func (v *Follower) News() []HostNews {
	n := v.news
	v.news = v.news[:0]
	return n
}

// Outgoing yields the datagrams to send, each with its destination, and removes them from the outbox.
func (v *Follower) Outgoing() iter.Seq2[netip.AddrPort, []byte] { return v.cfg.Out.All() }

// MemberList returns the newest member list from the current host, once per list. Items that were queued before it
// ([Follower.Front]) may still be waiting.
func (v *Follower) MemberList() (list []byte, ok bool) {
	list, v.memberList = v.memberList, nil
	return list, list != nil
}

// Link creates the link to the current host for a newcomer that is going to play, on the connection of the stream.
// It returns nil before the host has admitted us, and from the second call on. The host gets its end from
// [Host.Link].
func (v *Follower) Link() *peer.Link {
	if !v.connection.heard {
		return nil
	}
	return v.connection.pipe.Link(v.now)
}

// Leave notifies the host that we are leaving.
func (v *Follower) Leave() {
	v.connection.leave(v.now)
	v.err = ErrLeft
}

// ResetTimeout restarts the time-out for finding a host.
func (v *Follower) ResetTimeout() { v.search.heard(v.now) }

// Receive handles an incoming datagram.
func (v *Follower) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	v.now = max(v.now, at)
	if len(b) == 0 || v.err != nil || from != v.Host() || !v.started || !v.receive(at, b) {
		v.connection.traffic.Strangers++
	}
}

// receive handles a datagram from the address of the current host; ok is false if the host did not send it.
func (v *Follower) receive(at time.Duration, b []byte) (ok bool) {
	c := &v.connection
	if b[0] == datagram.KindWelcome {
		return v.receiveWelcome(at, b)
	}
	ok, err := c.receive(at, b)
	switch {
	case err != nil:
		v.breaks(err)
		return true
	case !ok:
		return false
	}
	if v.take(); c.pipe != nil && c.answer(v.now) {
		v.news = append(v.news, HostNews{Addr: v.Host(), Found: true})
	}
	return true
}

// receiveWelcome handles an answer to a Hello.
func (v *Follower) receiveWelcome(at time.Duration, b []byte) (ok bool) {
	if v.connection.pipe != nil {
		restarted, ok := v.connection.receiveRun(v.now, b)
		if restarted {
			v.lose(ErrRestarted, false)
		}
		return ok
	}
	w, p, ok := v.connection.caller.Answered(at, b, v.cfg.Period)
	if !ok {
		return false
	}
	if err := v.cfg.Compare(v.Host(), w.Version, &w.Items); err != nil {
		v.lose(err, true)
		return true
	}
	v.search.answered(w.Run)
	v.sets = datagram.SetsOf(int(w.Items.Players))
	v.connection.answered(p, w.Run)
	var r request
	if !v.search.current().forgetful() { // its current match may have the same number
		r = v.received.request()
	}
	_ = p.Channel.Send(r.append(nil)) // a new stream has room
	v.connection.send(v.now)
	return true
}

// take handles messages while there is room in the queue.
func (v *Follower) take() {
	for !v.Full() {
		b := v.connection.next(v.now)
		if b == nil {
			return
		}
		if err := v.message(b); errors.Is(err, errBehind) {
			v.lose(err, false)
		} else if err != nil {
			v.breaks(err)
		}
	}
}

// message handles a message from the host. An error means that the host violates the protocol, or [errBehind].
func (v *Follower) message(b []byte) error {
	kind, b := b[0], b[1:]
	text := b[:min(len(b), maxText)]
	switch kind {
	case messageBegin:
		return v.begin(b)
	case messageBye:
		v.lose(&ByeError{string(text)}, false)
		return nil
	case messageRevoked, messageUninvited:
		v.uninvited(string(text), kind == messageRevoked)
		return nil
	case messageRoll:
		switch {
		case v.cfg.Join == nil: // only newcomers get one
			return datagram.ErrKind
		case len(b) == 0 || len(b) > MaxMemberList:
			return datagram.ErrRange
		}
		v.memberList = append([]byte(nil), b...)
		return nil
	}
	fed, err := v.received.message(kind, b, v.sets)
	if fed {
		v.search.fed()
	}
	return err
}

// begin handles the announcement of a match.
func (v *Follower) begin(b []byte) error {
	var o datagram.Offer
	if err := o.Consume(b); err != nil {
		return err
	}
	switch known := v.received.match; {
	case o.Match == 0:
		return datagram.ErrRange
	case v.search.behind(o.Match, known, v.now):
		return fmt.Errorf("%w: it plays match %d, and we know match %d", errBehind, o.Match, known)
	}
	v.received.begin(&o, v.search.current().forgetful())
	return nil
}

// uninvited handles the host's message that our token is not valid there.
func (v *Follower) uninvited(reason string, revoked bool) {
	token := v.cfg.Token
	if v.cfg.Join != nil {
		token = v.cfg.Join.Token
	}
	final := v.search.refused(v.now) || revoked || token == nil
	v.lose(&admission.TokenError{Reason: reason, Revoked: revoked, Missing: token == nil}, final)
}

// Update sends what is due, and looks for another host if the current one is lost. It returns the time of the next
// call.
func (v *Follower) Update(now time.Duration) (next time.Duration) {
	v.now = max(v.now, now)
	c := &v.connection
	if !v.started {
		v.started, v.updated = true, v.now
		v.search.heard(v.now)
		v.call(v.now)
	}
	if gap := v.now - v.updated; gap > time.Second { // our own program was asleep: the hosts are not to blame
		v.search.heard(v.search.since + gap)
		c.extend(gap)
	}
	v.updated = v.now
	if v.err != nil {
		return v.now + time.Second
	}
	v.take()
	switch {
	case c.pipe == nil:
		return v.askHost()
	case c.silent(v.now) > v.cfg.Drop:
		v.lose(errSilent, false)
		return v.now
	case c.heard:
		v.search.heard(v.now)
	}
	if v.idle() {
		v.lose(errIdle, false)
		return v.now
	}
	return c.update(v.now)
}

// askHost asks the current host for an answer, and gives up after a while.
func (v *Follower) askHost() (next time.Duration) {
	wait := v.cfg.Drop
	if len(v.search.hosts) == 1 {
		wait = v.cfg.Timeout
	}
	switch {
	case v.now-v.search.since > v.cfg.Timeout:
		v.err = v.search.failed(v.received.match != 0)
		return v.now
	case v.now-v.connection.caller.Begun > wait:
		v.lose(errNoAnswer, false)
		return v.now
	}
	return v.connection.call(v.now, wait)
}

// idle reports whether to try another host because the current one answers, but has sent nothing useful for a
// while.
func (v *Follower) idle() bool {
	patience := matchPatience
	if v.received.match == 0 || v.received.over {
		patience = lobbyPatience
	}
	return v.connection.heard && len(v.search.hosts) > 1 && !v.Full() && v.now-v.connection.useful > patience
}

const (
	matchPatience = 15 * time.Second
	lobbyPatience = time.Minute
)

// call calls the current host, at a time that may lie ahead.
func (v *Follower) call(at time.Duration) {
	v.connection.begin(v.search.current(), at)
	v.received.connect(v.search.host)
	v.memberList = nil
}

// depart leaves the current host, and reports that it is lost if it was found before.
func (v *Follower) depart(why error) {
	if v.connection.heard {
		v.news = append(v.news, HostNews{Addr: v.Host(), Why: why, Over: v.received.over})
	}
	v.connection.leave(v.now)
}

// lose moves on to the next host. final means that asking this host again would be useless.
func (v *Follower) lose(why error, final bool) {
	if !v.connection.heard && v.search.saysAnew(why) {
		v.news = append(v.news, HostNews{Addr: v.Host(), Why: why})
	}
	v.depart(why)
	wait := v.search.lost(why, final)
	switch {
	case v.received.over && v.search.failures >= len(v.search.hosts):
		v.err = ErrEnd
	case v.search.useless():
		v.err = v.search.failed(v.received.match != 0)
	}
	v.call(v.now + wait)
}

// breaks leaves the current host because it violates the protocol.
func (v *Follower) breaks(err error) {
	v.received.discardFrom(v.search.host)
	v.lose(err, true)
}

// leaveSource leaves the host that sent the item popped last.
func (v *Follower) leaveSource(why error) {
	source := v.received.queue.source
	if source == v.search.host {
		v.lose(why, true)
		return
	}
	// An earlier host has only now turned out to be at fault, and the current one has to resend what was discarded.
	v.search.fault(source, why)
	v.depart(fmt.Errorf("it is asked again, since %v has sent something unusable: %w", v.search.hosts[source].addr, why))
	v.call(v.now)
}

// Marked records the newest comparison in the frames that were taken. Another host must know that comparison for us
// to continue there.
func (v *Follower) Marked(frame uint32, chain uint64) { v.received.trust.compared(frame, chain) }

// CannotRestart records that we cannot go back any more: even if a host turns out to be at fault, the next one
// continues from the same frame.
func (v *Follower) CannotRestart() { v.received.trust.pin() }

// WasReset reports whether the received data has been discarded since the last call, because it depends on a host
// that was at fault. The next host begins with a match, and nothing may be continued until then.
func (v *Follower) WasReset() bool { return v.received.trust.takeReset() }

// Forget discards everything: the next host has to start from the beginning.
func (v *Follower) Forget() { v.received.discard(0, 0) }

// Reject gives up the host that sent the item popped last because that item cannot be used: the host is at fault,
// and everything that depends on it is discarded.
func (v *Follower) Reject(why error) {
	r := &v.received
	r.trust.depend(r.queue.source)
	r.discardFrom(r.queue.source)
	v.leaveSource(why)
}

// SkipHost leaves the host that sent the item popped last because it does not have what we need. Another host has
// to continue this match at this frame.
func (v *Follower) SkipHost(why error, match, next uint32) {
	v.received.discard(match, next)
	v.leaveSource(why)
}

// AskAgain asks the current host for everything again, and reports whether it does. Call it after a failed
// comparison with the host that sent the item popped last: if the data compared depends on other hosts as well, one
// of them may have been wrong.
func (v *Follower) AskAgain(why error) bool {
	r := &v.received
	if !r.trust.dependsOnOthers(r.queue.source) {
		return false
	}
	r.discard(0, 0)
	r.trust.reset()
	v.depart(fmt.Errorf("it is asked for everything, since other hosts were watched before: %w", why))
	v.call(v.now)
	return true
}
