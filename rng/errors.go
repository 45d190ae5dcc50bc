package rng

import "errors"

var (
	// ErrZeroSeed: xorshift32 cannot leave the state zero, so it is no seed.
	ErrZeroSeed = errors.New("rng: seed 0 gives a generator that draws only zeros; use any other seed")
	// ErrEmptyRange: there is no number to draw.
	ErrEmptyRange = errors.New("rng: empty range")
	// ErrText: the text is not one that this generator's MarshalText writes.
	ErrText = errors.New("rng: not the text form of this generator")
)

// Must returns v and panics on an error. It is for bounds that are constants of
// the program, where an error is a mistake in the source:
//
//	face := rng.Must(r.Bounded(6))
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
