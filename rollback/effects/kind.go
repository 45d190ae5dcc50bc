package effects

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback/canon"
)

// MaxPayload is the maximum size, in bytes, of the canonical encoding of a payload.
const MaxPayload = 32

// payload is an encoding, zero after its end, so that == compares payloads.
type payload [MaxPayload]byte

// mode says which rules an effect follows. Zero is the one-shot.
type mode uint8

const (
	sustained mode = 1 << iota
	onlyConfirmed
)

// spec is everything about a kind except its payload's type. It is immutable, and its
// address identifies the kind.
type spec struct {
	id   uint8
	name string
	mode mode
	size int   // the size of a payload in bytes
	err  error // why it cannot be declared
}

// Kind is a kind of effect whose payload is a P, made by [OneShot] or
// [Sustained]. It is small and immutable; keep it in a variable of the package.
type Kind[P any] struct {
	spec *spec
	plan *canon.Plan[P]
}

// Declaration is a [Kind] with any type of payload.
type Declaration interface{ declared() *spec }

func (k Kind[P]) declared() *spec { return k.spec }

// OneShot makes a kind of effect that happens at one frame: a hit, a spark, a
// jingle. The id is unique among the kinds of a game; the name is for people.
//
// P must be plain, as [canon.PlanFor] checks it, without floats, and at most
// [MaxPayload] bytes long when encoded; struct{} is fine. [NewJournal] reports a P that
// is not.
func OneShot[P any](id uint8, name string) Kind[P] { return newKind[P](id, name, 0) }

// Sustained makes a kind of effect that is on for as long as every frame emits it: an
// engine, a shield. See [OneShot] for the rest.
func Sustained[P any](id uint8, name string) Kind[P] { return newKind[P](id, name, sustained) }

func newKind[P any](id uint8, name string, m mode) Kind[P] {
	plan, err := canon.PlanFor[P]()
	err = canon.AdviseFloats(err, "effects have none, since two simulations of a frame are compared by them: round to an integer, or emit a key by which the presentation finds the rest")
	s := &spec{id: id, name: name, mode: m, err: err}
	switch {
	case err != nil:
	case plan.Size() > MaxPayload:
		s.err = fmt.Errorf("the payload has %d bytes, at most %d are allowed: emit a key by which the presentation finds the rest", plan.Size(), MaxPayload)
	case name == "":
		s.err = errors.New("the kind has no name: give it one for the logs")
	default:
		s.size = plan.Size()
	}
	return Kind[P]{s, plan}
}

// OnlyConfirmed returns a kind that is reported only when it is certain: Started and Confirmed together, as soon as the
// frame is final, and never Cancelled or Moved. It is late by the latency of the network. Use the returned kind instead
// of k:
//
//	var KO = effects.OneShot[Result](3, "ko").OnlyConfirmed()
func (k Kind[P]) OnlyConfirmed() Kind[P] {
	if k.spec == nil {
		return k
	}
	s := *k.spec
	s.mode |= onlyConfirmed
	return Kind[P]{&s, k.plan}
}

// ID returns the id that the kind was made with.
func (k Kind[P]) ID() uint8 {
	if k.spec == nil {
		return 0
	}
	return k.spec.id
}

// Name returns the name that the kind was made with.
func (k Kind[P]) Name() string {
	if k.spec == nil {
		return ""
	}
	return k.spec.name
}

// Emit says that an effect happens, or is on, in the frame that is being simulated. The key tells it from others of its
// kind. It should name a player or an object in the state. Do not count emissions, since a resimulation must arrive at
// the same key. A second emission with the same kind and key in a frame replaces the payload of the first.
//
// It does not allocate. If e is nil, nothing happens.
func (k Kind[P]) Emit(e *Emitter, key uint32, payload P) {
	if e == nil {
		return
	}
	if m := e.place(k.spec, key); m != nil && k.spec.size > 0 {
		k.plan.Append(m.payload[:0], &payload)
	}
}

// Is reports whether the event is of this kind.
func (k Kind[P]) Is(ev *Event) bool { return k.spec != nil && k.spec == ev.spec }

// Payload decodes the payload of an event: the current one, or for Ended and
// Cancelled the one last reported. It is the zero P if the event is not of this kind. It
// does not allocate.
func (k Kind[P]) Payload(ev *Event) (p P) {
	if k.Is(ev) {
		// There is no error: an encoded P always decodes.
		_ = k.plan.Decode(&p, ev.payload[:k.spec.size])
	}
	return p
}
