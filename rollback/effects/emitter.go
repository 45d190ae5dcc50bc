package effects

import (
	"errors"
	"fmt"
)

// Emitter collects the effects that a step emits. It belongs to a [Journal], and only
// [Kind.Emit] uses it.
type Emitter struct {
	kinds   [256]*spec // by id; nil if not declared
	frames  *frames
	at      Frame // the frame that is being simulated; NoFrame between frames
	dropped uint64
	err     error // the first error
}

// identity is what identifies an effect: the id of its kind, and its key.
type identity uint64

func identityOf(s *spec, key uint32) identity { return identity(s.id)<<32 | identity(key) }

func (i identity) kind() uint8 { return uint8(i >> 32) }
func (i identity) key() uint32 { return uint32(i) }

// state says how much of an emission has been reported.
type state uint8

const (
	fresh    state = iota // nothing has been reported
	changed               // the effect is shown with another payload
	reported              // the effect is shown with this payload
)

// emission is one effect in one frame.
type emission struct {
	id      identity
	since   Frame // if sustained: where the run of frames with it begins
	state   state
	mode    mode
	payload payload
}

// find returns the emission of id in a frame, or nil. It looks at hint first: from frame to frame, an effect usually
// keeps its place in the list.
func find(list []emission, hint int, id identity) *emission {
	if hint < len(list) && list[hint].id == id {
		return &list[hint]
	}
	for i := range list {
		if list[i].id == id {
			return &list[i]
		}
	}
	return nil
}

// place returns the emission whose payload the caller fills in, or nil if the emission is refused.
func (e *Emitter) place(s *spec, key uint32) *emission {
	if e.at == NoFrame || s == nil || e.kinds[s.id] != s {
		e.refuse(s)
		return nil
	}
	at := e.frames.slot(e.at)
	list, id := at.now, identityOf(s, key)
	for i := range list {
		if list[i].id == id {
			return &list[i]
		}
	}
	if len(list) == e.frames.most {
		e.dropped++
		return nil
	}
	if list == nil {
		list = e.frames.take()
	}
	at.now = list[:len(list)+1]
	m := &at.now[len(list)]
	*m = emission{id: id, mode: s.mode}
	return m
}

// refuse records why an emission was rejected.
func (e *Emitter) refuse(s *spec) {
	switch {
	case s == nil:
		e.fail(errors.New("effects: a zero Kind was emitted: make it with OneShot or Sustained"))
	case e.kinds[s.id] != s:
		e.fail(fmt.Errorf("effects: kind %d, %q, was emitted but is not declared: list it among the game's effects", s.id, s.name))
	default:
		e.fail(fmt.Errorf("effects: kind %d, %q, was emitted outside of a step", s.id, s.name))
	}
}

// fail keeps the first error.
func (e *Emitter) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}
