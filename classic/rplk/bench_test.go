package rplk_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/internal/floor"
)

// One operation is one frame of a recording of 2^16. The floor is the
// copy of its payload through a buffer of the same size.
func BenchmarkRead(b *testing.B) {
	const frames = 1 << 16
	file, err := rplk.Append(nil, rplk.Recording{Seed: 1, Frames: make([]rplk.Inputs, frames)})
	if err != nil {
		b.Fatal(err)
	}
	dst := make([]rplk.Inputs, 4096)
	buf := make([]byte, 16<<10)
	copyFile := func() {
		for r := bytes.NewReader(file); ; {
			if _, err := r.Read(buf); err != nil {
				return
			}
		}
	}
	readFile := func() {
		r, err := rplk.NewReader(bytes.NewReader(file))
		for err == nil {
			_, err = r.Read(dst)
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
	floor.CompareWhole(b, frames, copyFile, readFile)
}
