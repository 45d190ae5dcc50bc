package datagram

import "encoding/binary"

// Version is the version of the protocol. Peers of different versions do not
// understand each other, except for the first bytes of a Hello and a Welcome.
const Version = 2

// Kinds of datagrams besides those of a session.
const (
	KindHello     = 0x01
	KindWelcome   = 0x02
	KindChallenge = 0x03
	KindAnswer    = 0x04
	KindWatch     = 0x05
	KindAttach    = 0x06
)

// magic follows the kind in a Hello and a Welcome.
const magic = "TKB"

const (
	// HelloSize is the length of the longest Hello. Hellos are padded, so that no answer to one with a forged source
	// is larger than the Hello. The shortest has MinSize bytes.
	HelloSize = MaxSize
	// welcomeFixed is the length of a Welcome without its items and tag.
	welcomeFixed = 1 + len(magic) + 1 + 8 + 1
	// PathSize is the length of a challenge, and of an answer.
	PathSize = 1 + 8 + TagSize
)

// Hello asks a peer for a Welcome.
type Hello struct {
	// Watch is true if the sender is a spectator.
	Watch   bool
	Version byte
	// Nonce is random, and only known to machines that have received the Hello or a Welcome from its sender. It is the
	// key of the Welcome's tag.
	Nonce uint64
	// Attempt counts the Hellos sent to this peer. The Welcome repeats it, so that the sender of the Hello can measure the
	// round trip.
	Attempt byte
}

// Append appends the datagram with HelloSize bytes.
func (h Hello) Append(b []byte) []byte { return h.AppendPadded(b, HelloSize) }

// AppendPadded appends the datagram, padded to size bytes, MinSize to HelloSize: an
// answer to it shows that the path carries that size.
func (h Hello) AppendPadded(b []byte, size int) []byte {
	n := len(b)
	kind := byte(KindHello)
	if h.Watch {
		kind = KindWatch
	}
	b = append(append(b, kind), magic...)
	b = append(b, h.Version)
	b = binary.LittleEndian.AppendUint64(b, h.Nonce)
	b = append(b, h.Attempt)
	var padding [HelloSize]byte
	return append(b, padding[len(b)-n:size]...)
}

// ConsumeHello reads a Hello, which must be all of b: MinSize to HelloSize bytes; no answer may be longer. It is not an
// error if the Hello has another version.
func ConsumeHello(b []byte) (Hello, error) {
	switch {
	case len(b) < MinSize || len(b) > HelloSize:
		return Hello{}, ErrShort
	case b[0] != KindHello && b[0] != KindWatch:
		return Hello{}, ErrKind
	case string(b[1:4]) != magic:
		return Hello{}, ErrMagic
	}
	return Hello{Watch: b[0] == KindWatch, Version: b[4], Nonce: binary.LittleEndian.Uint64(b[5:]), Attempt: b[13]}, nil
}

// Challenge is a whole datagram that asks whether a peer is at an address, or the answer, which has the same token.
type Challenge struct {
	Kind  byte // KindChallenge or KindAnswer
	Token uint64
}

// Append appends the datagram, without its tag.
func (c Challenge) Append(b []byte) []byte {
	return binary.LittleEndian.AppendUint64(append(b, c.Kind), c.Token)
}

// ConsumeChallenge reads a challenge or an answer without its tag.
func ConsumeChallenge(b []byte) (Challenge, error) {
	switch {
	case len(b) != PathSize-TagSize:
		return Challenge{}, ErrShort
	case b[0] != KindChallenge && b[0] != KindAnswer:
		return Challenge{}, ErrKind
	}
	return Challenge{Kind: b[0], Token: binary.LittleEndian.Uint64(b[1:])}, nil
}
