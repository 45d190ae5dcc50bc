package spectate

import (
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// connection is the way to one host: it calls the host until that answers, requests admission until that sends
// something, and then carries the stream.
//
// A host that was killed and restarted knows nothing of its spectators, and answers nothing that they send. So a
// silent host is queried with a Hello beside the connection. The Welcome contains the number of the process's run.
// Its tag depends on the nonce of that Hello, which is sent only to the host's address.
type connection struct {
	cfg     *FollowerConfig
	out     *peer.Outbox
	caller  peer.Caller
	pipe    *peer.Pipe    // nil until the host has answered
	heard   bool          // whether the host has accepted us
	unsaid  int           // datagrams received since we last sent one
	useful  time.Duration // when the host last sent something that we need
	traffic Traffic       // traffic with earlier hosts

	run     uint64        // the run of the process that we are connected to
	query   uint64        // the nonce of the query; 0: none was sent
	queryAt time.Duration // when to send the next query
}

const (
	// askAfter is the silence after which a host is queried. A host sends at least every 250 ms.
	askAfter = 400 * time.Millisecond
	// askEvery is the interval between queries.
	askEvery = 200 * time.Millisecond
)

// helloInterval returns how long to wait between Hellos to a host that has not answered for this long. A host answers
// only so many spectators at a time, so they ask less often than peers.
func helloInterval(since time.Duration) time.Duration {
	if since > time.Second {
		return 250 * time.Millisecond
	}
	return 50 * time.Millisecond
}

// begin starts over with a host, at a time that may lie ahead.
func (c *connection) begin(host *hostRecord, at time.Duration) {
	caller := peer.Caller{}
	caller.Begin(host.addr, c.cfg.Random(), at, helloInterval)
	*c = connection{cfg: c.cfg, out: c.out, caller: caller, traffic: c.total()}
}

// extend extends the deadline for an answer.
func (c *connection) extend(by time.Duration) { c.caller.Begun += by }

// call sends a Hello if one is due, and returns when the next one is.
func (c *connection) call(now, wait time.Duration) (next time.Duration) {
	if now >= c.caller.Due() {
		c.caller.Hello(now, wait, c.out)
	}
	return c.caller.Due()
}

// answered handles the answer to a Hello, by the process with this run.
func (c *connection) answered(p *peer.Pipe, run uint64) { c.pipe, c.run = p, run }

// receive handles a datagram of the connection; ok is false if it is none.
func (c *connection) receive(at time.Duration, b []byte) (ok bool, err error) {
	if c.pipe == nil || !datagram.IsWatch(b) {
		return false, nil
	}
	return c.pipe.Receive(at, b)
}

// next returns the next message of the host, or nil.
func (c *connection) next(now time.Duration) []byte {
	if c.pipe == nil {
		return nil
	}
	b, ok := c.pipe.Channel.Next()
	if ok {
		c.useful = now
	}
	return b
}

// answer answers what has been received. It reports whether that was the first datagram: the host has accepted us.
func (c *connection) answer(now time.Duration) (accepted bool) {
	if accepted = !c.heard; accepted {
		c.heard, c.useful = true, now
	}
	if c.unsaid++; c.unsaid >= 2 || c.pipe.Asked() {
		c.send(now)
	}
	return accepted
}

// send sends what is due.
func (c *connection) send(now time.Duration) {
	if c.out.Full() {
		return
	}
	if !c.heard {
		c.attach(now)
	}
	c.out.Seal(c.pipe.Append(c.out.Bytes, now), c.pipe.Addr)
	c.unsaid = 0
}

// attach answers the host's Welcome, until the host accepts us.
func (c *connection) attach(now time.Duration) {
	a := datagram.Attach{Nonce: c.caller.Nonce}
	if seat := c.cfg.Join; seat != nil {
		a.Players, a.Sets, a.ID = seat.Players, seat.Sets, seat.ID
		a.Prove(seat.Token, c.caller.Theirs)
	} else if c.cfg.Token != nil {
		a.Prove(c.cfg.Token, c.caller.Theirs)
	}
	c.caller.Attach(now, &a, c.out)
}

// update sends what is due, and returns when there is more.
func (c *connection) update(now time.Duration) (next time.Duration) {
	queries, due := c.queryRun(now), c.pipe.Due(now)
	if !c.heard {
		due = min(due, c.caller.Due())
	}
	if due <= now {
		c.send(now)
		due = now + c.cfg.Period
	}
	return min(due, queries)
}

// leave notifies the host once that we are leaving. If that is lost, the host will notice our silence.
func (c *connection) leave(now time.Duration) {
	if c.pipe != nil && c.pipe.Channel.Send([]byte{messageBye}) == nil {
		c.send(now)
	}
}

// silent returns how long the host has been silent.
func (c *connection) silent(now time.Duration) time.Duration { return now - c.pipe.Heard }

// queryRun queries a silent host, and returns when to call it again.
func (c *connection) queryRun(now time.Duration) (next time.Duration) {
	switch {
	case !c.heard:
		return now + c.cfg.Drop
	case c.silent(now) < askAfter:
		c.query = 0
		return c.pipe.Heard + askAfter
	case c.query == 0:
		c.query, c.queryAt = c.cfg.Random()|1, now
	}
	if now >= c.queryAt && !c.out.Full() {
		h := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: c.query}
		c.out.Seal(h.AppendPadded(c.out.Bytes, datagram.MinSize), c.pipe.Addr)
		c.queryAt = now + askEvery
	}
	return max(c.queryAt, now+c.cfg.Period)
}

// receiveRun handles the answer to a query, and reports whether the host was restarted. If its process is still the
// same, the network is at fault, not the host. ok is false if it answers none.
func (c *connection) receiveRun(now time.Duration, b []byte) (restarted, ok bool) {
	if c.query == 0 {
		return false, true // the answer to another one of several Hellos
	}
	w, ok := datagram.OpenWelcome(c.query, b)
	return ok && w.Run != c.run && c.silent(now) >= askAfter, ok
}

// Traffic describes the connection to the current host, and counts datagrams since the follower was created.
type Traffic struct {
	Sent, SentBytes uint64 // sent to hosts, not counting handshakes
	Received        uint64 // received from hosts
	Strangers       uint64 // received from others

	// Limit is the maximum size of datagrams to the current host, in bytes, and RoundTrip and Deviation describe the
	// measured round trip. They are 0 if no host has answered.
	Limit                int
	RoundTrip, Deviation time.Duration
}

// total returns the traffic with all hosts.
func (c *connection) total() Traffic {
	t := c.traffic
	t.Limit, t.RoundTrip, t.Deviation = 0, 0, 0
	if p := c.pipe; p != nil {
		t.Sent += p.Counts.Sent
		t.SentBytes += p.Counts.SentBytes
		t.Received += p.Counts.Received
		t.Limit, t.RoundTrip, t.Deviation = p.Limit(), p.RoundTrip.Smoothed, p.RoundTrip.Deviation
	}
	return t
}
