//go:build cgo

package main

// #include <stdlib.h>
// #include "glue.h"
import "C"

import (
	"bytes"
	"errors"
	"runtime"
	"sync"
	"unsafe"

	"github.com/tickback/tickback/cabi/internal/layout"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback/effects"
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

// address returns where the block is, or nil if there is none.
func (m *memory) address() unsafe.Pointer {
	if m == nil {
		return nil
	}
	return m.at
}

func (m *memory) bytes() []byte { return unsafe.Slice((*byte)(m.at), m.size) }

// live is a state of a game that runs: the S of the engine.
type live struct {
	*memory
	// own says that the encoding that was last made of the state is what would be decoded into it now: nothing has happened
	// since. The engine tries the two so.
	own bool

	// What is known of the bytes until they change: the slot that has the same ones, as long as its number of writes is that;
	// and their hash. A sync test compares, hashes and saves each state several times.
	same   *slot
	writes uint64
	hash   uint64
	hashed bool
}

// changed forgets what is known of the bytes.
func (l *live) changed() { l.own, l.same, l.hashed = false, nil, false }

// is notes that a slot has the same bytes.
func (l *live) is(v *slot) {
	l.same, l.writes = v, v.writes
	if v.hashed && !l.hashed {
		l.hash, l.hashed = v.hash, true
	}
}

// save stores the state in a slot, unless that has it.
func (l *live) save(to *slot) {
	if l.same == to && l.writes == to.writes {
		return
	}
	to.bytes = append(to.bytes[:0], l.bytes()...)
	to.writes++
	to.hash, to.hashed = l.hash, l.hashed
	l.same, l.writes = to, to.writes
}

// restore brings back the state in a slot.
func (l *live) restore(from *slot) {
	copy(l.bytes(), from.bytes)
	l.changed()
	l.is(from)
}

// equal reports whether the state is the one in a slot.
func (l *live) equal(v *slot) bool {
	if !bytes.Equal(l.bytes(), v.bytes) {
		return false
	}
	l.is(v)
	return true
}

// sum returns the hash of the state.
func (l *live) sum() uint64 {
	if !l.hashed {
		l.hash, l.hashed = canon.HashBytes(l.bytes()), true
		if l.same != nil && l.writes == l.same.writes {
			l.same.hash, l.same.hashed = l.hash, true
		}
	}
	return l.hash
}

// slot is a state that is stored: the V of the engine.
type slot struct {
	number uint32 // of the slot, if the game stores its state itself
	stored bool   // it has a number
	bytes  []byte
	writes uint64 // how often it was written
	hash   uint64
	hashed bool
}

// sum returns the hash of the state.
func (v *slot) sum() uint64 {
	if !v.hashed {
		v.hash, v.hashed = canon.HashBytes(v.bytes), true
	}
	return v.hash
}

// maxName is the maximum length of the name of a kind of effect.
const maxName = 64

// kindsOf reads the table of kinds of effects of a game. The memory of the caller is not used afterwards.
func kindsOf(g *C.tb_game) (kinds [256]*effects.Kind[payload], err error) {
	for i, k := range unsafe.Slice(g.kinds, g.kinds_len) {
		if k.name == nil {
			return kinds, optionsErrorf("kind %d has no name", i)
		}
		n, id := C.strnlen(k.name, maxName+1), uint32(k.id)
		name := C.GoStringN(k.name, C.int(n))
		switch {
		case n == 0 || n > maxName:
			return kinds, optionsErrorf("the name of kind %d must have 1 to %d bytes", i, maxName)
		case id >= uint32(len(kinds)):
			return kinds, optionsErrorf("the kind %q has the id %d, must be 0 to %d", name, id, len(kinds)-1)
		case kinds[id] != nil:
			return kinds, optionsErrorf("the kinds %q and %q have the same id, %d", kinds[id].Name(), name, id)
		case k.flags&^(C.TB_SUSTAINED|C.TB_ONLY_CONFIRMED) != 0:
			return kinds, optionsErrorf("flags of the kind %q are %#x, with one that is not known", name, uint32(k.flags))
		}
		kind := effects.OneShot[payload](uint8(id), name)
		if k.flags&C.TB_SUSTAINED != 0 {
			kind = effects.Sustained[payload](uint8(id), name)
		}
		if k.flags&C.TB_ONLY_CONFIRMED != 0 {
			kind = kind.OnlyConfirmed()
		}
		kinds[id] = &kind
	}
	return kinds, nil
}

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
