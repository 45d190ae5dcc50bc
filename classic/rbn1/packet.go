package rbn1

import "encoding/binary"

// Sizes, in bytes.
const (
	fixedSize    = 15 // the size from magic to AckFrame
	checksumSize = 8
	inputSize    = 2

	// MaxInputs is the maximum number of inputs in one packet.
	MaxInputs = 32
	// MaxSize is the length of the largest packet.
	MaxSize = fixedSize + checksumSize + inputSize*MaxInputs
)

// NoFrame as an AckFrame means that nothing has arrived yet.
const NoFrame = 0xFFFFFFFF

const (
	version         = 1
	flagHasChecksum = 1

	magic = 'R' | 'B'<<8 | 'N'<<16 | '1'<<24
)

// Header is a packet without its inputs.
type Header struct {
	StartFrame uint32 // the frame of the first input; in a malicious packet, adding to it may overflow
	AckFrame   uint32 // the newest frame up to which all inputs have arrived, or NoFrame

	HasChecksum   bool
	ChecksumFrame uint32 // the number of the state before this frame's step; 0 without HasChecksum
	Checksum      uint32 // 0 without HasChecksum
}

// Packet is a decoded packet. Buttons has one entry for each frame, from
// StartFrame on.
type Packet struct {
	Header
	Buttons []uint16
}

// size is the exact length of a packet.
func size(hasChecksum bool, count int) int {
	n := fixedSize + inputSize*count
	if hasChecksum {
		n += checksumSize
	}
	return n
}

func checkCount(count int) error {
	if count < 1 || count > MaxInputs {
		return &Error{Reason: ErrCount, Got: uint32(count)}
	}
	return nil
}

// Append appends the packet's bytes to b. The only error is [ErrCount]; b is then returned unchanged. It does not keep
// the slices.
func Append(b []byte, h Header, buttons []uint16) ([]byte, error) {
	if err := checkCount(len(buttons)); err != nil {
		return b, err
	}
	flags := byte(0)
	if h.HasChecksum {
		flags = flagHasChecksum
	}
	b = binary.LittleEndian.AppendUint32(b, magic)
	b = append(b, version, flags)
	b = binary.LittleEndian.AppendUint32(b, h.StartFrame)
	b = append(b, byte(len(buttons)))
	b = binary.LittleEndian.AppendUint32(b, h.AckFrame)
	if h.HasChecksum {
		b = binary.LittleEndian.AppendUint32(b, h.ChecksumFrame)
		b = binary.LittleEndian.AppendUint32(b, h.Checksum)
	}
	for _, pressed := range buttons {
		b = binary.LittleEndian.AppendUint16(b, pressed)
	}
	return b, nil
}

// Encode writes the packet to the front of dst and returns its length. The
// errors are [ErrCount] and [ErrDestination]; dst is then unchanged. A dst of
// [MaxSize] bytes is long enough for any packet.
func Encode(dst []byte, h Header, buttons []uint16) (int, error) {
	if err := checkCount(len(buttons)); err != nil {
		return 0, err
	}
	need := size(h.HasChecksum, len(buttons))
	if len(dst) < need {
		return 0, &Error{Reason: ErrDestination, Got: uint32(len(dst)), Want: uint32(need)}
	}
	b, err := Append(dst[:0], h, buttons)
	return len(b), err
}

// Decode reads one packet, which must be the whole of src, into new memory.
func Decode(src []byte) (Packet, error) {
	h, count, err := decodeHeader(src)
	if err != nil {
		return Packet{}, err
	}
	buttons := make([]uint16, count)
	copyButtons(buttons, src)
	return Packet{Header: h, Buttons: buttons}, nil
}

// DecodeInto reads one packet, which must be the whole of src, into the caller's memory, and returns the number of
// inputs at the front of dst. A dst of [MaxInputs] is long enough for any packet; if it is too short for the packet,
// the error is [ErrDestination]. On an error dst is unchanged. It allocates only to return an error.
func DecodeInto(dst []uint16, src []byte) (Header, int, error) {
	h, count, err := decodeHeader(src)
	if err != nil {
		return Header{}, 0, err
	}
	if len(dst) < count {
		return Header{}, 0, &Error{Reason: ErrDestination, Got: uint32(len(dst)), Want: uint32(count)}
	}
	copyButtons(dst[:count], src)
	return h, count, nil
}

// decodeHeader checks the whole packet, in the order that the format prescribes, and reads everything except the
// inputs.
func decodeHeader(src []byte) (Header, int, error) {
	if len(src) < fixedSize {
		return Header{}, 0, &Error{Reason: ErrShort, Got: uint32(len(src)), Want: fixedSize}
	}
	flags, count := src[5], int(src[10])
	switch {
	case binary.LittleEndian.Uint32(src) != magic:
		return Header{}, 0, &Error{Reason: ErrMagic, Got: binary.LittleEndian.Uint32(src), Want: magic}
	case src[4] != version:
		return Header{}, 0, &Error{Reason: ErrVersion, Got: uint32(src[4]), Want: version}
	case flags&^flagHasChecksum != 0:
		return Header{}, 0, &Error{Reason: ErrFlags, Got: uint32(flags), Want: uint32(flags & flagHasChecksum)}
	}
	if err := checkCount(count); err != nil {
		return Header{}, 0, err
	}
	h := Header{
		StartFrame:  binary.LittleEndian.Uint32(src[6:]),
		AckFrame:    binary.LittleEndian.Uint32(src[11:]),
		HasChecksum: flags&flagHasChecksum != 0,
	}
	if want := size(h.HasChecksum, count); len(src) != want {
		return Header{}, 0, &Error{Reason: ErrLength, Got: uint32(len(src)), Want: uint32(want)}
	}
	if h.HasChecksum {
		h.ChecksumFrame = binary.LittleEndian.Uint32(src[fixedSize:])
		h.Checksum = binary.LittleEndian.Uint32(src[fixedSize+4:])
	}
	return h, count, nil
}

// copyButtons reads the inputs, which are the end of a checked packet.
func copyButtons(dst []uint16, src []byte) {
	inputs := src[len(src)-inputSize*len(dst):]
	for i := range dst {
		dst[i] = binary.LittleEndian.Uint16(inputs[inputSize*i:])
	}
}
