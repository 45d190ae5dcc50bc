//go:build cgo

package main

// #include "glue.h"
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"unsafe"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// input is what a player does in a frame, in the smaller of these sizes if that has room for it; the rest is zero. More
// sizes would save bytes on the wire, but each makes the library larger by 0.8 MB.
type input interface {
	[8]byte | [64]byte
}

// raw returns the bytes of an input.
func raw[I input](in *I) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(in)), unsafe.Sizeof(*in)) }

// payload is what an effect has with it.
type payload [C.TB_MAX_PAYLOAD]byte

// gameError is the reason why a game could not go on: what a callback said.
type gameError struct{ text string }

func (e *gameError) Error() string { return e.text }

// errStopped ends a step that waits for its caller when the session is closed.
var errStopped = errors.New("the session was closed while a request was pending")

// define returns the game as the engine takes it.
func define[I input](s *session) rollback.OwnMemory[live, slot, I] {
	return rollback.OwnMemory[live, slot, I]{
		New:     func() *live { return &live{memory: s.blocks.make()} },
		Init:    func(l *live) { clear(l.bytes()); l.changed() },
		Step:    func(l *live, t *rollback.Tick[I]) { step(s, l, t) },
		Save:    (*live).save,
		Restore: (*live).restore,
		Hash:    (*live).sum,
		Equal:   (*live).equal,
		Marshal: func(b []byte, l *live) ([]byte, error) {
			l.own = true
			return append(b, l.bytes()...), nil
		},
		Unmarshal: s.decode,
		Describe:  func(l *live) any { return s.layout.Describe(l.bytes()) },
		Effects:   s.declared(),
		Slots: rollback.Slots[slot]{
			Hash:    (*slot).sum,
			Marshal: func(b []byte, v *slot) ([]byte, error) { return append(b, v.bytes...), nil },
			Size:    func(v *slot) int { return len(v.bytes) },
			Diff:    func(a, b *slot, most int) canon.Report { return s.layout.Diff(a.bytes, b.bytes, most) },
			Parts:   func(v *slot) rollback.Parts { return s.layout.Parts(v.bytes) },
		},
	}
}

// declared returns the kinds of effects that the game declares.
func (s *session) declared() (list []effects.Declaration) {
	for _, k := range s.kinds {
		if k != nil {
			list = append(list, *k)
		}
	}
	return list
}

// step runs a step of the game over a state.
func step[I input](s *session, l *live, t *rollback.Tick[I]) {
	tick := &s.shared.tick
	players := t.Players()
	tick.frame, tick.players = C.uint32_t(t.Frame()), C.uint32_t(players)
	tick.resimulating = 0
	if t.Resimulating() {
		tick.resimulating = 1
	}
	tick.finished, tick.result, tick.failed, tick.effects_len = 0, 0, 0, 0
	inputs := unsafe.Slice((*byte)(&s.shared.inputs[0]), len(s.shared.inputs))
	for p := range players {
		in := t.Input(p)
		copy(inputs[int(p)*s.inputSize:][:s.inputSize], raw(&in))
		s.shared.status[p] = C.uint8_t(t.Status(p))
	}
	if tick.max_orders > 0 {
		s.orderStep(int(players), func(p int) []byte { return t.Orders(tickback.Player(p)) })
	}
	l.changed()
	if s.pull {
		s.askAbout(C.TB_STEP, l.memory, 0)
	} else {
		C.tb_glue_step(C.uintptr_t(uintptr(unsafe.Pointer(s.shared))), C.uintptr_t(uintptr(l.address())))
	}
	if s.clearGaps {
		s.layout.Clear(l.bytes())
	}
	if tick.failed != 0 {
		text := unsafe.Slice((*byte)(unsafe.Pointer(&tick.failure[0])), len(tick.failure))
		n := max(bytes.IndexByte(text, 0), 0)
		s.breakOff("the step of frame %d failed: %s", t.Frame(), text[:n])
	}
	if tick.effects_len != 0 {
		s.emit(t.Effects(), uint32(t.Frame()))
	}
	if tick.finished != 0 {
		t.Finish(uint64(tick.result))
	}
}

// orderStep gives a step the orders of all players.
func (s *session) orderStep(players int, of func(p int) []byte) {
	most := int(s.shared.options.max_orders)
	room := unsafe.Slice((*byte)(s.shared.orders), len(s.shared.orders_len)*most)
	for p := range players {
		b := of(p)
		if len(b) > most { // of a recording
			s.breakOff("player %d gives orders of %d bytes, more than max_orders, %d", p, len(b), most)
		}
		s.shared.orders_len[p] = C.uint32_t(copy(room[p*most:], b))
	}
}

// emit passes on the effects that a step has emitted.
func (s *session) emit(to *effects.Emitter, frame uint32) {
	emitted := s.shared.effects[:min(s.shared.tick.effects_len, s.shared.tick.effects_cap)]
	for i := range emitted {
		e := &emitted[i]
		if e.kind >= C.uint32_t(len(s.kinds)) || s.kinds[e.kind] == nil {
			s.breakOff("the step of frame %d emits an effect of kind %d, which is not among the kinds of the game", frame, e.kind)
		}
		s.kinds[e.kind].Emit(to, uint32(e.key), *(*payload)(unsafe.Pointer(&e.payload)))
	}
}

// breakOff ends the session, since a callback has failed.
func (s *session) breakOff(format string, args ...any) {
	s.broken = &gameError{fmt.Sprintf(format, args...)}
	panic(s.broken)
}

// start makes state 0 of a match.
func (s *session) start(p tickback.Parameters) (func(l *live), error) {
	return func(l *live) { s.first(l, p) }, nil
}

// first turns a live state into state 0.
func (s *session) first(l *live, p tickback.Parameters) {
	if s.own == nil {
		clear(l.bytes())
	}
	l.changed()
	give(&s.shared.match, &s.made, p)
	var answer C.int32_t
	if s.pull {
		answer = s.askAbout(C.TB_INIT, l.memory, p.Seed)
	} else {
		answer = C.int32_t(C.tb_glue_init(s.shared, l.address(), C.uint64_t(p.Seed)))
	}
	if answer != 0 {
		s.breakOff("the init of the game returned %d", answer)
	}
	if s.clearGaps {
		s.layout.Clear(l.bytes())
	}
}

// decode brings back an encoded state, which may come from another machine: the game looks at it first.
func (s *session) decode(l *live, encoded []byte) error {
	if len(encoded) != s.blocks.size {
		return fmt.Errorf("a state has %d bytes, and this one %d", s.blocks.size, len(encoded))
	}
	if l.own && bytes.Equal(encoded, l.bytes()) {
		l.own = false
		return nil
	}
	if s.scratch == nil {
		s.scratch = s.blocks.make()
	}
	copy(s.scratch.bytes(), encoded)
	if s.clearGaps {
		s.layout.Clear(s.scratch.bytes())
		if !bytes.Equal(s.scratch.bytes(), encoded) {
			return errors.New("the state has bytes that are not zero where there is no field")
		}
	}
	var answer C.int32_t
	if s.pull {
		answer = s.askAbout(C.TB_CHECK, s.scratch, 0)
	} else {
		answer = C.int32_t(C.tb_glue_check(s.shared, s.scratch.at))
	}
	if answer != 0 {
		return fmt.Errorf("the check of the game refuses the state: it returned %d", answer)
	}
	copy(l.bytes(), encoded)
	l.changed()
	return nil
}
