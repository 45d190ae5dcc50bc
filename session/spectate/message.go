package spectate

import (
	"encoding/binary"

	"github.com/tickback/tickback/wire/datagram"
)

// Messages of the stream between a host and a spectator, by their first byte. Only the spectator sends
// messageRequest; both sides send messageBye and a newcomer's messages; only the host sends the others.
const (
	messageBegin     = 1 + iota // an offer: a match, from frame 0 on
	messageState                // frame, size, digest, offset: a state, from offset on
	messageChunk                // bytes of the state
	messageFrom                 // frame, and the chain at the state before it: the first frame that follows, encoded without a predecessor
	messageFrames               // how many frames are available, count, bytes
	messageEnd                  // frames, hash, chain, result, flags, players that are gone
	messageBye                  // text
	messageRequest              // match, frame, mark, state
	messageRoll                 // bytes: the member list, from a host to a newcomer
	messageRevoked              // text: a bye to a machine with a revoked token
	messagePacked               // a compressed piece of the state
	messageUninvited            // text: a bye to a machine that does not know the token
)

// transfer is a state that is sent in chunks.
type transfer struct {
	frame  uint32
	size   uint32
	digest uint64 // the digest of the encoding
}

// End says how a match ended, as reported by a host.
type End struct {
	Frames      uint32 // how many were agreed
	Hash, Chain uint64 // the hash of the last state, and the chain over all states
	Result      uint64 // the result of the game, if Finished
	Finished    bool
	Gone        uint16 // players that were gone
}

// request says what a spectator wants, and what it already has.
type request struct {
	match uint32 // 0 if it has seen none
	next  uint32 // the frame that it needs next

	// marked is how many frames are covered by the newest comparison that it has received, and chain the value
	// compared. They show whether it has seen the same match.
	marked uint32
	chain  uint64

	state transfer // a state that it has received in part
	have  uint32   // how many bytes of it
}

const (
	requestSize  = 4 + 4 + 4 + 8 + transferSize + 4
	transferSize = 4 + 4 + 8
	endSize      = 4 + 8 + 8 + 8 + 1 // without the set of players that are gone
	framesHead   = 4 + 2

	// maxFrames is the maximum size of the frames in a message, in bytes.
	maxFrames = 8 << 10
	// maxText limits the size of the reason that a host sends.
	maxText = 256

	// MaxState is the maximum size of an encoded state that can be sent, in bytes.
	MaxState = 1 << 30
)

var le = binary.LittleEndian

func (t *transfer) append(b []byte) []byte {
	b = le.AppendUint32(le.AppendUint32(b, t.frame), t.size)
	return le.AppendUint64(b, t.digest)
}

func (t *transfer) consume(b []byte) { *t = transfer{le.Uint32(b), le.Uint32(b[4:]), le.Uint64(b[8:])} }

func (r *request) append(b []byte) []byte {
	b = append(b, messageRequest)
	b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, r.match), r.next), r.marked)
	b = le.AppendUint64(b, r.chain)
	return le.AppendUint32(r.state.append(b), r.have)
}

func (r *request) consume(b []byte) error {
	if len(b) != requestSize {
		return datagram.ErrShort
	}
	*r = request{match: le.Uint32(b), next: le.Uint32(b[4:]), marked: le.Uint32(b[8:]), chain: le.Uint64(b[12:])}
	r.state.consume(b[20:])
	r.have = le.Uint32(b[20+transferSize:])
	if r.have > r.state.size {
		return datagram.ErrRange
	}
	return nil
}

func (e *End) append(b []byte, sets datagram.Sets) []byte {
	b = le.AppendUint32(append(b, messageEnd), e.Frames)
	for _, v := range [...]uint64{e.Hash, e.Chain, e.Result} {
		b = le.AppendUint64(b, v)
	}
	finished := byte(0)
	if e.Finished {
		finished = 1
	}
	return sets.Append(append(b, finished), e.Gone)
}

func (e *End) consume(b []byte, sets datagram.Sets) error {
	if len(b) != endSize+sets.Size() {
		return datagram.ErrShort
	}
	gone, _, err := sets.Consume(b[endSize:])
	switch {
	case err != nil:
		return err
	case b[28] > 1:
		return datagram.ErrRange
	}
	*e = End{
		Frames: le.Uint32(b), Hash: le.Uint64(b[4:]), Chain: le.Uint64(b[12:]), Result: le.Uint64(b[20:]),
		Finished: b[28] == 1, Gone: gone,
	}
	return nil
}
