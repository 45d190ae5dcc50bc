package robots

import "encoding/binary"

// Version is the first byte of an encoded state. It changes whenever the encoding or its meaning does: a
// state of other rules must not be decoded as one of these.
const Version = 1

// MaxEncoded is the maximum size of an encoded state in bytes.
const MaxEncoded = header + 1 + MaxPlayers*(robotHeader+2+MaxProgram+2+4*MaxStack+2+4*MaxHeap) +
	1 + MaxBullets*bulletSize + 1 + MaxMines*mineSize

// The bytes of the parts that have a fixed size. Lengths are one byte, or two in a
// robot.
const (
	header      = 1 + 4 + 4 + 1 + 1 + 16
	robotHeader = 1 + 1 + 2 + 2 + 2 + 2 + 2 + 3 + 2 + 1
	bulletSize  = 4 + 2 + 1 + 1 + 1
	mineSize    = 2 + 4 + 4 + 1
)

var little = binary.LittleEndian

// append appends the encoding of the image: numbers are little-endian, every list follows its length, and
// mines are in the order of their cells. A state has exactly one encoding, so that equal bytes mean equal
// states. work is memory for sorting the cells.
func (s *Snapshot) append(b []byte, work *[]Cell) []byte {
	b = append(b, Version)
	b = little.AppendUint32(b, s.Frame)
	b = little.AppendUint32(b, s.LastID)
	b = append(b, s.Winner, byte(s.First))
	b = little.AppendUint64(b, s.Rng.S0)
	b = little.AppendUint64(b, s.Rng.S1)
	b = append(b, byte(len(s.Robots)))
	for i := range s.Robots {
		b = s.Robots[i].append(b)
	}
	b = append(b, byte(len(s.Bullets)))
	for _, x := range s.Bullets {
		b = little.AppendUint32(b, x.ID)
		b = little.AppendUint16(b, uint16(x.At))
		b = append(b, byte(x.Dir), x.Life, byte(x.By))
	}
	b = append(b, byte(len(s.Mines)))
	*work = sortedCells((*work)[:0], s.Mines)
	for _, c := range *work {
		m := s.Mines[c]
		b = little.AppendUint16(b, uint16(c))
		b = little.AppendUint32(b, m.ID)
		b = little.AppendUint32(b, m.Until)
		b = append(b, byte(m.By))
	}
	return b
}

func (r *RobotImage) append(b []byte) []byte {
	b = append(b, r.Player, byte(r.Dir))
	for _, v := range [...]uint16{uint16(r.At), uint16(r.Hp), r.Reload, r.Down, r.Score} {
		b = little.AppendUint16(b, v)
	}
	b = append(b, byte(r.Target), byte(r.Last), byte(r.Next))
	b = little.AppendUint16(b, r.VM.PC)
	b = append(b, byte(r.VM.Fault))
	b = little.AppendUint16(b, uint16(len(r.VM.Program)))
	b = append(b, r.VM.Program...)
	b = appendWords(b, r.VM.Stack)
	return appendWords(b, r.VM.Heap)
}

func appendWords(b []byte, words []int32) []byte {
	b = little.AppendUint16(b, uint16(len(words)))
	for _, v := range words {
		b = little.AppendUint32(b, uint32(v))
	}
	return b
}
