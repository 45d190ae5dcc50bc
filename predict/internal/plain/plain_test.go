package plain

import (
	"testing"
	"unsafe"
)

type leaf struct {
	N    int64
	Name string
	Grid [2][3]float64
}

func TestWhatAnAssignmentSharesIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ got, want string }{
		"numbers": {Shared[leaf](), ""},
		"nothing": {Shared[struct{}](), ""},
		"slice":   {Shared[struct{ A []int }](), "the value.A ([]int)"},
		"below":   {Shared[struct{ A [2]struct{ P *int } }](), "the value.A[].P (*int)"},
		"the first one": {Shared[struct {
			A int
			B map[int]int
			C []int
		}](), "the value.B (map[int]int)"},
		"hidden":    {Shared[struct{ a func() }](), "the value.a (func())"},
		"interface": {Shared[any](), "the value (interface {})"},
		"channel":   {Shared[chan int](), "the value (chan int)"},
		"unsafe":    {Shared[unsafe.Pointer](), "the value (unsafe.Pointer)"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}
