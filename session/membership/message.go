package membership

import (
	"errors"

	"github.com/tickback/tickback/wire/datagram"
)

// The kinds of messages. Each message begins with its kind and its slot.
const (
	tellClaim    = byte(iota) // claim
	tellPrepare               // ballot
	tellPromise               // ballot, ballot of the accepted entry or 0, that entry
	tellRefuse                // ballot, the ballot that was promised
	tellAccept                // ballot, entry
	tellAccepted              // ballot, entry
	tellChosen                // entry
	messages
)

// ballot numbers an attempt to decide a slot: a round, and the member that makes it.
type ballot uint64

// maxJump is the maximum number of rounds that an accepted attempt may be ahead of the known ones: far more
// than honest members ever need by themselves, and too few for a malicious member to use up the numbers.
const maxJump = 1 << 20

func (b ballot) round() uint64 { return uint64(b) / maxPlayers }
func (b ballot) by() Player    { return Player(b % maxPlayers) }

func newBallot(round uint64, by Player) ballot { return ballot(round*maxPlayers + uint64(by)) }

// message is a message of any kind.
type message struct {
	what     byte
	slot     uint32
	ballot   ballot
	previous ballot // promise: the ballot of entry; refuse: the one promised instead
	entry    Entry
	claim    claim
}

func (m *message) append(b []byte, sets datagram.Sets) []byte {
	b = le.AppendUint32(append(b, m.what), m.slot)
	if m.what == tellClaim {
		return m.claim.append(b, sets)
	}
	if m.what != tellChosen {
		b = le.AppendUint64(b, uint64(m.ballot))
	}
	if m.what == tellPromise || m.what == tellRefuse {
		b = le.AppendUint64(b, uint64(m.previous))
	}
	if m.hasEntry() {
		b = m.entry.append(b, sets)
	}
	return b
}

func (m *message) hasEntry() bool {
	return m.what >= tellAccept || m.what == tellPromise && m.previous != 0
}

// parse decodes a message. The error is [errMalformed].
func parse(b []byte, sets datagram.Sets) (m message, err error) {
	r := reader{b: b, sets: sets}
	m.what, m.slot = r.byte(), r.uint32()
	r.check(m.what < messages)
	if m.what == tellClaim {
		m.claim = r.claim()
	} else {
		if m.what != tellChosen {
			m.ballot = ballot(r.uint64())
			r.check(m.ballot.round() > 0)
		}
		if m.what == tellPromise || m.what == tellRefuse {
			m.previous = ballot(r.uint64())
		}
		if m.hasEntry() {
			m.entry = r.entry()
		}
	}
	if r.bad || len(r.b) > 0 {
		return message{}, errMalformed
	}
	return m, nil
}

// Errors about a message from a peer. Each means that the peer violates the protocol: give it up.
var (
	// errMalformed means bytes that are not a valid encoding.
	errMalformed = errors.New("membership: malformed message")
	// errImpossible means a message that no correct member can send in its situation.
	errImpossible = errors.New("membership: impossible message")
	// errConflict means a decision that contradicts a known one, or that withdraws what this peer has confirmed.
	errConflict = errors.New("membership: conflicting decision")
)
