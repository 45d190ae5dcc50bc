// Package lobby is how the peers of a session come to begin a match together. The host proposes
// it; the others make its first state and accept it, say when they are ready, and all begin when
// the last one is. It knows peers by their players only, and is told what they say.
package lobby

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// Stage is how far this machine is with a match, until frames run.
type Stage uint8

const (
	Idle     Stage = iota // no match is proposed
	Offered               // the host proposes a match
	Accepted              // its first state is made here
	Ready                 // this machine can begin, and waits for the others, or plays
	Begun                 // a peer plays, so all were ready
)

// Proposal is a match, and the players who begin it.
type Proposal struct {
	Offer    datagram.Offer
	Founders rollback.PlayerSet
}

// Append appends the proposal as it is sent.
func (p *Proposal) Append(b []byte, sets datagram.Sets) []byte {
	return p.Offer.Append(sets.Append(b, uint16(p.Founders)))
}

// Consume reads a proposal, whose data are still in b.
func Consume(b []byte, sets datagram.Sets) (p Proposal, err error) {
	founders, b, err := sets.Consume(b)
	if err != nil {
		return p, err
	}
	p.Founders = rollback.PlayerSet(founders)
	return p, p.Offer.Consume(b)
}

// own copies the proposal.
func (p Proposal) own() *Proposal {
	p.Offer.Data = append([]byte(nil), p.Offer.Data...)
	return &p
}

// Lobby is the match that is proposed or played, as far as it concerns its beginning. Each
// stage is entered by one method.
type Lobby struct {
	stage     Stage
	number    uint32    // of the match at hand, or of the last one
	at        *Proposal // nil if idle
	next      *Proposal // it came before the last match had ended here
	withdrawn uint32    // the last one of these that was taken back
	readyAt   time.Duration

	// The last matches that the machines of these players have accepted, and are ready for.
	accepted, ready [datagram.MaxPlayers]uint32
}

// Stage returns how far the match at hand is.
func (y *Lobby) Stage() Stage { return y.stage }

// Number returns the number of the match at hand, or of the last one; 0 before the first. Also
// a match that was never played has used up its number.
func (y *Lobby) Number() uint32 { return y.number }

// At returns the match at hand, or nil when idle. Do not change it.
func (y *Lobby) At() *Proposal { return y.at }

// Receive takes a proposal of the host, which comes more than once, and reports whether it is new,
// and can be the match at hand. While this machine is busy with the one before, Hear keeps it
// for Next.
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

// Offer enters Offered with what the host proposes.
func (y *Lobby) Offer(p Proposal) { y.enter(Offered, p) }

// Set enters Ready with a match of which this machine has the first state: the host's own, or
// one that it joins.
func (y *Lobby) Set(p Proposal) { y.enter(Ready, p) }

func (y *Lobby) enter(s Stage, p Proposal) { y.stage, y.number, y.at = s, p.Offer.Match, p.own() }

// Next returns the proposal that came too early, until it is heard again, or nil.
func (y *Lobby) Next() *Proposal { return y.next }

// Withdraw takes back what Next returns, for good, if it is this match, and reports whether it is.
func (y *Lobby) Withdraw(number uint32) bool {
	if y.next == nil || y.next.Offer.Match != number {
		return false
	}
	y.next, y.withdrawn = nil, number
	return true
}

// Accept enters Accepted. The host has been ready since it proposed.
func (y *Lobby) Accept(host rollback.PlayerSet) {
	y.stage = Accepted
	y.PeerReady(host, y.number)
}

// Ready enters Ready, and reports whether the match was accepted, and not more.
func (y *Lobby) Ready(now time.Duration) bool {
	if y.stage != Accepted {
		return false
	}
	y.stage, y.readyAt = Ready, now
	return true
}

// Clear enters Idle: the match was played, or will not be.
func (y *Lobby) Clear() { y.stage, y.at = Idle, nil }

// PeerAccepts is a peer that accepts the match at hand. It reports whether that is new.
func (y *Lobby) PeerAccepts(players rollback.PlayerSet) (fresh bool) {
	for p := range players.All() {
		fresh = fresh || y.accepted[p] != y.number
		y.accepted[p] = y.number
	}
	return fresh
}

// PeerReady is a peer that is ready for a match, perhaps before its proposal has come here.
func (y *Lobby) PeerReady(players rollback.PlayerSet, number uint32) {
	for p := range players.All() {
		y.ready[p] = max(y.ready[p], number)
	}
}

// PeerPlays is a peer that plays the match at hand, as it can only if all were ready.
func (y *Lobby) PeerPlays(players []rollback.Player) {
	if y.stage == Ready {
		y.stage = Begun
	}
	for _, p := range players {
		y.ready[p] = y.number
	}
}

// Missing returns those of the players whose machines are not ready for the match at hand.
func (y *Lobby) Missing(players rollback.PlayerSet) (missing rollback.PlayerSet) {
	for p := range players.All() {
		if y.ready[p] != y.number {
			missing |= 1 << p
		}
	}
	return missing
}

// StartsAt is when to begin, at a spectator: it hears from the last one half a round trip after
// that was ready, so those who were ready themselves wait for as long.
func (y *Lobby) StartsAt(trip time.Duration) time.Duration { return y.readyAt + trip/2 }

// Starts reports whether frame 0 is due: all the peers who are there are ready, and those of
// the longest round trip have heard it.
func (y *Lobby) Starts(now time.Duration, there rollback.PlayerSet, trip time.Duration) bool {
	all := y.stage == Begun || y.stage == Ready && y.Missing(there) == 0
	return all && now >= y.StartsAt(trip)
}
