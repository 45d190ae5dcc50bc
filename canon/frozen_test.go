package canon

import (
	"encoding/hex"
	"math"
	"testing"
)

// The frozen outputs must be the same on every architecture and in every
// version: recordings and peers rely on them. The encodings can be checked by
// hand; the hashes agree with those of the reference implementation of XXH3.

type frozenWidths struct {
	A bool
	B int8
	C uint16
	D int32
	E uint64
	F bool
	G [3]int16
	H uint8
	I int64
}

type frozenNested struct {
	Units [2][2]struct {
		X  int32
		On bool
		V  uint64
	}
	Local uint64 `canon:"-"`
	_     [5]byte
	tail  [3]struct{ A, B uint8 }
}

type frozenFloats struct {
	A float32
	B float64
	C complex64
	D complex128
	E [2]float32
}

func frozenCase[T any](t *testing.T, name string, v *T, encoding string, hash uint64) {
	t.Helper()
	p := planFor[T](t, AllowFloats)
	if got := hex.EncodeToString(p.Append(nil, v)); encoding != "" && got != encoding {
		t.Errorf("%s: encoding\n%s, want\n%s", name, got, encoding)
	}
	if got := p.Hash(v); got != hash {
		t.Errorf("%s: hash %#016x, want %#016x", name, got, hash)
	}
	var back T
	if err := p.Decode(&back, p.Append(nil, v)); err != nil || !p.Equal(&back, v) {
		t.Errorf("%s: does not decode: %v", name, err)
	}
}

func TestFrozenPlans(t *testing.T) {
	frozenCase(t, "widths", &frozenWidths{
		true, -2, 0x0304, -5, 0x0102030405060708, true, [3]int16{-1, 2, 0x7FFF}, 9, math.MinInt64,
	}, "01fe0403fbffffff080706050403020101ffff0200ff7f090000000000000080", 0xD2703A868F1FF2C3)

	var n frozenNested
	for i := range 4 {
		u := &n.Units[i/2][i%2]
		u.X, u.On, u.V = int32(-i), i%2 == 1, uint64(i)<<56
	}
	n.Local, n.tail[2].B = 77, 0xEE
	frozenCase(t, "nested", &n, "00000000000000000000000000"+"ffffffff010000000000000001"+
		"feffffff000000000000000002"+"fdffffff010000000000000003"+"0000000000ee", 0x3F0B70475FB54BE1)

	frozenCase(t, "floats", &frozenFloats{
		1.5, math.Inf(-1), complex(1, -1), complex(0.1, math.Copysign(0, -1)),
		[2]float32{math.Float32frombits(0x7FA00001), 0},
	}, "0000c03f"+"000000000000f0ff"+"0000803f000080bf"+"9a9999999999b93f0000000000000080"+"0100a07f00000000", 0xBAD042E914EC760C)

	scalar := uint32(0xA1B2C3D4)
	frozenCase(t, "scalar", &scalar, "d4c3b2a1", 0xF6551B12BDC998A0)
	empty := struct{}{}
	frozenCase(t, "empty", &empty, "", 0x2D06800538D394C2)
}

// Every length class of XXH3, and both ways to stream.
func TestFrozenSizes(t *testing.T) {
	frozenSize[[10]uint16](t, 0x287CAA944E605EAD)
	frozenSize[[100]uint8](t, 0x004E4F921A64BD1C)
	frozenSize[[50]uint32](t, 0xF42A8864FEAF0703)
	frozenSize[[300]uint64](t, 0xB26CDDF29A255596)
	frozenSize[[200]struct {
		A uint64
		B uint8
	}](t, 0x057916B1DCD892E6)
	frozenSize[[2000]struct {
		A uint16
		B uint32
		C uint8
	}](t, 0x9FC9600C994A4B73)
}

// frozenSize checks the hash of a value whose encoding counts 0, 1, 2...
// modulo 251.
func frozenSize[T any](t *testing.T, hash uint64) {
	t.Helper()
	var v T
	p := planFor[T](t)
	b := make([]byte, p.Size())
	for i := range b {
		b[i] = byte(i % 251)
	}
	if err := p.Decode(&v, b); err != nil {
		t.Fatal(err)
	}
	if got := p.Hash(&v); got != hash {
		t.Errorf("%T: hash %#016x, want %#016x", v, got, hash)
	}
}

func TestFrozenAny(t *testing.T) {
	h, err := HashAny(aGame())
	if err != nil || h != 0x9D2D8B807D8A649F {
		t.Errorf("graph: hash %#016x, %v", h, err)
	}
	b, err := AppendAny(nil, []any{int(-2), uintptr(7), float32(1.5), map[int16]*bool{-1: nil}, "é", complex64(1i)})
	want := "010e000000000000005b5d696e74657266616365207b7d" + "0600000000000000" + // []interface {}, 6 elements
		"010300000000000000696e74" + "feffffffffffffff" +
		"01070000000000000075696e74707472" + "0700000000000000" +
		"010700000000000000666c6f61743332" + "0000c03f" +
		"010f000000000000006d61705b696e7431365d2a626f6f6c" + "0100000000000000" + // target 1
		"010600000000000000737472696e67" + "0200000000000000c3a9" +
		"010900000000000000636f6d706c65783634" + "000000000000803f" +
		"0100000000000000" + "ffff" + "0000000000000000" // the map: one entry, -1, nil
	if got := hex.EncodeToString(b); err != nil || got != want {
		t.Errorf("leaves: %s, %v", got, err)
	}
}

// Games write these hashes into their own recordings.
func TestFrozenHashBytes(t *testing.T) {
	if h := HashBytes(nil); h != 0x2D06800538D394C2 {
		t.Errorf("of nothing: %#x", h)
	}
	if h := HashBytes([]byte("tickback")); h != 0xB5BC22371940137C {
		t.Errorf("of a word: %#x", h)
	}
}
