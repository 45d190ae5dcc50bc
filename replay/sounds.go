package replay

import (
	"slices"

	"github.com/tickback/tickback/rollback/effects"
)

// sounds are the sustained effects that are on, according to the last event of each. After a jump, the effects that
// the application believes to be on are compared with those that are.
type sounds struct {
	on     []effects.Event // on in the game
	told   []effects.Event // on as far as the application knows
	jumped bool            // the lists may differ, since frame at
	at     effects.Frame
	out    []effects.Event
}

// hear updates the list with new events.
func (s *sounds) hear(list []effects.Event) {
	for i := range list {
		e := &list[i]
		if !e.Sustained() {
			continue
		}
		k := slices.IndexFunc(s.on, func(o effects.Event) bool { return same(&o, e) })
		switch {
		case e.What == effects.Ended || e.What == effects.Cancelled:
			if k >= 0 {
				s.on = slices.Delete(s.on, k, k+1)
			}
		case k < 0:
			s.on = append(s.on, *e)
		default:
			s.on[k] = *e
		}
	}
}

// same reports whether two events are about the same effect.
func same(a, b *effects.Event) bool { return a.Kind == b.Kind && a.Key == b.Key }

// landed records the end of a jump.
func (s *sounds) landed(at effects.Frame) { s.jumped, s.at = true, at }

// tell returns the events for the application: after a jump, first the difference, and then the events since the jump.
func (s *sounds) tell(list []effects.Event) []effects.Event {
	if !s.jumped {
		s.hear(list)
		s.told = append(s.told[:0], s.on...)
		return list
	}
	s.jumped, s.out = false, s.out[:0]
	for _, e := range s.told {
		if !slices.ContainsFunc(s.on, func(o effects.Event) bool { return same(&o, &e) }) {
			e.What, e.From, e.Frame, e.Late = effects.Ended, e.Frame, s.at, 0
			s.out = append(s.out, e)
		}
	}
	for i := range s.on {
		s.correct(s.on[i])
	}
	s.out = append(s.out, list...)
	s.hear(list)
	s.told = append(s.told[:0], s.on...)
	return s.out
}

// correct adds the event that tells the application about an effect that is on.
func (s *sounds) correct(e effects.Event) {
	k := slices.IndexFunc(s.told, func(o effects.Event) bool { return same(&o, &e) })
	e.From, e.Late = e.Frame, 0
	switch {
	case k < 0:
		if e.What = effects.Started; s.at > e.Frame {
			e.Late = uint32(s.at - e.Frame - 1)
		}
		s.out = append(s.out, e)
		e.What, e.Late = effects.Confirmed, 0
	case s.told[k].Frame != e.Frame:
		e.What, e.From = effects.Moved, s.told[k].Frame
	case string(s.told[k].Bytes()) != string(e.Bytes()):
		e.What = effects.Updated
	default:
		return
	}
	s.out = append(s.out, e)
}
