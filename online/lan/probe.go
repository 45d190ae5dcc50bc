//go:build !js

package lan

import "encoding/binary"

// A probe asks whether a machine is at an address, or answers that question. Its first byte differs from those of
// session datagrams (docs/reference/wire.md), which are sent without an envelope.
//
//	0  3  magic, "TLP"
//	3  1  version, 1
//	4  1  kind: 1 asks, 2 answers
//	5  8  key of the sender, big-endian
//	13 8  key of the receiver
const probeSize = 21

var probeMagic = [4]byte{'T', 'L', 'P', 1}

// probeKind says whether a probe asks or answers.
type probeKind byte

const (
	asks    probeKind = 1
	answers probeKind = 2
)

type probe struct {
	kind     probeKind
	from, to key
}

func (p probe) encode() (b [probeSize]byte) {
	copy(b[:], probeMagic[:])
	b[4] = byte(p.kind)
	binary.BigEndian.PutUint64(b[5:], uint64(p.from))
	binary.BigEndian.PutUint64(b[13:], uint64(p.to))
	return b
}

// isProbe reports whether a datagram begins like a probe, which means that it cannot be one of a session.
func isProbe(b []byte) bool { return len(b) > 0 && b[0] == probeMagic[0] }

// decodeProbe reads a datagram for which isProbe is true. The rest of it is not trusted.
func decodeProbe(b []byte) (p probe, ok bool) {
	if len(b) != probeSize || [4]byte(b[:4]) != probeMagic {
		return p, false
	}
	p = probe{probeKind(b[4]), key(binary.BigEndian.Uint64(b[5:])), key(binary.BigEndian.Uint64(b[13:]))}
	return p, p.kind == asks || p.kind == answers
}
