package ggpo

import (
	"fmt"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/tickback/tickback"
)

// Peer plays a match with the peers of other machines. Its methods are those of [Backend], and SetOptions.
type Peer struct{ *backend }

// NewPeer returns a peer of a match of this many players, whose inputs have this many bytes, at a UDP port. 0 is any
// free port. If an argument cannot be used, each call returns [ErrorCodeInvalidSession].
func NewPeer(cb Session, localPort, numPlayers, inputSize int) Peer {
	return Peer{newBackend(peerMode, cb, localPort, numPlayers, inputSize)}
}

// Period returns how long the loop should wait from the last frame to the next one, to keep pace with the others: 4 %
// more or less than a frame at most. A loop that does so ignores [EventCodeTimeSync]. It is 0 before the first frame.
func (p *Peer) Period() time.Duration {
	if p.backend == nil {
		return 0
	}
	return p.period
}

// NotAdvanced returns how often the callback AdvanceFrame has returned without a call of AdvanceFrame; see
// [EventCodeFrameNotAdvanced].
func (p *Peer) NotAdvanced() int {
	if p.backend == nil {
		return 0
	}
	return p.news.skipped
}

// Stats returns all statistics of the session, in the terms of Tickback; zeros before the match is built, after Close
// and in callbacks. They are valid until the next call.
func (p *Peer) Stats() tickback.Stats {
	if p.wrong("Stats", outside, inFrame) != nil || p.session == nil {
		return tickback.Stats{}
	}
	return p.session.Stats()
}

// Port returns the UDP port that InitializeConnection has opened, or that of a transport that has one, or else 0: for a
// session at port 0.
func (b *backend) Port() int {
	if b == nil {
		return 0
	}
	if c, ok := b.transport.(interface{ LocalAddr() netip.AddrPort }); ok {
		return int(c.LocalAddr().Port())
	}
	return 0
}

// Spectator watches a match at one of its peers, which has called AddSpectator. Its methods are those of [Backend], and
// SetOptions. Its loop is that of a player; its AddLocalInput does nothing. SyncInput returns
// [ErrorCodePredictionThreshod] if no frame is due. If it is behind, further frames are simulated by the callback
// AdvanceFrame.
type Spectator struct{ *backend }

// NewSpectator returns a spectator of a match of this many players, whose inputs have this many bytes, at a UDP port.
// The host is the address of one of the peers. If an argument cannot be used, each call returns
// [ErrorCodeInvalidSession].
func NewSpectator(cb Session, localPort, numPlayers, inputSize int, hostIP string, hostPort int) Spectator {
	b := newBackend(spectatorMode, cb, localPort, numPlayers, inputSize)
	if b.invalid == nil {
		var err error
		if b.host, err = address(hostIP, hostPort); err != nil {
			b.invalid = failed(ErrorCodeInvalidSession, "the address of the host", err)
		}
	}
	return Spectator{b}
}

// NewSpectatorOf returns a spectator whose host is known by a handle to the transport of InitializeTransport. If an
// argument cannot be used, each call returns [ErrorCodeInvalidSession].
func NewSpectatorOf(cb Session, numPlayers, inputSize int, host PlayerHandle) Spectator {
	b := newBackend(spectatorMode, cb, 0, numPlayers, inputSize)
	b.byHandle.host, b.byHandle.hosted = true, host
	return Spectator{b}
}

// SyncTest runs a match without a network, and simulates each frame several times. If the checksums of AdvanceFrame or
// of SaveGameState then differ, the game is not deterministic or does not save all of its state. Its methods are those
// of [Backend], and SetOptions. All players are local, and handles begin at 0.
type SyncTest struct{ *backend }

// NewSyncTest returns a sync test. In each frame it goes back to the state this many frames ago, at most 120, and
// simulates all frames since then again. A difference is told by [EventCodeSyncTestDesync], whether strict or not; a
// strict test's AdvanceFrame then also returns an error. It never panics. Then the test is over. If an argument cannot
// be used, each call returns [ErrorCodeInvalidSession].
func NewSyncTest(cb Session, numPlayers, frames, inputSize int, strict bool) SyncTest {
	b := newBackend(syncTestMode, cb, 0, numPlayers, inputSize)
	b.depth, b.strict = frames, strict
	if b.invalid == nil && (frames < 1 || frames > 120) {
		b.invalid = failf(ErrorCodeInvalidSession, "a sync test of %d frames, not 1 to 120", frames)
	}
	return SyncTest{b}
}

// gameID makes the ID of a game, which has at most 64 bytes.
func gameID(id string, inputSize int) string {
	if id == "" {
		id = "ggpo"
		if info, ok := debug.ReadBuildInfo(); ok && info.Path != "" {
			id = info.Path
		}
	}
	size := fmt.Sprintf(" (inputs of %d)", inputSize)
	return id[max(0, len(id)+len(size)-64):] + size
}
