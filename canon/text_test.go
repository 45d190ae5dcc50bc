package canon

import (
	"math"
	"strings"
	"testing"
	"unsafe"
)

func float32FromBits(b uint32) float32 { return math.Float32frombits(b) }
func pathOf(i int) string              { return string(appendIndex(nil, uintptr(i))) }
func bytesPointer(b []byte) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(b))
}

// Rule: each leaf has a line, equal neighbours in arrays of scalars share one, and excluded and blank fields have none.
func TestTextHasOneLeafALine(t *testing.T) {
	want := strings.TrimLeft(`
Frame: 7
P[0].X: -1
P[0].Y: 2
P[0].Vy: -3
P[0].Stance: standing
P[0].alive: true
P[0].Meter: 400
P[0].Combo: 0
P[1].X: 100
P[1].Y: 0
P[1].Vy: 460
P[1].Stance: crouching
P[1].alive: false
P[1].Meter: 0
P[1].Combo: 9
Grid[0:5]: 0
Grid[5]: 48879
Grid[6:64]: 0
Seed[0]: 1
Seed[1]: 9223372036854775808
`, "\n")
	if got := string(planFor[world](t).AppendText([]byte("> "), aWorld())); got != "> "+want {
		t.Errorf("got:\n%s", got)
	}
}

type loud uint8

func (l loud) String() string {
	return [...]string{"two\nlines", strings.Repeat("é", 500), "\xff", ""}[l]
}

// Rule: whatever a String method returns stays on one line and is bounded.
func TestTextStaysOnItsLine(t *testing.T) {
	got := string(planFor[[4]loud](t).AppendText(nil, &[4]loud{0, 1, 2, 3}))
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 4 || lines[0] != `[0]: "two\nlines"` || len(lines[1]) > leafBytes+20 ||
		lines[2] != `[2]: "\xff"` || lines[3] != "[3]: " {
		t.Errorf("got:\n%s", got)
	}
}

// Rule: floats read back as the same number; a state that is a scalar also has a line.
func TestTextOfFloatsAndScalars(t *testing.T) {
	f := struct {
		A float32
		B float64
		C complex64
		D [0]uint8
		E [1][0]uint8
	}{0.1, -1e300, complex(1, -2), [0]uint8{}, [1][0]uint8{}}
	if got := string(planFor[struct {
		A float32
		B float64
		C complex64
		D [0]uint8
		E [1][0]uint8
	}](t, AllowFloats).AppendText(nil, &f)); got != "A: 0.1\nB: -1e+300\nC: (1-2i)\n" {
		t.Errorf("got:\n%s", got)
	}
	n := int16(-5)
	if got := string(planFor[int16](t).AppendText(nil, &n)); got != "(value): -5\n" {
		t.Errorf("got:\n%s", got)
	}
}
