// Package lobby implements how the peers of a session begin a match together. The host proposes it; the others
// create its first state and accept it, report when they are ready, and all begin when the last one is. It
// identifies peers by their players only, and its methods are called with what they report.
package lobby

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// Stage says how far this machine is with a match, until frames run.
type Stage uint8

const (
	Idle     Stage = iota // no match is proposed
	Offered               // the host proposes a match
	Accepted              // its first state exists here
	Ready                 // this machine can begin, and waits for the others, or is playing
	Begun                 // a peer is playing, so all were ready
)

// Proposal is a match, and the players that begin it.
type Proposal struct {
	Offer    datagram.Offer
	Founders rollback.PlayerSet
}

// Append appends the encoded proposal.
func (p *Proposal) Append(b []byte, sets datagram.Sets) []byte {
	return p.Offer.Append(sets.Append(b, uint16(p.Founders)))
}

// Consume decodes a proposal. Its data is a part of b.
func Consume(b []byte, sets datagram.Sets) (p Proposal, err error) {
	founders, b, err := sets.Consume(b)
	if err != nil {
		return p, err
	}
	p.Founders = rollback.PlayerSet(founders)
	return p, p.Offer.Consume(b)
}

// own returns a copy of the proposal.
func (p Proposal) own() *Proposal {
	p.Offer.Data = append([]byte(nil), p.Offer.Data...)
	return &p
}

// Lobby is the state of the current match, proposed or running, with regard to its beginning. Each stage is entered
// by one method.
type Lobby struct {
	stage     Stage
	number    uint32    // of the current match, or of the last one
	at        *Proposal // nil if idle
	next      *Proposal // it arrived before the last match had ended here
	withdrawn uint32    // number of the last one of these that was withdrawn
	readyAt   time.Duration

	// The last matches that the machines of these players have accepted, and are ready for.
	accepted, ready [datagram.MaxPlayers]uint32
}

// Stage returns the stage of the current match.
func (y *Lobby) Stage() Stage { return y.stage }

// Number returns the number of the current match, or of the last one; 0 before the first. A match that was never
// played also uses up its number.
func (y *Lobby) Number() uint32 { return y.number }

// At returns the current match, or nil when idle. It must not be modified.
func (y *Lobby) At() *Proposal { return y.at }

// Receive handles a proposal from the host, which arrives more than once, and reports whether it is new and can
// become the current match. While this machine is busy with the previous match, Receive keeps it for Next.
func (y *Lobby) Receive(p *Proposal, busy bool) bool {
	if p.Offer.Match <= max(y.number, y.withdrawn) {
		return false
	}
	if y.next = nil; busy {
		y.next = p.own()
		return false
	}
	parameters := stream.ParametersOf(&p.Offer)
	return parameters.Check() == nil
}

// Offer enters Offered with the proposal of the host.
func (y *Lobby) Offer(p Proposal) { y.enter(Offered, p) }

// Set enters Ready with a match whose first state exists on this machine: one that it proposes, or one that it
// joins.
func (y *Lobby) Set(p Proposal) { y.enter(Ready, p) }

func (y *Lobby) enter(s Stage, p Proposal) { y.stage, y.number, y.at = s, p.Offer.Match, p.own() }

// Next returns the proposal that arrived too early, until it is received again, or nil.
func (y *Lobby) Next() *Proposal { return y.next }

// Withdraw permanently drops the proposal returned by Next if it is this match, and reports whether it is.
func (y *Lobby) Withdraw(number uint32) bool {
	if y.next == nil || y.next.Offer.Match != number {
		return false
	}
	y.next, y.withdrawn = nil, number
	return true
}

// Accept enters Accepted. The host has been ready since it proposed the match.
func (y *Lobby) Accept(host rollback.PlayerSet) {
	y.stage = Accepted
	y.PeerReady(host, y.number)
}

// Ready enters Ready if the stage is Accepted, and reports whether it was.
func (y *Lobby) Ready(now time.Duration) bool {
	if y.stage != Accepted {
		return false
	}
	y.stage, y.readyAt = Ready, now
	return true
}

// Clear enters Idle: the match was played, or will not be.
func (y *Lobby) Clear() { y.stage, y.at = Idle, nil }

// PeerAccepts records that a peer accepts the current match. It reports whether that is new.
func (y *Lobby) PeerAccepts(players rollback.PlayerSet) (fresh bool) {
	for p := range players.All() {
		fresh = fresh || y.accepted[p] != y.number
		y.accepted[p] = y.number
	}
	return fresh
}

// PeerReady records that a peer is ready for a match, possibly before the proposal has arrived here.
func (y *Lobby) PeerReady(players rollback.PlayerSet, number uint32) {
	for p := range players.All() {
		y.ready[p] = max(y.ready[p], number)
	}
}

// PeerPlays records that a peer is playing the current match, which implies that all were ready.
func (y *Lobby) PeerPlays(players []rollback.Player) {
	if y.stage == Ready {
		y.stage = Begun
	}
	for _, p := range players {
		y.ready[p] = y.number
	}
}

// Missing returns which of the players are on machines that are not ready for the current match.
func (y *Lobby) Missing(players rollback.PlayerSet) (missing rollback.PlayerSet) {
	for p := range players.All() {
		if y.ready[p] != y.number {
			missing |= 1 << p
		}
	}
	return missing
}

// StartsAt returns when to begin on a machine other than the host: it receives the message of the last peer half a
// round trip after that peer was ready, so peers that were ready earlier wait for the same time.
func (y *Lobby) StartsAt(trip time.Duration) time.Duration { return y.readyAt + trip/2 }

// Starts reports whether frame 0 is due: all peers that are present are ready, and the message has reached those
// with the longest round trip.
func (y *Lobby) Starts(now time.Duration, there rollback.PlayerSet, trip time.Duration) bool {
	all := y.stage == Begun || y.stage == Ready && y.Missing(there) == 0
	return all && now >= y.StartsAt(trip)
}
