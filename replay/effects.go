package replay

import (
	"encoding/binary"
	"iter"
	"math"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/wire/agreed"
)

// Effect is an effect event in a chunk [tbr.KindEffects]. The chunk has the events that the application received while
// the match ran, so they show what was presented, and what was taken back. Only [effects.Confirmed] is certain.
type Effect struct {
	What    effects.What
	Kind    uint8  // the id of the kind, as the game declares it
	Key     uint32 // the key that it was emitted with
	Frame   uint32 // the frame at which it happens; see effects.Event
	From    uint32 // see effects.Event
	Late    uint32 // see effects.Event
	Payload []byte // at most effects.MaxPayload bytes
}

// AppendEffect appends an event to the payload of a chunk.
func AppendEffect(b []byte, e *effects.Event) []byte {
	b = append(b, byte(e.What), e.Kind)
	for _, v := range [...]uint32{e.Key, uint32(e.Frame), uint32(e.From), e.Late} {
		b = binary.AppendUvarint(b, uint64(v))
	}
	p := e.Bytes()
	return append(append(b, byte(len(p))), p...)
}

// ReadEffects yields the events in the payload of a chunk [tbr.KindEffects]. An error, which wraps [ErrChunk], ends the
// iteration.
func ReadEffects(payload []byte) iter.Seq2[Effect, error] {
	return func(yield func(Effect, error) bool) {
		for p := (extraParser{b: payload}); len(p.b) > 0; {
			e := Effect{What: effects.What(p.byte()), Kind: p.byte(), Key: p.uint32(), Frame: p.uint32(), From: p.uint32(), Late: p.uint32()}
			n := int(p.byte())
			if e.Payload = p.take(n); p.bad || n > effects.MaxPayload || e.What < effects.Started || e.What > effects.Confirmed {
				yield(Effect{}, chunkError(tbr.KindEffects, len(payload)-len(p.b)))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// extraParser reads the payload of a chunk; bad means that it is too short, or malformed.
type extraParser struct {
	b   []byte
	bad bool
}

func (p *extraParser) take(n int) []byte {
	if p.bad || n > len(p.b) {
		p.bad, p.b = true, nil
		return nil
	}
	t := p.b[:n:n]
	p.b = p.b[n:]
	return t
}

func (p *extraParser) byte() byte {
	if t := p.take(1); t != nil {
		return t[0]
	}
	return 0
}

// players reads a set of players of a match of this shape.
func (p *extraParser) players(s agreed.Shape) uint16 {
	set, n := s.ConsumePlayers(p.b)
	if n == 0 {
		n = len(p.b) + 1
	}
	p.take(n)
	return set
}

func (p *extraParser) uint64() uint64 {
	v, n := binary.Uvarint(p.b)
	if n <= 0 || n > 1 && p.b[n-1] == 0 {
		p.bad, p.b = true, nil
		return 0
	}
	p.take(n)
	return v
}

func (p *extraParser) uint32() uint32 {
	v := p.uint64()
	p.bad = p.bad || v > math.MaxUint32
	return uint32(v)
}
