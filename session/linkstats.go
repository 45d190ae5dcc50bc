package session

import (
	"net/netip"
	"time"
)

// LinkStats is what is known of the way to a peer. "Now" and "of the match" are as
// in [Stats]; all other figures count from the beginning of the session. An estimate
// of time is 0 until there is a first measurement.
type LinkStats struct {
	// Players are those who play there.
	Players PlayerSet
	// Addr is where the peer is, now.
	Addr netip.AddrPort
	// Connected says that the peer takes part, now.
	Connected bool
	// RoundTrip is smoothed as in RFC 6298, and Deviation is its mean deviation; now.
	// They contain no time that the peer has waited before it answered.
	RoundTrip, Deviation time.Duration
	// Lag is how late the peer's inputs arrive here, relative to when their frames
	// are due here, smoothed over a quarter of a second; RemoteLag is what the peer
	// says of ours. Negative is early. Whoever has the greater Lag is ahead, and slows
	// down. Now, and of the match.
	Lag, RemoteLag time.Duration
	// Jitter is the mean deviation of Lag: how unevenly the peer's inputs arrive
	// here. It is of this direction alone, and knows nothing of ours. Now, and of the
	// match.
	Jitter time.Duration
	// Waited is the part of [Stats.Stalled] in which a frame waited for the peer, of the match. If
	// it waited for several peers at once, the time counts for each.
	Waited time.Duration
	// Quiet is for how long nothing has come from the peer, now; 0 of one that is
	// not connected.
	Quiet time.Duration

	// PathFrames is how many tick periods inputs are on their way to the peer: half of RoundTrip, and
	// Deviation, rounded up; now. If it is more than Window and the input delay there are together,
	// frames wait for the peer however fast its machine is.
	PathFrames int

	// Limit is how many bytes the largest datagram may have that is sent to the peer:
	// 1200, or 512 as long as nothing shows that the path carries more, now; 0 before
	// the peer has answered. To find out whether it does, larger ones are tried seldom.
	Limit int
	// Sent and Received are datagrams of the session, and SentBytes and ReceivedBytes
	// their payload. Those of the handshake are not counted.
	Sent, Received           uint64
	SentBytes, ReceivedBytes uint64
	// Lost estimates the datagrams of the peer that did not arrive here. It goes down
	// when one arrives after all.
	Lost uint64
	// Duplicates are datagrams that had come before, or came later than 256 others.
	Duplicates uint64
	// Rejected are datagrams from the peer's address that were no good.
	Rejected uint64

	// Confirmed is of how many frames the peer has said that it has all inputs, of
	// the match.
	Confirmed Frame
	// Pending are the bytes on the control stream (messages, long orders, checksums)
	// that the peer has not acknowledged, now. At 64 KiB a match with orders waits.
	Pending int
	// Unacknowledged is how many inputs of a player who plays here the peer has not
	// acknowledged, of the one with the most; now.
	Unacknowledged int
	// Early is how much of the peer's waits here for what belongs to it (orders for
	// their inputs, inputs for their orders, values of its chain for ours), of the kind
	// with the most; now.
	Early int
	// ControlSent are fragments of the control stream that were sent, ControlResent
	// those of them that were sent again, and ControlDuplicates those that came here
	// again.
	ControlSent, ControlResent, ControlDuplicates uint64
}

// stats returns the statistics of the link.
func (l *link) stats(m *play) LinkStats {
	n, c := &l.Counts, l.Channel.Stats()
	s := LinkStats{
		Players: l.players, Addr: l.Addr, Connected: l.alive(),
		RoundTrip: l.RoundTrip.Smoothed, Deviation: l.RoundTrip.Deviation,
		Lag: l.lag.Here(), RemoteLag: l.lag.There(), Jitter: l.lag.Jitter(), Limit: l.Limit(),
		Sent: n.Sent, Received: n.Received, SentBytes: n.SentBytes, ReceivedBytes: n.ReceivedBytes,
		Lost: n.Lost, Duplicates: n.Duplicates, Rejected: n.Rejected,
		Confirmed: l.confirmed, Pending: l.Channel.Pending(),
		Early:       max(l.chain.Waiting(), m.inputs.Waiting(&l.Peer)),
		PathFrames:  l.pathFrames(m.nominal),
		Waited:      m.match.stalls.Waited(l.players),
		ControlSent: c.Sent, ControlResent: c.Resent, ControlDuplicates: c.Duplicates,
	}
	if s.Connected {
		s.Quiet = max(m.now-l.Heard, 0)
	}
	if s.Connected && l.follows && !l.notBothMembers { // as long as one of us joins, there is nothing to acknowledge
		s.Unacknowledged = int(m.inputs.Unacknowledged(&l.Peer))
	}
	return s
}
