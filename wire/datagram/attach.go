package datagram

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

const (
	// attachSize is the length of an Attach without its tag, watchSize the length of one that proves a token in order
	// to watch, and seatSize the additional length of one that asks for a seat, without its set of players.
	attachSize = 1 + 8
	watchSize  = attachSize + ProofSize
	seatSize   = 8 + ProofSize

	// ProofSize is the length of the proof in an Attach: a truncated SHA-256, still too long to be guessed by trying.
	ProofSize = 16
)

// Attach is a spectator's answer to a Welcome. Its nonce is that of its Hello. From that and the address, the host
// computes its own nonce again, so it need not store anything about a spectator before.
//
// An Attach with players asks for a seat: the newcomer wants to play for them, from some frame on.
type Attach struct {
	Nonce   uint64
	Players uint16 // a set: bit p for player p; 0 to watch only
	Sets    Sets   // the encoding of Players
	ID      uint64 // chosen at random by the newcomer, once for each attempt to join
	// Proof shows that the sender knows a token: see [Attach.Prove]. It may be zero if the sender only wants to watch.
	Proof [ProofSize]byte
}

// Append appends the datagram, without its tag.
func (a Attach) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(append(b, KindAttach), a.Nonce)
	switch {
	case a.Players == 0 && a.Proof == [ProofSize]byte{}:
		return b
	case a.Players == 0:
		return append(b, a.Proof[:]...)
	}
	b = binary.LittleEndian.AppendUint64(a.Sets.Append(b, a.Players), a.ID)
	return append(b, a.Proof[:]...)
}

// ConsumeAttach reads an Attach with its tag. Only the host can check the tag and the proof. s is the encoding of sets
// of players.
func ConsumeAttach(b []byte, s Sets) (a Attach, err error) {
	n := len(b) - TagSize
	switch {
	case n != attachSize && n != watchSize && n != attachSize+s.Size()+seatSize:
		return Attach{}, ErrShort
	case b[0] != KindAttach:
		return Attach{}, ErrKind
	}
	switch a.Nonce = binary.LittleEndian.Uint64(b[1:]); n {
	case attachSize:
		return a, nil
	case watchSize:
		if copy(a.Proof[:], b[attachSize:]); a.Proof == [ProofSize]byte{} {
			return Attach{}, ErrRange
		}
		return a, nil
	}
	a.Sets = s
	if a.Players, b, err = s.Consume(b[attachSize:]); err != nil {
		return Attach{}, err
	}
	if a.Players == 0 {
		return Attach{}, ErrRange
	}
	a.ID = binary.LittleEndian.Uint64(b)
	copy(a.Proof[:], b[8:])
	return a, nil
}

// Prove fills in the proof, with a token of the match and the nonce of the host's Welcome.
func (a *Attach) Prove(token []byte, host uint64) { a.Proof = a.proof(token, host) }

// Proves reports whether the sender knows the token, and received the Welcome with this nonce. It takes the same time
// for all proofs.
func (a Attach) Proves(token []byte, host uint64) bool {
	want := a.proof(token, host)
	return hmac.Equal(want[:], a.Proof[:])
}

// proof returns a truncated HMAC-SHA256 of both nonces, which makes a captured proof worthless in another attempt, and
// of everything that is requested.
func (a Attach) proof(token []byte, host uint64) (p [ProofSize]byte) {
	b := append(make([]byte, 0, 4+3*8+2), KindAttach)
	b = append(b, magic...)
	for _, v := range [...]uint64{a.Nonce, host, a.ID} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	mac := hmac.New(sha256.New, token)
	mac.Write(a.Sets.Append(b, a.Players))
	copy(p[:], mac.Sum(nil))
	return p
}
