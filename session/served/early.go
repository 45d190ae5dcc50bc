package served

import (
	"math/bits"
	"time"
)

// Margins are transmitted in units of 500 µs: exactly up to 16 ms, and above in steps of an eighth or less, so that
// one byte reaches up to a quarter of a second. A client decides by the margins near zero, and each is rounded
// towards late, so that none counts as earlier than it is.
const (
	marginUnit  = 500 * time.Microsecond
	marginExact = 32 // units
	marginSteps = 8  // per doubling
	marginMost  = time.Hour
)

// earlyCode returns the code of a margin.
func earlyCode(early time.Duration) int32 {
	early = min(max(early, -marginMost), marginMost)
	if early >= 0 {
		return codeOf(uint32(early / marginUnit))
	}
	late := uint32((-early + marginUnit - 1) / marginUnit)
	code := codeOf(late)
	if unitsOf(code) < late {
		code++
	}
	return -code
}

// codeOf returns the code of the given number of units, rounded down.
func codeOf(units uint32) int32 {
	if units < marginExact {
		return int32(units)
	}
	octave := bits.Len32(units/marginExact) - 1
	return marginExact + marginSteps*int32(octave) + int32(units/(marginExact/marginSteps)>>octave) - marginSteps
}

// unitsOf returns the number of units of a code.
func unitsOf(code int32) uint32 {
	if code < marginExact {
		return uint32(code)
	}
	octave := (code - marginExact) / marginSteps
	return uint32((code-marginExact)%marginSteps+marginSteps) * (marginExact / marginSteps) << octave
}

// earlyOf returns the margin of a code; ok is false if the code is invalid.
func earlyOf(code int32) (early time.Duration, ok bool) {
	size := max(code, -code)
	if size < 0 || size > maxEarlyCode {
		return 0, false
	}
	early = time.Duration(unitsOf(size)) * marginUnit
	if code < 0 {
		early = -early
	}
	return early, true
}

// maxEarlyCode is the code of marginMost, rounded up.
var maxEarlyCode = -earlyCode(-marginMost)
