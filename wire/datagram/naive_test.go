package datagram

import (
	"bytes"
	"errors"
)

// naiveLog has the inputs of a player, all of them from the first on: a [History] is compared with it.
type naiveLog struct {
	width  int
	first  uint32
	before []byte // the input before the first; nil means zeros
	inputs [][]byte
}

func (l *naiveLog) at(f uint32) []byte {
	switch {
	case f != l.first-1:
		return l.inputs[f-l.first]
	case l.before != nil:
		return l.before
	}
	return make([]byte, l.width)
}

// block encodes the frames from from to before to, exactly as docs/reference/wire.md describes.
func (l *naiveLog) block(from, to uint32) (b []byte) {
	wide := l.width > 4
	largest := 15
	if wide {
		largest = 255
	}
	token := func(run int, mask uint64) {
		if !wide {
			b = append(b, byte(run*16)+byte(mask))
			return
		}
		b = append(b, byte(run))
		for i := 0; 8*i < l.width; i++ {
			b = append(b, byte(mask>>(8*i)))
		}
	}
	run := 0
	for f := from; f != to; f++ {
		mask, changed := uint64(0), []byte(nil)
		for i, c := range l.at(f) {
			if l.at(f - 1)[i] != c {
				mask |= 1 << i
				changed = append(changed, c)
			}
		}
		if run++; mask == 0 {
			continue
		}
		for run--; run > largest; run -= largest + 1 {
			token(largest, 0)
		}
		token(run, mask)
		b = append(b, changed...)
		run = 0
	}
	return b
}

// errNaive stops decode.
var errNaive = errors.New("coded as it must not be")

// decode returns the inputs in a block, up to the first error.
func (l *naiveLog) decode(b []byte, start uint32, count int) (inputs [][]byte, err error) {
	input := bytes.Clone(l.at(start - 1))
	repeat := func(n int) {
		for range n {
			inputs = append(inputs, bytes.Clone(input))
		}
	}
	for len(b) > 0 {
		run, mask, rest, ok := l.split(b)
		if !ok || len(inputs)+run >= count {
			return inputs, errNaive
		}
		repeat(run)
		for i := range 64 {
			if mask>>i&1 == 0 {
				continue
			}
			if i >= l.width || len(rest) == 0 || rest[0] == input[i] {
				return inputs, errNaive
			}
			input[i], rest = rest[0], rest[1:]
		}
		repeat(1)
		b = rest
	}
	repeat(count - len(inputs))
	return inputs, nil
}

// split removes a token, without its changed bytes.
func (l *naiveLog) split(b []byte) (run int, mask uint64, rest []byte, ok bool) {
	if l.width <= 4 {
		run, mask = int(b[0]/16), uint64(b[0]%16)
		return run, mask, b[1:], mask != 0 || run == 15
	}
	n := (l.width + 7) / 8
	if len(b) < 1+n {
		return 0, 0, nil, false
	}
	for i := range n {
		mask |= uint64(b[1+i]) << (8 * i)
	}
	return int(b[0]), mask, b[1+n:], mask != 0 || b[0] == 255
}

// consume does what History.ConsumeBlock is documented to do.
func (l *naiveLog) consume(b []byte, start uint32, count int) (fresh int, err error) {
	next := l.first + uint32(len(l.inputs))
	if int32(next-start) < 0 || int(next-start) < count && (next-start >= HistoryFrames || start < l.first) {
		return 0, ErrGap
	}
	if int(next-start) >= count {
		return 0, nil
	}
	inputs, err := l.decode(b, start, count)
	for i, in := range inputs {
		switch f := start + uint32(i); {
		case f+1 == next && !bytes.Equal(in, l.inputs[f-l.first]):
			return 0, ErrConflict
		case f >= next:
			l.inputs = append(l.inputs, in)
			fresh++
		}
	}
	if err != nil {
		return fresh, ErrInputCode
	}
	return fresh, nil
}
