package rollback_test

import "testing"

// bytesChooser chooses by a fuzzer's bytes.
type bytesChooser struct{ left []byte }

func (b *bytesChooser) Done() bool { return len(b.left) == 0 }

// IntN needs as many bytes as the choice is wide. Without any it is 0.
func (b *bytesChooser) IntN(n int) int {
	v := 0
	for most := n - 1; most > 0 && len(b.left) > 0; most >>= 8 {
		v = v<<8 | int(b.left[0])
		b.left = b.left[1:]
	}
	return v % n
}

// Rule: the engine does the same as the reference, in matches made by a
// fuzzer.
func FuzzEngine(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 4<<10 {
			return
		}
		if err := newMatch(&bytesChooser{b}).run(4 << 10); err != nil {
			t.Fatal(err)
		}
	})
}
