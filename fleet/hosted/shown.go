package hosted

import (
	"fmt"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// slackFrames is how long an effect that never happened may still be shown after its frame is final: until the newest
// frame is later by as many frames as a correction may shift it.
const slackFrames = effects.DefaultTolerance + 2

// shownKey identifies an effect that is shown.
type shownKey struct {
	kind uint8
	key  uint32
	at   Frame
}

// shownEffects tracks which effects a client shows, according to its events: each effect once, and in the end those
// that have happened.
type shownEffects[S any, I comparable] struct {
	shown     map[shownKey]string // effects reported and not confirmed yet; never ranged over
	open      []uint16            // how many of them there are, by frame, in a ring
	confirmed []uint16            // how many have happened, by frame
	judged    Frame               // the frames before it have been judged
	silent    span                // the frames for which it is not known what happened
	// With partial sight: an engine that is fed the ticks that the client is told, and the effects that it emits.
	fed      *rollback.Engine[S, I]
	expected [][]occurrence // by frame, in a ring
	ring     Frame
}

// span is a range of frames.
type span struct{ from, to Frame }

func (s span) has(f Frame) bool { return s.from <= f && f < s.to }

// playbillFrames is how many frames are held: more than a client is ahead, or behind.
const playbillFrames = 1024

func newPlaybill[S any, I comparable]() shownEffects[S, I] {
	return shownEffects[S, I]{
		shown: map[shownKey]string{}, open: make([]uint16, playbillFrames), confirmed: make([]uint16, playbillFrames),
		expected: make([][]occurrence, playbillFrames), ring: playbillFrames,
	}
}

// begin begins with a state; nothing is known about frames before it.
func (b *shownEffects[S, I]) begin(f Frame) { b.judged = f }

// miss records that the client did not receive the ticks from one up to but not including another.
func (b *shownEffects[S, I]) miss(from, to Frame) {
	if b.silent.to <= b.judged {
		b.silent.from = from
	}
	b.silent.from, b.silent.to = min(b.silent.from, from), max(b.silent.to, to)
}

// tell takes an event, and returns what is wrong with it, or "".
func (b *shownEffects[S, I]) tell(e *effects.Event, happened func(f Frame) []occurrence) string {
	if e.Sustained() {
		return ""
	}
	id := shownKey{e.Kind, e.Key, e.Frame}
	was, on := b.shown[id]
	switch e.What {
	case effects.Started:
		if on {
			return "it is shown already"
		}
		b.show(id, string(e.Bytes()))
	case effects.Moved:
		from := shownKey{e.Kind, e.Key, e.From}
		if _, there := b.shown[from]; !there || on && from != id {
			return "what is moved is not shown, or something is shown where it goes"
		}
		b.hide(from)
		b.show(id, string(e.Bytes()))
	case effects.Updated:
		if !on {
			return "it is not shown"
		}
		b.shown[id] = string(e.Bytes())
	case effects.Cancelled:
		if !on {
			return "it is not shown, or has happened"
		}
		b.hide(id)
	case effects.Confirmed:
		if !on || was != string(e.Bytes()) {
			return "something else is shown"
		}
		b.hide(id)
		return b.confirm(e, happened)
	}
	return ""
}

func (b *shownEffects[S, I]) confirm(e *effects.Event, happened func(f Frame) []occurrence) string {
	b.confirmed[e.Frame%b.ring]++
	if b.silent.has(e.Frame) || e.Frame < b.judged {
		return ""
	}
	want := occurrenceOf(e)
	for _, o := range happened(e.Frame) {
		if o == want {
			return ""
		}
	}
	return "it has not happened"
}

func (b *shownEffects[S, I]) show(id shownKey, payload string) {
	b.shown[id] = payload
	b.open[id.at%b.ring]++
}

func (b *shownEffects[S, I]) hide(id shownKey) {
	delete(b.shown, id)
	b.open[id.at%b.ring]--
}

// judge checks the frames that are final by now, and returns one in which something is missing, doubled or left over,
// and what that is.
func (b *shownEffects[S, I]) judge(final Frame, happened func(f Frame) []occurrence) (f Frame, wrong string) {
	for ; b.judged+slackFrames < final; b.judged++ {
		f := b.judged
		n, open := int(b.confirmed[f%b.ring]), b.open[f%b.ring]
		b.confirmed[f%b.ring] = 0
		switch want := happened(f); {
		case open > 0:
			b.judged++
			return f, fmt.Sprintf("%d effects are left over", open)
		case !b.silent.has(f) && n != len(want):
			b.judged++
			return f, fmt.Sprintf("%d effects have happened, and %d were shown", len(want), n)
		}
	}
	return 0, ""
}
