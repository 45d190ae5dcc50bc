package canon

import (
	"bytes"
	"reflect"
)

// missing is the text for a side that does not have the thing compared.
const missing = "(missing)"

// DiffAny walks two values of any type in step and reports where they differ, listing at most max differences and
// counting all. The report is empty exactly if their encodings by [AppendAny] are equal. The error is a [*WalkError],
// from either value; the report then holds what was found before it. Parts that only one side has are not walked.
//
//	World.Units[3].Name: "a" != "b"
//	Items["sword"]: 1 != (missing)
//	Units: length 3 != length 4
//	Head: nil != *game.Node
//	Tail: as at Head.Next #2 != not met before
//
// A pointer or map is compared by its content where it is first met, and by identity ("as at") where it is met again.
func DiffAny(a, b any, max int) (Report, error) {
	d := anyDiffer{max: max, trail: newTrail(), toA: map[refKey]mate{}, toB: map[refKey]mate{}}
	err := d.dynamic(a, b)
	return d.report, err
}

// mate is the reference at the same place on the other side.
type mate struct {
	key refKey
	hop int
}

type anyDiffer struct {
	trail
	max      int
	report   Report
	toB, toA map[refKey]mate
	queue    [][2]reflect.Value // matched pointers and maps, by hop from 1
}

func (d *anyDiffer) add(a, b string) {
	d.report.Total++
	if len(d.report.Differences) < d.max {
		d.report.Differences = append(d.report.Differences, Difference{string(d.path()), a, b})
	}
}

func (d *anyDiffer) dynamic(a, b any) error {
	var holders [2]any
	holders[0], holders[1] = a, b
	// A root is an interface value; comparing it as an interface covers nil and types.
	root := reflect.ValueOf(&holders).Elem()
	if err := d.ifaces(root.Index(0), root.Index(1), false); err != nil {
		return err
	}
	for i := 0; i < len(d.queue); i++ {
		pair := d.queue[i]
		d.queue[i] = [2]reflect.Value{}
		d.enter(i + 1)
		if err := d.targets(pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// values compares two values of the same type.
func (d *anyDiffer) values(a, b reflect.Value) error {
	if err := d.count(1); err != nil {
		return err
	}
	switch a.Kind() {
	case reflect.Struct:
		return members(&d.trail, a.Type(), func(i int, _ reflect.StructField) error {
			return d.values(fieldValue(a, i), fieldValue(b, i))
		})
	case reflect.Array, reflect.Slice:
		return d.elements(a, b)
	case reflect.Interface:
		return d.ifaces(a, b, true)
	case reflect.Pointer, reflect.Map:
		d.references(a, b)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !a.IsNil() || !b.IsNil() {
			return d.unsupported(a)
		}
	default:
		if !sameLeaf(a, b) {
			d.add(leafPair(a, b, leafStringer(a)))
		}
	}
	return nil
}

// sameLeaf compares two leaves of the same type: floats by their bits, but all NaNs are equal.
func sameLeaf(a, b reflect.Value) bool {
	switch {
	case a.CanFloat() || a.CanComplex():
		return oneBits(a) == oneBits(b)
	case a.Kind() == reflect.String:
		return a.String() == b.String()
	}
	return a.Equal(b)
}

func (d *anyDiffer) elements(a, b reflect.Value) error {
	n := min(a.Len(), b.Len())
	if a.Len() != b.Len() {
		d.add(lengthText(a), lengthText(b))
	}
	switch elem := a.Type().Elem(); {
	case elem.Size() == 0:
		return nil
	case elem.Kind() == reflect.Uint8 && bytes.Equal(a.Bytes()[:n], b.Bytes()[:n]):
		return d.count(n / 64)
	}
	if err := d.push(step{kind: stepIndex}); err != nil {
		return err
	}
	for i, last := 0, len(d.steps)-1; i < n; i++ {
		d.steps[last].index = i
		if err := d.values(a.Index(i), b.Index(i)); err != nil {
			return err
		}
	}
	d.pop()
	return nil
}

// ifaces compares what two interfaces hold. named says whether the dynamic type becomes a step of the path.
func (d *anyDiffer) ifaces(a, b reflect.Value, named bool) error {
	if a.IsNil() || b.IsNil() {
		if a.IsNil() != b.IsNil() {
			d.add(dynamicText(a), dynamicText(b))
		}
		return nil
	}
	ta, tb := a.Elem().Type(), b.Elem().Type()
	switch {
	case ta == tb:
	case ta.String() != tb.String():
		d.add(ta.String(), tb.String())
		return nil
	default:
		return d.fail(ErrUnsupported, "two different types named "+ta.String(), "rename one of them")
	}
	if !named {
		return d.values(addressable(a.Elem()), addressable(b.Elem()))
	}
	if err := d.push(step{kind: stepType, name: ta.String()}); err != nil {
		return err
	}
	if err := d.values(addressable(a.Elem()), addressable(b.Elem())); err != nil {
		return err
	}
	d.pop()
	return nil
}

func dynamicText(v reflect.Value) string {
	if v.IsNil() {
		return "nil"
	}
	return v.Elem().Type().String()
}

// references compares two pointers or maps of the same type. Both sides number their targets in the same way as long as
// the targets met so far match one to one, however many differences were found before.
func (d *anyDiffer) references(a, b reflect.Value) {
	keyA, kindA := reference(a)
	keyB, kindB := reference(b)
	switch {
	case kindA != kindB:
		d.add(summary(a), summary(b))
		return
	case kindA != refTarget:
		return
	}
	mateB, seenA := d.toB[keyA]
	mateA, seenB := d.toA[keyB]
	switch {
	case !seenA && !seenB:
		hop := d.discover()
		d.toB[keyA], d.toA[keyB] = mate{keyB, hop}, mate{keyA, hop}
		d.queue = append(d.queue, [2]reflect.Value{a, b})
	case seenA != seenB || mateB.key != keyB:
		d.add(d.sharing(mateB, seenA), d.sharing(mateA, seenB))
	}
}

// sharing returns a text that says where a reference was first met.
func (d *anyDiffer) sharing(m mate, seen bool) string {
	if !seen {
		return "not met before"
	}
	// The number distinguishes places whose paths read the same.
	return "as at " + label(d.appendHop(nil, m.hop)) + string(appendNumber([]byte(" "), m.hop))
}

func (d *anyDiffer) targets(a, b reflect.Value) error {
	if a.Kind() == reflect.Pointer {
		return d.values(a.Elem(), b.Elem())
	}
	listA, err := entries(&d.trail, a)
	if err != nil {
		return err
	}
	listB, err := entries(&d.trail, b)
	if err != nil {
		return err
	}
	for len(listA) > 0 || len(listB) > 0 {
		if listA, listB, err = d.nextEntry(listA, listB); err != nil {
			return err
		}
	}
	return nil
}

// nextEntry handles the smallest key at the front of the two lists, and returns what remains of them.
func (d *anyDiffer) nextEntry(a, b []entry) (restA, restB []entry, err error) {
	order := 0
	switch {
	case len(b) == 0:
		order = -1
	case len(a) == 0:
		order = +1
	default:
		order = compareKeys(a[0], b[0])
	}
	first := a
	if order > 0 {
		first = b
	}
	if err := d.push(step{kind: stepKey, key: first[0].key}); err != nil {
		return nil, nil, err
	}
	defer d.pop()
	switch {
	case order < 0:
		d.add(summary(a[0].value), missing)
		return a[1:], b, nil
	case order > 0:
		d.add(missing, summary(b[0].value))
		return a, b[1:], nil
	}
	if err := d.values(a[0].key, b[0].key); err != nil {
		return nil, nil, err
	}
	return a[1:], b[1:], d.values(a[0].value, b[0].value)
}
