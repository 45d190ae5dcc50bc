package canon

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"
)

// This file reads deltas as docs/reference/delta.md describes them, and uses nothing else: of the package's code only
// the encoding of values, to which the page refers as well.

const deltaPage = "../docs/reference/delta.md"

// pageReader makes the encoding of a value from the encoding of its base.
type pageReader struct {
	bits   *big.Int // those that are left
	left   int
	out    []byte // the encoding
	widths map[int]int
	masks  map[int]string
}

var errPage = errors.New("the page allows no such delta")

// pageApply applies a delta, and returns how many bytes it has.
func pageApply(t reflect.Type, encoding, delta []byte) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = 0, r.(error)
		}
	}()
	r := pageReader{bits: new(big.Int), left: 8 * len(delta), out: encoding, widths: map[int]int{}, masks: map[int]string{}}
	for i := range delta { // little-endian: the first byte is the lowest
		r.bits.Or(r.bits, new(big.Int).Lsh(big.NewInt(int64(delta[i])), uint(8*i)))
	}
	if r.read(1) == 1 {
		if pageSize(t) == 0 {
			panic(errPage)
		}
		r.value(t, 0, 0)
	}
	if r.read(r.left%8) != 0 {
		panic(errPage)
	}
	return len(delta) - r.left/8, nil
}

func (r *pageReader) read(n int) uint64 {
	if r.left < n {
		panic(errPage)
	}
	v := new(big.Int).And(r.bits, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(n)), big.NewInt(1)))
	r.bits.Rsh(r.bits, uint(n))
	r.left -= n
	return v.Uint64()
}

// pageSize is the length of an encoding.
func pageSize(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Struct:
		n := 0
		for _, f := range pageFields(t) {
			n += pageSize(f)
		}
		return n
	case reflect.Array:
		return t.Len() * pageSize(t.Elem())
	}
	return int(t.Size())
}

// pageFields are the types of the fields that are in the form.
func pageFields(t reflect.Type) (list []reflect.Type) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" && f.Tag.Get("canon") != "-" {
			list = append(list, f.Type)
		}
	}
	return list
}

// pageParts are the types of the parts that have an encoding, or none for a scalar.
func pageParts(t reflect.Type) (list []reflect.Type) {
	switch t.Kind() {
	case reflect.Struct:
		for _, f := range pageFields(t) {
			if pageSize(f) > 0 {
				list = append(list, f)
			}
		}
	case reflect.Array:
		for range t.Len() {
			list = append(list, t.Elem())
		}
	case reflect.Complex64:
		list = []reflect.Type{reflect.TypeFor[uint32](), reflect.TypeFor[uint32]()}
	case reflect.Complex128:
		list = []reflect.Type{reflect.TypeFor[uint64](), reflect.TypeFor[uint64]()}
	}
	return list
}

func pageLevels(parts int) int {
	levels, most := 1, 16
	for most < parts {
		levels, most = levels+1, most*16
	}
	return levels
}

// pageNumbers is how many numbers a type takes in a delta.
func pageNumbers(t reflect.Type) int {
	parts := pageParts(t)
	switch {
	case t.Kind() == reflect.Array:
		return pageLevels(len(parts)) + pageNumbers(t.Elem())
	case parts == nil && t.Kind() != reflect.Struct:
		return 1
	}
	n := pageLevels(len(parts))
	for _, p := range parts {
		n += pageNumbers(p)
	}
	return n
}

func (r *pageReader) value(t reflect.Type, number, off int) {
	if parts := pageParts(t); parts != nil {
		r.group(t, parts, number, off, 0, len(parts), pageLevels(len(parts))-1)
		return
	}
	if t.Kind() == reflect.Bool {
		r.out[off] ^= 1
		return
	}
	number %= 256
	w := 8 * int(t.Size())
	width, known := r.widths[number]
	if !known {
		width = 1 + int(r.read(map[int]int{8: 3, 16: 4, 32: 5, 64: 6}[w]))
	} else {
		below := 0
		for r.read(1) == 1 {
			below++
		}
		if below > 6 {
			panic(errPage)
		}
		g := 1<<below + int(r.read(below)) - 1
		if g%2 == 0 {
			width += g / 2
		} else {
			width -= (g + 1) / 2
		}
	}
	if width < 1 || width > w {
		panic(errPage)
	}
	r.widths[number] = width
	z := uint64(1)<<(width-1) + r.read(width-1)
	by := z / 2
	if z%2 == 1 {
		by = -by - 1
	}
	var b [8]byte
	copy(b[:], r.out[off:off+w/8])
	binary.LittleEndian.PutUint64(b[:], binary.LittleEndian.Uint64(b[:])+by)
	copy(r.out[off:off+w/8], b[:])
}

func (r *pageReader) group(t reflect.Type, parts []reflect.Type, number, off, from, to, level int) {
	each := 1
	for range level {
		each *= 16
	}
	m := (to - from + each - 1) / each
	mask := r.mask((number+level)%256, m)
	for i := range m {
		if mask[i] == '0' {
			continue
		}
		first := from + i*each
		if level > 0 {
			r.group(t, parts, number, off, first, min(first+each, to), level-1)
			continue
		}
		n, o := number+pageLevels(len(parts)), off
		for _, p := range parts[:first] {
			o += pageSize(p)
			if t.Kind() != reflect.Array {
				n += pageNumbers(p)
			}
		}
		r.value(parts[first], n, o)
	}
}

func (r *pageReader) mask(number, m int) string {
	if m == 1 {
		return "1"
	}
	last := r.masks[number]
	may := last != "" && !strings.Contains(last[min(m, 16):], "1")
	if may && r.read(1) == 1 {
		return last
	}
	mask := ""
	for i := range m {
		if i == m-1 && !strings.Contains(mask, "1") {
			mask += "1"
			break
		}
		mask += fmt.Sprint(r.read(1))
	}
	mask += strings.Repeat("0", 16-m)
	if may && mask == last {
		panic(errPage)
	}
	r.masks[number] = mask
	return mask
}

// The page's example is right, bit by bit.
func TestTheExampleOfThePageIsTrue(t *testing.T) {
	type unit struct {
		X, Y  int32
		Alive bool
	}
	type state struct {
		Units [3]unit
		Tick  uint16
	}
	var base, v state
	base.Units = [3]unit{{100, 200, true}, {300, 400, true}, {500, 600, true}}
	v = base
	v.Units[0].X, v.Units[0].Y = 103, 198
	v.Units[2].X, v.Units[2].Y = 505, 599
	v.Tick = 1
	p := planFor[state](t)
	delta := p.AppendDelta(nil, &base, &v)
	var stream strings.Builder
	for i := range 8 * len(delta) {
		fmt.Fprint(&stream, delta[i/8]>>(i%8)&1)
	}
	page, err := os.ReadFile(deltaPage)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| bits | ")
	table, _, _ = strings.Cut(table, "\n\n")
	told := ""
	for _, row := range strings.Split(table, "\n")[2:] {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| `"), "`")
		told += strings.ReplaceAll(cell, " ", "")
	}
	if told != stream.String() {
		t.Errorf("the page tells\n%s, the bits are\n%s", told, stream.String())
	}
	if whole := fmt.Sprintf("`% x`", delta); !strings.Contains(string(page), whole) {
		t.Errorf("the page does not tell the bytes %s", whole)
	}
	encoding := p.Append(nil, &base)
	if n, err := pageApply(reflect.TypeFor[state](), encoding, delta); err != nil || n != len(delta) || string(encoding) != string(p.Append(nil, &v)) {
		t.Errorf("by the page, %d bytes give another value: %v", n, err)
	}
}
