package dtls

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// The first bytes of a datagram identify its kind: a greeting and an envelope begin with magic, and a record with a
// connection ID begins with its content type. A datagram of a session without encryption begins with neither
// (docs/reference/wire.md).
const (
	magic = "TBS\x01"

	kindHello    = 1
	kindEnvelope = 2

	recordCID      = 25 // content type tls12_cid, RFC 9146
	recordHeader   = 13 // type, version, epoch, number, length
	recordIDOffset = 11 // the connection ID stands before the length
	recordEpochEnd = 5
	// encrypted is how an encrypted record begins: its type, DTLS 1.2, and the epoch that begins after the handshake
	// and lasts until the connection ends.
	encrypted = "\x19\xFE\xFD\x00\x01"
)

// Flags of messages.
const (
	flagAsk     = 1 << iota // hello: requests an answer
	flagWant                // hello: the sender has no connection with us, and wants one
	flagClient              // envelope: the sender is the client of the handshake
	flagForeign             // hello: this answers a machine with another key, and has no meaning for one with this key
)

const macSize = 16

type (
	// instance is a random name for a transport, which it keeps while it is open.
	instance [8]byte
	// cookie proves that its sender receives what is sent to its address.
	cookie [16]byte
)

func newInstance() (i instance) {
	rand.Read(i[:]) // never fails
	return i
}

// before reports whether i is the client in the handshake with o.
func (i instance) before(o instance) bool { return bytes.Compare(i[:], o[:]) < 0 }

// header is the beginning of a hello and of an envelope.
type header struct {
	kind, flags byte
	key         keyID
	from, to    instance
	echo        cookie // the cookie that the receiver gave to the sender
}

const headerSize = len(magic) + 2 + len(keyID{}) + 2*len(instance{}) + len(cookie{})

// hello is a greeting. Both sides send the same: their identity, a cookie for the other
// side, and the cookie that they got from it.
type hello struct {
	header
	give cookie
}

// helloSize is the length of every hello, so that no answer is longer than its request.
const helloSize = headerSize + len(cookie{}) + macSize

// envelope carries records of a handshake, which are not protected themselves.
type envelope struct {
	header
	attempt uint32 // the number of the handshake, counted by its client
	records []byte
}

const envelopeOverhead = headerSize + 4 + macSize

func (h *header) append(b []byte) []byte {
	b = append(append(b, magic...), h.kind, h.flags)
	b = append(append(append(b, h.key[:]...), h.from[:]...), h.to[:]...)
	return append(b, h.echo[:]...)
}

// parseHeader reads the beginning of a message. rest is what follows, without the code at the end, which is not
// checked.
func parseHeader(b []byte) (h header, rest []byte, ok bool) {
	if len(b) < headerSize+macSize || string(b[:len(magic)]) != magic {
		return h, nil, false
	}
	b = b[len(magic) : len(b)-macSize]
	h.kind, h.flags, b = b[0], b[1], b[2:]
	h.key, b = keyID(b[:8]), b[8:]
	h.from, h.to, b = instance(b[:8]), instance(b[8:16]), b[16:]
	h.echo, b = cookie(b[:16]), b[16:]
	return h, b, true
}

func (h *hello) append(b []byte, p *pair) []byte {
	start := len(b)
	h.kind, h.key = kindHello, p.id
	b = append(h.header.append(b), h.give[:]...)
	return p.seal(b, start)
}

func (e *envelope) append(b []byte, p *pair) []byte {
	start := len(b)
	e.kind, e.key = kindEnvelope, p.id
	b = binary.LittleEndian.AppendUint32(e.header.append(b), e.attempt)
	return p.seal(append(b, e.records...), start)
}

// parseHello reads what follows the header of a hello.
func parseHello(h header, rest []byte) (hello, bool) {
	if h.kind != kindHello || len(rest) != len(cookie{}) {
		return hello{}, false
	}
	return hello{h, cookie(rest)}, true
}

// parseEnvelope reads what follows the header of an envelope. The records are those of
// rest.
func parseEnvelope(h header, rest []byte) (envelope, bool) {
	if h.kind != kindEnvelope || len(rest) <= 4 {
		return envelope{}, false
	}
	return envelope{h, binary.LittleEndian.Uint32(rest), rest[4:]}, true
}

// code returns the MAC at the end of a message.
func (p *pair) code(b []byte) [macSize]byte {
	m := hmac.New(sha256.New, p.mac[:])
	m.Write(b)
	return [macSize]byte(m.Sum(nil))
}

// seal appends the code of all bytes from start on.
func (p *pair) seal(b []byte, start int) []byte {
	code := p.code(b[start:])
	return append(b, code[:]...)
}

// opens reports whether a message, which has a header, was sealed by one of the pair.
func (p *pair) opens(b []byte) bool {
	n := len(b) - macSize
	code := p.code(b[:n])
	return hmac.Equal(code[:], b[n:])
}

// Recognize reports whether a datagram looks like one of this package, with any key. A program without encryption can
// use it to explain why it does not understand what it receives.
func Recognize(datagram []byte) bool {
	if _, _, ok := parseHeader(datagram); ok {
		return true
	}
	_, ok := recordID(datagram)
	return ok
}

// recordID returns the connection ID of a datagram that is exactly one encrypted record. Other datagrams must be
// dropped: the DTLS library accepts data after the record, and data that claims to be of epoch 0, without checking
// any key.
func recordID(b []byte) (id connectionID, ok bool) {
	const head = recordHeader + len(id)
	if len(b) <= head || string(b[:recordEpochEnd]) != encrypted || int(binary.BigEndian.Uint16(b[head-2:])) != len(b)-head {
		return id, false
	}
	return connectionID(b[recordIDOffset : recordIDOffset+len(id)]), true
}

// plain reports whether a datagram may be one of a session without encryption.
func plain(b []byte) bool { return len(b) > 0 && (b[0] >= 1 && b[0] <= 6 || b[0] >= 0x80) }
