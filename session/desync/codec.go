package desync

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// A report begins with magic, and ends with the XXH3 of everything before.
const (
	magic   = "TKBD"
	version = 1
	sumSize = 8
)

// Append appends the encoded report, which is the same on every machine.
func (r *Report) Append(b []byte) []byte {
	le, start := binary.LittleEndian, len(b)
	b = append(append(b, magic...), version)
	b = appendShort(appendShort(b, r.Game), r.Build)
	b = le.AppendUint32(b, r.Match)
	b = append(b, byte(r.Shape.Players), byte(r.Shape.InputSize))
	b = le.AppendUint16(b, uint16(r.Shape.MaxOrders))
	if r.Rate.Given() {
		b = le.AppendUint32(le.AppendUint32(append(b, 0, 0), r.Rate.Frames), r.Rate.Seconds)
	} else {
		b = le.AppendUint16(b, r.TickRate)
	}
	b = le.AppendUint32(le.AppendUint32(b, r.HashEvery), r.Every)
	b = le.AppendUint64(le.AppendUint64(b, r.Seed), r.Content)
	b = appendLong(le.AppendUint32(b, r.Limit), r.Data)
	b = append(b, truth(r.Whole))
	b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, r.Equal), r.Noticed), r.State)
	b = append(b, byte(len(r.Groups)))
	for _, h := range r.Groups {
		b = le.AppendUint64(b, h)
	}
	b = append(b, byte(len(r.Peers)))
	for i := range r.Peers {
		b = r.Peers[i].append(b, r.Shape)
	}
	b = le.AppendUint32(append(b, truth(r.AtLeast)), r.Total)
	b = append(b, byte(len(r.Fields)))
	for _, f := range r.Fields {
		b = appendShort(b, f.Path)
		for _, v := range f.Values {
			b = appendShort(append(b, byte(v.Kind)), v.Text)
		}
	}
	b = appendLong(appendLong(le.AppendUint32(b, r.First), r.Inputs), r.Begin)
	return le.AppendUint64(b, xxh3.Hash(b[start:]))
}

func (p *Peer) append(b []byte, s agreed.Shape) []byte {
	le := binary.LittleEndian
	b = appendShort(s.AppendPlayers(b, p.Players), p.Machine)
	b = le.AppendUint32(b, p.Group)
	b = le.AppendUint64(le.AppendUint32(append(b, byte(p.Origin)), p.Base), p.Hash)
	return appendShort(append(b, byte(p.Inputs)), p.Why)
}

func truth(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// Decode decodes a report from untrusted bytes. The errors wrap [ErrReport] or [ErrVersion].
func Decode(b []byte) (*Report, error) {
	if len(b) > MaxReport {
		return nil, fmt.Errorf("%w: it has more than %d bytes", ErrReport, MaxReport)
	}
	if len(b) < len(magic)+1+sumSize || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not start like one", ErrReport)
	}
	if v := b[len(magic)]; v != version {
		return nil, fmt.Errorf("%w: %d, but this program reads version %d", ErrVersion, v, version)
	}
	body := b[:len(b)-sumSize]
	if xxh3.Hash(body) != binary.LittleEndian.Uint64(b[len(body):]) {
		return nil, fmt.Errorf("%w: the checksum is wrong", ErrReport)
	}
	r := &Report{}
	if err := r.consume(append([]byte(nil), body[len(magic)+1:]...)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReport, err)
	}
	if err := r.Frames(func(*agreed.Frame) error { return nil }); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Report) consume(b []byte) error {
	d := reader{b: b}
	r.Game, r.Build = string(d.short(maxName)), string(d.short(maxName))
	r.Match = d.uint32()
	r.Shape = agreed.Shape{Players: int(d.byte()), InputSize: int(d.byte()), MaxOrders: int(d.uint16())}
	if r.TickRate = d.uint16(); r.TickRate == 0 {
		r.Rate = rate.Rate{Frames: d.uint32(), Seconds: d.uint32()}
		d.check(r.Rate.Canonical() == nil)
		r.TickRate = uint16(r.Rate.Nearest())
	}
	r.HashEvery, r.Every = d.uint32(), d.uint32()
	r.Seed, r.Content, r.Limit = d.uint64(), d.uint64(), d.uint32()
	r.Data, r.Whole = d.long(maxData), d.bounded(1) == 1
	r.Equal, r.Noticed, r.State = d.uint32(), d.uint32(), d.uint32()
	d.check(r.Shape.Check() == nil && r.HashEvery > 0 && r.Every > 0 && r.TickRate > 0 &&
		r.Equal < r.State && r.State <= r.Noticed && r.Noticed < None)
	for range d.bounded(agreed.MaxPlayers) {
		r.Groups = append(r.Groups, d.uint64())
	}
	for range d.bounded(agreed.MaxPlayers) {
		r.Peers = append(r.Peers, consumePeer(&d, r.Shape, len(r.Groups)))
	}
	d.check(len(r.Groups) > 1 && r.validPeers())
	r.AtLeast, r.Total = d.bounded(1) == 1, d.uint32()
	for range d.bounded(MaxFields) {
		r.Fields = append(r.Fields, consumeField(&d, len(r.Groups)))
	}
	d.check(uint64(r.Total) >= uint64(len(r.Fields)))
	r.First, r.Inputs, r.Begin = d.uint32(), d.long(maxInputs), d.long(maxState)
	d.check(r.First <= r.State)
	if len(r.Begin) == 0 {
		r.Begin = nil
	}
	return d.end()
}

func consumePeer(d *reader, s agreed.Shape, groups int) (p Peer) {
	p.Players, p.Machine = d.players(s), string(d.short(maxMachine))
	p.Group = d.uint32()
	d.check(p.Players != 0 && (p.Group == None || p.Group < uint32(groups)))
	p.Origin, p.Base, p.Hash = Origin(d.bounded(byte(Unavailable))), d.uint32(), d.uint64()
	p.Inputs, p.Why = Sameness(d.bounded(byte(Different))), string(d.short(maxWhy))
	return p
}

func consumeField(d *reader, groups int) (f Field) {
	f.Path = string(d.short(maxItem))
	for range groups {
		f.Values = append(f.Values, Value{Kind: ValueKind(d.bounded(byte(Present))), Text: string(d.short(maxValue))})
	}
	return f
}

// validPeers reports whether the peers are in order, and each of their players is in the match and at one peer
// only.
func (r *Report) validPeers() bool {
	all, before := uint16(0), uint16(0)
	for _, p := range r.Peers {
		lowest := p.Players & -p.Players
		if all&p.Players != 0 || lowest <= before {
			return false
		}
		all, before = all|p.Players, lowest
	}
	return len(r.Peers) > 1 && uint32(all) < 1<<r.Shape.Players
}
