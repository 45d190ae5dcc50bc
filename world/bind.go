package world

import (
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/tickback/tickback/canon"
)

// New makes an empty world. W is a struct of tables (structs that embed [Table]), of [One], [Grid], [Map] and [Set], of
// parts that last only for a step ([Later], [Sum] and [Scratch]), and of structs of these. Fields tagged canon:"-" are
// not part of the state and are left alone. The error is a [*canon.CheckError] that names every other field, and
// everything in the columns that is not plain.
func New[W any]() (*W, error) {
	t := reflect.TypeFor[W]()
	b := binder{store: &store{name: t.String()}}
	w := new(W)
	b.world(reflect.ValueOf(w).Elem())
	if len(b.problems) > 0 {
		return nil, &canon.CheckError{Type: t, Problems: b.problems}
	}
	b.store.bound = b.parts
	return w, nil
}

// binder prepares the parts of a world.
type binder struct {
	store    *store
	like     []part // if this world is of a snapshot: the parts of the live world
	parts    []part
	problems []canon.Problem
}

var (
	partType  = reflect.TypeFor[part]()
	tableType = reflect.TypeFor[Table]()
)

func (b *binder) world(v reflect.Value) {
	if v.Kind() != reflect.Struct {
		b.problem("", v.Kind().String(), "use a struct of tables")
		return
	}
	if embedsTable(v.Type()) {
		b.problem("", "a table", "make it a field of a struct, which is the world")
		return
	}
	b.fields(v, "", nil)
	if len(b.parts) == 0 && len(b.problems) == 0 {
		b.problem("", "a struct without parts", "give it a table, say")
	}
}

// fields prepares the parts among the fields of a struct; those of a table's struct get the table.
func (b *binder) fields(v reflect.Value, path string, table *Table) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if tag, ok := f.Tag.Lookup("canon"); ok && tag == "-" || f.Type == tableType && f.Anonymous {
			continue
		}
		name := f.Name
		if path != "" {
			name = path + "." + name
		}
		b.field(v.Field(i), name, table)
	}
}

// field prepares one field. A struct that embeds a table has all of the table's methods, but must not be treated as a
// table.
func (b *binder) field(v reflect.Value, path string, table *Table) {
	if v.Kind() == reflect.Struct && embedsTable(v.Type()) {
		if table != nil {
			b.problem(path, "a table in a table", "make it a field of the world, and keep entities in a column")
			return
		}
		t := v.FieldByName(tableType.Name())
		b.part(t, path, nil)
		b.fields(v, path, pointerTo(t).(*Table))
		return
	}
	switch {
	case embedsPointer(v.Type()):
		b.problem(path+"."+tableType.Name(), "a pointer to a table", "embed world.Table itself")
	case isPart(v.Type()):
		b.part(v, path, table)
	case v.Kind() == reflect.Pointer && (isPart(v.Type().Elem()) || embedsTable(v.Type().Elem())):
		b.problem(path, "a pointer to a part", "make the part itself the field: a world holds its parts")
	case v.Kind() == reflect.Struct:
		b.fields(v, path, table)
	default:
		b.problem(path, v.Kind().String(), `put it in a world.One, or tag it canon:"-" if it is not part of the state`)
	}
}

// isPart reports whether a type is one of the parts of this package. A struct that embeds a part has its methods, but
// is not a part.
func isPart(t reflect.Type) bool {
	return t.PkgPath() == tableType.PkgPath() && !embedsTable(t) && reflect.PointerTo(t).Implements(partType)
}

// embedsTable reports whether a type is the struct of a table, and embedsPointer whether it would be if it
// did not embed a pointer.
func embedsTable(t reflect.Type) bool   { return embeds(t, tableType) }
func embedsPointer(t reflect.Type) bool { return embeds(t, reflect.TypeFor[*Table]()) }

func embeds(t, embedded reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	f, ok := t.FieldByName(tableType.Name())
	return ok && f.Anonymous && f.Type == embedded && len(f.Index) == 1
}

// pointerTo returns a pointer to a field, which may be unexported.
func pointerTo(v reflect.Value) any {
	//detlint:ignore unproved it is a field of the world, at which the tables are bound by their types
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface()
}

func (b *binder) part(v reflect.Value, path string, table *Table) {
	p := pointerTo(v).(part)
	var like part
	if b.like != nil {
		like = b.like[len(b.parts)]
	}
	b.parts = append(b.parts, p)
	p.bind(b, path, table, like)
	switch p := p.(type) {
	case paged:
		b.store.parts = append(b.store.parts, p)
	case deferred:
		b.store.passed = append(b.store.passed, p)
	}
	if table == nil {
		return
	}
	if _, ok := p.(staged); !ok {
		b.problem(path, v.Type().Name()[:strings.IndexByte(v.Type().Name()+"[", '[')]+" in a table", "a table has world.Column and world.Optional: make it a field of the world")
	}
}

func (b *binder) problem(path, kind, remedy string) {
	b.problems = append(b.problems, canon.Problem{Path: path, Kind: kind, Remedy: remedy})
}

// refuse records why a type is not plain, with the paths in it. If the paths in an element and in a page of such
// elements are the same, they are recorded once.
func (b *binder) refuse(path string, err error) {
	var check *canon.CheckError
	// Do not repeat canon's advice: worlds do not have the option that it recommends.
	if !errors.As(canon.AdviseFloats(err, "use a fixed-point number (package fixed): a world has no floats"), &check) {
		b.problem(path, err.Error(), "see above")
		return
	}
	for _, p := range check.Problems {
		inner := p.Path
		for _, of := range []string{"Rows[*]", "Keys[*]", "Values[*]", "[*]"} {
			inner = strings.TrimPrefix(inner, of)
		}
		p.Path = path
		if inner = strings.TrimPrefix(inner, "."); inner != "" {
			p.Path += "." + inner
		}
		if n := len(b.problems); n == 0 || !hasProblem(b.problems, p) {
			b.problems = append(b.problems, p)
		}
	}
}

func hasProblem(list []canon.Problem, p canon.Problem) bool {
	for _, q := range list {
		if p == q {
			return true
		}
	}
	return false
}

// storeOf returns the store of a world that New has made.
func storeOf[W any](w *W) *store {
	v := reflect.ValueOf(w).Elem()
	//detlint:ignore concurrency it remembers what a type is like, which anybody finds out alike
	index, ok := firstParts.Load(v.Type())
	if !ok {
		//detlint:ignore concurrency it remembers what a type is like, which anybody finds out alike
		index, _ = firstParts.LoadOrStore(v.Type(), firstPart(v.Type()))
	}
	if index := index.([]int); index != nil {
		if s := pointerTo(v.FieldByIndex(index)).(interface{ storeOf() *store }).storeOf(); s != nil {
			return s
		}
	}
	panic("world: a world that world.New has not made")
}

// firstParts has the position of the first part with a store in each type of world, by reflect.Type.
var firstParts sync.Map

func firstPart(t reflect.Type) []int {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type.Kind() != reflect.Struct || f.Tag.Get("canon") == "-" {
			continue
		}
		if embedsTable(f.Type) || isPart(f.Type) && reflect.PointerTo(f.Type).Implements(reflect.TypeFor[paged]()) {
			return []int{i}
		}
		if isPart(f.Type) {
			continue
		}
		if inner := firstPart(f.Type); inner != nil {
			return append([]int{i}, inner...)
		}
	}
	return nil
}
