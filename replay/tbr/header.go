package tbr

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// Limits of a [Header].
const (
	MaxText     = 255      // bytes in a text
	MaxData     = 64 << 10 // bytes in Data
	MaxMeta     = 64       // fields in Meta
	MaxValue    = 4 << 10  // bytes in the value of a field
	MaxTickRate = rate.Max
)

// NoKeyframes as KeyframeEvery means a recording without keyframes, except the one with which it begins if that is not
// frame 0.
const NoKeyframes = -1

// Header is the information at the beginning of a recording. All but Info is the same for all peers of a match.
type Header struct {
	Game     string       // the name of the game
	Shape    agreed.Shape // the number of players and the sizes of inputs and orders
	TickRate int          // frames a second, 1 to MaxTickRate; with a Rate the integer next to that
	Rate     rate.Rate    // the exact rate if it is no integer, in lowest terms

	Seed, Content uint64 // the parameters of the match
	Length        uint32 // the maximum length of the match in frames; 0: no limit
	Data          []byte // data of the game, at most MaxData bytes

	// HashEvery is the interval, in frames, of recorded hashes: with 1 there is a hash of every state, with 0 there
	// are none.
	HashEvery int
	// KeyframeEvery is the interval, in segments, of keyframes. With 0, keyframes are written where they are small:
	// see [Writer.Keyframe].
	KeyframeEvery int
	// State0 is the hash of state 0; 0 if it is not known.
	State0 uint64

	Info
}

// Info is information about the recording itself. It may differ between peers.
type Info struct {
	Build, Platform string // of the program that recorded it
	Recorder        string // who recorded it: a player, a spectator
	Created         int64  // when it was recorded, in milliseconds since 1970
	Match           uint32 // number of the match in its session
	First           uint32 // the first frame; if it is not 0, the recording begins with a keyframe
	Meta            []Field
}

// Field is a piece of metadata: a name and a value, which this package does not interpret.
type Field struct{ Key, Value string }

// Check returns an error if no recording can have this header. The error wraps [ErrHeader].
func (h *Header) Check() error {
	if err := h.Shape.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrHeader, err)
	}
	for _, c := range []struct {
		name        string
		value, most int
	}{
		{"bytes of Game", len(h.Game), MaxText},
		{"bytes of Data", len(h.Data), MaxData},
		{"HashEvery", h.HashEvery, math.MaxInt32},
		{"KeyframeEvery+1", h.KeyframeEvery + 1, math.MaxInt32},
		{"bytes of Build", len(h.Build), MaxText},
		{"bytes of Platform", len(h.Platform), MaxText},
		{"bytes of Recorder", len(h.Recorder), MaxText},
		{"fields of Meta", len(h.Meta), MaxMeta},
	} {
		switch counted := strings.Contains(c.name, " of "); {
		case c.value >= 0 && c.value <= c.most:
		case counted:
			return fmt.Errorf("%w: %d %s, want 0 to %d", ErrHeader, c.value, c.name, c.most)
		default:
			return fmt.Errorf("%w: %s is %d, must be 0 to %d", ErrHeader, c.name, c.value, c.most)
		}
	}
	if h.TickRate < 1 || h.TickRate > MaxTickRate {
		return fmt.Errorf("%w: a tick rate of %d, want 1 to %d", ErrHeader, h.TickRate, MaxTickRate)
	}
	if h.Rate.Given() {
		if err := h.Rate.Canonical(); err != nil {
			return fmt.Errorf("%w: %w", ErrHeader, err)
		}
		if near := h.Rate.Nearest(); h.TickRate != near {
			return fmt.Errorf("%w: a tick rate of %d with a Rate of %v, want %d", ErrHeader, h.TickRate, h.Rate, near)
		}
	}
	for _, f := range h.Meta {
		if len(f.Key) > MaxText || len(f.Value) > MaxValue {
			return fmt.Errorf("%w: Meta %.20q has a key of %d and a value of %d bytes, want at most %d and %d",
				ErrHeader, f.Key, len(f.Key), len(f.Value), MaxText, MaxValue)
		}
	}
	return nil
}

// Period returns the tick period, rounded down to nanoseconds. The header must be valid.
func (h *Header) Period() time.Duration { return rate.Tick(h.TickRate, h.Rate) }

// BlockFrames returns the number of frames in a block: 8 seconds' worth, at the TickRate.
func (h *Header) BlockFrames() int { return blockSeconds * h.TickRate }

// SegmentFrames returns the number of frames in a segment. Each segment is decoded independently.
func (h *Header) SegmentFrames() int { return segmentBlocks * h.BlockFrames() }

const (
	blockSeconds  = 8
	segmentBlocks = 8
)

func (h *Header) appendGame(b []byte) []byte {
	b = appendBytes(b, h.Game)
	b = append(b, byte(h.Shape.Players), byte(h.Shape.InputSize))
	b = binary.AppendUvarint(b, uint64(h.Shape.MaxOrders))
	if h.Rate.Given() {
		b = binary.AppendUvarint(append(b, 0), uint64(h.Rate.Frames))
		b = binary.AppendUvarint(b, uint64(h.Rate.Seconds))
	} else {
		b = binary.AppendUvarint(b, uint64(h.TickRate))
	}
	for _, v := range []int{h.HashEvery, h.KeyframeEvery + 1} {
		b = binary.AppendUvarint(b, uint64(v))
	}
	b = binary.AppendUvarint(b, uint64(h.Length))
	for _, v := range []uint64{h.Seed, h.Content, h.State0} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return appendBytes(b, h.Data)
}

func (h *Header) readGame(payload []byte) bool {
	p := parser{b: payload}
	h.Game = p.text(MaxText)
	h.Shape = agreed.Shape{Players: int(p.byte()), InputSize: int(p.byte()), MaxOrders: int(p.uint(agreed.MaxOrders))}
	if h.TickRate = int(p.uint(MaxTickRate)); h.TickRate == 0 {
		h.Rate = rate.Rate{Frames: p.uint32(), Seconds: p.uint32()}
		h.TickRate = h.Rate.Nearest() // 0 of no rate, which Check refuses
	}
	h.HashEvery, h.KeyframeEvery = int(p.uint(math.MaxInt32)), int(p.uint(math.MaxInt32))-1
	h.Length = p.uint32()
	h.Seed, h.Content, h.State0 = p.uint64(), p.uint64(), p.uint64()
	h.Data = append([]byte(nil), p.bytes(MaxData)...)
	return p.done()
}

func (i *Info) append(b []byte) []byte {
	b = appendBytes(appendBytes(appendBytes(b, i.Build), i.Platform), i.Recorder)
	b = binary.LittleEndian.AppendUint64(b, uint64(i.Created))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(i.Match)), uint64(i.First))
	b = binary.AppendUvarint(b, uint64(len(i.Meta)))
	for _, f := range i.Meta {
		b = appendBytes(appendBytes(b, f.Key), f.Value)
	}
	return b
}

func (i *Info) read(payload []byte) bool {
	p := parser{b: payload}
	i.Build, i.Platform, i.Recorder = p.text(MaxText), p.text(MaxText), p.text(MaxText)
	i.Created = int64(p.uint64())
	i.Match, i.First = p.uint32(), p.uint32()
	for range p.uint(MaxMeta) {
		i.Meta = append(i.Meta, Field{p.text(MaxText), p.text(MaxValue)})
	}
	return p.done()
}
