package slim

import (
	"encoding/binary"
	"math"
	"testing"
)

// Rule: the steps of a table are added up as in the runtime, in 32 bits that wrap.
func TestStepsOfTables(t *testing.T) {
	for name, c := range map[string]struct {
		steps   []int32 // of the value; each lasts for one place
		largest int32
	}{
		"none":                    {nil, -1},
		"up and down":             {[]int32{1, 4, -2}, 4},
		"a step of 0 at first":    {[]int32{0, 3}, 2},
		"an unknown size":         {[]int32{math.MinInt32 + 1, 5}, -1},
		"from there to a large":   {[]int32{math.MinInt32 + 1, math.MinInt32 + 9}, 9},
		"from the least to large": {[]int32{math.MinInt32 + 1, math.MaxInt32}, -1},
	} {
		memory := []byte{0}
		for _, s := range c.steps {
			memory = binary.AppendUvarint(memory, uint64(uint32(s)<<1^uint32(s>>31)))
			memory = append(memory, 1)
		}
		end := len(memory) + 1
		memory = append(memory, 0)
		if len(c.steps) == 0 {
			memory, end = []byte{0, 0, 1, 0}, 4
		}
		x := &tables{memory: memory, pctab: span{0, len(memory)}}
		if to, largest, ok := x.table(1); !ok || to != end || largest != c.largest {
			t.Errorf("%s: to %d, %d, %v; want %d, %d", name, to, largest, ok, end, c.largest)
		}
	}
	long := binary.AppendUvarint([]byte{0}, 1<<32)
	x := &tables{memory: append(long, 1, 0), pctab: span{0, len(long) + 2}}
	if _, _, ok := x.table(1); ok {
		t.Error("a step of 33 bits is taken")
	}
	x = &tables{memory: []byte{0, 2, 1}, pctab: span{0, 3}}
	if _, _, ok := x.table(1); ok {
		t.Error("a table without an end is taken")
	}
}
