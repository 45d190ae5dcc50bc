package canon

import (
	"reflect"
	"strconv"
)

// MaxNesting bounds how deep structs, arrays, slices and interfaces may nest
// inside each other between two references. References themselves (pointers
// and maps) may chain without bound.
const MaxNesting = 1000

// MaxValues bounds how many values a walk visits; 64 bytes count as one value. A graph of that size takes gigabytes.
// In practice, the bound is reached by a small graph that is walked over and over: slices that share their elements
// are walked by content each time, so each level that holds the next one twice doubles the work.
const MaxValues = 1 << 28

// walkLimit is MaxValues, except in the test that reaches it.
var walkLimit = MaxValues

// maxHops bounds how many references a path spells out. The target at the end of a longer chain is named by its number
// instead (#17), and paths start anew from there. So the millionth node of a list also has a short name.
const maxHops = 16

type stepKind uint8

const (
	stepField stepKind = iota
	stepIndex
	stepRange // a run of equal elements, in a text
	stepKey
	stepType // the dynamic type of an interface
)

// step is one step of a path. Steps are rendered only when needed.
type step struct {
	kind  stepKind
	name  string // the name of a field or a type
	index int    // the index of an element, or the first of a range
	end   int    // the end of a range
	key   reflect.Value
}

// hop is a discovered reference: where its pointer or map was found.
type hop struct {
	parent   int // the hop in whose target it was found
	from, to int // the steps from that target to it, in trail.kept
	depth    int // hops spelled out by its path
}

// trail knows the path of the value that is being walked. Hop 0 is the root.
type trail struct {
	steps   []step // the steps from the target of the current hop
	current int
	hops    []hop
	kept    []step
	left    int // values that may still be visited
}

func newTrail() trail { return trail{hops: make([]hop, 1), left: walkLimit} }

// count counts n more values. It fails if the walk has too many.
func (t *trail) count(n int) error {
	if n <= t.left {
		t.left -= n
		return nil
	}
	return t.fail(ErrTooLarge, "more than "+strconv.Itoa(walkLimit)+" values",
		"slices that share elements are walked each time; link such values by pointers")
}

// push goes one step down. It fails if the nesting gets too deep.
func (t *trail) push(s step) error {
	t.steps = append(t.steps, s)
	if len(t.steps) <= MaxNesting {
		return nil
	}
	return t.fail(ErrTooDeep, "more than "+strconv.Itoa(MaxNesting)+" levels",
		"a slice or interface may contain itself; link such values by pointers")
}

// pop goes back by one step.
func (t *trail) pop() { t.steps = t.steps[:len(t.steps)-1] }

// discover numbers the reference at the current path and returns its number,
// from 1.
func (t *trail) discover() int {
	h := hop{parent: t.current, from: len(t.kept), depth: t.hops[t.current].depth + 1}
	t.kept = append(t.kept, t.steps...)
	h.to = len(t.kept)
	if h.depth > maxHops {
		h.depth = 0
	}
	t.hops = append(t.hops, h)
	return len(t.hops) - 1
}

// enter continues the walk at the target of a hop.
func (t *trail) enter(hop int) { t.current, t.steps = hop, t.steps[:0] }

// path renders the current path.
func (t *trail) path() []byte {
	return appendSteps(t.appendHop(nil, t.current), t.steps)
}

// appendHop appends the path of a reference. It recurses at most maxHops deep.
func (t *trail) appendHop(b []byte, number int) []byte {
	h := t.hops[number]
	switch {
	case number == 0:
		return b
	case h.depth == 0:
		return appendNumber(b, number)
	}
	return appendSteps(t.appendHop(b, h.parent), t.kept[h.from:h.to])
}

func appendNumber(b []byte, number int) []byte {
	return strconv.AppendInt(append(b, '#'), int64(number), 10)
}

func appendSteps(b []byte, steps []step) []byte {
	for _, s := range steps {
		switch s.kind {
		case stepField:
			b = appendField(b, s.name)
		case stepIndex:
			b = appendIndex(b, uintptr(s.index))
		case stepRange:
			b = appendRange(b, uintptr(s.index), uintptr(s.end))
		case stepKey:
			b = append(b, keyText(s.key)...)
		case stepType:
			b = append(append(append(b, ".("...), s.name...), ')')
		}
	}
	return b
}

// fail returns an error about the current path.
func (t *trail) fail(err error, what, remedy string) error {
	return &WalkError{Path: string(t.path()), Err: err, What: what, Remedy: remedy}
}

// unsupported returns the error for a value of kind func, chan or
// unsafe.Pointer that is not nil.
func (t *trail) unsupported(v reflect.Value) error {
	return t.fail(ErrUnsupported, v.Type().String(), remedyExclude)
}

// keyText returns the step to a map entry: ["sword"], [int8(1)] where the type could be any, [&{7, "ada"}] with a
// summary of what a pointer points to.
func keyText(key reflect.Value) string { return "[" + keySummary(key) + "]" }

func keySummary(key reflect.Value) string {
	switch {
	case key.Kind() == reflect.Interface && !key.IsNil():
		content := addressable(key.Elem())
		text, name := keySummary(content), content.Type().String()
		if text == name {
			return text // a channel, for example
		}
		return name + "(" + text + ")"
	case key.Kind() == reflect.Pointer && !key.IsNil():
		const depth = 1
		return "&" + head(string(appendSummary(nil, key.Elem(), depth)), leafBytes)
	}
	return summary(key)
}

// rest makes a path the continuation of another one.
func rest(path string) string {
	if path == "" || path[0] == '[' || path[0] == '.' {
		return path
	}
	return "." + path
}
