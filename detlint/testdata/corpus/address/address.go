// Package address has addresses that become numbers, texts and orders.
package address

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

type unit struct {
	ID, HP int32
	next   *unit
}

type named struct{ ID int32 }

func (n *named) String() string { return "n" }

type state struct {
	n     int32
	u     uint64
	text  string
	units []*unit
	who   *unit
	by    map[*unit]int32
	m     map[int32]int32
}

//tickback:deterministic
func printed(s *state) { s.text = fmt.Sprintf("%p", s.who) } // want address

//tickback:deterministic
func printedAsValue(s *state) { s.text = fmt.Sprint(s.units) } // want address

//tickback:deterministic
func printedInside(s *state) { s.text = fmt.Sprintf("%v", *s.who) } // want address

//tickback:deterministic
func printedFunction(s *state) { s.text = fmt.Sprint(printed) } // want address

func label(x any) string { return fmt.Sprintf("<%v>", x) }

//tickback:deterministic
func printedThroughAny(s *state) { s.text = label(&s.who) } // want address

//tickback:deterministic
func numberThroughAny(s *state) { s.text = label(s.n) }

//tickback:deterministic
func printedIntoBuilder(s *state) {
	var b strings.Builder
	fmt.Fprintf(&b, "%p", s.who) // want address
	s.text = b.String()
}

//tickback:deterministic
func number(s *state) { s.u = uint64(uintptr(unsafe.Pointer(s.who))) } // want address address

//tickback:deterministic
func numberByReflection(s *state) { s.u = uint64(reflect.ValueOf(s.who).Pointer()) } // want address

//tickback:deterministic
func ordered(s *state) {
	slices.SortFunc(s.units, func(a, b *unit) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b))) // want address address address address
	})
}

//tickback:deterministic
func bytesOfMemory(s *state) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(s.who)), 8) // want address
	s.n = int32(b[0])
}

//tickback:deterministic
func mapByReflection(s *state) {
	for _, k := range reflect.ValueOf(s.m).MapKeys() { // want maporder
		s.n = int32(k.Int())
	}
}

//tickback:deterministic
func lengthByReflection(s *state) { s.n = int32(reflect.ValueOf(s.m).Len()) }

//tickback:deterministic
func deeplyEqual(s *state) bool { return reflect.DeepEqual(s.m, map[int32]int32{}) }

//tickback:deterministic
func printedFields(s *state) { s.text = fmt.Sprintf("%d/%d", s.who.ID, s.who.HP) }

//tickback:deterministic
func printedByItself(s *state, n *named) { s.text = fmt.Sprint(n) }

//tickback:deterministic
func printedType(s *state) { s.text = fmt.Sprintf("%T", s.who) }

//tickback:deterministic
func printedNumbers(s *state) { s.text = fmt.Sprint(s.n, s.text, []int32{s.n}, [2]bool{}) }

//tickback:deterministic
func comparedForIdentity(s *state) bool { return s.who == s.units[0] }

//tickback:deterministic
func lookedUp(s *state) { s.n = s.by[s.who] }

//tickback:deterministic
func found(s *state) { s.n = int32(slices.Index(s.units, s.who)) }

//tickback:deterministic
func bytesOfText(s *state) { s.n = int32(bytes.IndexByte([]byte(s.text), 'x')) }

type none struct{}

//tickback:deterministic
func comparedEmpty(s *state, a, b *none) bool { return a == b } // want address

//tickback:deterministic
func collectedByAddress(s *state) {
	for u := range s.by { // want maporder
		s.units = append(s.units, u)
	}
}
