package canon

import "errors"

// Errors that a [WalkError] wraps, for errors.Is.
var (
	// ErrUnsupported means that a value has no canonical form: a func, a channel or an unsafe.Pointer that is not nil, or
	// an unknown canon tag.
	ErrUnsupported = errors.New("unsupported")
	// ErrAmbiguousKey means that a map has two keys of equal form, which cannot be put in order: NaNs, or pointers to
	// equal values. If a key refers to a map whose own keys are not numbers or strings, only the length of that map
	// counts for the order.
	ErrAmbiguousKey = errors.New("map keys of equal form")
	// ErrTooDeep means that values are nested more deeply than [MaxNesting], as in a slice that contains itself.
	ErrTooDeep = errors.New("nested too deeply")
	// ErrTooLarge means that a walk has more than [MaxValues] values.
	ErrTooLarge = errors.New("too large to walk")
)

// WalkError says where and why a value has no canonical form.
type WalkError struct {
	Path   string // the path of the value; empty for the root
	Err    error  // ErrUnsupported, ErrAmbiguousKey, ErrTooDeep or ErrTooLarge
	What   string // what is there, such as its type
	Remedy string // what to do about it
}

// Error names the path, what is there, and the remedy.
func (e *WalkError) Error() string {
	return "canon: " + head(label(e.Path), 4*leafBytes) + ": " + e.Err.Error() + ": " + e.What + "; " + e.Remedy
}

// Unwrap returns Err.
func (e *WalkError) Unwrap() error { return e.Err }

const remedyExclude = `keep it outside the state or exclude the field with the tag canon:"-"`
