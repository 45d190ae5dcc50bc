//go:build cgo

package main

// #include <stdlib.h>
// #include "glue.h"
import "C"

import (
	"errors"
	"runtime"
	"sync"
	"unsafe"

	"github.com/tickback/tickback/cabi/internal/layout"
)

// blocks are the blocks of C memory of a session: one for each state that is live in a game, and one to look at states
// that come from elsewhere. What frees them refers to it, and so it must lead to no block: none would ever be free.
type blocks struct {
	mu   sync.Mutex
	size int
	base map[unsafe.Pointer]bool // what is to be freed
}

// errMemory is a panic, since a game that is made cannot fail otherwise.
var errMemory = errors.New("there is no memory for a state")

// make makes a block of zeros. It is freed when nothing refers to the memory any more, or else with all others.
func (b *blocks) make() *memory {
	var base unsafe.Pointer
	at := C.tb_glue_block(C.size_t(b.size), &base)
	if at == nil {
		panic(errMemory)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil {
		b.base = map[unsafe.Pointer]bool{}
	}
	b.base[base] = true
	m := &memory{at: at, size: b.size}
	runtime.AddCleanup(m, b.free, base)
	return m
}

func (b *blocks) free(base unsafe.Pointer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base[base] {
		delete(b.base, base)
		C.free(base)
	}
}

// close frees all blocks.
func (b *blocks) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for base := range b.base {
		C.free(base)
	}
	clear(b.base)
}

// memory is one block.
type memory struct {
	at   unsafe.Pointer
	size int
}

func (m *memory) bytes() []byte { return unsafe.Slice((*byte)(m.at), m.size) }

// live is a state of a game that runs: the S of the engine.
type live struct {
	*memory
	// own says that the encoding that was last made of the state is what would be decoded into it now: nothing has happened
	// since. The engine tries the two so.
	own bool
}

// slot is a state that is stored: the V of the engine.
type slot struct{ bytes []byte }

// fieldsOf reads the table of fields of a game. The memory of the caller is not used afterwards.
func fieldsOf(g *C.tb_game) ([]layout.Field, error) {
	var fields []layout.Field
	for i, f := range unsafe.Slice(g.fields, g.fields_len) {
		if f.name == nil {
			return nil, optionsErrorf("field %d has no name", i)
		}
		n := C.strnlen(f.name, layout.MaxName+1)
		name := C.GoStringN(f.name, C.int(n))
		fields = append(fields, layout.Field{Name: name, Offset: uint32(f.offset), Count: uint32(f.count), Type: layout.Type(f._type)})
	}
	return fields, nil
}
