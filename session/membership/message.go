package membership

import "github.com/tickback/tickback/wire/datagram"

// MaxMessage is the maximum size of a message, in bytes: a claim with every field set.
const MaxMessage = 5 + maxClaim

const (
	maxSet   = 2
	maxGate  = maxSet + 8 + 4
	maxClaim = 3*maxSet + 4*maxPlayers + maxSet + (maxSet+8)*maxPlayers + 1 + 4 + maxSet + 2 + 1 + maxGate + 1 + maxGate
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

// maxJump is by how many rounds an attempt may be ahead of the known ones to be accepted: far more than honest
// members ever need by themselves, and too few for a malicious member to use up the numbers.
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
		b = m.entry.Append(b, sets)
	}
	return b
}

func (m *message) hasEntry() bool {
	return m.what >= tellAccept || m.what == tellPromise && m.previous != 0
}

// parse decodes a message. The error is [ErrMalformed].
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
		return message{}, ErrMalformed
	}
	return m, nil
}
