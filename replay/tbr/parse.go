package tbr

import (
	"encoding/binary"
	"math"

	"github.com/tickback/tickback/wire/agreed"
)

// parser takes values from the front of a payload. After the first invalid value, all others are invalid too, so that
// the caller only has to check ok at the end.
type parser struct {
	b   []byte
	bad bool
}

func (p *parser) take(n int) []byte {
	if p.bad || n < 0 || n > len(p.b) {
		p.bad = true
		return nil
	}
	t := p.b[:n:n]
	p.b = p.b[n:]
	return t
}

func (p *parser) byte() byte {
	if t := p.take(1); t != nil {
		return t[0]
	}
	return 0
}

// players takes a set of players of a match of this shape.
func (p *parser) players(s agreed.Shape) uint16 {
	set, n := s.ConsumePlayers(p.b)
	if p.take(n); n == 0 {
		p.bad = true
	}
	if p.bad {
		return 0
	}
	return set
}

func (p *parser) uint64() uint64 {
	if t := p.take(8); t != nil {
		return binary.LittleEndian.Uint64(t)
	}
	return 0
}

// uint takes a varint of at most the given value, which must have the shortest form.
func (p *parser) uint(most uint64) uint64 {
	v, n := binary.Uvarint(p.b)
	if p.bad || n <= 0 || v > most || n > 1 && p.b[n-1] == 0 {
		p.bad = true
		return 0
	}
	p.b = p.b[n:]
	return v
}

func (p *parser) uint32() uint32 { return uint32(p.uint(math.MaxUint32)) }

// bytes takes a length and that many bytes, which still belong to the payload.
func (p *parser) bytes(most int) []byte { return p.take(int(p.uint(uint64(most)))) }

func (p *parser) text(most int) string { return string(p.bytes(most)) }

// done reports whether the whole payload has been taken.
func (p *parser) done() bool { return !p.bad && len(p.b) == 0 }

func appendBytes[T string | []byte](b []byte, t T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(t))), t...)
}
