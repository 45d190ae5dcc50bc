package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// ErrChunk means that an optional chunk of effects, statistics or members is malformed.
var ErrChunk = errors.New("the chunk cannot be read")

func chunkError(k tbr.Kind, at int) error {
	return fmt.Errorf("replay: %v: %w at byte %d", k, ErrChunk, at)
}

// Member is an entry of the membership log in a chunk [tbr.KindMembers].
type Member struct {
	Kind    byte   // see session.EntryKind
	Players uint16 // the players that it is about: bit p for player p
	Frame   uint32 // the first frame to which it applies
}

// AppendMember appends an entry to the payload of a chunk, in a recording of a match of this
// shape.
func AppendMember(b []byte, s agreed.Shape, m Member) []byte {
	return binary.AppendUvarint(s.AppendPlayers(append(b, m.Kind), m.Players), uint64(m.Frame))
}

// ReadMembers yields the entries in the payload of a chunk [tbr.KindMembers], in a recording of a match of this shape.
// An error, which wraps [ErrChunk], ends the iteration.
func ReadMembers(s agreed.Shape, payload []byte) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		for p := (extraParser{b: payload}); len(p.b) > 0; {
			m := Member{Kind: p.byte(), Players: p.players(s), Frame: p.uint32()}
			if p.bad {
				yield(Member{}, chunkError(tbr.KindMembers, len(payload)-len(p.b)))
				return
			}
			if !yield(m, nil) {
				return
			}
		}
	}
}

// Stat is a sample of the statistics of a session, in a chunk [tbr.KindStats]: once a second. All but Frame, Agreed and
// At count from the beginning of the match.
type Stat struct {
	At            int64  // the time, in milliseconds since 1970
	Frame, Agreed uint32 // the next frame to run, and the next to be agreed

	Rollbacks, Resimulated uint64 // in frames
	Stalls, Blocked        uint64
	Stalled                time.Duration
	Links                  []StatLink
}

// StatLink has the statistics of the link to another machine.
type StatLink struct {
	Players                      uint16 // the players there: bit p for player p
	Connected                    bool
	RoundTrip, Deviation, Jitter time.Duration // with a precision of 1 µs
	Sent, Received, Lost         uint64        // in datagrams
}

// AppendStat appends a sample to the payload of a chunk, in a recording of a match of this shape.
func AppendStat(b []byte, shape agreed.Shape, s *Stat) []byte {
	for _, v := range [...]uint64{
		uint64(max(s.At, 0)), uint64(s.Frame), uint64(s.Agreed), s.Rollbacks, s.Resimulated, s.Stalls, s.Blocked,
		micros(s.Stalled), uint64(len(s.Links)),
	} {
		b = binary.AppendUvarint(b, v)
	}
	for i := range s.Links {
		l := &s.Links[i]
		b = append(shape.AppendPlayers(b, l.Players), 0)
		if l.Connected {
			b[len(b)-1] = 1
		}
		for _, v := range [...]uint64{micros(l.RoundTrip), micros(l.Deviation), micros(l.Jitter), l.Sent, l.Received, l.Lost} {
			b = binary.AppendUvarint(b, v)
		}
	}
	return b
}

// maxLinks is the maximum number of other machines in a match.
const maxLinks = rollback.MaxPlayers

// ReadStats yields the samples in the payload of a chunk [tbr.KindStats], in a recording of a match of this shape. An
// error, which wraps [ErrChunk], ends the iteration.
func ReadStats(shape agreed.Shape, payload []byte) iter.Seq2[Stat, error] {
	return func(yield func(Stat, error) bool) {
		for p := (extraParser{b: payload}); len(p.b) > 0; {
			s := Stat{
				At: int64(p.uint64() & math.MaxInt64), Frame: p.uint32(), Agreed: p.uint32(), Rollbacks: p.uint64(),
				Resimulated: p.uint64(), Stalls: p.uint64(), Blocked: p.uint64(), Stalled: p.duration(),
			}
			n := p.uint64()
			for i := uint64(0); i < n && n <= maxLinks && !p.bad; i++ {
				s.Links = append(s.Links, StatLink{
					Players: p.players(shape), Connected: p.bool(), RoundTrip: p.duration(), Deviation: p.duration(), Jitter: p.duration(),
					Sent: p.uint64(), Received: p.uint64(), Lost: p.uint64(),
				})
			}
			if p.bad || n > maxLinks {
				yield(Stat{}, chunkError(tbr.KindStats, len(payload)-len(p.b)))
				return
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

func micros(d time.Duration) uint64 { return uint64(max(d, 0) / time.Microsecond) }

func (p *extraParser) bool() bool {
	b := p.byte()
	p.bad = p.bad || b > 1
	return b == 1
}

// duration reads a duration in microseconds.
func (p *extraParser) duration() time.Duration {
	return time.Duration(min(p.uint64(), math.MaxInt64/1000)) * time.Microsecond
}
