// Package reflected is a game for the verdict: proved but for.
package reflected

import (
	"reflect"

	"github.com/tickback/tickback/rollback"
)

type state struct {
	n int32
	A int32
}

type input struct{}

type tick = rollback.Tick[input]

var game = rollback.Game[state, input]{Step: func(s *state, t *tick) {
	v := reflect.ValueOf(s).Elem()
	s.n = int32(v.NumField())
	v.FieldByName("A").SetInt(int64(s.n))            // want unproved
	method := reflect.ValueOf(s).MethodByName("Hit") // want unproved
	method.Call(nil)                                 // want unproved
	set := reflect.Value.SetBool
	set(v, true) // want unproved
}}
