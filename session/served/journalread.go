package served

import (
	"encoding/binary"
	"errors"
	"iter"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// ErrJournalEnded means that the match of a journal has ended, so that it cannot go on.
var ErrJournalEnded = errors.New("its match has ended: begin another one with an empty journal")

var (
	errNoBegin   = errors.New("it does not begin with what is played")
	errUnknown   = errors.New("nothing of this kind is known")
	errAfterEnd  = errors.New("something follows the end of the match")
	errMisplaced = errors.New("it is not the keyframe of the next tick")
)

// past is what a journal says of a match: the newest keyframe, and what came after it.
type past struct {
	items  datagram.Items
	offer  datagram.Offer
	shape  agreed.Shape
	reader agreed.Reader
	next   Frame // the tick after the last one

	at     Frame  // the number of the keyframe; 0 if there is none
	state  []byte // encoded; nil if there is no keyframe
	hash   uint64 // of that state
	chain  uint64
	ticks  [][]byte // the ticks since, as recorded
	first  uint64   // the number of the first of their records
	in     PlayerSet
	ids    [rollback.MaxPlayers]uint64
	token  []byte
	tokens bool // the token has changed
	ended  bool

	each func(f *agreed.Frame, hash uint64, hashed bool) // is called with each tick, if given
	keys func(f Frame, state []byte)                     // is called with each keyframe, if given
}

// readPast reads a journal. It returns nil if that is empty. A journal whose last records are missing is one of an
// earlier moment.
func readPast(records iter.Seq2[[]byte, error], p *past) (*past, error) {
	n := uint64(0)
	for record, err := range records {
		if n++; err == nil {
			err = p.add(record, n)
		}
		if err != nil {
			return nil, &JournalError{n, err}
		}
	}
	if n == 0 {
		return nil, nil
	}
	return p, nil
}

// add reads record n.
func (p *past) add(record []byte, n uint64) error {
	if len(record) == 0 {
		return datagram.ErrShort
	}
	kind, b := record[0], record[1:]
	switch {
	case (kind == recordBegin) != (n == 1):
		return errNoBegin
	case p.ended:
		return errAfterEnd
	}
	switch kind {
	case recordBegin:
		return p.begin(b)
	case recordKeyframe:
		return p.keyframe(b)
	case recordTick, recordHashed:
		if len(p.ticks) == 0 {
			p.first = n
		}
		p.ticks = append(p.ticks, append([]byte(nil), record...))
		return p.tick(record)
	case recordSeat:
		return p.seat(b)
	case recordToken:
		p.token, p.tokens = append([]byte(nil), b...), true
		if len(b) > 0 {
			return admission.CheckToken(b)
		}
		return nil
	case recordEnd:
		p.ended = true
		return nil
	}
	return errUnknown
}

func (p *past) begin(b []byte) error {
	if len(b) < 2 {
		return datagram.ErrShort
	}
	size := int(binary.LittleEndian.Uint16(b))
	if b = b[2:]; len(b) < size {
		return datagram.ErrShort
	}
	w, err := datagram.ConsumeWelcome(b[:size])
	if err != nil {
		return err
	}
	if err := p.offer.Consume(append([]byte(nil), b[size:]...)); err != nil {
		return err
	}
	if len(p.offer.Data) > stream.MaxData || Frame(p.offer.Frames) == rollback.NoFrame {
		return datagram.ErrRange
	}
	p.items = w.Items
	p.shape = agreed.Shape{Players: int(w.Items.Players), InputSize: int(w.Items.InputSize), MaxOrders: int(w.Items.MaxOrders)}
	return p.reader.Init(p.shape, 0)
}

func (p *past) keyframe(b []byte) error {
	le, fixed := binary.LittleEndian, 4+8+8+2+8*p.shape.Players
	if len(b) < fixed {
		return datagram.ErrShort
	}
	f := Frame(le.Uint32(b))
	if f != p.next || f == 0 {
		return errMisplaced
	}
	p.at, p.chain, p.hash, p.in = f, le.Uint64(b[4:]), le.Uint64(b[12:]), PlayerSet(le.Uint16(b[20:]))&p.everybody()
	for i := range p.shape.Players {
		p.ids[i] = le.Uint64(b[22+8*i:])
	}
	p.state, p.ticks = append([]byte(nil), b[fixed:]...), nil
	if p.keys != nil {
		p.keys(f, p.state)
	}
	return p.reader.Init(p.shape, uint32(f))
}

func (p *past) everybody() PlayerSet { return PlayerSet(1<<p.shape.Players - 1) }

// tick reads a tick, to know who is in, and that it can be read.
func (p *past) tick(record []byte) error {
	hash, hashed, b, err := hashOf(record)
	if err != nil {
		return err
	}
	f, rest, err := p.reader.Read(b)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return datagram.ErrTrailing
	}
	p.next = Frame(f.Number) + 1
	p.in = p.everybody() &^ PlayerSet(f.Gone)
	if p.each != nil {
		p.each(f, hash, hashed)
	}
	return nil
}

// hashOf returns the hash in the record of a tick, and the tick.
func hashOf(record []byte) (hash uint64, hashed bool, tick []byte, err error) {
	switch {
	case record[0] == recordTick:
		return 0, false, record[1:], nil
	case len(record) < 9:
		return 0, false, nil, datagram.ErrShort
	}
	return binary.LittleEndian.Uint64(record[1:]), true, record[9:], nil
}

func (p *past) seat(b []byte) error {
	switch {
	case len(b) != 9:
		return datagram.ErrShort
	case int(b[0]) >= p.shape.Players:
		return datagram.ErrRange
	}
	p.ids[b[0]] = binary.LittleEndian.Uint64(b[1:])
	return nil
}
