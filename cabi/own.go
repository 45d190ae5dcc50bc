//go:build cgo

package main

// #include <stdlib.h>
// #include "glue.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// own is a game whose state is no block: it stores its state itself, in slots with numbers.
type own struct {
	s    *session
	can  uint32 // TB_CAN_...
	size int    // about how many bytes a stored state takes
	used [C.TB_MAX_SLOTS]bool

	// Memory of C for what the game writes, of room bytes.
	buffer unsafe.Pointer
	room   int
}

// maxEncoded is the maximum size of an encoded state, and of a description of one, in bytes.
const maxEncoded = 1 << 30

// ownOf returns the own form of the game, or nil if its state is a block.
func ownOf(s *session) *own {
	if s.shared.game.own == nil {
		return nil
	}
	o := &own{s: s, can: uint32(s.shared.own.flags), size: int(s.shared.game.state_size)}
	if !s.pull {
		for _, c := range []struct {
			given bool
			flag  uint32
		}{
			{s.shared.own.release != nil, C.TB_CAN_RELEASE},
			{s.shared.own.marshal != nil, C.TB_CAN_MARSHAL},
			{s.shared.own.describe != nil, C.TB_CAN_DESCRIBE},
		} {
			if c.given {
				o.can |= c.flag
			}
		}
	}
	return o
}

// has reports whether the game can do something that not all can.
func (o *own) has(can uint32) bool { return o.can&can != 0 }

// do has the game do something, and returns its answer.
func (o *own) do(want, slot uint32, bytes unsafe.Pointer, n int) uint64 {
	if !o.s.pull {
		return uint64(C.tb_glue_own(o.s.shared, C.uint32_t(want), C.uint32_t(slot), bytes, C.size_t(n)))
	}
	q := &o.s.shared.request
	q.state, q.tick, q.slot, q.hash, q.bytes, q.len = nil, nil, C.uint32_t(slot), 0, bytes, C.uint64_t(n)
	if answer := o.s.ask(C.uint32_t(want)); want != C.TB_HASH {
		return uint64(uint32(answer))
	}
	return uint64(q.hash)
}

// must has the game do something that cannot fail while the session goes on.
func (o *own) must(want, slot uint32, name string) {
	if answer := o.do(want, slot, nil, 0); answer != 0 {
		o.s.breakOff("the %s of slot %d returned %d", name, slot, int32(answer))
	}
}

// take returns the lowest number that is free.
func (o *own) take() uint32 {
	for i := range o.used {
		if !o.used[i] {
			o.used[i] = true
			return uint32(i)
		}
	}
	panic(fmt.Errorf("more than %d states are stored", len(o.used)))
}

// give gives a number back.
func (o *own) give(number uint32) {
	if o.has(C.TB_CAN_RELEASE) && !o.s.gone {
		o.do(C.TB_RELEASE, number, nil, 0)
	}
	o.used[number] = false
}

func (o *own) save(to *slot) {
	if !to.stored {
		to.number, to.stored = o.take(), true
	}
	o.must(C.TB_SAVE, to.number, "save")
}

func (o *own) restore(l *live, from *slot) {
	l.changed()
	o.must(C.TB_RESTORE, from.number, "restore")
}

func (o *own) release(v *slot) {
	if v.stored {
		o.give(v.number)
	}
	*v = slot{}
}

// sum returns the hash of the live state. It is never kept: a game whose hash varies is to be found.
func (o *own) sum(*live) uint64 { return o.do(C.TB_HASH, C.TB_LIVE_STATE, nil, 0) }

// written returns what the game writes about a state: its encoding, or its description. It is valid until the next call.
func (o *own) written(want, slot uint32, name string) []byte {
	if o.s.pull {
		answer := o.do(want, slot, nil, 0)
		q := &o.s.shared.request
		if answer != 0 || q.len == 0 || q.len > maxEncoded || q.bytes == nil {
			o.s.breakOff("the %s of a state failed: it returned %d, with %d bytes", name, int32(answer), uint64(q.len))
		}
		return unsafe.Slice((*byte)(q.bytes), int(q.len))
	}
	for range 2 {
		n := o.do(want, slot, o.buffer, o.room)
		if n == 0 || n > maxEncoded {
			o.s.breakOff("the %s of a state failed: it returned %d", name, int64(n))
		}
		if int(n) <= o.room {
			return unsafe.Slice((*byte)(o.buffer), int(n))
		}
		C.free(o.buffer)
		o.room = int(n)
		if o.buffer = C.malloc(C.size_t(n)); o.buffer == nil {
			o.room = 0
			panic(errMemory)
		}
	}
	o.s.breakOff("the %s of a state wants more bytes each time it is called", name)
	return nil
}

func (o *own) marshal(b []byte, slot uint32) ([]byte, error) {
	return append(b, o.written(C.TB_MARSHAL, slot, "marshal")...), nil
}

// unmarshal makes an encoded state the live one. It may come from another machine: if the game refuses it, its state is
// what it was before, whatever the game has begun to change.
func (o *own) unmarshal(l *live, encoded []byte) error {
	if len(encoded) == 0 {
		return errors.New("the state is empty")
	}
	before := o.take()
	o.must(C.TB_SAVE, before, "save")
	l.changed()
	bytes := C.CBytes(encoded) // memory of C, since a request may wait while it is read
	defer C.free(bytes)
	answer := o.do(C.TB_UNMARSHAL, C.TB_LIVE_STATE, bytes, len(encoded))
	if answer != 0 {
		o.must(C.TB_RESTORE, before, "restore")
	}
	o.give(before)
	if answer != 0 {
		return fmt.Errorf("the game refuses the state: its unmarshal returned %d", int32(answer))
	}
	return nil
}

// diff compares two stored states: by what the game says of them, or else by their hashes.
func (o *own) diff(a, b *slot, most int) canon.Report {
	if o.has(C.TB_CAN_DESCRIBE) {
		first := append([]byte(nil), o.written(C.TB_DESCRIBE, a.number, "describe")...)
		if r := canon.DiffTexts(first, o.written(C.TB_DESCRIBE, b.number, "describe"), most); r.Total > 0 {
			return r
		}
	}
	x, y := o.do(C.TB_HASH, a.number, nil, 0), o.do(C.TB_HASH, b.number, nil, 0)
	if x == y {
		return canon.Report{}
	}
	return canon.Report{Total: 1, Differences: []canon.Difference{{Path: "(hash)", A: fmt.Sprintf("%#016x", x), B: fmt.Sprintf("%#016x", y)}}}
}

// close frees what is stored. With TB_PULL the game does that: nobody would answer.
func (o *own) close() {
	if !o.s.pull {
		for i := range o.used {
			if o.used[i] {
				o.give(uint32(i))
			}
		}
	}
	C.free(o.buffer)
	o.buffer, o.room = nil, 0
}

// defineOwn returns a game with a state of its own form as the engine takes it. There is no New: the game has one state.
func defineOwn[I input](s *session) rollback.OwnMemory[live, slot, I] {
	o := s.own
	g := rollback.OwnMemory[live, slot, I]{
		Init:    func(l *live) { s.first(l, s.base) },
		Step:    func(l *live, t *rollback.Tick[I]) { step(s, l, t) },
		Save:    func(_ *live, to *slot) { o.save(to) },
		Restore: o.restore,
		Hash:    o.sum,
		Effects: s.declared(),
		Slots: rollback.Slots[slot]{
			Hash:    func(v *slot) uint64 { return o.do(C.TB_HASH, v.number, nil, 0) },
			Size:    func(*slot) int { return o.size },
			Diff:    o.diff,
			Release: o.release,
		},
	}
	if o.has(C.TB_CAN_MARSHAL) {
		g.Marshal = func(b []byte, _ *live) ([]byte, error) { return o.marshal(b, C.TB_LIVE_STATE) }
		g.Unmarshal = o.unmarshal
		g.Slots.Marshal = func(b []byte, v *slot) ([]byte, error) { return o.marshal(b, v.number) }
	}
	return g
}
