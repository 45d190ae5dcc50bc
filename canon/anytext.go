package canon

import "reflect"

// AppendTextAny appends any Go value as text, one leaf a line, with the paths that [DiffAny] uses. On an error (a
// [*WalkError]) it returns b unchanged.
//
//	Units[0].Name: "ada"
//	Grid[0:1024]: 0
//	Head: *game.Node #1
//	Tail: *game.Node #1
//	Shape.(game.Circle).R: 3
//	Items: map[string]int32 #2 of length 1
//	Head.Next: nil
//	Items["sword"]: 1
//
// Pointers and maps show their number; the lines of their targets come after
// those of the root, once each. Empty slices and maps have a line of their own.
// What the keys of a map point to is not shown beyond the summary in the path.
func AppendTextAny(b []byte, v any) ([]byte, error) {
	t := anyTexter{trail: newTrail(), out: b, numbers: map[refKey]int{}}
	if v == nil {
		t.line("nil")
		return t.out, nil
	}
	if err := t.root(rootValue(v)); err != nil {
		return b, err
	}
	return t.out, nil
}

type anyTexter struct {
	trail
	out     []byte
	numbers map[refKey]int
	queue   []reflect.Value
}

func (t *anyTexter) line(text string) {
	t.out = append(t.out, label(t.path())...)
	t.out = append(t.out, ": "...)
	t.out = append(t.out, text...)
	t.out = append(t.out, '\n')
}

func (t *anyTexter) root(v reflect.Value) error {
	if err := t.value(v); err != nil {
		return err
	}
	for i := 0; i < len(t.queue); i++ {
		ref := t.queue[i]
		t.queue[i] = reflect.Value{}
		t.enter(i + 1)
		if err := t.target(ref); err != nil {
			return err
		}
	}
	return nil
}

func (t *anyTexter) value(v reflect.Value) error {
	if err := t.count(1); err != nil {
		return err
	}
	switch v.Kind() {
	case reflect.Struct:
		return members(&t.trail, v.Type(), func(i int, _ reflect.StructField) error {
			return t.value(fieldValue(v, i))
		})
	case reflect.Array, reflect.Slice:
		return t.elements(v)
	case reflect.Interface:
		return t.iface(v)
	case reflect.Pointer, reflect.Map:
		t.reference(v)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !v.IsNil() {
			return t.unsupported(v)
		}
		t.line("nil")
	default:
		t.line(string(appendLeaf(nil, v, leafStringer(v))))
	}
	return nil
}

func (t *anyTexter) elements(v reflect.Value) error {
	elem := v.Type().Elem()
	switch {
	case v.Kind() == reflect.Slice && (v.Len() == 0 || elem.Size() == 0):
		t.line(lengthText(v))
		return nil
	case elem.Size() == 0:
		return nil
	case isScalar(elem.Kind()):
		return t.runs(v)
	}
	if err := t.push(step{kind: stepIndex}); err != nil {
		return err
	}
	for i, last := 0, len(t.steps)-1; i < v.Len(); i++ {
		t.steps[last].index = i
		if err := t.value(v.Index(i)); err != nil {
			return err
		}
	}
	t.pop()
	return nil
}

// runs writes an array or slice of leaves, equal neighbours on one line.
func (t *anyTexter) runs(v reflect.Value) error {
	if err := t.count(v.Len()); err != nil {
		return err
	}
	if err := t.push(step{kind: stepRange}); err != nil {
		return err
	}
	run, stringer := &t.steps[len(t.steps)-1], v.Type().Elem().Implements(stringerType)
	for from, to := 0, 0; from < v.Len(); from = to {
		first := v.Index(from)
		for to++; to < v.Len() && sameLeaf(first, v.Index(to)); to++ {
		}
		run.index, run.end = from, to
		t.line(string(appendLeaf(nil, first, stringer)))
	}
	t.pop()
	return nil
}

func (t *anyTexter) iface(v reflect.Value) error {
	if v.IsNil() {
		t.line("nil")
		return nil
	}
	content := addressable(v.Elem())
	if err := t.push(step{kind: stepType, name: content.Type().String()}); err != nil {
		return err
	}
	if err := t.value(content); err != nil {
		return err
	}
	t.pop()
	return nil
}

func (t *anyTexter) reference(v reflect.Value) {
	key, kind := reference(v)
	text := v.Type().String()
	switch kind {
	case refNil:
		t.line("nil")
		return
	case refEmpty:
		t.line(text)
		return
	}
	number, seen := t.numbers[key]
	if !seen {
		number = t.discover()
		t.numbers[key] = number
		t.queue = append(t.queue, v)
	}
	text += string(appendNumber([]byte(" "), number))
	if v.Kind() == reflect.Map {
		text += " of " + lengthText(v)
	}
	t.line(text)
}

func (t *anyTexter) target(ref reflect.Value) error {
	if ref.Kind() == reflect.Pointer {
		return t.value(ref.Elem())
	}
	list, err := entries(&t.trail, ref)
	if err != nil {
		return err
	}
	for _, entry := range list {
		if err := t.push(step{kind: stepKey, key: entry.key}); err != nil {
			return err
		}
		if err := t.value(entry.value); err != nil {
			return err
		}
		t.pop()
	}
	return nil
}
