// Package rate has tick rates that are no integers, such as the 60.0988 frames a second of a console: a ratio of two
// integers, which all machines of a match and all readers of a recording understand exactly.
//
// A rate that is an integer is an int wherever it is configured, sent or recorded, and has no [Rate].
package rate

import (
	"errors"
	"fmt"
	"math/bits"
	"time"
)

// Max is the highest rate, in frames per second; the lowest is 1.
const Max = 1000

// Rate is so many frames in so many seconds. The zero value is no rate: the rate is an integer, and given as an int.
type Rate struct {
	Frames, Seconds uint32
}

// ErrRate is wrapped by the errors about a [Rate].
var ErrRate = errors.New("rate: no tick rate")

// Given reports whether the rate is not the zero value.
func (r Rate) Given() bool { return r != Rate{} }

// Check returns an error that wraps [ErrRate] unless the rate is 1 to [Max] frames per second.
func (r Rate) Check() error {
	switch f, s := uint64(r.Frames), uint64(r.Seconds); {
	case s == 0:
		return fmt.Errorf("%w: %d frames in no seconds", ErrRate, f)
	case f < s || f > Max*s:
		return fmt.Errorf("%w: %d frames in %d seconds, must be 1 to %d in a second", ErrRate, f, s, Max)
	}
	return nil
}

// Canonical returns an error that wraps [ErrRate] unless the rate is in the only form in which it is sent and
// recorded: 1 to [Max] frames per second, in lowest terms, and no integer.
func (r Rate) Canonical() error {
	if err := r.Check(); err != nil {
		return err
	}
	if r.Seconds == 1 || r.lowest() != r {
		return fmt.Errorf("%w: %v has a shorter form", ErrRate, r)
	}
	return nil
}

// lowest returns the rate in lowest terms.
func (r Rate) lowest() Rate {
	a, b := r.Frames, r.Seconds
	for b != 0 {
		a, b = b, a%b
	}
	return Rate{r.Frames / a, r.Seconds / a}
}

// Settle returns a configured rate in the form that is used from then on. Of a rate that is an integer, that is the int
// alone: whole, if no exact rate is given. Otherwise it is the exact rate in lowest terms, with the [Rate.Nearest]
// integer, which whole may be already; any other whole but 0 is an error. A whole without an exact rate is not checked.
func Settle(whole int, exact Rate) (int, Rate, error) {
	if !exact.Given() {
		return whole, exact, nil
	}
	if err := exact.Check(); err != nil {
		return whole, exact, err
	}
	near := exact.Nearest()
	if whole != 0 && whole != near {
		return whole, exact, fmt.Errorf("%w: it is given twice, as %d and as %v", ErrRate, whole, exact)
	}
	if exact = exact.lowest(); exact.Seconds == 1 {
		exact = Rate{}
	}
	return near, exact, nil
}

// Nearest returns the integer next to the rate, in frames per second, for what is counted in frames but stands for
// a time, such as the frames of a block in a recording. Halves are rounded up. It returns 0 if no rate is given.
func (r Rate) Nearest() int {
	if r.Seconds == 0 {
		return 0
	}
	return int((2*uint64(r.Frames) + uint64(r.Seconds)) / (2 * uint64(r.Seconds)))
}

// Period returns the tick period, rounded down to nanoseconds, and what that leaves out: rest/of of a nanosecond, where
// rest is less than of. Whoever adds up periods has to add the rests, too. The rate must be given, and valid.
func (r Rate) Period() (period time.Duration, rest, of uint64) {
	f := uint64(r.Frames)
	ns := uint64(r.Seconds) * uint64(time.Second) // below 2^62
	return time.Duration(ns / f), ns % f, f
}

// Tick returns the tick period of a rate that is whole, or exact if that is given, rounded down to nanoseconds. The rate
// must be valid.
func Tick(whole int, exact Rate) time.Duration {
	if !exact.Given() {
		return time.Second / time.Duration(whole)
	}
	period, _, _ := exact.Period()
	return period
}

// Count returns how many frames begin within this time, the first of them at its beginning, at a rate that is whole, or
// exact if that is given: the time divided by the tick period, rounded up. It is at most the largest uint32, and 0 for
// a time that is not positive.
func Count(d time.Duration, whole int, exact Rate) uint32 {
	if d <= 0 {
		return 0
	}
	if !exact.Given() {
		exact = Rate{uint32(whole), 1}
	}
	hi, lo := bits.Mul64(uint64(d), uint64(exact.Frames))
	per := uint64(exact.Seconds) * uint64(time.Second)
	if hi >= per {
		return 1<<32 - 1
	}
	n, rest := bits.Div64(hi, lo, per)
	if rest > 0 {
		n++
	}
	return uint32(min(n, 1<<32-1))
}

// Length returns how long this many frames take, rounded down to nanoseconds, at a rate that is whole, or exact if
// that is given. It returns the maximum of time.Duration where the length does not fit.
func Length(frames uint32, whole int, exact Rate) time.Duration {
	if !exact.Given() {
		exact = Rate{uint32(whole), 1}
	}
	hi, lo := bits.Mul64(uint64(frames), uint64(exact.Seconds)*uint64(time.Second))
	if n := uint64(exact.Frames); hi < n {
		if q, _ := bits.Div64(hi, lo, n); q < 1<<63 {
			return time.Duration(q)
		}
	}
	return 1<<63 - 1
}

// String returns the rate in frames per second, as a fraction: "39375000/655171".
func (r Rate) String() string { return fmt.Sprintf("%d/%d", r.Frames, r.Seconds) }

// Text returns a rate that is whole, or exact if that is given, as it stands in errors and reports: "60", or
// "60.0988 (39375000/655171)". The decimals are for people, and rounded down.
func Text(whole int, exact Rate) string {
	if !exact.Given() || exact.Seconds == 0 {
		return fmt.Sprint(whole)
	}
	f, s := uint64(exact.Frames), uint64(exact.Seconds)
	return fmt.Sprintf("%d.%04d (%v)", f/s, f%s*10_000/s, exact)
}
