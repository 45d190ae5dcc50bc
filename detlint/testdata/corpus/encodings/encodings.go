// Package encodings has games of their own memory, with encodings and hashes of all kinds.
package encodings

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"unsafe"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

type input struct{ Move int8 }

type (
	a1  struct{ Gold map[string]int32 }
	a2  struct{ Gold map[string]int32 }
	a3  struct{ N int32 }
	a4  struct{ N int }
	a5  struct{ Who *int32 }
	a6  struct{ X float64 }
	a7  struct{ N int32 }
	a8  struct{ Gold map[string]int32 }
	a9  struct{ Gold map[string]int32 }
	a10 struct{ N int32 }
	a11 struct{ N int }
	a12 struct{ A, B int32 }
	a13 struct{ Gold map[string]int32 }
	a14 struct{ N int32 }
	a15 struct{ A, B int32 }
	a16 struct{ N int }
	a17 struct{ N int32 }
	a18 struct{ Gold map[string]int32 }
)

// gobbed encodes with gob.
//
//corpus:case
func gobbed() rollback.OwnMemory[a1, a1, input] {
	return rollback.OwnMemory[a1, a1, input]{Marshal: func(b []byte, s *a1) ([]byte, error) {
		var out bytes.Buffer
		err := gob.NewEncoder(&out).Encode(s.Gold) // want encoding encoding
		return append(b, out.Bytes()...), err
	}}
}

// printed hashes a map as fmt prints it.
//
//corpus:case
func printed() rollback.OwnMemory[a2, a2, input] {
	return rollback.OwnMemory[a2, a2, input]{Hash: func(s *a2) uint64 {
		return canon.HashBytes([]byte(fmt.Sprintf("%v", s.Gold))) // want encoding
	}}
}

// native encodes in the byte order of the machine.
//
//corpus:case
func native() rollback.OwnMemory[a3, a3, input] {
	return rollback.OwnMemory[a3, a3, input]{Marshal: func(b []byte, s *a3) ([]byte, error) {
		return binary.NativeEndian.AppendUint32(b, uint32(s.N)), nil // want encoding
	}}
}

// platform writes an int by package binary, which refuses it.
//
//corpus:case
func platform() rollback.OwnMemory[a4, a4, input] {
	return rollback.OwnMemory[a4, a4, input]{Hash: func(s *a4) uint64 {
		h := fnv.New64a()
		if err := binary.Write(h, binary.LittleEndian, s); err != nil { // want encoding
			return 0
		}
		return h.Sum64()
	}}
}

// pointer hashes an address as fmt prints it.
//
//corpus:case
func pointer() rollback.OwnMemory[a5, a5, input] {
	return rollback.OwnMemory[a5, a5, input]{Hash: func(s *a5) uint64 {
		return canon.HashBytes(fmt.Appendf(nil, "%v", s.Who)) // want address encoding
	}}
}

// floats encodes floats as JSON.
//
//corpus:case
func floats() rollback.OwnMemory[a6, a6, input] {
	return rollback.OwnMemory[a6, a6, input]{Marshal: func(b []byte, s *a6) ([]byte, error) {
		out, err := json.Marshal(s) // want encoding
		return append(b, out...), err
	}}
}

// memory hashes a state as it lies in memory.
//
//corpus:case
func memory() rollback.OwnMemory[a7, a7, input] {
	return rollback.OwnMemory[a7, a7, input]{Hash: func(s *a7) uint64 {
		return canon.HashBytes(unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))) // want address
	}}
}

// unsorted encodes a map in the order of a range.
//
//corpus:case
func unsorted() rollback.OwnMemory[a8, a8, input] {
	return rollback.OwnMemory[a8, a8, input]{Marshal: func(b []byte, s *a8) ([]byte, error) {
		for name, gold := range s.Gold { // want maporder
			b = append(b, name...)
			b = binary.LittleEndian.AppendUint32(b, uint32(gold))
		}
		return b, nil
	}}
}

func appendGold(b []byte, gold map[string]int32) []byte {
	return fmt.Append(b, gold) // want encoding
}

// printedByHelper encodes a map as fmt prints it, in a helper.
//
//corpus:case
func printedByHelper() rollback.OwnMemory[a9, a9, input] {
	return rollback.OwnMemory[a9, a9, input]{Marshal: func(b []byte, s *a9) ([]byte, error) {
		return appendGold(b, s.Gold), nil
	}}
}

// fields encodes fields of fixed width in a fixed order.
//
//corpus:case
func fields() rollback.OwnMemory[a10, a10, input] {
	return rollback.OwnMemory[a10, a10, input]{Marshal: func(b []byte, s *a10) ([]byte, error) {
		return binary.LittleEndian.AppendUint32(b, uint32(s.N)), nil
	}}
}

// widened encodes an int as 64 bits.
//
//corpus:case
func widened() rollback.OwnMemory[a11, a11, input] {
	return rollback.OwnMemory[a11, a11, input]{Marshal: func(b []byte, s *a11) ([]byte, error) {
		return binary.LittleEndian.AppendUint64(b, uint64(int64(s.N))), nil
	}}
}

// binaryWrite writes a struct of fixed width.
//
//corpus:case
func binaryWrite() rollback.OwnMemory[a12, a12, input] {
	return rollback.OwnMemory[a12, a12, input]{Hash: func(s *a12) uint64 {
		h := fnv.New64a()
		if err := binary.Write(h, binary.BigEndian, s); err != nil {
			return 0
		}
		return h.Sum64()
	}}
}

// sorted encodes sorted keys.
//
//corpus:case
func sorted() rollback.OwnMemory[a13, a13, input] {
	return rollback.OwnMemory[a13, a13, input]{Marshal: func(b []byte, s *a13) ([]byte, error) {
		for _, name := range slices.Sorted(maps.Keys(s.Gold)) {
			b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
			b = append(b, name...)
			b = binary.LittleEndian.AppendUint32(b, uint32(s.Gold[name]))
		}
		return b, nil
	}}
}

// text encodes a number as fmt prints it.
//
//corpus:case
func text() rollback.OwnMemory[a14, a14, input] {
	return rollback.OwnMemory[a14, a14, input]{Hash: func(s *a14) uint64 {
		return canon.HashBytes(fmt.Appendf(nil, "%08x", s.N))
	}}
}

// jsonIntegers encodes integers as JSON.
//
//corpus:case
func jsonIntegers() rollback.OwnMemory[a15, a15, input] {
	return rollback.OwnMemory[a15, a15, input]{Marshal: func(b []byte, s *a15) ([]byte, error) {
		out, err := json.Marshal(s)
		return append(b, out...), err
	}}
}

// cutToMachine encodes an int by its size in memory.
//
//corpus:case
func cutToMachine() rollback.OwnMemory[a16, a16, input] {
	return rollback.OwnMemory[a16, a16, input]{Marshal: func(b []byte, s *a16) ([]byte, error) {
		for i := range int(unsafe.Sizeof(s.N)) { // want machine
			b = append(b, byte(s.N>>(8*i)))
		}
		return b, nil
	}}
}

// described describes a state as fmt prints it, which is for people.
//
//corpus:case
func described() rollback.OwnMemory[a17, a17, input] {
	return rollback.OwnMemory[a17, a17, input]{
		Describe: func(s *a17) any { return fmt.Sprintf("%+v", *s) },
		Step:     func(s *a17, t *rollback.Tick[input]) { s.N++ },
	}
}

// hashed leaves the order of maps to canon.
//
//corpus:case
func hashed() rollback.OwnMemory[a18, a18, input] {
	return rollback.OwnMemory[a18, a18, input]{Hash: func(s *a18) uint64 {
		h, err := canon.HashAny(s.Gold)
		if err != nil {
			return 0
		}
		return h
	}}
}
