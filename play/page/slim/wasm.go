package slim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrLayout is returned for a file that does not have the layout of Go 1.26 for js/wasm.
var ErrLayout = errors.New("slim: not laid out as a program of Go 1.26 for js/wasm")

func layout(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrLayout, fmt.Sprintf(format, args...))
}

// The parts of a module that matter here (https://webassembly.github.io/spec/core/binary/modules.html).
const (
	sectionData  = 11
	sectionCount = 12 // the number of pieces of data
	constant     = 0x41
	end          = 0x0b
)

// maxMemory limits the initial memory of a program.
const maxMemory = 256 << 20

// leastGap is the minimum number of zeros, between two pieces of memory, that are left out: fewer zeros cost less
// than another piece in a compressed file.
const leastGap = 256

// file is a module, with its initial memory separated.
type file struct {
	before, after []byte // all other sections, and the header
	memory        []byte // the memory from address 0 on
}

// split reads a module.
func split(wasm []byte) (file, error) {
	var f file
	if !bytes.HasPrefix(wasm, []byte("\x00asm\x01\x00\x00\x00")) {
		return f, layout("it is no module of WebAssembly")
	}
	for at := 8; at < len(wasm); {
		id := wasm[at]
		size, n := binary.Uvarint(wasm[at+1:])
		from := at + 1 + n
		if n <= 0 || size > uint64(len(wasm)-from) {
			return f, layout("the section at %d does not end", at)
		}
		to := from + int(size)
		switch {
		case id == sectionCount:
			return f, layout("it counts its pieces of data")
		case id == sectionData && f.memory != nil:
			return f, layout("it has data twice")
		case id == sectionData:
			var err error
			if f.memory, err = unfold(wasm[from:to]); err != nil {
				return f, err
			}
			f.before, f.after = wasm[:at], wasm[to:]
		}
		at = to
	}
	if f.memory == nil {
		return f, layout("it has no data")
	}
	return f, nil
}

// unfold returns the memory that a data section describes.
func unfold(section []byte) ([]byte, error) {
	number := func() (uint64, bool) {
		v, n := binary.Uvarint(section)
		section = section[max(n, 0):]
		return v, n > 0
	}
	pieces, ok := number()
	memory := []byte{}
	for range pieces {
		kind, good := number()
		if !ok || !good || kind != 0 || len(section) < 1 || section[0] != constant {
			return nil, layout("a piece of data is not at a fixed place")
		}
		section = section[1:]
		at, n := signed(section)
		if n == 0 || at < 0 || at > maxMemory || n >= len(section) || section[n] != end {
			return nil, layout("a piece of data is at no place")
		}
		section = section[n+1:]
		size, good := number()
		if !good || size > uint64(len(section)) || at+int64(size) > maxMemory {
			return nil, layout("a piece of data does not end")
		}
		if past := int(at) + int(size) - len(memory); past > 0 {
			memory = append(memory, make([]byte, past)...)
		}
		copy(memory[at:], section[:size])
		section = section[size:]
	}
	if !ok || len(section) > 0 {
		return nil, layout("the data do not end where they should")
	}
	return memory, nil
}

// join writes the module.
func (f file) join() []byte {
	type piece struct{ from, to int }
	var pieces []piece
	for at := 0; at < len(f.memory); {
		from := at
		for zeros := 0; at < len(f.memory) && zeros < leastGap; at++ {
			if zeros++; f.memory[at] != 0 {
				zeros = 0
			}
		}
		to := from + len(bytes.TrimRight(f.memory[from:at], "\x00"))
		if to > from {
			from = to - len(bytes.TrimLeft(f.memory[from:to], "\x00"))
			pieces = append(pieces, piece{from, to})
		}
	}
	data := binary.AppendUvarint(nil, uint64(len(pieces)))
	for _, p := range pieces {
		data = append(data, 0, constant)
		data = appendSigned(data, int64(p.from))
		data = append(data, end)
		data = binary.AppendUvarint(data, uint64(p.to-p.from))
		data = append(data, f.memory[p.from:p.to]...)
	}
	wasm := append(bytes.Clone(f.before), sectionData)
	wasm = binary.AppendUvarint(wasm, uint64(len(data)))
	return append(append(wasm, data...), f.after...)
}

// signed reads a signed number in LEB128, as WebAssembly uses it, and returns its length in bytes; 0 if it does not
// end.
func signed(b []byte) (v int64, n int) {
	for shift := 0; n < len(b) && shift < 64; shift += 7 {
		c := b[n]
		n++
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 && shift < 57 {
				v |= -1 << (shift + 7)
			}
			return v, n
		}
	}
	return 0, 0
}

func appendSigned(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
