package session

import (
	"net/netip"
	"time"
)

// LinkStats describes the link to a peer. "Now" and "of the match" are as in [Stats]; all other figures count from
// the beginning of the session. A time estimate is 0 until there is a first measurement.
type LinkStats struct {
	// Players are the players at the peer.
	Players PlayerSet
	// Addr is the current address of the peer.
	Addr netip.AddrPort
	// Connected says that the peer takes part, now.
	Connected bool
	// RoundTrip is smoothed as in RFC 6298, and Deviation is its mean deviation; now. They exclude the time that
	// the peer waited before it answered.
	RoundTrip, Deviation time.Duration
	// Lag is how late the peer's inputs arrive here, relative to when their frames are due here, smoothed over a
	// quarter of a second; RemoteLag is the same for our inputs, as reported by the peer. Negative is early. The
	// machine with the greater Lag is ahead, and slows down. Now, and of the match.
	Lag, RemoteLag time.Duration
	// Jitter is the mean deviation of Lag: how unevenly the peer's inputs arrive here. It describes this direction
	// only, not the path from here to the peer. Now, and of the match.
	Jitter time.Duration
	// Waited is the part of [Stats.Stalled] during which a frame waited for the peer, of the match. If it waited
	// for several peers at once, the time counts for each of them.
	Waited time.Duration
	// Quiet is how long nothing has arrived from the peer, now; 0 if it is not connected.
	Quiet time.Duration

	// PathFrames is how many tick periods inputs take to reach the peer: half of RoundTrip, plus Deviation, rounded
	// up; now. If it is more than Window plus the input delay there, frames wait for the peer however fast its
	// machine is.
	PathFrames int

	// Limit is the maximum size, in bytes, of a datagram sent to the peer: 1200, or 512 until the path is known to
	// carry more, now; 0 before the peer has answered. Larger datagrams are tried occasionally to find out.
	Limit int
	// Sent and Received count the datagrams of the session, SentBytes and ReceivedBytes their payload. The
	// handshake is not counted.
	Sent, Received           uint64
	SentBytes, ReceivedBytes uint64
	// Lost estimates the number of datagrams from the peer that did not arrive here. It decreases when one arrives
	// late.
	Lost uint64
	// Duplicates counts datagrams that had arrived before, or came after 256 later ones.
	Duplicates uint64
	// Rejected counts invalid datagrams from the peer's address.
	Rejected uint64

	// Confirmed is the number of frames for which the peer has reported to have all inputs, of the match.
	Confirmed Frame
	// Pending is the number of bytes on the control stream (messages, long orders, checksums) that the peer has not
	// acknowledged, now. At 64 KiB a match with orders waits.
	Pending int
	// Unacknowledged is how many inputs of a local player the peer has not acknowledged; the maximum over the local
	// players, now.
	Unacknowledged int
	// Early is how many items from the peer wait here for their counterpart (orders for their inputs, inputs for
	// their orders, chain values for ours): the maximum of these kinds, now.
	Early int
	// ControlSent counts the fragments of the control stream that were sent, ControlResent how many of these were
	// resent, and ControlDuplicates the fragments that arrived here more than once.
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
		Waited:      m.pacing.stalls.Waited(l.players),
		ControlSent: c.Sent, ControlResent: c.Resent, ControlDuplicates: c.Duplicates,
	}
	if s.Connected {
		s.Quiet = max(m.now-l.Heard, 0)
	}
	if s.Connected && l.follows && !l.notBothMembers { // while one of us joins, there is nothing to acknowledge
		s.Unacknowledged = int(m.inputs.Unacknowledged(&l.Peer))
	}
	return s
}
