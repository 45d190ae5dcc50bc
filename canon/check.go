package canon

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Problem is one reason why a type has no canonical form.
type Problem struct {
	Path   string // where, such as Units[*].Name; empty for the type itself
	Kind   string // what is there: a kind such as "string", or a tag
	Remedy string // what to do about it
}

// String returns `Path: Kind; Remedy`.
func (p Problem) String() string {
	return label(p.Path) + ": " + p.Kind + "; " + p.Remedy
}

// CheckError lists everything in a type that keeps it from being a plain state.
type CheckError struct {
	Type     reflect.Type
	Problems []Problem // all of them, in declaration order
}

// errorProblems bounds the text of a CheckError; the list itself is complete.
const errorProblems = 16

// Error names the type and its first problems, one a line.
func (e *CheckError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "canon: %v is not a plain state:", e.Type)
	for i, p := range e.Problems {
		if i == errorProblems {
			fmt.Fprintf(&b, "\n\tand %d more", len(e.Problems)-i)
			break
		}
		b.WriteString("\n\t" + p.String())
	}
	return b.String()
}

// AdviseFloats returns err with the given remedy for floats in place of the usual one, if it is a [*CheckError]. The
// usual one is [AllowFloats], an option of the code that makes the plan. If that code is in a package, its users cannot
// set it.
func AdviseFloats(err error, remedy string) error {
	var check *CheckError
	if !errors.As(err, &check) {
		return err
	}
	problems := slices.Clone(check.Problems)
	for i, p := range problems {
		if strings.HasPrefix(p.Kind, "float") || strings.HasPrefix(p.Kind, "complex") {
			problems[i].Remedy = remedy
		}
	}
	return &CheckError{Type: check.Type, Problems: problems}
}

// check returns a [*CheckError] with every problem of t, or nil.
func check(t reflect.Type, opt Option) error {
	c := checker{floats: opt&AllowFloats != 0}
	c.walk(t, "", false)
	if len(c.problems) == 0 {
		return nil
	}
	return &CheckError{Type: t, Problems: c.problems}
}

type checker struct {
	floats   bool
	problems []Problem
}

// walk checks t at path. A loose value is not part of the form, so only pointers are forbidden in it.
func (c *checker) walk(t reflect.Type, path string, loose bool) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			c.field(t.Field(i), path, loose)
		}
	case reflect.Array:
		// An array of length 0 holds nothing: the idiom `_ [0]func()` is fine.
		if t.Len() > 0 {
			c.walk(t.Elem(), path+"[*]", loose)
		}
	default:
		if remedy := c.remedy(t.Kind(), loose); remedy != "" {
			if loose {
				remedy += ": a snapshot copies excluded and blank fields too"
			}
			c.problems = append(c.problems, Problem{path, kindText(t), remedy})
		}
	}
}

func (c *checker) field(f reflect.StructField, parent string, loose bool) {
	path := joinField(parent, f.Name)
	role, problem := roleOf(f)
	if problem != "" {
		c.problems = append(c.problems, Problem{
			path, "unknown tag " + problem, `write canon:"-" to exclude the field, or remove the tag`,
		})
	}
	c.walk(f.Type, path, loose || role != roleField)
}

// remedy returns what to use instead of a kind, or "" if it is allowed.
func (c *checker) remedy(k reflect.Kind, loose bool) string {
	if remedy := pointerRemedies[k]; remedy != "" {
		return remedy
	}
	if loose {
		return ""
	}
	switch k {
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return widthRemedies[k]
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		if !c.floats {
			return "use a fixed-point number, or allow floats with canon.AllowFloats"
		}
	}
	return ""
}

// pointerRemedies has the remedies for kinds that hold references, which are forbidden everywhere.
var pointerRemedies = map[reflect.Kind]string{
	reflect.Pointer:       "use an index into an array",
	reflect.Slice:         "use a fixed array and a length",
	reflect.Map:           "use a fixed array, sorted or indexed by key",
	reflect.String:        "use a fixed [N]byte array or an index",
	reflect.Interface:     "use a kind number and a struct with all variants",
	reflect.Chan:          "keep it outside the state",
	reflect.Func:          "use a number that selects the function",
	reflect.UnsafePointer: "keep it outside the state",
}

// widthRemedies has the remedies for kinds whose width depends on the platform.
var widthRemedies = map[reflect.Kind]string{
	reflect.Int:     "use int32 or int64: its width differs by platform",
	reflect.Uint:    "use uint32 or uint64: its width differs by platform",
	reflect.Uintptr: "use uint32 or uint64: its width differs by platform",
}

// kindText describes a type by its kind, and its name if it has one.
func kindText(t reflect.Type) string {
	if t.PkgPath() == "" || t.Kind() == reflect.UnsafePointer {
		return t.Kind().String()
	}
	return t.Kind().String() + " (" + t.String() + ")"
}
