package rplk

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// Sizes, in bytes.
const (
	// HeaderSize is the length of the header.
	HeaderSize = 32
	// FrameSize is the length of one frame's inputs.
	FrameSize = 4
)

// MaxFrames is the maximum length of a recording that the header can describe.
const MaxFrames = math.MaxUint32

const (
	version = 1
	magic   = 'R' | 'P'<<8 | 'L'<<16 | 'K'<<24
)

// Inputs is what both players held in one frame: the buttons of player 1 and of
// player 2.
type Inputs [2]uint16

// Header has the properties of a recording.
type Header struct {
	Seed   uint32 // not 0
	Frames uint32 // the number of frames, from frame 0
	CRC    uint32 // CRC-32 (IEEE) of the payload
}

// Size is the length in bytes of the whole recording.
func (h Header) Size() uint64 { return HeaderSize + h.payloadSize() }

func (h Header) payloadSize() uint64 { return FrameSize * uint64(h.Frames) }

// Recording is a whole recording in memory.
type Recording struct {
	Seed   uint32
	Frames []Inputs // the inputs of each frame, from frame 0
}

// AppendHeader appends the header's 32 bytes to b. The only error is [ErrSeed];
// b is then returned unchanged.
func AppendHeader(b []byte, h Header) ([]byte, error) {
	if h.Seed == 0 {
		return b, &Error{Reason: ErrSeed}
	}
	b = binary.LittleEndian.AppendUint32(b, magic)
	b = append(b, version, 0) // there are no flags
	b = binary.LittleEndian.AppendUint16(b, HeaderSize)
	b = binary.LittleEndian.AppendUint32(b, h.Seed)
	b = binary.LittleEndian.AppendUint32(b, 0) // the start frame
	b = binary.LittleEndian.AppendUint32(b, h.Frames)
	b = binary.LittleEndian.AppendUint32(b, h.CRC)
	return binary.LittleEndian.AppendUint64(b, 0), nil // the reserved bytes
}

// ConsumeHeader reads the header at the front of b and returns its length.
func ConsumeHeader(b []byte) (Header, int, error) {
	if len(b) < HeaderSize {
		return Header{}, 0, &Error{Reason: ErrShortHeader, Got: uint64(len(b)), Want: HeaderSize}
	}
	le := binary.LittleEndian
	checks := [...]struct {
		reason    error
		got, want uint64
	}{
		{ErrMagic, uint64(le.Uint32(b)), magic},
		{ErrVersion, uint64(b[4]), version},
		{ErrFlags, uint64(b[5]), 0},
		{ErrHeaderSize, uint64(le.Uint16(b[6:])), HeaderSize},
	}
	for _, c := range checks {
		if c.got != c.want {
			return Header{}, 0, &Error{Reason: c.reason, Got: c.got, Want: c.want}
		}
	}
	h := Header{Seed: le.Uint32(b[8:]), Frames: le.Uint32(b[16:]), CRC: le.Uint32(b[20:])}
	start, reserved := le.Uint32(b[12:]), le.Uint64(b[24:])
	switch {
	case h.Seed == 0:
		return Header{}, 0, &Error{Reason: ErrSeed}
	case start != 0:
		return Header{}, 0, &Error{Reason: ErrStartFrame, Got: uint64(start)}
	case reserved != 0:
		return Header{}, 0, &Error{Reason: ErrReserved, Got: reserved}
	}
	return h, HeaderSize, nil
}

// Append appends a whole recording to b. The errors are [ErrSeed], and one for more than [MaxFrames] frames; b is then
// returned unchanged.
func Append(b []byte, r Recording) ([]byte, error) {
	if uint64(len(r.Frames)) > MaxFrames {
		return b, fmt.Errorf("rplk: %d frames do not fit a recording; it ends at %d", len(r.Frames), uint32(MaxFrames))
	}
	start := len(b)
	b, err := AppendHeader(b, Header{Seed: r.Seed, Frames: uint32(len(r.Frames))})
	if err != nil {
		return b, err
	}
	b = appendFrames(b, r.Frames)
	crc := crc32.ChecksumIEEE(b[start+HeaderSize:])
	binary.LittleEndian.PutUint32(b[start+20:], crc)
	return b, nil
}

// Decode reads a recording, which must be the whole of b. It does not keep b.
func Decode(b []byte) (Recording, error) {
	h, n, err := ConsumeHeader(b)
	if err != nil {
		return Recording{}, err
	}
	payload := b[n:]
	if uint64(len(payload)) != h.payloadSize() {
		return Recording{}, h.lengthError(uint64(len(payload)))
	}
	if crc := crc32.ChecksumIEEE(payload); crc != h.CRC {
		return Recording{}, h.crcError(crc)
	}
	frames := make([]Inputs, h.Frames)
	decodeFrames(frames, payload)
	return Recording{Seed: h.Seed, Frames: frames}, nil
}

func (h Header) lengthError(payload uint64) error {
	return &Error{Reason: ErrLength, Got: HeaderSize + payload, Want: h.Size()}
}

func (h Header) crcError(crc uint32) error {
	return &Error{Reason: ErrChecksum, Got: uint64(crc), Want: uint64(h.CRC)}
}

func appendFrames(b []byte, frames []Inputs) []byte {
	for _, f := range frames {
		b = binary.LittleEndian.AppendUint32(b, uint32(f[0])|uint32(f[1])<<16)
	}
	return b
}

// decodeFrames reads len(dst) frames from the front of src.
func decodeFrames(dst []Inputs, src []byte) {
	for i := range dst {
		both := binary.LittleEndian.Uint32(src[FrameSize*i:])
		dst[i] = Inputs{uint16(both), uint16(both >> 16)}
	}
}
