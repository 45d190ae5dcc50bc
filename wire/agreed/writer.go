package agreed

import (
	"encoding/binary"

	"github.com/tickback/tickback/wire/datagram"
)

// Writer encodes frames, in order.
type Writer struct {
	shape  Shape
	inputs [MaxPlayers * MaxInputSize]byte // the inputs of the frame before
	gone   uint16
}

// Init begins with a frame that is coded without a predecessor.
func (w *Writer) Init(s Shape) {
	w.shape = s
	w.reset()
}

func (w *Writer) reset() {
	clear(w.inputs[:w.shape.Players*w.shape.InputSize])
	w.gone = 0
}

// Append appends a frame, which must have the shape of the match and be the next one.
func (w *Writer) Append(b []byte, f *Frame) []byte {
	if f.Number%BlockFrames == 0 {
		w.reset()
	}
	head := len(b)
	b = append(b, 0)
	b = w.appendInputs(b, head, f.Inputs)
	if f.Gone != w.gone {
		b[head] |= hasGone
		b, w.gone = w.shape.AppendPlayers(b, f.Gone), f.Gone
	}
	b = w.appendOrders(b, head, f.Orders)
	if f.Marked {
		b[head] |= hasMark
		b = binary.LittleEndian.AppendUint64(b, f.Mark.Hash)
		b = binary.LittleEndian.AppendUint64(b, f.Mark.Chain)
	}
	if f.Finished {
		b[head] |= hasFinished
		b = binary.LittleEndian.AppendUint64(b, f.Result)
	}
	return b
}

// appendInputs appends the inputs that differ from those of the frame before.
func (w *Writer) appendInputs(b []byte, head int, inputs []byte) []byte {
	at, players, size := len(b), uint16(0), w.shape.InputSize
	for p := range w.shape.Players {
		before, now := w.inputs[p*size:(p+1)*size], inputs[p*size:(p+1)*size]
		mask := difference(before, now)
		if mask == 0 {
			continue
		}
		if b[head]&hasInputs == 0 {
			b[head] |= hasInputs
			b = w.shape.AppendPlayers(b, 0)
		}
		players |= 1 << p
		for i := 0; i < size; i += 8 {
			b = append(b, byte(mask>>i))
		}
		for i, c := range now {
			if mask>>i&1 != 0 {
				b = append(b, c)
			}
		}
		copy(before, now)
	}
	w.shape.putPlayers(b[at:], players)
	return b
}

// difference returns, as a mask, the indices at which two inputs differ.
func difference(a, b []byte) (mask uint64) {
	for i := range a {
		if a[i] != b[i] {
			mask |= 1 << i
		}
	}
	return mask
}

func (w *Writer) appendOrders(b []byte, head int, orders [][]byte) []byte {
	at, players := len(b), uint16(0)
	for p, o := range orders {
		if len(o) == 0 {
			continue
		}
		if b[head]&hasOrders == 0 {
			b[head] |= hasOrders
			b = w.shape.AppendPlayers(b, 0)
		}
		players |= 1 << p
		b = append(datagram.AppendUint(b, uint32(len(o))), o...)
	}
	w.shape.putPlayers(b[at:], players)
	return b
}
