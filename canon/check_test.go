package canon

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// Rule: every forbidden field is listed with its path and kind, however deep it is.
func TestCheckListsEveryForbiddenField(t *testing.T) {
	type name string
	type inner struct {
		Name name
		N    int
	}
	type state struct {
		OK    uint32
		P     *uint8
		Units [3]inner
		deep  [2][2]struct{ F func() }
		M     map[uint8]uint8
		S     []byte
		I     any
		C     chan int
		U     uint
		UP    uintptr
		Raw   unsafe.Pointer
		F32   float32
		F64   [1]float64
		C64   complex64
		C128  complex128
		Local int     `canon:"-"`
		View  float64 `canon:"-"`
		Label string  `canon:"-"`
		_     [0]func()
		_     *int
	}
	_ = state{deep: [2][2]struct{ F func() }{}}
	want := []string{
		"P: ptr", "Units[*].Name: string (canon.name)", "Units[*].N: int", "deep[*][*].F: func",
		"M: map", "S: slice", "I: interface", "C: chan", "U: uint", "UP: uintptr", "Raw: unsafe.Pointer",
		"F32: float32", "F64[*]: float64", "C64: complex64", "C128: complex128",
		"Label: string", "_: ptr",
	}
	_, err := PlanFor[state]()
	var ce *CheckError
	if !errors.As(err, &ce) || ce.Type != reflect.TypeFor[state]() {
		t.Fatalf("got %v", err)
	}
	if len(ce.Problems) != len(want) {
		t.Errorf("%d problems, want %d", len(ce.Problems), len(want))
	}
	for i, p := range ce.Problems {
		if got := p.Path + ": " + p.Kind; got != want[i] || p.Remedy == "" {
			t.Errorf("problem %d is %q (%s), want %q", i, got, p.Remedy, want[i])
		}
	}
	if text := err.Error(); !strings.HasSuffix(text, "and 1 more") || strings.Count(text, "\n") != errorProblems+1 {
		t.Errorf("unbounded text:\n%s", text)
	}
}

// Rule: a caller without that option gives another remedy, for floats alone; other errors stay as they are.
func TestAdviceAboutFloatsIsThatOfThePackage(t *testing.T) {
	_, err := PlanFor[struct {
		A int
		B complex64
	}]()
	advised := AdviseFloats(err, "use integers").Error()
	if strings.Contains(advised, "AllowFloats") || !strings.Contains(advised, "B: complex64; use integers") || !strings.Contains(advised, "A: int; use int32") {
		t.Error(advised)
	}
	if !strings.Contains(err.Error(), "AllowFloats") {
		t.Error("the error itself was changed: ", err)
	}
	if other := errors.New("other"); AdviseFloats(other, "use integers") != other || AdviseFloats(nil, "use integers") != nil {
		t.Error("an error that is about no type was changed")
	}
}

// Rule: AllowFloats admits floats and nothing else.
func TestAllowFloatsAdmitsOnlyFloats(t *testing.T) {
	if _, err := PlanFor[struct {
		A float32
		B [2]complex128
	}](AllowFloats); err != nil {
		t.Error(err)
	}
	if _, err := PlanFor[struct{ A int }](AllowFloats); err == nil {
		t.Error("int was admitted")
	}
}

// Rule: an unknown tag is an error that names it.
func TestUnknownTagsAreErrors(t *testing.T) {
	exported := func(tag reflect.StructTag) error {
		return check(reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int32](), Tag: tag},
		}), 0)
	}
	for _, tag := range []reflect.StructTag{`canon:"skip"`, `canon:""`, `canon:"-,"`, `canon:-`, `canon:'-'`} {
		if err := exported(tag); err == nil || !strings.Contains(err.Error(), string(tag)) {
			t.Errorf("tag %s: %v", tag, err)
		}
	}
	for _, tag := range []reflect.StructTag{``, `canon:"-"`, `json:"canon"`, `json:"a" canon:"-"`} {
		if err := exported(tag); err != nil {
			t.Errorf("tag %s: %v", tag, err)
		}
	}
}

// Rule: a scalar, an array and a struct are all states; the error for a bad
// one names the type itself.
func TestAnyPlainTypeIsAState(t *testing.T) {
	planFor[int8](t)
	planFor[[2][3]bool](t)
	planFor[struct{}](t)
	_, err := PlanFor[string]()
	if err == nil || !strings.Contains(err.Error(), "(value): string; use a fixed [N]byte array or an index") {
		t.Errorf("got %v", err)
	}
	if _, err := PlanFor[error](); err == nil {
		t.Error("an interface was accepted")
	}
}
