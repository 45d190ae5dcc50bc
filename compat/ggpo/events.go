package ggpo

import (
	"time"

	"github.com/tickback/tickback"
)

// EventCode is the kind of an [Event].
type EventCode int

// The kinds of events. Numbers up to 1009 are those of the ports of GGPO.
const (
	// EventCodeConnectedToPeer means that Player has answered and plays the same game.
	EventCodeConnectedToPeer EventCode = 1000
	// EventCodeSynchronizingWithPeer comes right after that, with Count and Total 1.
	EventCodeSynchronizingWithPeer EventCode = 1001
	// EventCodeSynchronizedWithPeer means that Player is ready; it comes just before EventCodeRunning.
	EventCodeSynchronizedWithPeer EventCode = 1002
	// EventCodeRunning means that the match begins.
	EventCodeRunning EventCode = 1003
	// EventCodeDisconnectedFromPeer means that the match goes on without Player, or has ended for this machine; Text
	// says why. It is told once for each player. For a spectator, Player is 0, and the match is over or out of reach.
	EventCodeDisconnectedFromPeer EventCode = 1004
	// EventCodeTimeSync says how far this machine is ahead of the others: FramesAhead, negative if it is behind. A loop
	// that keeps its own time makes its next frames later by that much, all in all. It comes every
	// TimeSyncPeriodInFrames frames. A loop that waits for [Peer.Period] ignores it.
	EventCodeTimeSync EventCode = 1005
	// EventCodeConnectionInterrupted means that nothing has arrived from Player for a while. It will be dropped in
	// DisconnectTimeout milliseconds.
	EventCodeConnectionInterrupted EventCode = 1006
	// EventCodeConnectionResumed means that Player is heard again.
	EventCodeConnectionResumed EventCode = 1007
	// EventCodeSyncTestDesync means that a frame of a sync test came out differently when it was simulated again.
	// NumFrameOfDesync is that frame, CurrentState the newest frame and LastVerified the last that came out the same;
	// Err is the *tickback.SyncTestError.
	EventCodeSyncTestDesync EventCode = 1008
	// EventCodeDesync means that Player has another state: NumFrameOfDesync is the frame of the comparison that showed
	// it, and the checksums are those that differ, of all states so far or of one.
	EventCodeDesync EventCode = 1009

	// EventCodeDesyncReport means that a desync is explained: Report says from which state on the peers differ, which is
	// NumFrameOfDesync. Without Report, Text says why it could not be explained.
	EventCodeDesyncReport EventCode = 2000
	// EventCodeFrameNotAdvanced means that the callback AdvanceFrame returned without a call of the Backend's
	// AdvanceFrame. NumFrameOfDesync is the frame, and Count how often this has happened. The frame counts as simulated,
	// with the checksum of the one before.
	EventCodeFrameNotAdvanced EventCode = 2001
	// EventCodeSpectatorJoined means that a spectator watches here, from the address Text.
	EventCodeSpectatorJoined EventCode = 2002
	// EventCodeSpectatorLeft means that a spectator is gone; Text says why.
	EventCodeSpectatorLeft EventCode = 2003
)

// Event is something that has happened. Fields that the description of its code does not mention are zero.
type Event struct {
	Code                   EventCode
	Player                 PlayerHandle // whom it is about
	Count, Total           int
	FramesAhead            float32 // in frames
	TimeSyncPeriodInFrames int     // RecommendationInterval
	DisconnectTimeout      int     // in milliseconds
	CurrentState           int     // a frame, as are the next two
	LastVerified           int
	NumFrameOfDesync       int
	LocalChecksum          int
	RemoteChecksum         int

	Text   string                 // for people, who count players from 1
	Err    error                  // why, as Tickback says it, which counts players from 0
	Report *tickback.DesyncReport // what is known of a desync
}

// NetworkStats are the statistics of the connection to a player.
type NetworkStats struct {
	Network  NetworkNetworkStats
	Timesync NetworkTimeSyncStats
}

// NetworkNetworkStats describe the network.
type NetworkNetworkStats struct {
	SendQueueLen int // inputs that the player has not acknowledged
	RecvQueueLen int // what has arrived early and waits here
	Ping         int // round trip in milliseconds
	KbpsSent     int // kilobits per second of payload since the match began
}

// NetworkTimeSyncStats say which machine is ahead of the other.
type NetworkTimeSyncStats struct {
	// LocalFramesBehind is how many frames this machine is behind the player, negative if it is ahead, and
	// RemoteFramesBehind the opposite.
	LocalFramesBehind, RemoteFramesBehind float32
	// RecommendedWait is how much later this machine should run its next frames, all in all, to be level with the
	// player: 0 if it is not ahead.
	RecommendedWait time.Duration
}

// ahead returns how many frames this machine is ahead of a peer: half of the difference in how late each gets the
// inputs of the other.
func ahead(l *tickback.LinkStats, nominal time.Duration) float32 {
	if !l.Connected || nominal <= 0 {
		return 0
	}
	return float32(l.Lag-l.RemoteLag) / 2 / float32(nominal)
}

func networkStats(s *tickback.Stats, l *tickback.LinkStats) NetworkStats {
	var n NetworkStats
	n.Network.SendQueueLen, n.Network.RecvQueueLen = l.Unacknowledged, l.Early
	n.Network.Ping = int(l.RoundTrip.Milliseconds())
	if ms := s.Uptime.Milliseconds(); ms > 0 {
		n.Network.KbpsSent = int(int64(l.SentBytes) * 8 / ms)
	}
	a := ahead(l, s.Nominal)
	n.Timesync.LocalFramesBehind, n.Timesync.RemoteFramesBehind = -a, a
	n.Timesync.RecommendedWait = max(0, time.Duration(a*float32(s.Nominal)))
	return n
}
