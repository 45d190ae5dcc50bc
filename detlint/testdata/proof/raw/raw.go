// Package raw is a game for the verdict: proved but for.
package raw

import (
	"unsafe"

	"github.com/tickback/tickback/rollback"
)

type state struct {
	n     int32
	bytes []byte
}

type input struct{}

type tick = rollback.Tick[input]

var game = rollback.Game[state, input]{Step: func(s *state, t *tick) {
	s.n = *number(place)
	s.n += int32(*unsafe.SliceData(s.bytes)) // want unproved
}}

var place unsafe.Pointer

func number(p unsafe.Pointer) *int32 {
	return (*int32)(p) // want unproved
}
