package replay

import (
	"context"
	"io"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
)

// Stats describes the content of a recording, as far as it is known without the game.
type Stats struct {
	First, Next uint32
	Players     []PlayerStats
	Kinds       []KindStats // in the order in which they first appear
	Departures  []Departure
	Hashes      uint32
	Keyframes   uint32
	Bytes       int64 // the size of all chunks between the header and the end
	Damage      error // why the rest could not be read
}

// PlayerStats is what one player did.
type PlayerStats struct {
	Changes    uint32 // frames whose input differs from the one before
	Presses    uint32 // bits of the input that became 1
	Orders     uint32 // frames with orders
	OrderBytes uint64
	Away       uint32 // frames in which the player was disconnected
}

// KindStats has the total size of the chunks of one kind.
type KindStats struct {
	Kind    tbr.Kind
	Chunks  uint32
	Payload int64 // in bytes
}

// Departure is a frame at which the set of disconnected players changes.
type Departure struct {
	Frame uint32
	Gone  rollback.PlayerSet // the players absent from here on
}

// maxDepartures bounds how many departures are listed.
const maxDepartures = 1000

// Measure reads a recording to its end. The error is that of ctx; a failure to read the recording is in the result.
func Measure(ctx context.Context, r *tbr.Reader) (*Stats, error) {
	s := &Stats{First: r.First(), Next: r.Next(), Damage: r.Damage(), Players: make([]PlayerStats, r.Header().Shape.Players)}
	s.chunks(r)
	for _, err := range r.Hashes(0) {
		if err != nil {
			s.Damage = firstOf(s.Damage, err)
			break
		}
		s.Hashes++
	}
	err := s.frames(ctx, r)
	if err != nil && ctx.Err() == nil {
		s.Damage, err = err, nil
	}
	return s, err
}

func (s *Stats) chunks(r *tbr.Reader) {
	for c, err := range r.Chunks() {
		if err != nil {
			s.Damage = firstOf(s.Damage, err)
			return
		}
		if c.Kind == tbr.KindKeyframe {
			s.Keyframes++
		}
		s.Bytes += int64(c.Size)
		s.kind(c.Kind, c.Size)
	}
}

// maxKinds bounds the number of kinds that are counted separately, since a file may have chunks of any kind.
const maxKinds = 100

func (s *Stats) kind(k tbr.Kind, size int) {
	for i := range s.Kinds {
		if s.Kinds[i].Kind == k || i == maxKinds-1 {
			s.Kinds[i].Chunks++
			s.Kinds[i].Payload += int64(size)
			return
		}
	}
	s.Kinds = append(s.Kinds, KindStats{k, 1, int64(size)})
}

func (s *Stats) frames(ctx context.Context, r *tbr.Reader) error {
	cursor, err := r.Frames(r.First())
	if err != nil {
		return err
	}
	size := r.Header().Shape.InputSize
	held := make([]byte, size*len(s.Players))
	gone := uint16(0)
	for {
		f, err := cursor.Next()
		if err == io.EOF {
			return nil
		}
		if f != nil && f.Number%stride == 0 && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if f.Gone != gone && len(s.Departures) < maxDepartures {
			s.Departures = append(s.Departures, Departure{f.Number, rollback.PlayerSet(f.Gone)})
		}
		gone = f.Gone
		for p := range s.Players {
			s.Players[p].add(held[p*size:(p+1)*size], f.Inputs[p*size:(p+1)*size], f.Gone>>p&1 != 0, ordersOf(f.Orders, p))
		}
		copy(held, f.Inputs)
	}
}

func (p *PlayerStats) add(before, now []byte, gone bool, orders []byte) {
	if gone {
		p.Away++
	}
	if len(orders) > 0 {
		p.Orders++
		p.OrderBytes += uint64(len(orders))
	}
	if string(before) == string(now) {
		return
	}
	p.Changes++
	for i, b := range now {
		for pressed := b &^ before[i]; pressed != 0; pressed &= pressed - 1 {
			p.Presses++
		}
	}
}
