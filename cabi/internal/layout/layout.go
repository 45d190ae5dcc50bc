// Package layout reads a state that is one block of memory of another language: a table of fields says what its bytes
// are, so that reports can name them. It depends on no other language, and changes no block but in [Layout.Clear].
package layout

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tickback/tickback/canon"
)

// Type is the type of a field. The numbers are those of the C header, and never change.
type Type uint32

// The types of fields.
const (
	U8 Type = iota + 1
	I8
	U16
	I16
	U32
	I32
	U64
	I64
	F32
	F64
	Bool
)

// sizes are the bytes of a value of each type.
var sizes = [...]int{U8: 1, I8: 1, U16: 2, I16: 2, U32: 4, I32: 4, U64: 8, I64: 8, F32: 4, F64: 8, Bool: 1}

// MaxName is the maximum length of the name of a field, in bytes.
const MaxName = 127

// Field is a part of a block: Count values of a type in a row, from Offset on. A Count of 0 is 1.
type Field struct {
	Name          string
	Offset, Count uint32
	Type          Type
}

// run is a field, or the bytes between two of them, which have no name. The runs of a layout cover all of its block.
type run struct {
	name   string
	offset int
	first  int // the number of its first value among those of all runs
	count  int
	size   int // of one value
	typ    Type
	array  bool // its values have an index in their names
}

// Layout says what the bytes of a block are.
type Layout struct {
	size   int
	runs   []run
	values int // of all runs
	gaps   []run
	digest uint64
}

// New makes the layout of a block of that many bytes, at least one. The error names the field that is wrong: its name
// is empty, too long, there twice or has other characters than letters, digits and ._[]-; its type does not exist; it
// does not fit into the block; or it overlaps another one.
func New(size int, fields []Field) (*Layout, error) {
	l := &Layout{size: size}
	sorted := slices.Clone(fields)
	slices.SortStableFunc(sorted, func(a, b Field) int { return int(int64(a.Offset) - int64(b.Offset)) })
	if err := checkNames(fields); err != nil {
		return nil, err
	}
	at, before := 0, ""
	for _, f := range sorted {
		if f.Type < U8 || f.Type > Bool {
			return nil, fmt.Errorf("the field %s has type %d, which there is not", f.Name, f.Type)
		}
		f.Count = max(f.Count, 1)
		end := uint64(f.Offset) + uint64(f.Count)*uint64(sizes[f.Type])
		switch {
		case end > uint64(size):
			return nil, fmt.Errorf("the field %s ends at byte %d of a state of %d bytes", f.Name, end, size)
		case int(f.Offset) < at:
			return nil, fmt.Errorf("the fields %s and %s overlap", before, f.Name)
		}
		l.gap(at, int(f.Offset))
		l.add(run{name: f.Name, offset: int(f.Offset), count: int(f.Count), size: sizes[f.Type], typ: f.Type, array: f.Count > 1})
		at, before = int(end), f.Name
	}
	l.gap(at, size)
	l.digest = l.summary()
	return l, nil
}

// checkNames returns an error about the first name that is not one, or that two values would have.
func checkNames(fields []Field) error {
	names, arrays := map[string]bool{}, map[string]bool{}
	for i, f := range fields {
		other := strings.ContainsFunc(f.Name, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._[]-", r))
		})
		switch {
		case f.Name == "" || len(f.Name) > MaxName:
			return fmt.Errorf("the name of field %d has %d bytes, must have 1 to %d", i, len(f.Name), MaxName)
		case other:
			return fmt.Errorf("the name of field %d is %q: only letters, digits and ._[]- are possible", i, f.Name)
		case names[f.Name]:
			return fmt.Errorf("there are two fields %s", f.Name)
		}
		names[f.Name], arrays[f.Name] = true, f.Count > 1
	}
	for _, f := range fields {
		if i := strings.LastIndexByte(f.Name, '['); i >= 0 && strings.HasSuffix(f.Name, "]") && arrays[f.Name[:i]] {
			return fmt.Errorf("the field %s has the name of a value of the field %s", f.Name, f.Name[:i])
		}
	}
	return nil
}

func (l *Layout) gap(from, to int) {
	if from == to {
		return
	}
	r := run{offset: from, count: to - from, size: 1, typ: U8}
	l.gaps = append(l.gaps, r)
	l.add(r)
}

func (l *Layout) add(r run) {
	r.first = l.values
	l.values += r.count
	l.runs = append(l.runs, r)
}

// summary is a digest of the whole layout.
func (l *Layout) summary() uint64 {
	b := binary.LittleEndian.AppendUint64(nil, uint64(l.size))
	for _, r := range l.runs {
		b = append(append(b, r.name...), 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(r.offset))
		b = binary.LittleEndian.AppendUint32(b, uint32(r.count))
		b = append(b, byte(r.typ))
	}
	return canon.HashBytes(b)
}

// Size returns the size of a block in bytes.
func (l *Layout) Size() int { return l.size }

// Digest returns a number that is different, with near certainty, for a layout with another size, field or name.
func (l *Layout) Digest() uint64 { return l.digest }

// Clear makes all bytes of a block zero that no field names.
func (l *Layout) Clear(block []byte) {
	for _, g := range l.gaps {
		clear(block[g.offset : g.offset+g.count])
	}
}

// run returns the run that has a value, by the number of the value among all.
func (l *Layout) run(value int) *run {
	i, found := slices.BinarySearchFunc(l.runs, value, func(r run, v int) int { return r.first - v })
	if !found {
		i--
	}
	return &l.runs[i]
}

// offset returns where a value begins, or the size of a block if it has fewer values.
func (l *Layout) offset(value uint64) int {
	if value >= uint64(l.values) {
		return l.size
	}
	r := l.run(int(value))
	return r.offset + (int(value)-r.first)*r.size
}

// appendPath appends the name of a value of the run, by its index in the run.
func (r *run) appendPath(b []byte, index int) []byte {
	if r.name == "" {
		b = append(b, "byte("...) // no name has such parentheses
		return append(strconv.AppendInt(b, int64(r.offset+index), 10), ')')
	}
	b = append(b, r.name...)
	if r.array {
		b = append(strconv.AppendInt(append(b, '['), int64(index), 10), ']')
	}
	return b
}

// appendValue appends a value of the run as text. Different bits are different texts.
func (r *run) appendValue(b, block []byte, index int) []byte {
	v := block[r.offset+index*r.size:][:r.size]
	var bits uint64
	switch r.size {
	case 1:
		bits = uint64(v[0])
	case 2:
		bits = uint64(binary.NativeEndian.Uint16(v))
	case 4:
		bits = uint64(binary.NativeEndian.Uint32(v))
	case 8:
		bits = binary.NativeEndian.Uint64(v)
	}
	switch shift := 64 - 8*r.size; r.typ {
	case I8, I16, I32, I64:
		return strconv.AppendInt(b, int64(bits<<shift)>>shift, 10)
	case F32:
		return appendFloat(b, float64(math.Float32frombits(uint32(bits))), 32, bits)
	case F64:
		return appendFloat(b, math.Float64frombits(bits), 64, bits)
	case Bool:
		if bits < 2 {
			return strconv.AppendBool(b, bits == 1)
		}
	}
	return strconv.AppendUint(b, bits, 10)
}

// appendFloat appends a float, and of a NaN which one it is.
func appendFloat(b []byte, f float64, size int, bits uint64) []byte {
	b = strconv.AppendFloat(b, f, 'g', -1, size)
	if f != f {
		b = append(strconv.AppendUint(append(b, '(', '0', 'x'), bits, 16), ')')
	}
	return b
}

// Diff lists the first values, at most so many, in which two blocks differ, and counts all of them.
func (l *Layout) Diff(a, b []byte, most int) (report canon.Report) {
	for i := range l.runs {
		r := &l.runs[i]
		from, to := r.offset, r.offset+r.count*r.size
		if string(a[from:to]) == string(b[from:to]) {
			continue
		}
		for v := range r.count {
			from, to := r.offset+v*r.size, r.offset+(v+1)*r.size
			if string(a[from:to]) == string(b[from:to]) {
				continue
			}
			if report.Total++; len(report.Differences) < most {
				report.Differences = append(report.Differences, canon.Difference{
					Path: string(r.appendPath(nil, v)), A: string(r.appendValue(nil, a, v)), B: string(r.appendValue(nil, b, v)),
				})
			}
		}
	}
	return report
}

// Describe returns the values of a block by their names, with nothing of the block in it.
func (l *Layout) Describe(block []byte) map[string]string {
	all := make(map[string]string, l.values)
	for i := range l.runs {
		for v := range l.runs[i].count {
			all[string(l.runs[i].appendPath(nil, v))] = string(l.runs[i].appendValue(nil, block, v))
		}
	}
	return all
}
