package layout

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// A block of 40 bytes with a field of each size, an array, and gaps before, between and behind.
func sample(t *testing.T) *Layout {
	t.Helper()
	l, err := New(40, []Field{
		{"score[0]", 32, 1, I16},
		{"x", 4, 1, F64},
		{"grid", 12, 3, I32},
		{"alive", 24, 0, Bool},
		{"speed", 28, 1, F32},
		{"small", 34, 1, I8},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestADifferenceIsNamed(t *testing.T) {
	l := sample(t)
	a := make([]byte, l.Size())
	binary.NativeEndian.PutUint64(a[4:], math.Float64bits(1.5))
	for _, c := range []struct {
		at   int
		with []byte
		want string
	}{
		{4, binary.NativeEndian.AppendUint64(nil, math.Float64bits(-0.25)), "x: 1.5 -0.25"},
		{16, binary.NativeEndian.AppendUint32(nil, 0xffffffff), "grid[1]: 0 -1"},
		{24, []byte{1}, "alive: false true"},
		{24, []byte{7}, "alive: false 7"},
		{28, binary.NativeEndian.AppendUint32(nil, 0x7fc00001), "speed: 0 NaN(0x7fc00001)"},
		{28, binary.NativeEndian.AppendUint32(nil, 0x80000000), "speed: 0 -0"},
		{32, binary.NativeEndian.AppendUint16(nil, 0x8000), "score[0]: 0 -32768"},
		{34, []byte{0xfe}, "small: 0 -2"},
		{3, []byte{9}, "byte(3): 0 9"},
		{39, []byte{255}, "byte(39): 0 255"},
	} {
		b := slices.Clone(a)
		copy(b[c.at:], c.with)
		r := l.Diff(a, b, 10)
		if len(r.Differences) != 1 || r.Total != 1 {
			t.Errorf("%s: %v", c.want, r)
			continue
		}
		if d := r.Differences[0]; fmt.Sprintf("%s: %s %s", d.Path, d.A, d.B) != c.want {
			t.Errorf("%v, want %s", d, c.want)
		}
	}
	if r := l.Diff(a, slices.Clone(a), 10); r.Total != 0 {
		t.Error(r)
	}
	b := slices.Clone(a)
	for i := range b {
		b[i]++
	}
	if r := l.Diff(a, b, 2); len(r.Differences) != 2 || r.Total != l.values {
		t.Errorf("%d of %d differences, want 2 of %d", len(r.Differences), r.Total, l.values)
	}
}

func TestClearLeavesWhatFieldsName(t *testing.T) {
	l := sample(t)
	b := make([]byte, l.Size())
	for i := range b {
		b[i] = 0xee
	}
	l.Clear(b)
	for i, v := range b {
		named := i >= 4 && i < 25 || i >= 28 && i < 35
		if (v == 0xee) != named || v != 0xee && v != 0 {
			t.Errorf("byte %d is %#x", i, v)
		}
	}
}

func TestWrongFieldsAreRefused(t *testing.T) {
	for want, fields := range map[string][]Field{
		"name of field 0 has 0 bytes":    {{"", 0, 1, U8}},
		"name of field 0 has 128 bytes":  {{strings.Repeat("a", 128), 0, 1, U8}},
		"only letters":                   {{"a b", 0, 1, U8}},
		"two fields a":                   {{"a", 0, 1, U8}, {"a", 1, 1, U8}},
		"name of a value of the field a": {{"a", 0, 3, U8}, {"a[1]", 4, 1, U8}},
		"type 0":                         {{"a", 0, 1, 0}},
		"type 12":                        {{"a", 0, 1, 12}},
		"ends at byte 9 of":              {{"a", 1, 1, U64}},
		"ends at byte 34359738360":       {{"a", 0, math.MaxUint32, U64}},
		"ends at byte 4294967296":        {{"a", math.MaxUint32, 1, U8}},
		"a and b overlap":                {{"b", 3, 1, U8}, {"a", 0, 1, U32}},
	} {
		if _, err := New(8, fields); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := New(8, []Field{{"a", 4, 4, U8}, {"b", 0, 1, U32}, {"c.d[2]-e_F9", 8, 0, U8}}[:2]); err != nil {
		t.Error(err)
	}
}

func TestLayoutsHaveDigestsOfTheirOwn(t *testing.T) {
	seen := map[uint64]string{}
	for _, c := range []struct {
		size   int
		fields []Field
	}{
		{8, nil},
		{9, nil},
		{8, []Field{{"a", 0, 1, U32}}},
		{8, []Field{{"b", 0, 1, U32}}},
		{8, []Field{{"a", 4, 1, U32}}},
		{8, []Field{{"a", 0, 1, I32}}},
		{8, []Field{{"a", 0, 2, U32}}},
		{8, []Field{{"a", 0, 1, U32}, {"b", 4, 1, U32}}},
	} {
		l, err := New(c.size, c.fields)
		if err != nil {
			t.Fatal(err)
		}
		if other, found := seen[l.Digest()]; found {
			t.Errorf("%v has the digest of %s", c, other)
		}
		seen[l.Digest()] = fmt.Sprint(c)
	}
	same, _ := New(8, []Field{{"b", 4, 1, U32}, {"a", 0, 1, U32}})
	if _, found := seen[same.Digest()]; !found {
		t.Error("the order of the fields matters")
	}
}

// leaves walks down the tree of parts of two blocks, as two machines do, and returns the lines that differ.
func leaves(a, b rollback.Parts) (lines []string) {
	var walk func(level int, node uint64)
	walk = func(level int, node uint64) {
		if level == rollback.PartLevels {
			lines = append(lines, string(a.AppendText(nil, node))+string(b.AppendText(nil, node)))
			return
		}
		var left, right [64]uint64
		a.Digests(level, node, &left)
		b.Digests(level, node, &right)
		for i := range left {
			if left[i] != right[i] {
				walk(level+1, node*64+uint64(i))
			}
		}
	}
	walk(0, 0)
	return lines
}

func TestPartsLeadToWhatDiffers(t *testing.T) {
	fields := []Field{{"head", 0, 1, U32}, {"units", 8, 5000, U16}, {"tail", 10010, 1, U8}}
	l, err := New(10012, fields)
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]byte, l.Size()), make([]byte, l.Size())
	if got := leaves(l.Parts(a), l.Parts(b)); len(got) != 0 {
		t.Errorf("two equal blocks differ in %q", got)
	}
	b[0], b[6], b[8+2*4321], b[10010], b[10011] = 1, 2, 3, 4, 5
	want := []string{"head: 0\nhead: 1\n", "byte(6): 0\nbyte(6): 2\n", "units[4321]: 0\nunits[4321]: 3\n", "tail: 0\ntail: 4\n", "byte(10011): 0\nbyte(10011): 5\n"}
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		want[0], want[2] = "head: 0\nhead: 16777216\n", "units[4321]: 0\nunits[4321]: 768\n"
	}
	if got := leaves(l.Parts(a), l.Parts(b)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Other machines ask for nodes: any number is answered, with nothing if there is no such node.
func TestPartsThatThereAreNot(t *testing.T) {
	l := sample(t)
	p := l.Parts(make([]byte, l.Size()))
	for _, node := range []uint64{uint64(l.values), 64, 1 << 30, 1 << 58, 1<<58 + 1, math.MaxUint64} {
		if got := p.AppendText([]byte("before"), node); string(got) != "before" {
			t.Errorf("node %d: %q", node, got)
		}
		for level := -1; level <= rollback.PartLevels+1; level++ {
			children := [64]uint64{5}
			if p.Digests(level, node, &children); children != [64]uint64{} {
				t.Errorf("node %d of level %d has children", node, level)
			}
		}
	}
}

func TestDescribeHasAllValues(t *testing.T) {
	l := sample(t)
	b := make([]byte, l.Size())
	b[0], b[34] = 7, 3
	d := l.Describe(b)
	if len(d) != l.values || d["byte(0)"] != "7" || d["small"] != "3" || d["grid[2]"] != "0" {
		t.Error(d)
	}
}
